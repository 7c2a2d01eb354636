"""Searches of what would harm, hang or lie."""

import itertools
import os
import random
import sys
import threading
import time
from contextlib import closing

import pytest

import readwell
from corpus.pdf_writer import Page, pdf
from memory_source import SCHEME, route_to
from readwell.dialects import dialect_named
from readwell.errors import ConversionFailed
from readwell.tool import Tool

MIB = 1 << 20


def matches(reader, pattern, *path, **params):
    return [(match.path, match.line) for match in reader.search(pattern, *path, **params).matches]


@pytest.fixture
def reader(tmp_path):
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        yield reader


def test_a_line_longer_than_a_piece_is_searched_in_pieces_and_said_so(tmp_path, reader):
    # The match stands across the edge of two pieces, behind characters of two bytes.
    (tmp_path / "long.txt").write_bytes(
        b"first\n" + "é".encode() * (MIB // 2 - 5) + b"needle" + b"z" * 3 * MIB + b"\nneedle\n"
    )
    result = reader.search("needle", "long.txt")
    assert [(match.line, match.column) for match in result.matches] == [(2, MIB // 2 - 4), (3, 1)]
    reply = reader.search_reply({"pattern": "needle", "path": "long.txt"})
    assert "searched in pieces: long.txt:2" in reply.text
    shown = reader.read("long.txt", offset=2, column=MIB // 2 - 4).lines[0]
    assert shown.startswith("needlezzz")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("first", ["first", "x" * 500])
def test_a_long_line_behind_a_short_one_is_searched_in_every_unicode_form(tmp_path, reader, encoding, first):
    """A byte order mark moves all reads: more than a piece was left behind the short line."""
    mark = "" if encoding == "utf-8-sig" else "\ufeff"
    text = f"{mark}{first}\n{'a' * (3 * MIB // 2)}needle\nlast needle\n"
    (tmp_path / "long.txt").write_bytes(text.encode(encoding))
    found = reader.search("needle", "long.txt").matches
    assert [(match.line, match.column) for match in found] == [(2, 3 * MIB // 2 + 1), (3, 6)]


@pytest.mark.parametrize("encoding, mark, length", [("utf-8", "", MIB), ("utf-16-le", "\ufeff", (MIB + 4094) // 2)])
def test_a_carriage_return_at_the_edge_of_a_piece_ends_its_line(tmp_path, reader, encoding, mark, length):
    """It was taken for half of a pair, and the line behind it for a part of the long one."""
    text = f"{mark}{'x' * (length - 1)}\rneedle\r{'y' * 2 * MIB}"
    (tmp_path / "long.txt").write_bytes(text.encode(encoding))
    assert [(match.line, match.column) for match in reader.search("needle", "long.txt").matches] == [(2, 1)]


class Defective(bytes):
    """Content of a store that raises what nobody expects when it is read."""

    def __getitem__(self, key):
        raise ZeroDivisionError("nobody expects this")


def test_a_defect_at_one_file_is_named_and_logged_and_the_others_are_searched(tmp_path, caplog):
    files = {"a.txt": b"needle\n", "b.txt": Defective(b"needle\n"), "c.txt": b"needle\n"}
    with closing(Tool(dialect_named("native"), [str(tmp_path)], cache_dir=None, routes=[route_to(files)])) as tool:
        search = tool.all()[1]
        reply = search.reply({"pattern": "needle", "path": SCHEME})
        assert [match["path"] for match in reply.data["matches"]] == ["mem://a.txt", "mem://c.txt"]
        assert "[note: not searched: 1 could not be read: mem://b.txt]" in reply.text
        (record,) = caplog.records
        assert "a defect of readwell" in record.message and record.exc_info[0] is ZeroDivisionError
        with pytest.raises(ZeroDivisionError):  # alone it is not hidden
            search.reply({"pattern": "needle", "path": f"{SCHEME}b.txt"})


def test_whoever_is_told_of_a_search_may_end_it(tmp_path):
    def enough(done, total, what):
        raise KeyError("enough")

    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("needle\n")
    with readwell.Reader(tmp_path, cache_dir=None, on_progress=enough) as reader, pytest.raises(KeyError):
        reader.search("needle")


@pytest.mark.parametrize("pattern, lines", [("^z", [3]), ("z$", [2, 3]), (r"\Az+\z", [3])])
def test_the_edge_of_a_piece_is_not_that_of_a_line(tmp_path, reader, pattern, lines):
    (tmp_path / "long.txt").write_bytes(b"x\n" + b"y" + b"z" * 2 * MIB + b"\nz\n")
    assert [match.line for match in reader.search(pattern, "long.txt").matches] == lines


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
def test_numbers_are_true_in_a_file_of_many_pieces(tmp_path, reader, end, encoding):
    lines = [f"line {number} {'é' * (number % 90)}" for number in range(1, 60_001)]
    wide = end.decode().join(lines).encode(encoding)
    (tmp_path / "large.txt").write_bytes((b"\xff\xfe" if encoding == "utf-16-le" else b"") + wide)
    found = matches(reader, r"line \d*777\b", "large.txt", limit=200)
    assert [line for _, line in found] == [number for number in range(1, 60_001) if str(number).endswith("777")]
    rows = reader.search("line 30777", "large.txt", around=2).files[0].rows
    assert [row.text for row in rows] == lines[30774:30779]


def test_patterns_that_match_everything_or_are_very_long_are_answered(tmp_path, reader):
    (tmp_path / "a.txt").write_text("a\n\nb\n")
    assert matches(reader, "x*") == [("a.txt", 1), ("a.txt", 2), ("a.txt", 3)]
    assert matches(reader, "a|" * 3000 + "b") == [("a.txt", 1), ("a.txt", 3)]
    assert reader.search("x" * 10_000).matches == []
    reply = reader.search_reply({"pattern": "(" * 10_000})
    assert reply.data["error"]["code"] == "INVALID_PARAM" and len(reply.text) < 400
    assert len(reader.search_reply({"pattern": "x" * 10_000}).text) < 400


def test_what_is_no_file_is_passed_over(tmp_path, reader):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "nowhere").symlink_to("absent")
    (tmp_path / "a.txt").write_text("needle")
    assert matches(reader, "needle") == [("a.txt", 1)]


def test_a_deep_tree_is_searched_to_the_bottom(tmp_path, reader):
    folder = os.open(tmp_path, os.O_RDONLY)
    for _ in range(300):
        os.mkdir("d" * 100, dir_fd=folder)
        deeper = os.open("d" * 100, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = deeper
    os.close(os.open("a.txt", os.O_CREAT | os.O_WRONLY, dir_fd=folder))
    os.close(folder)
    assert reader.search("needle").searched == 1


def test_a_search_never_shows_what_a_read_would_refuse(tmp_path):
    (tmp_path / "in").mkdir()
    for path in ("in/a.txt", "in/secret.key", "in/id_rsa", "outside.txt", "in/b.txt"):
        (tmp_path / path).write_text("needle")
    os.link(tmp_path / "outside.txt", tmp_path / "in/hard.txt")
    (tmp_path / "in/.aiignore").write_text("b.txt\n")
    (tmp_path / "in/soft.txt").symlink_to(tmp_path / "outside.txt")
    with readwell.Reader(
        tmp_path / "in", cache_dir=None, deny=["*.key", "id_*"], ignore_files=True, deny_hardlinks=True
    ) as reader:
        result = reader.search("needle", everything=True)
        assert [match.path for match in result.matches] == ["a.txt"]
        assert result.skipped.denied == 4


def test_a_folder_that_is_moved_out_while_it_is_searched_shows_nothing(tmp_path):
    (tmp_path / "in/folder").mkdir(parents=True)
    (tmp_path / "out").mkdir()
    for name in ("a.txt", "b.txt"):
        (tmp_path / "in/folder" / name).write_text("needle")
    moved = []

    def move(*_):
        if not moved:
            moved.append(os.rename(tmp_path / "in/folder", tmp_path / "out/folder"))

    with readwell.Reader(tmp_path / "in", cache_dir=None, on_progress=move) as reader:
        assert [match.path for match in reader.search("needle").matches] == ["folder/a.txt"]


def test_time_that_runs_out_leaves_the_way_on(tmp_path):
    for number in range(40):
        (tmp_path / f"f{number:02}.txt").write_text("needle\n")
    ticks = iter(range(10**9))
    tool = Tool(
        dialect_named("native"), [str(tmp_path)], cache_dir=None, deadline_s=60, clock=lambda: float(next(ticks))
    )
    search, found, params = tool.all()[1], [], {"pattern": "needle"}
    for _ in range(40):
        reply = search.reply(params)
        assert not reply.is_error, reply.text
        found += [match["path"] for match in reply.data["matches"]]
        if reply.data["next"] is None:
            break
        assert "60 s reached: " in reply.text and "files searched]" in reply.text
        params = {"pattern": "needle", "after": reply.data["next"]["after"]}
    tool.close()
    assert found == [f"f{number:02}.txt" for number in range(40)]


@pytest.mark.parametrize("path", [".", "log.txt"])
@pytest.mark.parametrize("size", [3, 9])  # a larger file is not read again from its start
def test_no_way_on_leads_to_where_the_search_came_from(tmp_path, path, size):
    """Whenever time runs out: before the place is reached, nothing was gained, and that is a failure."""
    (tmp_path / "log.txt").write_bytes(b"%-63d\n" % 7 * (size * MIB // 64))
    place, codes = size * MIB // 64 - 1000, set()
    for seconds in range(1, 40):
        clock = itertools.count(0.0).__next__
        tool = Tool(dialect_named("native"), [str(tmp_path)], cache_dir=None, deadline_s=seconds, clock=clock)
        with closing(tool):
            data = tool.all()[1].reply({"pattern": r"x\d", "path": path, "after": f"log.txt:{place}"}).data
        if "error" in data:
            codes.add(data["error"]["code"])
        elif data["next"]:
            assert int(data["next"]["after"].rpartition(":")[2]) > place
        else:
            codes.add("end")
    assert codes == {"TIMEOUT", "end"}


@pytest.mark.parametrize("seconds", [20, 30, 40, 50, 60])
def test_time_that_runs_out_is_told_with_the_number_of_all_files(tmp_path, seconds):
    for number in range(40):
        (tmp_path / f"f{number:02}.txt").write_text("needle\n" if number % 2 else "thread\n")
    ticks = iter(range(10**9))
    tool = Tool(
        dialect_named("native"), [str(tmp_path)], cache_dir=None, deadline_s=seconds, clock=lambda: float(next(ticks))
    )
    with closing(tool):
        reply = tool.all()[1].reply({"pattern": "needle"})
    searched = int(reply.data["next"]["after"].removeprefix("f").removesuffix(".txt:0"))
    assert [match["path"] for match in reply.data["matches"]] == [
        f"f{number:02}.txt" for number in range(1, searched, 2)
    ]
    assert reply.text.endswith(f':0" | {seconds} s reached: {searched} of 40 files searched]')


def test_a_search_that_nobody_waits_for_ends(tmp_path, reader):
    (tmp_path / "a.txt").write_bytes(b"x" * 99 * MIB)
    reply = reader._search.reply({"pattern": "needle"}, cancelled=lambda: True)
    assert reply.data["error"]["code"] == "TIMEOUT" and "Search a smaller path" in reply.text


def test_a_file_that_grows_or_vanishes_is_no_failure(tmp_path, reader):
    stop = threading.Event()
    grown = tmp_path / "grown.log"
    grown.write_text("needle\n" * 10)

    def change():
        while not stop.is_set():
            with grown.open("a") as file:
                file.write("needle\n")
            (tmp_path / "gone.txt").write_text("needle")
            (tmp_path / "gone.txt").unlink()

    thread = threading.Thread(target=change)
    thread.start()
    until = time.monotonic() + 1
    try:
        while time.monotonic() < until:
            found = matches(reader, "needle")
            assert ("grown.log", 1) in found
    finally:
        stop.set()
        thread.join()


def words(*lines):
    page = Page()
    for number, line in enumerate(lines):
        page.text(72, 720 - 14 * number, line, 11)
    return page


@pytest.fixture
def documents(tmp_path):
    pytest.importorskip("pypdfium2")
    lines = ("The pattern of the re-", "try was raised, and a well-", "known limit was kept", "for good.")
    (tmp_path / "b.pdf").write_bytes(pdf(words("Nothing here."), words(*lines)))
    (tmp_path / "a.txt").write_text("retry\n")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4\nnothing\nstartxref\n")
    return tmp_path


def test_documents_follow_the_texts_and_name_their_pages(documents, reader):
    result = reader.search("was kept|retry")
    assert [(match.path, match.page) for match in result.matches] == [("a.txt", None), ("b.pdf", 2), ("b.pdf", 2)]
    assert result.skipped.failed == ("broken.pdf",)
    for match in result.matches[1:]:
        assert reader.read("b.pdf", offset=match.line, limit=1).lines == [match.text]
    assert [match.path for match in reader.search("retry|kept", limit=1, after="b.pdf:1*").matches] == ["b.pdf"]


def test_each_page_of_a_document_is_named_once_above_its_lines(documents, reader):
    lines = reader.search_reply({"pattern": "was kept|retry", "path": "b.pdf"}).text.split("\n")
    told = [line.partition("\t")[0] for line in lines[1:]]
    numbers = [str(match.line) for match in reader.search("was kept|retry", "b.pdf").matches]
    assert told == ["[page 2]", *numbers, "[end]"]


def test_lines_around_a_match_stand_below_their_own_page(documents, reader):
    [match] = reader.search("Nothing", "b.pdf").matches
    told = reader.search_reply({"pattern": "Nothing", "path": "b.pdf", "around": 3}).text.split("\n")[1:]
    gutters = [line.partition("\t")[0] for line in told]
    assert (gutters[0], gutters.index(f"{match.line}>")) == ("[page 1]", match.line)
    second = gutters.index("[page 2]")
    assert told[second + 1].partition("\t")[2] == "<!-- page 2 -->"


@pytest.mark.parametrize(
    "pattern", ["retry was raised", "raised, and a well-known limit", "kept for good", "of the retry"]
)
@pytest.mark.parametrize("literal", [False, True])
def test_in_a_document_words_and_spaces_go_over_line_ends(documents, reader, pattern, literal):
    assert [match.path for match in reader.search(pattern, "b.pdf", literal=literal).matches] == ["b.pdf"]


def test_in_a_document_a_dot_stays_within_a_line(documents, reader):
    assert matches(reader, "raised.*limit", "b.pdf") == []


def test_a_document_that_hangs_leaves_time_for_the_others(documents):
    def convert(content, name):
        if name == "b.pdf":
            raise ConversionFailed("pdf", "it hangs")
        return "needle"

    (documents / "c.pdf").write_bytes(pdf(words("needle")))
    tool = Tool(dialect_named("native"), [str(documents)], cache_dir=None, document_reader=convert)
    reply = tool.all()[1].reply({"pattern": "needle"})
    tool.close()
    assert [match["path"] for match in reply.data["matches"]] == ["broken.pdf", "c.pdf"]
    assert "1 could not be read: b.pdf" in reply.text


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from procfs")
def test_memory_stays_flat_for_one_line_of_many_megabytes(tmp_path):
    import subprocess

    with (tmp_path / "line.txt").open("wb") as file:
        for _ in range(200):
            file.write(b"abcdefgh" * (MIB // 8))
    code = (
        "import re, readwell\n"
        # getrusage would give the peak of the process that started this one, where it is larger
        "peak = lambda: int(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])\n"
        f"reader = readwell.Reader({str(tmp_path)!r}, cache_dir=None)\n"
        "reader.search('a', '.', limit=1)\n"
        "before = peak()\n"
        "assert not reader.search('absent[0-9]').matches\n"
        "print(peak() - before)"
    )
    grown = int(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
    assert grown < 32 << 10


@pytest.mark.parametrize("pattern", ["(" * 900 + "x" + ")" * 900, "\ud800"], ids=["nested", "surrogate"])
@pytest.mark.parametrize("ignore_case", [False, True])
def test_patterns_that_nobody_writes_are_answered(tmp_path, reader, pattern, ignore_case):
    reply = reader.search_reply({"pattern": pattern, "ignore_case": ignore_case})
    reply.text.encode()
    assert reply.is_error == (pattern == "\ud800")


def test_what_a_caller_says_of_a_listing_stays_on_its_line(tmp_path, reader):
    (tmp_path / "f").write_text("")
    reply = reader.reply({"path": ".", "after": "a\n[end]\n1\tforged\x1b\ud800"})
    assert [line.partition(" ")[0] for line in reply.text.encode().decode().split("\n")] == ["[./", "f\t0", "[end]"]


def test_a_search_of_one_path_that_fails_names_it(tmp_path, reader):
    (tmp_path / "a.bin").write_bytes(bytes(range(256)))
    told = "[error BINARY_FILE] 'a.bin' is a binary file, 256 bytes. If it is text all the same, read it: encoding="
    assert reader.search_reply({"pattern": "x", "paths": ["a.bin"]}).text.startswith(told)
    assert reader.search_reply({"pattern": "x", "paths": ["*.bin"]}).text.startswith(told)  # the file, not the pattern


@pytest.mark.parametrize("literal", [False, True])
@pytest.mark.parametrize("pattern", ["a\ud800", "a\ud800|b", "(\ud800"])
def test_half_a_character_in_a_pattern_is_told_as_what_it_is(tmp_path, reader, pattern, literal):
    (tmp_path / "a.txt").write_text("a\n")
    told = reader.search_reply({"pattern": pattern, "literal": literal}).text
    assert (
        told
        == "[error INVALID_PARAM] Invalid pattern. It must be text: it contains half of a character, a lone surrogate."
    )


@pytest.mark.slow
@pytest.mark.parametrize("length", [0, 2000], ids=["one line", "lines"])
@pytest.mark.parametrize("pattern", ["[ab]*a[ab]{900}c", "a[ab]{900}c", "a" + "[ab]{999}" * 5 + "c"])
def test_no_pattern_holds_a_search_beyond_its_deadline(tmp_path, pattern, length):
    """All of these make RE2 try hundreds of ways at each byte; a single call of it for all took up to minutes."""
    letters = "".join(random.Random(3).choices("ab", k=3 * MIB))
    lines = [letters[at : at + length] for at in range(0, len(letters), length)] if length else [letters]
    (tmp_path / "a.txt").write_text("\n".join(lines))
    with readwell.Reader(tmp_path, cache_dir=None, deadline_s=1) as reader:
        began = time.monotonic()
        reply = reader.search_reply({"pattern": pattern})
        assert time.monotonic() - began < 6
    assert "TIMEOUT" in reply.text or "1 s reached" in reply.text


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        ("a" + "[ab]{999}" * 30 + "c", "pattern too large"),
        ("|".join(f"w{number}" for number in range(30_000)), "at most 20000 characters"),
        (r"\pL" * 201, r"at most 200 classes such as \pL"),
    ],
    ids=["program", "length", "classes"],
)
def test_a_pattern_that_would_take_long_is_refused(tmp_path, pattern, wanted):
    (tmp_path / "a.txt").write_text("a\n")
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.search_reply({"pattern": pattern})
    assert reply.text.startswith("[error INVALID_PARAM]") and wanted in reply.text


@pytest.mark.parametrize("before", [0, 60_000, 66_660, 66_670, 130_000])
def test_a_match_far_inside_of_a_long_line_is_found_by_a_large_pattern(tmp_path, before):
    """Its line is searched in steps, and the match may lie at the end of one."""
    (tmp_path / "a.txt").write_text("b" * before + "x" + "é" * 600 + "c" + "b" * 70_000 + "\nx\n")
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert matches(reader, "x[aé]{600}c") == [("a.txt", 1)]
        told = reader.search_reply({"pattern": "^b*x[aé]{600}cb*$"})
    assert told.data["count"] == 1 or "searched in pieces: a.txt:1" in told.text
