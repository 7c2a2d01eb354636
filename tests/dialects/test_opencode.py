"""The `opencode` dialect: tagged output, exceptions for failures, every byte as specified."""

import asyncio
import os
import re
import socket
import threading
from pathlib import Path

import pydantic
import pytest

import readwell
from effort import some_of
from ordinary_user import as_an_ordinary_user
from readwell import opencode
from readwell.opencode import ReadParams, ReadTool

table = pytest.mark.parametrize
end = "(End of file - total {} lines)".format
more = "(File has more lines. Use 'offset' parameter to read beyond line {})".format
cut = "(Output truncated at 51200 bytes. Use 'offset' parameter to read beyond line {})".format
showing = "(Showing {} of {} entries. Use 'offset' parameter to read beyond entry {})".format
CLIP = "... (line truncated to 2000 chars)"
ASTRAL = "\U0001f600"
BOM = b"\xef\xbb\xbf"
NINETY_NINE = [f"{n:099d}" for n in range(1100)]


def reply(kind, tag, title, path, body, remark, shown):
    output = f"<path>{path}</path>\n<type>{kind}</type>\n<{tag}>\n{body}\n{remark}\n</{tag}>"
    return {
        "title": title,
        "output": output,
        "metadata": {"preview": "\n".join(shown[:20]), "truncated": "beyond" in remark},
    }


def file_reply(title, path, lines, remark, start=1):
    return reply(
        "file", "content", title, path, "".join(f"{n}: {line}\n" for n, line in enumerate(lines, start)), remark, lines
    )


def dir_reply(title, path, entries, remark):
    return reply("directory", "entries", title, path, "".join(f"{entry}\n" for entry in entries), remark, entries)


def read(root, name, documents=False, **window):
    return ReadTool(root=root, documents=documents).execute_sync(ReadParams(filePath=str(name), **window))


def failure(root, name, **options):
    """(documented exception class, message) of a call that must fail; None when it succeeds."""
    try:
        read(root, name, **options)
    except (ValueError, OSError) as exc:
        return next(
            kind for kind in (FileNotFoundError, PermissionError, ValueError, OSError) if isinstance(exc, kind)
        ), str(exc)
    return None


def check(folder, content, lines, remark, **window):
    """Write one file and compare the whole reply for the window asked for."""
    (folder / "f.txt").write_bytes(content)
    assert read(folder, "f.txt", **window) == file_reply(
        "f.txt", folder / "f.txt", lines, remark, window.get("offset") or 1
    )


def touch(folder, names):
    """Create each name as an empty file, or as a directory when it ends in a slash."""
    for name in names:
        (folder / name).mkdir() if name.endswith("/") else (folder / name).touch()


def promptly(call):
    """Run `call` in a thread, so that a blocking open fails the test instead of hanging it."""
    box = []
    thread = threading.Thread(target=lambda: box.append(call()), daemon=True)
    thread.start()
    thread.join(10)
    assert not thread.is_alive(), "the call blocked"
    return box[0]


def lines_of(text):
    """All lines of `text` as they must be shown."""
    lines = re.split(r"\r\n|\r|\n", text)
    return [line[:2000] + CLIP if len(line) > 2000 else line for line in (lines if lines[-1] else lines[:-1])]


def follow(folder, name, tag, limit):
    """Everything shown while following the remarks from the start to the end."""
    seen, offset = [], 1
    while offset:
        result = read(folder, name, offset=offset, limit=limit)
        seen += result["output"].split(f"<{tag}>\n", 1)[1].rsplit("\n\n(", 1)[0].split("\n")
        on = re.search(rf"beyond (?:line|entry) (\d+)\)\n</{tag}>\Z", result["output"])
        assert result["metadata"]["truncated"] is bool(on) and (on is None or int(on[1]) >= offset)
        offset = int(on[1]) + 1 if on else None
    return seen


@pytest.fixture
def root(tmp_path):
    """A root with neighbours: a sibling directory, and one whose name starts with the root's name."""
    for folder in ("root", "root/sub", "other", "root-evil"):
        (tmp_path / folder).mkdir()
    for name, text in {
        "root/a.txt": "one\ntwo\n",
        "root/sub/b.txt": "bee\n",
        "other/there.txt": "outside\n",
        "root-evil/there.txt": "outside\n",
    }.items():
        (tmp_path / name).write_text(text)
    return tmp_path / "root"


# ---- the face
def test_the_documented_examples_read_as_documented(tmp_path):
    touch(tmp_path, ["subdir/", "file2.txt"])
    (tmp_path / "file1.py").write_bytes(b"import os\nimport sys\n")
    output = f"<path>{tmp_path}/file1.py</path>\n<type>file</type>\n<content>\n1: import os\n2: import sys\n\n(End of file - total 2 lines)\n</content>"
    assert read(tmp_path, "file1.py") == {
        "title": "file1.py",
        "output": output,
        "metadata": {"preview": "import os\nimport sys", "truncated": False},
    }
    output = f"<path>{tmp_path}</path>\n<type>directory</type>\n<entries>\nfile1.py\nfile2.txt\nsubdir/\n\n(3 entries)\n</entries>"
    assert read(tmp_path, "") == {
        "title": ".",
        "output": output,
        "metadata": {"preview": "file1.py\nfile2.txt\nsubdir/", "truncated": False},
    }


def test_the_limits_are_public_and_the_description_in_its_own_file_states_them():
    assert (opencode.DEFAULT_READ_LIMIT, opencode.MAX_LINE_LENGTH, opencode.MAX_BYTES) == (2000, 2000, 51200)
    texts = [path.read_text("utf-8") for path in Path(readwell.__file__).parent.rglob("read.txt")]
    assert any(len(text) >= 200 and "2000" in text for text in texts)


@table("make", [ReadParams, dict], ids=["ReadParams", "plain dict"])
@table(
    "call", [lambda t, p: asyncio.run(t.execute(p)), lambda t, p: t.execute_sync(p)], ids=["execute", "execute_sync"]
)
class TestBothCallsAndBothKindsOfParams:
    @table("window, lines, remark, start", [
        ({}, ["one", "two"], end(2), 1), ({"offset": 1, "limit": 1}, ["one"], more(1), 1),
        ({"offset": None, "limit": None}, ["one", "two"], end(2), 1), ({"offset": " +2\n", "limit": 1.0}, ["two"], end(2), 2),
    ], ids=["nothing given", "numbers", "null is the default", "numeric string and whole float"])  # fmt: skip
    def test_give_the_same_reply(self, root, make, call, window, lines, remark, start):
        expected = file_reply("a.txt", root / "a.txt", lines, remark, start)
        assert call(ReadTool(root=root), make(filePath="a.txt", **window)) == expected

    def test_raise_the_same_failure(self, root, make, call):
        with pytest.raises(FileNotFoundError) as caught:
            call(ReadTool(root=root), make(filePath="zzz.md"))
        assert str(caught.value) == f"File not found: {root}/zzz.md"

    @table("field", ["offset", "limit"])
    @table("given", [True, False, 1.5, "1_0"])
    def test_refuse_what_is_not_a_whole_number(self, root, make, call, field, given):
        with pytest.raises(ValueError):
            call(ReadTool(root=root), make(filePath="a.txt", **{field: given}))


@table("field", ["offset", "limit"])
@table(
    "given, taken",
    [
        (12, 12),
        (12.0, 12),
        ("12", 12),
        (" 12 ", 12),
        ("\t+12\n", 12),
        ("007", 7),
        (None, None),
        (0, 0),
        (-3, -3),
        ("-3", -3),
        (10**20, 10**20),
    ],
)
def test_params_take_whole_numbers_without_judging_the_range(field, given, taken):
    value = getattr(ReadParams(filePath="x", **{field: given}), field)
    assert (value, type(value)) == (taken, type(taken))


@table("field", ["offset", "limit"])
@table(
    "given",
    [
        True,
        False,
        1.5,
        float("nan"),
        float("inf"),
        " ",
        "abc",
        "1.5",
        "12.0",
        "1e3",
        "0x10",
        "1_000",
        "1 2",
        "+-1",
        "\u0663",
        "true",
        [1],
        {},
    ],
    ids=ascii,
)
def test_params_refuse_what_is_not_a_whole_number(field, given):
    with pytest.raises(pydantic.ValidationError):
        ReadParams(filePath="x", **{field: given})


def test_empty_numbers_are_absent_ones(tmp_path):
    (tmp_path / "x").write_text("a\nb\n")
    tool = ReadTool(root=tmp_path)
    plain = tool.execute_sync({"filePath": "x"})
    assert tool.execute_sync(ReadParams(filePath="x", offset="", limit="")) == plain
    assert tool.execute_sync({"filePath": "x", "offset": "", "limit": ""}) == plain


def test_params_need_a_file_path_and_default_to_none():
    params = ReadParams(filePath="x")
    assert (params.filePath, params.offset, params.limit) == ("x", None, None)
    with pytest.raises(pydantic.ValidationError):
        ReadParams()


# ---- the order of checks
@table("name, window, error, message", [
    ("\0", {"offset": 0, "limit": 0}, ValueError, "offset must be >= 1"), ("a.txt", {"offset": -1}, ValueError, "offset must be >= 1"),
    ("sub", {"offset": "0"}, ValueError, "offset must be >= 1"), ("\0", {"limit": 0}, ValueError, "limit must be >= 1"),
    ("a.txt", {"offset": 99, "limit": -5}, ValueError, "limit must be >= 1"), ("../other/there.txt", {"limit": 0}, ValueError, "limit must be >= 1"),
    ("../\0", {}, ValueError, "Invalid path"), ("../" + "x" * 256, {}, ValueError, "Invalid path"),
    ("../nowhere.png", {"offset": 99}, PermissionError, "Access denied: path must be within {root}"),
    ("missing.png", {"offset": 99}, FileNotFoundError, "File not found: {root}/missing.png"),
    ("pipe.zip", {"offset": 99}, ValueError, "Cannot read special file: {root}/pipe.zip"),
    ("empty.pdf", {"offset": 99}, ValueError, "Cannot read binary file: {root}/empty.pdf"),
    ("nul.txt", {"offset": 99}, ValueError, "Cannot read binary file: {root}/nul.txt"),
    ("a.txt", {"offset": 99}, ValueError, "Offset 99 is out of range for this file (2 lines)"),
])  # fmt: skip
def test_checks_run_in_the_stated_order(root, name, window, error, message):
    os.mkfifo(root / "pipe.zip")
    (root / "empty.pdf").touch()
    (root / "nul.txt").write_bytes(b"a\0b")
    assert promptly(lambda: failure(root, name, **window)) == (error, message.format(root=root))


@table(
    "content, offset, total", [(b"", 2, 0), (b"a\nb\n", 3, 2), (b"a\nb", 3, 2), (b"\n", 2, 1), (b"a\rb\r\n", 10**20, 2)]
)
def test_an_offset_past_the_end_of_a_file_is_out_of_range(tmp_path, content, offset, total):
    (tmp_path / "f.txt").write_bytes(content)
    assert failure(tmp_path, "f.txt", offset=offset) == (
        ValueError,
        f"Offset {offset} is out of range for this file ({total} lines)",
    )


# ---- lines
@table("content, lines", [
    (b"", []), (b"\n", [""]), (b"\r", [""]), (b"\r\n", [""]), (b"a", ["a"]), (b"a\nb", ["a", "b"]), (b"a\nb\n", ["a", "b"]), (b"a\nb\n\n", ["a", "b", ""]),
    (b"a\rb\r\nc\nd", ["a", "b", "c", "d"]), (b"a\n\rb", ["a", "", "b"]), (b"a\r\r\nb\r", ["a", "", "b"]),
    (b"  indented\ttab  \n", ["  indented\ttab  "]), (b"</content>\n1: x\n", ["</content>", "1: x"]),
    ("long enough\x0c\x0b\x1c\x1d\x1e\x85\u2028\u2029end\n".encode(), ["long enough\x0c\x0b\x1c\x1d\x1e\x85\u2028\u2029end"]),
    (BOM + b"a\nb\n", ["a", "b"]), (b"a\n" + BOM + b"b\n", ["a", "\ufeffb"]),
    (b"caf\xe9\nna\xefve\n", ["caf\ufffd", "na\ufffdve"]), (b"\xff\xff\xff", ["\ufffd\ufffd\ufffd"]), (b"cut short \xc3", ["cut short \ufffd"]),
    ("\u65e5\u672c\u8a9e\n\u0441\u043b\u043e\u0432\u043e\n\U0001f600\n".encode(), ["\u65e5\u672c\u8a9e", "\u0441\u043b\u043e\u0432\u043e", ASTRAL]),
], ids=ascii)  # fmt: skip
def test_a_file_is_shown_line_by_line(tmp_path, content, lines):
    check(tmp_path, content, lines, end(len(lines)))


@table("edge", [4096, 8192, 16384, 65536, 131072])
@table("before", [1, 2, 3])
@table("char", ["\u00e9", "\u20ac", ASTRAL, "\r\n"], ids=["2 bytes", "3 bytes", "4 bytes", "CRLF"])
def test_what_crosses_a_chunk_edge_stays_whole(tmp_path, edge, before, char):
    at, piece = edge // 64, "x" * (64 - before) + char + "y"
    lines = [*lines_of(piece), "last"]
    check(
        tmp_path,
        (b"a" * 63 + b"\n") * (at - 1) + piece.encode() + b"\nlast\n",
        lines,
        end(at - 1 + len(lines)),
        offset=at,
    )


@table("char", ["x", "\u00e9", ASTRAL, "\ufffd"], ids=["ascii", "2 bytes", "astral", "invalid"])
@table("length, clipped", [(1999, False), (2000, False), (2001, True), (70000, True)])
@table("bom", [b"", BOM], ids=["plain", "BOM"])
def test_a_line_is_clipped_after_2000_code_points(tmp_path, char, length, clipped, bom):
    raw = b"\xff" if char == "\ufffd" else char.encode()
    line = char * 2000 + CLIP if clipped else char * length
    check(tmp_path, bom + raw * length + b"\nnext\n", [line, "next"], end(2))


@table(
    "lines, remark, window",
    [(["x" * 2000 + CLIP], more(1), {"limit": 1}), (["next"], end(2), {"offset": 2})],
    ids=["itself", "the next"],
)
def test_an_enormous_line_and_the_next_can_be_read(tmp_path, lines, remark, window):
    check(tmp_path, b"x" * 5_000_000 + b"\r\nnext", lines, remark, **window)


# ---- windows and limits
@table("count, offset, limit, first, last", [
    (30, None, None, 1, 30), (30, 1, 30, 1, 30), (30, 1, 31, 1, 30), (30, 1, 29, 1, 29), (30, 1, 1, 1, 1), (30, 5, 22, 5, 26), (30, 30, 1, 30, 30),
    (30, 30, None, 30, 30), (30, 11, 20, 11, 30), (30, 1, 10**20, 1, 30), (2000, 1, None, 1, 2000), (2001, 1, None, 1, 2000), (2500, 2, None, 2, 2001),
    (2500, 1, 2001, 1, 2001), (2500, 1, 3000, 1, 2500),
])  # fmt: skip
def test_a_window_has_2000_lines_unless_asked_and_previews_the_first_twenty(
    tmp_path, count, offset, limit, first, last
):
    lines = [f"line {n}" for n in range(1, count + 1)]
    check(
        tmp_path,
        "\n".join(lines).encode(),
        lines[first - 1 : last],
        end(count) if last == count else more(last),
        offset=offset,
        limit=limit,
    )


@table("newline", ["\n", "\r\n", "\r"], ids=ascii)
@table("count, offset, limit, last, remark", [
    (600, 1, None, 512, cut(512)), (600, 1, 511, 511, more(511)), (600, 1, 512, 512, more(512)), (600, 1, 513, 512, cut(512)), (600, 1, 5000, 512, cut(512)),
    (600, 11, None, 522, cut(522)), (600, 89, None, 600, end(600)), (600, 88, None, 599, cut(599)),
    (512, 1, None, 512, end(512)), (512, 1, 512, 512, end(512)), (513, 1, 512, 512, more(512)), (513, 1, 513, 512, cut(512)),
])  # fmt: skip
def test_the_line_limit_is_judged_before_the_byte_budget(tmp_path, newline, count, offset, limit, last, remark):
    content = "".join(line + newline for line in NINETY_NINE[:count]).encode()
    check(tmp_path, content, NINETY_NINE[offset - 1 : last], remark, offset=offset, limit=limit)


@table("bom", [b"", BOM], ids=["plain", "BOM"])
@table("tail, last, remark", [
    (["y" * 100], 512, end(512)), (["y" * 101], 511, cut(511)),
    (["\u00e9" * 50], 512, end(512)), (["\u00e9" * 50 + "y"], 511, cut(511)),
    (["y" * 100, ""], 512, cut(512)), (["y" * 99, ""], 513, end(513)), (["y" * 99, "z"], 512, cut(512)),
], ids=["51200", "51201", "51200 wide", "51201 wide", "51200 then an empty line", "51200 by a joiner", "51201 by a joiner"])  # fmt: skip
def test_exactly_51200_bytes_fit(tmp_path, bom, tail, last, remark):
    lines = NINETY_NINE[:511] + tail
    check(tmp_path, bom + "".join(line + "\n" for line in lines).encode(), lines[:last], remark)


@table(
    "raw, line, last",
    [(b"\xff" * 100, "\ufffd" * 100, 170), (b"x" * 3000, "x" * 2000 + CLIP, 25), (b"", "", 51201)],
    ids=["replaced", "clipped", "empty"],
)
def test_the_byte_budget_counts_lines_as_shown(tmp_path, raw, line, last):
    check(tmp_path, (raw + b"\n") * (last + 30), [line] * last, cut(last), limit=100_000)


TEXTS = {
    "short lines": "".join(f"{n}\n" for n in range(257)),
    "ninety-nine bytes": "\n".join(NINETY_NINE),
    "mixed ends": "a\rb\r\nc\n\n\r\r\nd\x0ce\u2028f\r" * 40 + "last",
    "long lines": "".join(ASTRAL * n + "\n" for n in (1999, 2000, 2001, 0, 9000, 1) * 8),
}


@table("limit", some_of([7, 1, 2, 256, 257, 512, None, 9999], 3))
@table("kind", TEXTS)
def test_following_the_remarks_gives_every_line_once(tmp_path, kind, limit):
    (tmp_path / "f.txt").write_bytes(TEXTS[kind].encode())
    assert follow(tmp_path, "f.txt", "content", limit) == [
        f"{n}: {line}" for n, line in enumerate(lines_of(TEXTS[kind]), 1)
    ]


# ---- binary files
@table("extension", (
    "zip tar gz bz2 xz 7z rar exe dll so dylib class jar war pyc pyo bin obj o a lib wasm doc docx xls xlsx ppt pptx odt ods odp pdf "
    "png jpg jpeg gif bmp ico webp mp3 mp4 avi mov mkv wav flac ttf otf woff woff2 sqlite db"
).split())  # fmt: skip
def test_a_listed_extension_is_binary_in_any_case_even_over_text(tmp_path, extension):
    for name in (f"x.{extension}", f"y.{extension.upper()}", f"z.tar.{extension.capitalize()}"):
        (tmp_path / name).write_bytes(b"plain text\n")
        assert failure(tmp_path, name) == (ValueError, f"Cannot read binary file: {tmp_path}/{name}")


@table("name", ["png", "x.png.txt", "x.zip~", "x.tsx", "zip.md"])
def test_a_name_that_only_resembles_a_listed_extension_is_text(tmp_path, name):
    (tmp_path / name).write_bytes(b"text\n")
    assert read(tmp_path, name) == file_reply(name, tmp_path / name, ["text"], end(1))


SAMPLES = {
    "only NUL": (b"\0", True), "NUL after text": (b"text\n" * 10 + b"\0", True), "NUL as byte 4096": (b"a" * 4094 + b"\n\0", True),
    "NUL as byte 4097": (b"a" * 4095 + b"\n\0b\n", False), "UTF-16": ("utf-16 text".encode("utf-16"), True),
    "3 of 10": (b"\x01" * 3 + b"a" * 7, False), "4 of 10": (b"\x01" * 4 + b"a" * 6, True), "300 of 1000": (b"\x01" * 300 + b"a" * 700, False),
    "301 of 1000": (b"\x01" * 301 + b"a" * 699, True), "1228 of 4096": (b"\x01" * 1228 + b"a" * 2868, False),
    "1229 of 4096": (b"\x01" * 1229 + b"a" * 2867, True), "1229 of the first 4096": (b"\x01" * 1229 + b"a" * 99999, True),
    "controls after byte 4096": (b"a" * 4096 + b"\x01" * 9000, False), "only high bytes": (b"\xff" * 5000, False),
    "3 of 10 among high bytes": (b"\xff" * 7 + b"\x1b" * 3, False), "4 of 10 among high bytes": (b"\xff" * 6 + b"\x1b" * 4, True),
    "a character across byte 4096": (("\u65e5" * 1500).encode(), False),
}  # fmt: skip


@table("kind", SAMPLES)
def test_the_first_4096_bytes_decide_what_is_binary(tmp_path, kind):
    content, binary = SAMPLES[kind]
    if binary:
        (tmp_path / "f.txt").write_bytes(content)
        assert failure(tmp_path, "f.txt") == (ValueError, f"Cannot read binary file: {tmp_path}/f.txt")
    else:
        lines = lines_of(content.decode("utf-8", "replace"))
        check(tmp_path, content, lines, end(len(lines)))


@table("byte", [*range(1, 33), *some_of(range(33, 256), 16)], ids="0x{:02x}".format)
def test_control_bytes_are_those_below_9_and_from_14_to_31(tmp_path, byte):
    (tmp_path / "f.txt").write_bytes((b"a" + bytes([byte])) * 4 + b"aa")
    refused = (ValueError, f"Cannot read binary file: {tmp_path}/f.txt")
    assert failure(tmp_path, "f.txt") == (refused if byte < 9 or 14 <= byte <= 31 else None)


@table("name, content, pattern", [
    ("x.zip", b"PK\x03\x04junk", "Cannot read binary file: {}"), ("x.png", b"\x89PNG", "Cannot read binary file: {}"), ("x.txt", b"a\0b", "Cannot read binary file: {}"),
    ("x.pdf", b"%PDF-1.7\njunk", r"Cannot convert {}: (?s:\S.*)"), ("x.docx", b"PK\x03\x04junk", r"Cannot convert {}: (?s:\S.*)"), ("x.xls", b"\xd0\xcf\x11\xe0junk", r"Cannot convert {}: (?s:\S.*)"),
])  # fmt: skip
def test_with_documents_on_a_damaged_document_has_a_reason_and_the_rest_stays_binary(tmp_path, name, content, pattern):
    (tmp_path / name).write_bytes(content)
    error, message = failure(tmp_path, name, documents=True)
    assert error is ValueError and re.fullmatch(pattern.format(re.escape(f"{tmp_path}/{name}")), message)


# ---- directories
def test_an_empty_directory_has_zero_entries_and_only_offset_one(tmp_path):
    output = f"<path>{tmp_path}</path>\n<type>directory</type>\n<entries>\n\n(0 entries)\n</entries>"
    expected = {"title": ".", "output": output, "metadata": {"preview": "", "truncated": False}}
    assert read(tmp_path, ".") == read(tmp_path, ".", offset=1) == expected
    assert failure(tmp_path, ".", offset=2) == (ValueError, "Offset 2 is out of range for this directory (0 entries)")


def test_entries_are_sorted_as_shown_without_case_and_not_recursively(tmp_path):
    entries = [
        ".hidden",
        "10",
        "9",
        "_x",
        "a-b",
        "a.txt",
        "a/",
        "a0",
        "B",
        "c",
        "img.zip/",
        "Same",
        "same",
        "st",
        "Zed/",
        "\u00df",
    ]
    touch(tmp_path, entries[::-1] + ["a/inner.txt", "img.zip/inner/", "img.zip/x.py"])
    assert read(tmp_path, ".") == dir_reply(".", tmp_path, entries, "(16 entries)")
    assert read(tmp_path, "img.zip") == dir_reply("img.zip", tmp_path / "img.zip", ["inner/", "x.py"], "(2 entries)")


def test_only_links_to_directories_inside_the_root_end_in_a_slash(root):
    targets = {
        "in": root / "sub",
        "in-rel": "sub",
        "out": root.parent / "other",
        "out-rel": "../root-evil",
        "broken": "nowhere",
        "to-file": "a.txt",
    }
    for name, target in targets.items():
        (root / name).symlink_to(target)
    os.mkfifo(root / "pipe")
    entries = ["a.txt", "broken", "in-rel/", "in/", "out", "out-rel", "pipe", "sub/", "to-file"]
    assert read(root, ".") == dir_reply(".", root, entries, "(9 entries)")
    entries[4:6] = ["out-rel/", "out/"]
    assert ReadTool(cwd=root).execute_sync(ReadParams(filePath="")) == dir_reply(".", root, entries, "(9 entries)")


def test_entry_names_are_shown_safely_and_sorted_by_what_is_shown(tmp_path):
    touch(tmp_path, map(os.fsdecode, (b"a\nb", b"a b", b"az", b"bad\xff.txt", "c\x85d".encode(), b"esc\x1b[0m\x7f")))
    entries = ["a b", "a\\x0ab", "az", "bad\\udcff.txt", "c\\x85d", "esc\\x1b[0m\\x7f"]
    assert read(tmp_path, ".") == dir_reply(".", tmp_path, entries, "(6 entries)")


@table(
    "offset, limit, first, last",
    [(1, 30, 1, 30), (None, None, 1, 30), (1, 29, 1, 29), (1, 1, 1, 1), (3, 2, 3, 4), (5, 22, 5, 26), ("2", 1.0, 2, 2)],
)
def test_a_directory_is_paged_like_a_file(tmp_path, offset, limit, first, last):
    entries = [f"n{n:02d}" for n in range(1, 31)]
    touch(tmp_path, entries)
    remark = "(30 entries)" if last == 30 else showing(last - first + 1, 30, last)
    assert read(tmp_path, ".", offset=offset, limit=limit) == dir_reply(
        ".", tmp_path, entries[first - 1 : last], remark
    )
    assert failure(tmp_path, ".", offset=31) == (
        ValueError,
        "Offset 31 is out of range for this directory (30 entries)",
    )


@table("slash", ["", "/"], ids=["files", "directories"])
@table("count, width, last_width, limit, shows", [
    (600, 99, 99, None, 512), (600, 99, 99, 511, 511), (600, 99, 99, 5000, 512), (512, 99, 100, None, 512), (512, 99, 101, None, 511),
    (2001, 9, 9, None, 2000), (2001, 9, 9, 2001, 2001),
])  # fmt: skip
def test_a_listing_keeps_to_2000_entries_and_to_the_byte_budget(
    tmp_path, slash, count, width, last_width, limit, shows
):
    entries = [f"{n:0{width - len(slash)}d}{slash}" for n in range(count - 1)] + [
        "9" * (last_width - len(slash)) + slash
    ]
    touch(tmp_path, entries)
    remark = f"({count} entries)" if shows == count else showing(shows, count, shows)
    assert read(tmp_path, ".", limit=limit) == dir_reply(".", tmp_path, entries[:shows], remark)


@table(
    "count, width, limit",
    [*((40, 3, limit) for limit in (1, 7, 40, 599, None)), *((600, 200, limit) for limit in (40, 599, None))],
)
def test_following_the_remarks_gives_every_entry_once(tmp_path, count, width, limit):
    entries = [f"{n:0{width}d}" for n in range(count)]
    touch(tmp_path, entries)
    assert follow(tmp_path, ".", "entries", limit) == entries


# ---- paths and titles
@table("name, title", [
    ("a.txt", "a.txt"), ("./a.txt", "a.txt"), (".//a.txt", "a.txt"), ("sub/../a.txt", "a.txt"), ("../root/a.txt", "a.txt"), ("{root}/a.txt", "a.txt"),
    ("{root}/sub/../a.txt", "a.txt"), ("link.txt", "link.txt"), ("{root}/link.txt", "link.txt"), ("sublink/deep.txt", "sublink/deep.txt"),
])  # fmt: skip
def test_a_file_is_named_as_asked_normalised_with_links_kept(root, name, title):
    (root / "link.txt").symlink_to("a.txt")
    (root / "sublink").symlink_to("sub")
    (root / "sub" / "deep.txt").write_bytes(b"one\ntwo\n")
    assert read(root, name.format(root=root)) == file_reply(title, root / title, ["one", "two"], end(2))


@table(
    "name, title",
    [
        ("", "."),
        (".", "."),
        ("./", "."),
        ("{root}", "."),
        ("sub/..", "."),
        ("sub", "sub"),
        ("sub/", "sub"),
        ("{root}/sub", "sub"),
    ],
)
def test_a_directory_is_titled_by_its_place_below_the_working_directory(root, name, title):
    (root / "sub" / "c.txt").touch()
    entries = ["a.txt", "sub/"] if title == "." else ["b.txt", "c.txt"]
    assert read(root, name.format(root=root)) == dir_reply(title, root / title, entries, "(2 entries)")


@table("name", ["../other/there.txt", "{top}/other/there.txt", "sub/../../other/there.txt", "out.txt"])
@table("kind", [str, Path])
def test_without_a_root_nothing_is_confined_and_what_lies_outside_has_an_absolute_title(root, name, kind):
    (root / "out.txt").symlink_to("../other/there.txt")
    path = root / "out.txt" if name == "out.txt" else root.parent / "other" / "there.txt"
    result = ReadTool(kind(root)).execute_sync(ReadParams(filePath=name.format(top=root.parent)))
    assert result == file_reply("out.txt" if name == "out.txt" else str(path), path, ["outside"], end(1))


def test_without_arguments_paths_start_at_the_working_directory_of_the_process(root, monkeypatch):
    monkeypatch.chdir(root)
    result = ReadTool().execute_sync(ReadParams(filePath="a.txt"))
    assert result == file_reply("a.txt", os.path.join(os.getcwd(), "a.txt"), ["one", "two"], end(2))


def test_dot_dot_after_a_link_goes_to_the_parent_of_its_target(root):
    (root / "sub" / "deep").mkdir()
    (root / "jump").symlink_to("sub/deep")
    assert read(root, "jump/../b.txt")["metadata"] == {"preview": "bee", "truncated": False}


def test_a_name_cannot_forge_a_line(tmp_path):
    home, name = tmp_path / os.fsdecode(b"d\xff\x01"), "x\n\x9f\x7f.txt"
    home.mkdir()
    (home / name).write_bytes(b"one\n")
    safe_home, safe_name = f"{tmp_path}/d\\udcff\\x01", "x\\x0a\\x9f\\x7f.txt"
    assert read(home, name) == file_reply(safe_name, f"{safe_home}/{safe_name}", ["one"], end(1))
    message = f"File not found: {safe_home}/{safe_name}2\n\nDid you mean one of these?\n{safe_home}/{safe_name}"
    assert failure(home, name + "2") == (FileNotFoundError, message)
    assert failure(home, "..") == (PermissionError, f"Access denied: path must be within {safe_home}")


@table("name", [
    "\0", "a.txt\0", "sub/\0/b.txt", "x" * 256, "sub/" + "x" * 256 + "/b.txt", "\u00e9" * 128, "a/" * 2100 + "b", "\u00e9/" * 1400 + "b", "/" + "a/" * 2100,
], ids=["NUL", "NUL at the end", "NUL inside", "part of 256", "middle part of 256", "part of 256 in 128", "4201", "4201 in 2801", "absolute"])  # fmt: skip
def test_an_impossible_path_is_invalid(root, name):
    assert failure(root, name) == (ValueError, "Invalid path")


@table("name", ["x" * 255, "\u00e9" * 127 + "x"], ids=["ascii", "2 bytes"])
def test_a_part_of_255_bytes_is_valid_and_merely_missing(root, name):
    assert failure(root, name) == (FileNotFoundError, f"File not found: {root}/{name}")


# ---- confinement
@table("kind", [str, Path])
@table("name", [
    "..", "../", "../..", "/", "../other", "../nowhere", "../other/there.txt", "../other/nowhere.txt", "../other/ther.txt", "../other/there.txt/x",
    "../root-evil", "../root-evi", "../root-evil/there.txt", "{top}/root-evil/there.txt", "{top}/root-evil/nowhere.txt", "{top}/other/there.txt",
    "{top}/other/nowhere.txt", "/nowhere-at-all/x", "sub/../../other/there.txt", "../pipe", "../blob.zip", "to-file", "to-nothing", "chain",
    "to-dir", "to-dir/there.txt", "to-dir/nowhere.txt", "to-dir/../a.txt", "to-dir/../root-evil/there.txt",
])  # fmt: skip
def test_a_path_outside_the_root_gets_the_same_words_whether_or_not_it_exists(root, name, kind):
    targets = {
        "to-file": root.parent / "other/there.txt",
        "to-nothing": "../other/nowhere.txt",
        "to-dir": "../other",
        "chain": "to-file",
    }
    for link, target in targets.items():
        (root / link).symlink_to(target)
    os.mkfifo(root.parent / "pipe")
    (root.parent / "blob.zip").touch()
    expected = (PermissionError, f"Access denied: path must be within {root}")
    assert promptly(lambda: failure(kind(root), name.format(top=root.parent), offset=50)) == expected


@table("given", ["root", "{top}/root", "alias", "{top}/alias"])
def test_the_root_is_worded_as_it_was_given(root, monkeypatch, given):
    monkeypatch.chdir(root.parent)
    (root.parent / "alias").symlink_to(root)
    given = given.format(top=root.parent)
    assert failure(given, "../other") == (PermissionError, f"Access denied: path must be within {given}")
    assert read(given, "a.txt") == file_reply("a.txt", root.parent / given / "a.txt", ["one", "two"], end(2))


@table("name", ["a.txt", "sub"])
def test_what_the_system_forbids_is_permission_denied(root, name):
    (root / name).chmod(0)
    with as_an_ordinary_user(root):
        assert failure(root, name) == (PermissionError, f"Permission denied: {root}/{name}")


# ---- missing names and their look-alikes
@table("folder", ["", "sub/inner/"], ids=["root", "subfolder"])
@table("present, wanted, similar", [
    ("config.tsx config.js config.json", "config.ts", "config.tsx config.js config.json"),
    ("zebra.md", "config.ts", ""), ("NOTES.txt.bak", "notes.TXT", "NOTES.txt.bak"), ("readme", "ReadMe.rst", "readme"), ("rea re", "readme_of_all.txt", "rea"),
    ("report.txt.bak report.md old_report.txt", "report.txt", "old_report.txt report.txt.bak report.md"),
    ("reprot.txt report.md report.txt~", "report.txt", "report.txt~ report.md reprot.txt"),
    ("d_main.py b_main.py c_main.py a_main.py main.c", "main.py", "a_main.py b_main.py c_main.py"),
    ("main.rb main.java main.js main.c", "main.py", "main.c main.js main.rb"), ("settngs.toml setings.toml", "settings.toml", "setings.toml settngs.toml"),
])  # fmt: skip
def test_a_missing_name_is_reported_with_its_look_alikes(tmp_path, folder, present, wanted, similar):
    (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    touch(tmp_path / folder, present.split())
    names = "".join(f"\n{tmp_path}/{folder}{name}" for name in similar.split())
    message = f"File not found: {tmp_path}/{folder}{wanted}" + (
        f"\n\nDid you mean one of these?{names}" if names else ""
    )
    assert failure(tmp_path, folder + wanted) == (FileNotFoundError, message)


@table("name", ["config.ts", "sub/config.ts", "nofolder/config.ts", "a.txt/config.ts", "nofolder/deeper/config.ts"])
def test_links_that_leave_the_root_and_other_folders_are_never_suggested(root, name):
    (root / "config.tsx").symlink_to("../other/there.txt")
    (root / "config.js").symlink_to("../other/nowhere.txt")
    (root.parent / "config.json").touch()
    (root / "config.json" if name != "config.ts" else root / "sub" / "config.json").touch()
    assert failure(root, name) == (FileNotFoundError, f"File not found: {root}/{name}")


@table("name", ["a.txt/", "nofolder/../a.txt", "a.txt/../a.txt", "dangling"])
def test_a_path_that_leads_nowhere_is_missing(root, name):
    (root / "dangling").symlink_to("nowhere")
    with pytest.raises(FileNotFoundError, match=re.escape(f"File not found: {root}/")):
        read(root, name)


# ---- special files
def test_a_pipe_is_refused_without_blocking_and_keeps_its_bytes(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    expected = (ValueError, f"Cannot read special file: {tmp_path}/pipe")
    assert promptly(lambda: failure(tmp_path, "pipe")) == expected
    with open(os.open(tmp_path / "pipe", os.O_RDWR | os.O_NONBLOCK), "r+b", buffering=0) as pipe:
        pipe.write(b"kept\n")
        assert promptly(lambda: failure(tmp_path, "pipe")) == expected
        assert pipe.read(100) == b"kept\n"


def test_a_socket_and_a_device_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "null").symlink_to(os.devnull)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("sock")
        assert failure(None, f"{tmp_path}/sock") == (ValueError, f"Cannot read special file: {tmp_path}/sock")
    assert failure(None, f"{tmp_path}/null") == (ValueError, f"Cannot read special file: {tmp_path}/null")
