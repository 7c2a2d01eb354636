"""The `envelope` dialect from outside: the tool, windows, numbers, ceiling, encodings and documents."""

import enum
import json
import os
import random
import re
import tracemalloc
from contextlib import closing

import pytest
from asking import label, lines_of
from envelope_replies import ABSENT, DENIED, bad, good, run
from small_files import office, pdf

from readwell import BinaryFile
from readwell.dialects import dialect_named
from readwell.envelope import ErrorCode, ReadTool
from readwell.tool import Tool

# The tables below are kept dense.
# fmt: off

CEILING = 262_144  # bytes of file text in one reply


@pytest.fixture
def world(root):
    """root with a text and a folder, and a sibling outside."""
    (root / "text.txt").write_bytes(b"one\ntwo\nthree\n")
    (root / "folder").mkdir()
    (root / "folder" / "inner.txt").write_bytes(b"inner\n")
    (root.parent / "root-evil").mkdir()
    (root.parent / "root-evil" / "plain.txt").write_bytes(b"outside\n")
    return root


def test_name_and_schema(root):
    tool = ReadTool(str(root))
    assert tool.name == "Read"
    start = "The line number to start reading from (1-based). Default is 1."
    limit = "The maximum number of lines to read. Default is 500. Hard limit is 2000."
    properties = {
        "path": {"type": "string", "description": "Path to the file (relative to project root). Required."},
        "start_line": {"type": "integer", "description": start, "default": 1},
        "limit": {"type": "integer", "description": limit, "default": 500},
    }
    assert tool.schema == {
        "name": "Read",
        "description": "Reads a file from the local filesystem with line numbers. Optimized for code editing.",
        "parameters": {"type": "object", "properties": properties, "required": ["path"]},
    }


@pytest.mark.parametrize("code",
    ["NOT_FOUND", "ACCESS_DENIED", "IS_DIRECTORY", "BINARY_FILE", "INVALID_PARAM", "PERMISSION_DENIED", "TIMEOUT"]
    + ["CONFLICT", "EXECUTION_ERROR", "INTERNAL_ERROR"],
)
def test_every_code_is_public_and_a_string(code):
    assert issubclass(ErrorCode, str) and issubclass(ErrorCode, enum.Enum)
    assert ErrorCode[code] == code and ErrorCode(code) is ErrorCode[code] and json.dumps(ErrorCode[code]) == f'"{code}"'


@pytest.mark.parametrize("project, working", [("nothing", "."), ("text.txt", "."), (".", "nothing"), (".", "text.txt")])
def test_root_and_working_dir_must_be_directories(world, project, working):
    with pytest.raises(ValueError):
        ReadTool(str(world / project), working)


def test_paths_are_relative_to_the_root_whatever_the_working_dir(world):
    tool = ReadTool(str(world), "folder")
    first = good(world, {"path": "folder/inner.txt"}, "folder/inner.txt", ["inner"], tool=tool, cwd="folder")
    again = {"path": first["context"]["path_resolved"]}
    assert good(world, again, "folder/inner.txt", ["inner"], tool=tool, cwd="folder")["data"] == first["data"]
    good(world, {"path": "text.txt"}, "text.txt", ["one", "two", "three"], tool=tool, cwd="folder")
    bad(tool, {"path": "inner.txt"}, "NOT_FOUND", "File 'inner.txt' does not exist.", "inner.txt", cwd="folder")
    bad(tool, {"path": "../root-evil/plain.txt"}, "ACCESS_DENIED", DENIED, ABSENT, cwd="folder")


def test_the_working_dir_must_lie_inside_the_root(world):
    (world / "way-out").symlink_to("..")
    (world / "way-in").symlink_to("folder")
    for outside in ("..", "folder/../..", str(world.parent), "way-out"):
        with pytest.raises(ValueError, match="is not inside the project root"):
            ReadTool(str(world), outside)
    for inside, shown in ((str(world / "folder"), "folder"), ("folder/..", "."), ("way-in", "folder")):
        assert ReadTool(str(world), inside).run({"path": "text.txt"})["context"]["cwd"] == shown


def test_a_small_file_in_full(root):
    (root / "a.py").write_bytes(b"def f():\n    return 1")
    reply = good(root, {"path": "a.py"}, "a.py", ["def f():", "    return 1"])
    assert reply["data"] == {"content": "   1 | def f():\n   2 |     return 1\n", "truncated": False}
    assert reply["text"] == f"Read 2 lines from 'a.py' (Lines 1-2).\n(Took {reply['stats']['time_ms']}ms)"
    assert reply["stats"]["chars_read"] == 22


@pytest.mark.parametrize("params, first, last", [
    ({}, 1, 500), ({"start_line": 501}, 501, 1000), ({"start_line": 501, "limit": 50}, 501, 550), ({"limit": 1}, 1, 1),
    ({"limit": 2000}, 1, 2000), ({"limit": 1999}, 1, 1999), ({"start_line": 9999, "limit": 2}, 9999, 10000),
    ({"start_line": 9998}, 9998, 10001), ({"start_line": 10001, "limit": 2000}, 10001, 10001),
    ({"start_line": 8002, "limit": 2000}, 8002, 10001), ({"start_line": 8001, "limit": 2000}, 8001, 10000),
])
def test_a_window_of_ten_thousand_and_one_lines(root, params, first, last):
    (root / "big.txt").write_bytes(b"".join(b"Line %d\n" % n for n in range(1, 10002)))
    good(root, {"path": "big.txt"} | params, "big.txt", [f"Line {n}" for n in range(first, last + 1)], first, 10001)


def test_a_later_page_is_worded_like_the_first(root):
    (root / "big.txt").write_bytes(b"x\n" * 600)
    reply = good(root, {"path": "big.txt", "start_line": 501, "limit": 50}, "big.txt", ["x"] * 50, 501, 600)
    assert reply["text"].split("\n") == [
        "Read 50 lines from 'big.txt' (Lines 501-550).",
        f"(Took {reply['stats']['time_ms']}ms)",
        "[Truncated: Showing first 50 of 600 lines. Use start_line=551 to continue.]",
    ]


@pytest.mark.parametrize("text, lines", [
    ("a\nb\n", ["a", "b"]), ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]), ("a\rb\r", ["a", "b"]), ("a\r\rb", ["a", "", "b"]),
    ("a\n\rb", ["a", "", "b"]), ("a\r\n\rb\nc", ["a", "", "b", "c"]), ("\n", [""]), ("\r\n", [""]), ("\r", [""]),
    ("\n\n", ["", ""]), ("a\r\r\nb", ["a", "", "b"]), ("a\x0bb\x0cc\x1cd\x1de\x1ef\n", ["a\x0bb\x0cc\x1cd\x1de\x1ef"]),
    ("a\x85b\u2028c\u2029d\ne", ["a\x85b\u2028c\u2029d", "e"]), ("\ufeffa\nb\n", ["a", "b"]),
    ("a\ufeff\n\ufeffb", ["a\ufeff", "\ufeffb"]),
    ("\x01\x02\x03\x7f\n", ["\x01\x02\x03\x7f"]), ("😀é\n", ["😀é"]), ("", []), ("\ufeff", []),
], ids=label)
def test_where_a_line_ends(root, text, lines):
    (root / "f.txt").write_bytes(text.encode())
    good(root, {"path": "f.txt"}, "f.txt", lines)


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf"], ids=["empty", "only a BOM"])
def test_an_empty_file_is_a_success_with_one_valid_start(root, data):
    (root / "e.txt").write_bytes(data)
    assert good(root, {"path": "e.txt"}, "e.txt", [])["text"] == "Read 0 lines from 'e.txt' (file is empty)."
    good(root, {"path": "e.txt", "start_line": 1, "limit": 1}, "e.txt", [])
    message = "Invalid start_line: file is empty. Valid start_line is 1."
    for start in (2, 99):
        bad(ReadTool(str(root)), {"path": "e.txt", "start_line": start}, "INVALID_PARAM", message, "e.txt")


@pytest.mark.parametrize("edge", [4096, 8192, 65536, 131072])
@pytest.mark.parametrize("mark", ["é", "€", "😀", "\r\n"])
def test_nothing_is_damaged_at_a_chunk_edge(root, edge, mark):
    for back in range(len(mark.encode()) + 1):
        text = "a" * (edge - back) + mark + "z\nlast\n"
        (root / "f.txt").write_bytes(text.encode())
        good(root, {"path": "f.txt"}, "f.txt", lines_of(text))


@pytest.mark.parametrize("max_bytes", [9, 40, CEILING])
@pytest.mark.parametrize("limit", [1, 3, 500])
def test_following_the_continuation_gives_every_line_once(root, max_bytes, limit):
    rng = random.Random(max_bytes * 1000 + limit)
    words = ["", "", "a", "bb", "é€", "😀😀", "ccccccccc", "\x0c", "w\u2028"]
    text = "".join(rng.choice(words) + rng.choice(["\n", "\r\n", "\r"]) for _ in range(700)) + "end"
    (root / "f.txt").write_bytes(text.encode())
    want, got, start = lines_of(text), [], 1
    tool = ReadTool(str(root), max_bytes=max_bytes)
    while start:
        reply = run(tool, {"path": "f.txt", "start_line": start, "limit": limit})
        rows = [row.split(" | ", 1) for row in reply["data"]["content"][:-1].split("\n")]
        assert 1 <= len(rows) <= limit
        assert [n for n, _ in rows] == ["%4d" % n for n in range(start, start + len(rows))]
        got += [line for _, line in rows]
        assert reply["data"]["truncated"] is (len(got) < len(want))
        after = re.search(r"Use start_line=(\d+) to continue\.\]$", reply["text"])
        assert bool(after) is reply["data"]["truncated"]
        start = int(after[1]) if after else 0
        assert start in (0, len(got) + 1)
    assert got == want


def test_the_modification_time_is_floored_to_milliseconds(root):
    (root / "f.txt").write_bytes(b"x")
    for ns in (1_600_000_000_123_999_999, 1_600_000_000_000_000_000, 999_999):
        os.utime(root / "f.txt", ns=(ns, ns))
        good(root, {"path": "f.txt"}, "f.txt", ["x"])


THREE = "aaaaa\nbbbbb\nccccc\n"
A, B, C = "aaaaa", "bbbbb", "ccccc"


@pytest.mark.parametrize("max_bytes, text, start, limit, lines, total, clipped", [
    (17, THREE, 1, 500, [A, B, C], 3, None), (16, THREE, 1, 500, [A, B], 3, None), (11, THREE, 1, 500, [A, B], 3, None),
    (10, THREE, 1, 500, [A], 3, None), (11, THREE, 2, 500, [B, C], 3, None), (10, THREE, 2, 500, [B], 3, None),
    (11, "\ufeffaaaaa\r\nbbbbb\r\n", 1, 500, [A, B], 2, None), (10, "éé\nééé\nx\n", 1, 500, ["éé"], 3, None),
    (10, "a" * 11 + "\nb\n", 1, 500, ["a" * 10], 2, 10), (10, "a" * 11, 1, 500, ["a" * 10], 1, 10),
    (10, "é" * 6 + "\nbbbbb\n", 1, 500, ["é" * 5], 2, 5), (10, "€" * 4 + "\nbbbbb\n", 1, 500, ["€" * 3], 2, 3),
    (10, "😀" * 3 + "\nbbbbb\n", 1, 500, ["😀" * 2], 2, 2), (10, "bb\n" + "a" * 11 + "\ncc\n", 1, 500, ["bb"], 3, None),
    (10, "bb\n" + "a" * 11 + "\ncc\n", 2, 500, ["a" * 10], 3, 10), (10, "bb\n" + "a" * 11 + "\ncc\n", 3, 500, ["cc"], 3, None),
    (CEILING, ("x" * 2000 + "\n") * 200, 1, 500, ["x" * 2000] * 131, 200, None),
    (CEILING, "x" * CEILING + "\n", 1, 500, ["x" * CEILING], 1, None),
    (CEILING, "x" * (CEILING + 1) + "\nnext\n", 1, 500, ["x" * CEILING], 2, CEILING),
    (CEILING, "é" * 131_073, 1, 500, ["é" * 131_072], 1, 131_072),
], ids=label)
def test_the_ceiling_ends_a_window_early_or_clips_its_first_line(root, max_bytes, text, start, limit, lines, total, clipped):
    (root / "f.txt").write_bytes(text.encode())
    params = {"path": "f.txt", "start_line": start, "limit": limit}
    tools = [ReadTool(str(root), max_bytes=max_bytes)] + [ReadTool(str(root))] * (max_bytes == CEILING)
    for tool in tools:
        good(root, params, "f.txt", lines, start, total, tool=tool, clipped=clipped)


def test_one_enormous_line_is_never_held_whole(root):
    with open(root / "f.txt", "wb") as out:
        for _ in range(48):
            out.write(b"x" * 1_048_576)
        out.write(b"\nlast\n")
    tracemalloc.start()
    try:
        good(root, {"path": "f.txt"}, "f.txt", ["x" * CEILING], 1, 2, clipped=CEILING)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 24 * 1_048_576


@pytest.mark.parametrize("data, params, lines, first, total", [
    (b"fine\nb\xffd\n", {}, ["fine", "b\ufffdd"], 1, 2), (b"caf\xe9", {}, ["caf\ufffd"], 1, 1),
    (b"cut \xe2\x82", {}, ["cut \ufffd"], 1, 1), (b"\xff\r\n\xff\r\xff\n", {}, ["\ufffd"] * 3, 1, 3),
    (b"\xef\xbb\xbfa\xff", {}, ["a\ufffd"], 1, 1), (b"fine\nb\xffd\n", {"limit": 1}, ["fine"], 1, 2),
    (b"b\xffd\nfine\n", {"start_line": 2}, ["fine"], 2, 2), (b"sound\n" * 30000 + b"\xff\n", {"limit": 2}, ["sound"] * 2, 1, 30001),
    (b"sound\n" * 30000 + b"\xff", {"start_line": 30000}, ["sound", "\ufffd"], 30000, 30001),
    (b"a" * 8191 + b"\xff" + b"a", {}, ["a" * 8191 + "\ufffda"], 1, 1),
    (b"a" * 65535 + b"\xff" + b"a", {}, ["a" * 65535 + "\ufffda"], 1, 1),
], ids=label)
def test_what_is_not_utf8_is_replaced_and_said(root, data, params, lines, first, total):
    (root / "f.txt").write_bytes(data)
    good(root, {"path": "f.txt"} | params, "f.txt", lines, first, total, replaced=True)


def test_all_three_warnings_come_in_order(root):
    (root / "f.txt").write_bytes(b"aaaaaaaaaaaa\nb\n\xff\n")
    tool = ReadTool(str(root), max_bytes=10)
    reply = good(root, {"path": "f.txt"}, "f.txt", ["a" * 10], 1, 3, tool=tool, clipped=10, replaced=True)
    assert [row.split(" ")[0] for row in reply["text"].split("\n")] == ["Read", "(Took", "[Truncated:", "[Warning:", "[Warning:"]


def test_the_ceiling_counts_the_text_shown(root):
    (root / "f.txt").write_bytes(b"\xff\xff\nb\n")
    good(root, {"path": "f.txt"}, "f.txt", ["\ufffd\ufffd"], 1, 2, tool=ReadTool(str(root), max_bytes=6), replaced=True)


def binary(root, name, data, **settings):
    (root / name).write_bytes(data)
    tool = ReadTool(str(root), **settings)
    return bad(tool, {"path": name}, "BINARY_FILE", f"File '{name}' appears to be binary.", name)


@pytest.mark.parametrize("at", [0, 1, 4095, 8191])
def test_an_early_nul_makes_a_file_binary(root, at):
    binary(root, "f.txt", b"a" * at + b"\0" + b"a" * 9000)
    binary(root, "g.txt", b"a" * at + b"\0", documents=True)


@pytest.mark.parametrize("at", [8192, 8193, 70000])
def test_a_late_nul_is_text(root, at):
    (root / "f.txt").write_bytes(b"a" * at + b"\0\n")
    good(root, {"path": "f.txt"}, "f.txt", ["a" * at + "\0"])


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", ["\ufeffplain\n", "\ufeff名名", "\ufeff"], ids=label)
def test_a_wide_file_is_binary_and_the_guidance_names_its_encoding(root, encoding, text):
    guidance = binary(root, "f.txt", text.encode(encoding)).lower()
    named = encoding[:6]
    assert named in guidance or named.replace("-", "") in guidance


@pytest.mark.parametrize("raw", ["wide".encode("utf-16"), b"a\0b", b"%PDF-1.7\n\0"])
def test_the_failure_to_read_a_binary_file_has_its_size(root, raw):
    (root / "f.txt").write_bytes(raw)
    with closing(Tool(dialect_named("envelope"), (str(root),))) as tool, pytest.raises(BinaryFile) as failed:
        tool.read({"path": "f.txt"})
    assert failed.value.size == len(raw)


@pytest.mark.parametrize("name, data",
    [("d.pdf", pdf()), ("d.txt", pdf()), ("d.docx", office("word/document.xml", "wordprocessingml.document")), ("d.txt", office("word/document.xml", "wordprocessingml.document"))]
    + [("d.pdf", b"%PDF-1.7\ndamaged\n"), ("d.docx", b"PK\x03\x04damaged")]
    + [("d.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1damaged")], ids=label)
def test_a_document_is_binary_unless_documents_are_asked_for(root, name, data):
    binary(root, name, data)
    tool = ReadTool(str(root), documents=True)
    for params in ({"path": name}, {"path": name, "start_line": 999}):
        bad(tool, params, "EXECUTION_ERROR", re.compile(f"Could not read '{re.escape(name)}': .+\\."), name)


@pytest.mark.parametrize("name", ["a.pdf", "a.docx", "a.html", "a.csv", "a.ipynb", "a.rtf"])
@pytest.mark.parametrize("documents", [False, True])
def test_text_under_any_name_stays_text(root, name, documents):
    (root / name).write_bytes(b"<p>a,b</p>\n")
    good(root, {"path": name}, name, ["<p>a,b</p>"], tool=ReadTool(str(root), documents=documents))
