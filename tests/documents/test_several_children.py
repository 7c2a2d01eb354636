"""A whole document of many pages is converted in several children at once: the same bytes, kept as they come."""

import os
import time
from contextlib import closing

import pytest

from corpus.pdf_writer import Page, pdf
from readwell import DeadlineExceeded
from readwell.deadline import Deadline
from readwell.documents.parallel_conversion import CHUNK, child_count_for, convert_groups
from readwell.documents.unit_cache import UNKNOWN, UnitCache
from readwell.documents.unit_source import GROUP, UnitSource
from readwell.documents.worker import Worker

PAGES = 2 * CHUNK * GROUP + 10
TABLE = range(CHUNK * GROUP - 3, CHUNK * GROUP + 4)


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    path = tmp_path_factory.mktemp("book") / "book.pdf"
    path.write_bytes(pdf(*map(night, range(1, PAGES + 1))))
    return path


def night(number):
    """Returns a page; a table without heads goes on over those where one child ends and another begins."""
    page = Page()
    if number not in TABLE:
        return page.text(72, 700, f"Night {number} of the light")
    for row in range(42):
        cells = ("Lamp", "Keeper", "Oil") if (number, row) == (TABLE[0], 0) else (f"Lamp {row}", "Ada", str(number))
        for x, text in zip((72, 200, 340), cells, strict=True):
            page.text(x, 730 - 16 * row, text)
    return page


@pytest.fixture
def source(book):
    """Returns a function that makes a unit source of the book over a new cache, and a list of what was started."""
    descriptor = os.open(book, os.O_RDONLY)
    worker = Worker()

    def made(deadline):
        started = []

        def start(first, prepared, end=10_000, recognise=False, **own):
            started.append((first, end))
            return worker.convert(
                descriptor, "pdf", own.get("deadline", deadline), range(first, end), argument=prepared
            )

        return UnitSource(b"key", UnitCache(None), start, deadline), started

    yield made
    worker.close()
    os.close(descriptor)


def deadline(seconds=60, **more):
    return Deadline(time.monotonic, time.monotonic() + seconds, seconds, **more)


def test_several_children_give_the_same_units_as_one(source):
    with closing(source(deadline())[0]) as alone:
        one = list(alone.groups(0))
    several, started = source(deadline())
    with closing(several):
        several.prefetch_in_parallel(children=3)
        assert UNKNOWN not in several.table.line_counts
        converted = len(started)
        assert list(several.groups(0)) == one
    assert sum("<!-- head repeated from page" in line for group in one for unit in group for line in unit) == 6
    assert len(started) == converted >= 3


def test_progress_counts_up_to_the_last_page(source):
    seen = []
    with closing(source(deadline(on_progress=lambda done, total, what: seen.append((done, total))))[0]) as several:
        several.prefetch_in_parallel(children=2)
    assert seen == sorted(seen)
    assert seen[-1] == (PAGES, PAGES)


def test_a_cancelled_call_ends_all_children(source):
    cancelled = []
    several, _ = source(deadline(cancelled=lambda: bool(cancelled), on_progress=lambda *_: cancelled.append(1)))
    with closing(several), pytest.raises(DeadlineExceeded):
        several.prefetch_in_parallel(children=2)


def test_a_short_document_is_left_to_one_child():
    assert child_count_for(CHUNK) <= 1


def test_groups_come_in_order_whichever_child_is_first():
    def start(first, end, *_):
        time.sleep(0.05 if first == 1 else 0)
        return _Running(range(first, end))

    groups = [*range(CHUNK + 2), *range(40, 44)]
    kept = []
    found = list(convert_groups(groups, 3, start, deadline(), lambda number, _: kept.append(number)))
    assert [number for number, _ in found] == groups
    assert sorted(kept) == groups
    assert found[-1][1] == [str(number) for number in range(43 * GROUP + 1, 44 * GROUP + 1)]


class _Running:
    """A conversion whose units are their numbers."""

    def __init__(self, units):
        self.head = type("Head", (), {"total": 1000})
        self._units = iter(map(str, units))

    def __next__(self):
        return next(self._units)

    def close(self):
        pass
