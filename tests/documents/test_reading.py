"""Documents are read a window at a time: lazily, kept, and always the same."""

import os
import random
from pathlib import Path

import pytest
from printed_lines import Reader

from corpus.pdf_documents import PASSWORD
from corpus.pdf_writer import Page, pdf
from readwell import (
    ChangedWhileReading,
    ConversionFailed,
    DeadlineExceeded,
    DocumentLocked,
    InvalidRequest,
    StartPastEnd,
)
from readwell.deadline import Deadline
from readwell.source import DiskOpener, content_hash
from stored import entries_in

LINES = 5
MANY = 100
"""More pages than are converted only to count lines."""


def book(pages, lines=LINES):
    return pdf(*(printed(number, lines) for number in range(1, pages + 1)))


def printed(number, lines):
    page = Page()
    for line in range(1, lines + 1):
        page.text(72, 700 - 14 * line, f"page {number} line {line}", size=12)
    return page


def lines_of(pages, lines=LINES):
    return [
        text
        for number in pages
        for text in (f"<!-- page {number} -->", *(f"page {number} line {line}" for line in range(1, lines + 1)))
    ]


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    folder = tmp_path_factory.mktemp("books")
    (folder / "short.pdf").write_bytes(book(3))
    (folder / "long.pdf").write_bytes(book(MANY))
    return folder


@pytest.fixture
def reader(shelf):
    with Reader(shelf, cache_dir=None) as reader:
        yield reader


def test_a_short_document_is_counted_and_says_its_pages(reader):
    reply = reader.reply({"path": "short.pdf", "limit": 8})
    header, *lines, last = reply.text.split("\n")
    assert header.startswith("[short.pdf | pdf, 3 pages | lines 1-8 of 18 (pages 1-2) | rev ")
    assert lines == [f"{number}\t{line}" for number, line in enumerate(lines_of([1, 2])[:8], 1)]
    assert last == "[more: offset=9]"
    assert reply.data["pages"] == {"first": 1, "last": 2, "total": 3}
    assert (reply.data["kind"], reply.data["converter"]) == ("document", "pdf")


def test_the_first_window_of_a_long_document_converts_only_what_it_needs(shelf):
    converted = []
    with Reader(
        shelf, cache_dir=None, on_progress=lambda done, total, what: converted.append((done, total, what))
    ) as r:
        reply = r.reply({"path": "long.pdf", "limit": 10})
    assert reply.text.startswith("[long.pdf | pdf, 100 pages | lines 1-10 of ? (pages 1-2) | rev ")
    assert reply.data["total"] is None
    assert 2 <= len(converted) < MANY / 4


def test_windows_of_a_document_follow_each_other_without_gap(reader):
    found, offset = [], 1
    while offset:
        result = reader.read("long.pdf", offset=offset, limit=37)
        found += result.lines
        offset = result.next and result.next.line
    assert found == lines_of(range(1, MANY + 1))


@pytest.mark.parametrize("first", [1, 300, 555])
def test_a_window_does_not_depend_on_the_one_asked_before(shelf, first):
    with Reader(shelf, cache_dir=None) as reader:
        reader.read("long.pdf", offset=first, limit=3)
        assert reader.read("long.pdf", offset=100, limit=50).lines == lines_of(range(1, 101))[99:149]


def test_an_exact_total_waits_for_every_page(reader):
    assert reader.read("long.pdf", total="exact", limit=1).window.total == MANY * (LINES + 1)
    assert reader.read("long.pdf", offset=7, limit=1).window.total == MANY * (LINES + 1)


def test_the_tail_of_a_long_document_is_counted_from_its_end(reader):
    reply = reader.reply({"path": "long.pdf", "offset": -8})
    header, before, *lines, last = reply.text.split("\n")
    assert header.startswith("[long.pdf | pdf, 100 pages | lines -8--1 of ? (pages 99-100) | rev ")
    assert (before, last) == ("[before: offset=-16]", "[end]")
    expected = lines_of([99, 100])[-8:]
    assert lines == [f"{number}\t{line}" for number, line in zip(range(-8, 0), expected, strict=True)]


def test_pages_choose_a_window_with_the_line_numbers_of_the_whole(reader):
    result = reader.read("long.pdf", pages="50-51")
    assert (result.window.start, result.lines) == (49 * 6 + 1, lines_of([50, 51]))
    assert result.next == (51 * 6 + 1, 1)
    assert reader.read("short.pdf", pages="-2").lines == lines_of([2, 3])
    assert reader.read("long.pdf", pages="-2").lines == lines_of([99, 100])
    assert reader.read("short.pdf", pages="2", limit=3).lines == lines_of([2])[:3]


def test_pages_that_are_not_there_are_refused_with_what_is(reader):
    for pages in ("0", "4", "2-1", "1-4", "x", "1-2-3", "--2"):
        with pytest.raises(InvalidRequest) as caught:
            reader.read("short.pdf", pages=pages)
        assert "INVALID_PARAM" in str(caught.value), pages


def test_an_offset_past_the_end_names_the_total(reader):
    with pytest.raises(StartPastEnd) as caught:
        reader.read("long.pdf", offset=602)
    assert (caught.value.start, caught.value.total) == (602, 600)


def test_a_document_read_before_is_not_converted_again(shelf, tmp_path):
    cache = tmp_path / "cache"
    with Reader(shelf, cache_dir=cache) as reader:
        first = reader.read("long.pdf", total="exact", limit=600).lines
    converted = []
    with Reader(shelf, cache_dir=cache, on_progress=lambda *_: converted.append(1)) as reader:
        again = reader.read("long.pdf", total="exact", limit=600).lines
    assert (again, converted) == (first, [])


def test_a_damaged_cache_only_means_converting_again(shelf, tmp_path):
    cache = tmp_path / "cache"
    with Reader(shelf, cache_dir=cache) as reader:
        first = reader.read("short.pdf").lines
    random.seed(5)
    for entry in entries_in(cache / "documents"):
        content = bytearray(entry.read_bytes())
        content[random.randrange(len(content))] ^= 255
        entry.write_bytes(content)
    with Reader(shelf, cache_dir=cache) as reader:
        assert reader.read("short.pdf").lines == first


def test_a_cache_that_cannot_be_written_only_means_no_cache(shelf, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with Reader(shelf, cache_dir=tmp_path / "file") as reader:
        assert reader.read("short.pdf").lines == lines_of([1, 2, 3])


def test_a_document_that_was_replaced_is_converted_anew(tmp_path):
    with Reader(tmp_path, cache_dir=None) as reader:
        (tmp_path / "a.pdf").write_bytes(book(1))
        assert reader.read("a.pdf").lines == lines_of([1])
        (tmp_path / "a.pdf").write_bytes(book(2))
        assert reader.read("a.pdf").lines == lines_of([1, 2])


def test_a_copy_under_another_name_is_not_converted_again(tmp_path):
    converted = []
    (tmp_path / "a.pdf").write_bytes(book(2))
    with Reader(tmp_path, cache_dir=None, on_progress=lambda *_: converted.append(1)) as reader:
        reader.read("a.pdf")
        seen = len(converted)
        (tmp_path / "b.pdf").write_bytes(book(2))
        assert reader.read("b.pdf").lines == lines_of([1, 2])
    assert len(converted) == seen > 0


def test_a_document_that_changes_while_it_is_converted_is_told(tmp_path):
    path = tmp_path / "a.pdf"
    path.write_bytes(book(MANY))

    def rewrite(done, total, what):
        path.write_bytes(book(MANY, lines=3 + done % 2))

    with Reader(tmp_path, cache_dir=None, on_progress=rewrite) as reader:
        try:
            found = {notice["code"] for notice in reader.reply({"path": "a.pdf", "limit": 9}).data["notices"]}
        except KeyError:
            with pytest.raises(ChangedWhileReading):
                reader.read("a.pdf", limit=9)
        else:
            assert "changed" in found


def test_a_password_opens_a_locked_document_and_only_for_who_gives_it(made, tmp_path):
    cache = tmp_path / "cache"
    (tmp_path / "locked.pdf").write_bytes((made / "locked.pdf").read_bytes())
    with Reader(tmp_path, cache_dir=cache, password=PASSWORD) as reader:
        opened = reader.read("locked.pdf").lines
    assert any(opened)
    for password in (None, "wrong"):
        with Reader(tmp_path, cache_dir=cache, password=password) as reader, pytest.raises(DocumentLocked):
            reader.read("locked.pdf")


def test_what_does_not_convert_is_not_tried_again_at_once(made, tmp_path):
    (tmp_path / "damaged.pdf").write_bytes((made / "damaged.pdf").read_bytes()[:200])
    with Reader(tmp_path, cache_dir=None) as reader:
        told = set()
        for _ in range(20):
            with pytest.raises(ConversionFailed) as caught:
                reader.read("damaged.pdf")
            told.add(str(caught.value))
        assert len(told) == 1


def test_a_deadline_keeps_what_was_converted(shelf, tmp_path):

    def stop_after(done, total, what):
        if done >= 40:
            raise DeadlineExceeded(1)

    with Reader(shelf, cache_dir=tmp_path, on_progress=stop_after) as reader, pytest.raises(DeadlineExceeded):
        reader.read("long.pdf", total="exact")
    converted = []
    with Reader(shelf, cache_dir=tmp_path, on_progress=lambda done, *_: converted.append(done)) as reader:
        assert reader.read("long.pdf", total="exact", limit=1).window.total == 600
    assert min(converted) > 30


def test_the_content_of_an_open_file_is_hashed_once(tmp_path):
    (tmp_path / "a.pdf").write_bytes(b"before" * 1000)
    opener = DiskOpener(())
    with opener.open(opener.locate(str(tmp_path / "a.pdf")), Deadline(lambda: 0.0, 1.0, 1.0)) as source:
        revision = source.revision()
        (tmp_path / "a.pdf").write_bytes(b"behind" * 1000)
        assert content_hash(source).hex().startswith(revision)


@pytest.mark.usefixtures("own_fork_servers")
def test_no_process_or_descriptor_outlives_its_reader(shelf):
    def held():
        children = [Path(f"/proc/self/task/{thread}/children").read_text() for thread in os.listdir("/proc/self/task")]
        return len(os.listdir("/proc/self/fd")), sorted("".join(children).split())

    before = held()
    with Reader(shelf, cache_dir=None) as reader:
        reader.read("long.pdf", limit=3)
        assert held() != before
    assert held() == before
