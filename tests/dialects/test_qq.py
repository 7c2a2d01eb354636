"""The `qq` dialect from outside: windows, numbers, ceiling, encodings and documents."""

import os
import random
import re
import tracemalloc
from pathlib import Path

import pytest
from asking import label, lines_of
from qq_replies import NUM_LOW, NUM_TYPE, START_TYPE, beyond, needs_extra, page
from small_files import JUNK, archive, office, pdf

import readwell.qq
from readwell.qq import FileManager

# The tables below are kept dense.
# fmt: off

CEILING = 262_144  # bytes of file text in one reply
NAN, INF = float("nan"), float("inf")
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def clip(text):
    return f"{text} … [line clipped: first {len(text)} characters shown]"


DOCUMENTS = {
    "pdf": pdf(),
    "docx": office("word/document.xml", "wordprocessingml.document"),
    "pptx": office("ppt/presentation.xml", "presentationml.presentation"),
    "xlsx": office("xl/workbook.xml", "spreadsheetml.sheet"),
    "odt": archive(**{"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": "<x/>"}),
    "ods": archive(**{"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": "<x/>"}),
    "epub": archive(**{"mimetype": "application/epub+zip", "META-INF/container.xml": "<x/>"}),
}


@pytest.fixture
def world(root):
    """root with a text and a document."""
    (root / "text.txt").write_bytes(b"one\ntwo\nthree\n")
    (root / "paper.pdf").write_bytes(pdf())
    return root


def test_the_limit_is_published():
    homes = (FileManager, readwell.qq)
    assert [h.MAX_LINES_PER_READ for h in homes if hasattr(h, "MAX_LINES_PER_READ")][:1] == [200]


def test_a_reply_is_header_note_rule_and_bare_lines(root):
    (root / "a.py").write_bytes(b"def f():\n    return 1\n")
    reply = FileManager(root=str(root)).read_file("a.py")
    assert reply == (
        "[File: a.py | Lines 1-2 of 2]\n[Note: Output limited to 200 lines max per request.]\n"
        "----------------------------------------\ndef f():\n    return 1"
    )


@pytest.mark.parametrize("start, num, first, last", [
    (1, 500, 1, 200), (201, 200, 201, 300), (1, 200, 1, 200), (1, 201, 1, 200), (1, 199, 1, 199), (300, 1, 300, 300),
    (150, 10, 150, 159), (101, 500, 101, 300), (100, 500, 100, 299), (1, 1, 1, 1), (None, None, 1, 200),
    (None, 3, 1, 3), (7, None, 7, 206), (12.0, 2.0, 12, 13), ("12", "2", 12, 13), (" +12\t", "\n2 ", 12, 13),
    ("0012", "+2", 12, 13), (1, 1e300, 1, 200), (1, 10**5000, 1, 200), (1, "9" * 5000, 1, 200), (299, "500", 299, 300),
], ids=label)
def test_a_window_of_three_hundred_lines(root, start, num, first, last):
    (root / "test_large.txt").write_bytes(b"".join(b"Line %d\n" % n for n in range(1, 301)))
    reply = FileManager(root=str(root)).read_file("test_large.txt", start, num)
    assert reply == page("test_large.txt", [f"Line {n}" for n in range(first, last + 1)], first, 300)


def test_defaults_and_keywords(root):
    (root / "f.txt").write_bytes(b"x\n" * 201)
    manager = FileManager(root=str(root))
    assert manager.read_file("f.txt") == page("f.txt", ["x"] * 200, 1, 201)
    assert manager.read_file(path="f.txt", start_line=201, num_lines=9) == page("f.txt", ["x"], 201, 201)


@pytest.mark.parametrize("start", [0, -1, -200, 4, 999, "-1", 10**4000], ids=label)
def test_a_start_outside_the_file_is_out_of_bounds(world, start):
    assert FileManager(root=str(world)).read_file("text.txt", start) == beyond(start, 3)


@pytest.mark.parametrize("start", [10**5000, -(10**5000), "9" * 5000], ids=label)
def test_a_start_of_thousands_of_digits_is_out_of_bounds_and_raises_nothing(world, start):
    reply = FileManager(root=str(world)).read_file("text.txt", start)
    assert reply.startswith("Start line ") and reply.endswith(" is out of bounds. Total lines: 3.")


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf"], ids=["empty", "only a BOM"])
@pytest.mark.parametrize("name", ["e.txt", "e.pdf"])
@pytest.mark.parametrize("start", [1, 0, 2])
def test_an_empty_file_has_no_first_line(root, data, name, start):
    (root / name).write_bytes(data)
    assert FileManager(root=str(root)).read_file(name, start) == beyond(start, 0)


@pytest.mark.parametrize("num", [0, -1, -200, "0", "-3", 0.0, -2.0, -(10**5000)], ids=label)
def test_fewer_than_one_line_is_refused(world, num):
    assert FileManager(root=str(world)).read_file("text.txt", 1, num) == NUM_LOW


@pytest.mark.parametrize("odd",
    [True, False, NAN, INF, -INF, 1.5, " ", "x", "1.0", "1.5", "1e3", "0x10", "1_0", "1 2", "--1", "٣", "１", "nan"]
    + [b"1", [1], (1,), {}, {1: 1}, 1j, object(), int], ids=label)
def test_only_whole_numbers_are_numbers(world, odd):
    manager = FileManager(root=str(world))
    assert manager.read_file("text.txt", odd) == START_TYPE
    assert manager.read_file("text.txt", 1, odd) == NUM_TYPE


def test_empty_numbers_are_absent_ones(world):
    manager = FileManager(root=str(world))
    assert manager.read_file("text.txt", "", "") == manager.read_file("text.txt")


FILLER = "plain words before and after it, so that this is text beyond doubt"


@pytest.mark.parametrize("text, lines", [
    ("a\nb\n", ["a", "b"]), ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]), ("a\rb\r", ["a", "b"]), ("a\rb", ["a", "b"]),
    ("a\r\rb", ["a", "", "b"]), ("a\n\rb", ["a", "", "b"]), ("a\r\n\rb\nc", ["a", "", "b", "c"]), ("\n", [""]), ("\r\n", [""]),
    ("\r", [""]), ("\n\n", ["", ""]), ("a\n\n", ["a", ""]), ("a\r\r\nb", ["a", "", "b"]), (" a \n\tb\t\n", [" a ", "\tb\t"]),
    ("a\ufeffb\n\ufeffc\n", ["a\ufeffb", "\ufeffc"]), ("\ufeffa\nb\n", ["a", "b"]),
    ]
    + [(f"{FILLER}{c}{FILLER}\nend\n", [f"{FILLER}{c}{FILLER}", "end"]) for c in "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"], ids=label)
def test_where_a_line_ends(root, text, lines):
    (root / "f.txt").write_bytes(text.encode())
    assert FileManager(root=str(root)).read_file("f.txt") == page("f.txt", lines)


@pytest.mark.parametrize("edge", [4096, 8192, 65536, 131072])
@pytest.mark.parametrize("mark", ["é", "€", "😀", "\r\n"])
def test_nothing_is_damaged_at_a_chunk_edge(root, edge, mark):
    for back in range(len(mark.encode()) + 1):
        text = "a" * (edge - back) + mark + "z\nlast\n"
        (root / "f.txt").write_bytes(text.encode())
        assert FileManager(root=str(root)).read_file("f.txt") == page("f.txt", lines_of(text)), back


@pytest.mark.parametrize("max_bytes", [9, 16, 40, CEILING])
@pytest.mark.parametrize("num", [1, 3, 200])
def test_following_the_numbers_gives_every_line_once(root, max_bytes, num):
    rng = random.Random(max_bytes * 1000 + num)
    words = ["", "", "a", "bb", "é€", "😀😀", "ccccccccc", "\x0c", "w\u2028"]
    text = "".join(rng.choice(words) + rng.choice(["\n", "\r\n", "\r"]) for _ in range(450)) + "end"
    (root / "f.txt").write_bytes(text.encode())
    want, got = lines_of(text), []
    manager = FileManager(root=str(root), max_bytes=max_bytes)
    while len(got) < len(want):
        start = len(got) + 1
        reply = manager.read_file("f.txt", start, num)
        body = reply.split("\n" + "-" * 40 + "\n", 1)[1].split("\n")
        cut = len(body) < min(num, len(want) - len(got))
        assert len(body) <= num
        assert reply == page("f.txt", body, start, len(want), f" Stopped at {max_bytes} bytes." if cut else "")
        got += body
    assert got == want
    assert manager.read_file("f.txt", len(want) + 1, num) == beyond(len(want) + 1, len(want))


THREE = "aaaaa\nbbbbb\nccccc\n"
A, B, C = "aaaaa", "bbbbb", "ccccc"


@pytest.mark.parametrize("max_bytes, text, start, num, lines, total, stopped", [
    (17, THREE, 1, 200, [A, B, C], 3, False), (16, THREE, 1, 200, [A, B], 3, True), (11, THREE, 1, 200, [A, B], 3, True),
    (10, THREE, 1, 200, [A], 3, True), (5, THREE, 1, 200, [A], 3, True), (11, THREE, 1, 2, [A, B], 3, False),
    (11, THREE, 2, 200, [B, C], 3, False), (10, THREE, 2, 200, [B], 3, True), (10, THREE, 3, 200, [C], 3, False),
    (11, "aaaaa\r\nbbbbb\r\n", 1, 200, [A, B], 2, False), (11, "\ufeffaaaaa\nbbbbb", 1, 200, [A, B], 2, False),
    (2, "\n\n\n\n", 1, 200, ["", "", ""], 4, True), (10, "éé\nééé\nx\n", 1, 200, ["éé"], 3, True),
    (11, "éé\nééé\nx\n", 1, 200, ["éé", "ééé"], 3, True), (10, "a" * 10 + "\nb\n", 1, 1, ["a" * 10], 2, False),
    (10, "a" * 11 + "\nb\n", 1, 200, [clip("a" * 10)], 2, True), (10, "a" * 11, 1, 200, [clip("a" * 10)], 1, True),
    (10, "a" * 11, 1, 1, [clip("a" * 10)], 1, True), (10, "é" * 6 + "\nbbbbb\n", 1, 200, [clip("é" * 5)], 2, True),
    (10, "€" * 4 + "\nbbbbb\n", 1, 200, [clip("€" * 3)], 2, True), (10, "😀" * 3 + "\nbbbbb\n", 1, 200, [clip("😀" * 2)], 2, True),
    (10, "a" + "€" * 4 + "\nbbbbb\n", 1, 200, [clip("a€€€")], 2, True),
    (10, "e\u0301" * 4 + "\nbbbbb\n", 1, 200, [clip("e\u0301" * 3 + "e")], 2, True),
    (10, "bb\n" + "a" * 11 + "\ncc\n", 1, 200, ["bb"], 3, True), (10, "bb\n" + "a" * 11 + "\ncc\n", 2, 200, [clip("a" * 10)], 3, True),
    (10, "bb\n" + "a" * 11 + "\ncc\n", 3, 200, ["cc"], 3, False),
    (CEILING, ("x" * 2000 + "\n") * 200, 1, 200, ["x" * 2000] * 131, 200, True),
    (CEILING, "x" * CEILING + "\n", 1, 200, ["x" * CEILING], 1, False),
    (CEILING, "x" * (CEILING + 1) + "\nnext\n", 1, 200, [clip("x" * CEILING)], 2, True),
    (CEILING, "é" * 131_073, 1, 200, [clip("é" * 131_072)], 1, True),
    (CEILING, "a" + "é" * 131_072 + "\nbbbbb", 1, 200, [clip("a" + "é" * 131_071)], 2, True),
], ids=label)
def test_the_ceiling_ends_a_window_early_or_clips_its_first_line(root, max_bytes, text, start, num, lines, total, stopped):
    (root / "f.txt").write_bytes(text.encode())
    expected = page("f.txt", lines, start, total, f" Stopped at {max_bytes} bytes." if stopped else "")
    assert FileManager(root=str(root), max_bytes=max_bytes).read_file("f.txt", start, num) == expected
    if max_bytes == CEILING:
        assert FileManager(root=str(root)).read_file("f.txt", start, num) == expected


def test_one_enormous_line_is_never_held_whole(root):
    with open(root / "f.txt", "wb") as out:
        for _ in range(48):
            out.write(b"x" * 1_048_576)
        out.write(b"\nlast\n")
    tracemalloc.start()
    try:
        reply = FileManager(root=str(root)).read_file("f.txt")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert reply == page("f.txt", [clip("x" * CEILING)], 1, 2, f" Stopped at {CEILING} bytes.")
    assert peak < 24 * 1_048_576


@pytest.mark.parametrize("bom, encoding",
    [(b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"), (b"\xff\xfe\0\0", "utf-32-le"), (b"\0\0\xfe\xff", "utf-32-be")],
)
def test_a_wide_encoding_is_decoded_and_named(root, bom, encoding):
    text = "plain\r\n\u0a0a\u0d0d née 😀\rthe end"  # two letters whose bytes look like line ends
    (root / "f.txt").write_bytes(bom + text.encode(encoding))
    expected = page("f.txt", ["plain", "\u0a0a\u0d0d née 😀", "the end"], extra=f" Decoded as {encoding}.")
    assert FileManager(root=str(root)).read_file("f.txt") == expected
    (root / "f.txt").write_bytes(bom + THREE.encode(encoding))
    expected = page("f.txt", [A, B], 1, 3, f" Decoded as {encoding}. Stopped at 11 bytes.")
    assert FileManager(root=str(root), max_bytes=11).read_file("f.txt") == expected


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "marked"])
def test_utf8_that_is_damaged_in_its_first_64_kib_is_told_in_every_window(root, mark):
    (root / "f.txt").write_bytes(mark + "née\nplain\ndam\udcffaged\n".encode(errors="surrogateescape"))
    lines = ["née", "plain", "dam\ufffdaged"]
    for start, line in enumerate(lines, 1):
        expected = page("f.txt", [line], start, 3, " Decoded as utf-8 (replace).")
        assert FileManager(root=root).read_file("f.txt", start, 1) == expected


@pytest.mark.parametrize("good", [0, 10, 1500, 20000])
def test_a_file_that_is_not_utf8_is_shown_with_its_encoding_named(root, good):
    (root / "f.txt").write_bytes(b"sound\n" * good + b"caf\xe9 au lait, d\xe9j\xe0 vu\n" + b"sound\n" * 3)
    reply = FileManager(root=str(root)).read_file("f.txt", good + 1)
    header, note, rule, bad, *rest = reply.split("\n")
    assert header == f"[File: f.txt | Lines {good + 1}-{good + 4} of {good + 4}]"
    assert re.fullmatch(r"\[Note: Output limited to 200 lines max per request\. Decoded as (?!utf-8\.)\S.*\.\]", note)
    assert (rule, rest) == ("-" * 40, ["sound"] * 3)
    assert re.fullmatch("caf. au lait, d.j. vu", bad)


@pytest.mark.parametrize("kind", DOCUMENTS)
@pytest.mark.parametrize("ending", ["own", "txt", "bin"])
@pytest.mark.usefixtures("without_documents")
def test_a_document_is_known_by_content_and_needs_the_extra(root, kind, ending):
    name = f"paper.{kind if ending == 'own' else ending}"
    (root / name).write_bytes(DOCUMENTS[kind])
    assert FileManager(root=str(root)).read_file(name) == needs_extra(name)


DAMAGED = {"d.pdf": b"%PDF-1.7\n" + JUNK, "d.docx": b"PK\x03\x04" + JUNK, "d.xls": OLE + JUNK, "z.docx": archive(a="b")}


@pytest.mark.parametrize("name", DAMAGED)
@pytest.mark.usefixtures("without_documents")
def test_a_damaged_container_with_a_document_ending_is_a_document(root, name):
    (root / name).write_bytes(DAMAGED[name])
    assert FileManager(root=str(root)).read_file(name) == needs_extra(name)
    reply = FileManager(root=str(root), document_reader=lambda data, name: "# found").read_file(name)
    assert reply == page(name, ["# found"])


@pytest.mark.parametrize("data",
    [b"%PDF-1.7\n" + JUNK, b"PK\x03\x04" + JUNK, OLE + JUNK, JUNK, b"\x7fELF" + JUNK, archive(a="b")],
    ids=["pdf", "zip", "ole", "junk", "elf", "sound zip"],
)
@pytest.mark.parametrize("name", ["d.bin", "d.dat"])
def test_what_is_neither_text_nor_document_is_binary(root, data, name):
    (root / name).write_bytes(data)
    for reader in (None, lambda data, name: "wrong"):
        manager = FileManager(root=str(root), document_reader=reader)
        assert manager.read_file(name) == f"Error: File '{name}' appears to be binary."


@pytest.mark.parametrize("name, text", [
    ("a.html", "<p>hi</p>"), ("a.ipynb", '{"cells": []}'), ("a.rtf", "{\\rtf1 hi}"), ("a.csv", "a,b\n1,2"),
    ("a.eml", "Subject: x\n\nhi"), ("a.pdf", "just words"), ("a.docx", "just words"), ("a.xls", "a\tb"),
])
def test_text_under_any_name_stays_text(root, name, text):
    (root / name).write_bytes(text.encode() + b"\n")
    manager = FileManager(root=str(root), document_reader=lambda data, name: "wrong")
    assert manager.read_file(name) == page(name, text.split("\n"))


def test_the_document_reader_gets_the_bytes_and_the_name(world):
    seen = []

    def reader(data, name):
        seen.append((type(data), data, name))
        return "# Title\r\nbody\x0cstill\rlast\u2028one\n"

    manager = FileManager(root=str(world), document_reader=reader)
    first = manager.read_file("./paper.pdf")
    assert first == page("paper.pdf", ["# Title", "body\x0cstill", "last\u2028one"])
    assert seen[0] == (bytes, pdf(), "paper.pdf")
    assert manager.read_file("./paper.pdf") == first
    assert manager.read_file("paper.pdf", 2, 1) == page("paper.pdf", ["body\x0cstill"], 2, 3)
    assert manager.read_file("paper.pdf", 4) == beyond(4, 3)
    assert manager.read_file("paper.pdf", 0) == beyond(0, 3)


def test_a_converter_of_paths_is_given_a_copy_of_the_content_under_the_same_name(world):
    class Converter:
        def convert(self, path):
            assert Path(path) != world / "paper.pdf"
            return f"{Path(path).name}\n{Path(path).read_bytes() == pdf()}"

    manager = FileManager(root=str(world), document_reader=Converter())
    assert manager.read_file("paper.pdf") == page("paper.pdf", ["paper.pdf", "True"])


def test_a_document_is_paged_and_limited_like_text_and_a_new_version_is_read_anew(world):
    manager = FileManager(root=str(world), document_reader=lambda data, name: "".join(f"{len(data)} {n}\n" for n in range(1, 451)))
    for _ in range(2):
        size = (world / "paper.pdf").stat().st_size
        rows = [f"{size} {n}" for n in range(1, 451)]
        for start in (1, 201, 401):
            reply = manager.read_file("paper.pdf", start, 500)
            assert reply == page("paper.pdf", rows[start - 1 : start + 199], start, 450)
        (world / "paper.pdf").write_bytes(pdf() + b"% more\n")
        os.utime(world / "paper.pdf", (1_600_000_000, 1_600_000_000))
    manager = FileManager(root=str(world), document_reader=lambda data, name: THREE, max_bytes=11)
    assert manager.read_file("paper.pdf") == page("paper.pdf", [A, B], 1, 3, " Stopped at 11 bytes.")


@pytest.mark.parametrize(
    "error", [ValueError("no xref"), RuntimeError(), OSError(5, "boom"), KeyError("k"), RecursionError("deep")], ids=label
)
def test_a_failed_conversion_is_an_error_and_never_content(world, error):
    def reader(data, name):
        raise error

    manager = FileManager(root=str(world), document_reader=reader)
    for start in (1, 999):
        reply = manager.read_file("paper.pdf", start)
        assert re.fullmatch(r"Error: Could not convert 'paper\.pdf' to Markdown: .+\.", reply)
