"""Pages of a long document whose earlier pages cannot be converted in time."""

import re

import pytest

from corpus.pdf_writer import Page, pdf
from readwell import Reader
from readwell.deadline import Deadline
from readwell.documents import conversion_speed
from readwell.documents.conversion_speed import KNOWN_AFTER, SHARE, Pace
from stored import entries_in


def book(pages):
    made = []
    for number in range(1, pages + 1):
        page = Page()
        for line in range(1 + number % 4):
            page.text(72, 720 - 40 * line, f"Sentence {line} of page {number}.")
        made.append(page)
    return pdf(*made)


@pytest.fixture(scope="module")
def long_book(tmp_path_factory):
    folder = tmp_path_factory.mktemp("long")
    (folder / "long.pdf").write_bytes(book(6000))
    (folder / "short.pdf").write_bytes(book(23))
    return folder


@pytest.fixture
def no_time(monkeypatch):
    """Whatever is not converted yet cannot be converted in time."""
    monkeypatch.setattr(conversion_speed, "QUICKEST_UNIT_S", 1e9)


def test_a_far_page_is_shown_at_once_with_numbers_of_its_own(long_book, tmp_path):
    with Reader(long_book, cache_dir=tmp_path, deadline_s=20) as reader:
        reply = reader.reply({"path": "long.pdf", "pages": "5998"})
    assert re.sub("rev [0-9a-f]+", "rev REV", reply.text) == (
        "[long.pdf | pdf, 6000 pages | (page 5998, lines not counted) | rev REV]\n"
        "5998.1\t<!-- page 5998 -->\n5998.2\tSentence 0 of page 5998.\n5998.3\tSentence 1 of page 5998.\n"
        "5998.4\tSentence 2 of page 5998.\n[more: pages=5999]"
    )
    data = reply.data
    assert (data["start"], data["end"], data["total"]) == (None, None, None)
    assert (data["next"], data["pages"]) == (
        {"pages": "5999", "column": 1},
        {"first": 5998, "last": 5998, "total": 6000},
    )


def test_nothing_is_written_for_pages_that_nobody_asked_for(long_book, tmp_path):
    with Reader(long_book, cache_dir=tmp_path, deadline_s=20) as reader:
        reader.read("long.pdf", pages="5998")
    assert len(entries_in(tmp_path)) == 3, "the table, what opening prepared, and one group of pages"


def follow(reader, pages, **params):
    """Returns the lines of far pages by following the way on, and how many calls that took."""
    lines, calls, column = [], 0, 1
    while pages:
        reply = reader.reply({"path": "short.pdf", "pages": pages, "column": column, **params})
        assert ", lines not counted)" in reply.text.split("\n")[0], reply.text
        for line in reply.text.split("\n"):
            if not line.startswith("["):
                gutter, _, text = line.partition("\t")
                text = text.partition(" …[")[0]
                if "@" in gutter:
                    lines[-1] = (lines[-1][0], lines[-1][1] + text)
                else:
                    lines.append((gutter, text))
        way_on, calls = reply.data["next"], calls + 1
        last = reply.text.split("\n")[-1]
        assert last == "[end]" if way_on is None else last.startswith(f"[more: pages={way_on['pages']}")
        pages, column = (way_on["pages"], way_on["column"]) if way_on else (None, 1)
    return lines, calls


@pytest.mark.usefixtures("no_time")
@pytest.mark.parametrize("settings", [{}, {"limit": 1}, {"limit": 3}, {"max_tokens": 256}, {"line_length": 7}])
def test_following_the_way_on_of_far_pages_gives_every_line_once(long_book, settings):
    with Reader(long_book, cache_dir=None, **settings) as reader:
        lines, _ = follow(reader, "6-9")
    wanted = []
    for page in range(6, 24):
        texts = [f"<!-- page {page} -->", *(f"Sentence {line} of page {page}." for line in range(1 + page % 4))]
        wanted += [(f"{page}.{number}", text) for number, text in enumerate(texts, 1)]
    if "line_length" in settings:
        assert [gutter for gutter, _ in lines] == [gutter for gutter, _ in wanted]
    else:
        assert lines == wanted


@pytest.mark.usefixtures("no_time")
def test_a_cut_line_of_a_far_page_goes_on_by_pages_and_column(long_book):
    with Reader(long_book, cache_dir=None, line_length=9) as reader:
        text = reader.reply({"path": "short.pdf", "pages": "8"}).text
        assert "8.2\tSentence  …[+12 characters: pages=8.2 column=10]" in text
        assert "\n8.2@10\t0 of page" in reader.reply({"path": "short.pdf", "pages": "8.2", "column": 10}).text


@pytest.mark.parametrize("reach", ["near", "far"])
def test_a_line_of_a_page_can_be_asked_for(long_book, monkeypatch, reach):
    monkeypatch.setattr(conversion_speed, "QUICKEST_UNIT_S", 1e9 if reach == "far" else 0.0)
    with Reader(long_book, cache_dir=None) as reader:
        assert reader.read("short.pdf", pages="6.2").lines == [
            "Sentence 0 of page 6.",
            "Sentence 1 of page 6.",
            "Sentence 2 of page 6.",
        ]
        error = reader.reply({"path": "short.pdf", "pages": "6.5"}).data["error"]
        assert (error["code"], error["hint"]) == ("INVALID_PARAM", "It must be within 6.1-6.4.")
        assert reader.reply({"path": "short.pdf", "pages": "6.0"}).is_error


def test_pages_that_were_counted_before_have_their_true_numbers(long_book, monkeypatch):
    with Reader(long_book, cache_dir=None) as reader:
        lines = reader.read("short.pdf", total="exact").lines
        monkeypatch.setattr(conversion_speed, "QUICKEST_UNIT_S", 1e9)
        window = reader.read("short.pdf", pages="9").window
    assert window.lines == lines[window.start - 1 : window.end]


def test_a_wide_span_is_converted_as_far_as_it_is_shown(long_book):
    converted = []
    with Reader(long_book, cache_dir=None, on_progress=lambda done, *_: converted.append(done)) as reader:
        assert reader.read("long.pdf", pages="1-6000", limit=40, total="lazy").window.end == 40
    assert max(converted) < 60


def test_a_pace_is_that_of_the_document_once_it_is_known():
    now = [0.0]
    deadline = Deadline(lambda: now[0], 100.0, 100.0)
    pace_of = Pace(deadline)
    assert pace_of.allows(1000)
    now[0] = 5.0  # opening
    pace_of.record_converted(4)
    for _ in range(KNOWN_AFTER // 4):
        assert pace_of.allows(1000)
        now[0] += 4.0
        pace_of.record_converted(4)
    assert not pace_of.allows(1000)
    left = 100 * SHARE - now[0]
    assert (pace_of.allows(int(left)), pace_of.allows(int(left) + 1)) == (True, False)
