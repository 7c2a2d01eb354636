"""A document as groups of units: what is kept, and what becomes of a unit that ends its parser."""

import os
import time
from contextlib import ExitStack, closing

import pytest

from readwell import ConversionFailed
from readwell.documents.book import Book
from readwell.documents.paged import PagedText
from readwell.documents.shelf import MOST_HELD, Shelf
from readwell.documents.worker import Worker
from readwell.model import Budget
from readwell.watch import Watch

WATCH = Watch(time.monotonic, float("inf"), 20)
BROKEN = "<!-- not converted: the parser crashed"


@pytest.fixture(scope="module")
def worker():
    with Worker({"leaves": "plain_converters:LEAVES"}) as worker:
        yield worker


@pytest.fixture
def books(worker, tmp_path):
    """Returns what makes books of one document, and the units that its parser was started at."""

    def books_of(*leaves):
        path = tmp_path / "leaves"
        path.write_bytes("\f".join(leaves).encode())
        descriptor = os.open(path, os.O_RDONLY)
        to_end.callback(os.close, descriptor)
        starts, shelf = [], Shelf(None)
        watch = Watch(time.monotonic, time.monotonic() + 20, 20)

        def start(first, prepared):
            starts.append(first)
            return worker.convert(descriptor, "leaves", watch, range(first, 10_000), prepared=prepared)

        return lambda: to_end.enter_context(closing(Book(b"key", shelf, start, watch))), starts

    with ExitStack() as to_end:
        yield books_of


@pytest.fixture
def read(books):
    """Returns the units of a document as texts, and the units that its parser was started at."""

    def units(*leaves):
        new_book, starts = books(*leaves)
        texts, again = (["\n".join(unit[1:]) for group in new_book().groups(0) for unit in group] for _ in range(2))
        assert again == texts
        return texts, starts

    return units


def test_a_unit_that_ends_its_parser_is_told_in_its_place(read):
    texts, starts = read("one", "two", "crash", "four", "five", "six")
    assert [text.split(":")[0] if text.startswith("<") else text for text in texts] == [
        "one", "two", "<!-- not converted", "four", "five", "six"
    ]  # fmt: skip
    assert texts[2].startswith(BROKEN)
    assert texts[2].endswith(" -->")
    assert starts == [1, 4]


@pytest.mark.parametrize("leaves", [["crash"], ["crash", "crash", "three"], ["crash"] * 30])
def test_a_document_whose_units_mostly_end_their_parser_is_a_failure(read, leaves):
    with pytest.raises(ConversionFailed):
        read(*leaves)


def test_a_cold_document_is_opened_once_for_its_total_and_its_lines(books):
    new_book, starts = books(*"abcdefghij")
    text = PagedText(new_book(), "leaves", WATCH)
    assert text.total() == 20
    assert text.take(1, 4, 1, Budget(100, 1000)).strings == ["<!-- leaf 1 -->", "a", "<!-- leaf 2 -->", "b"]
    assert starts == [1]


def test_a_cold_tail_is_converted_in_few_goes(books):
    new_book, starts = books(*"x" * 80)
    text = PagedText(new_book(), "leaves", WATCH)
    assert text.tail(100, 1, Budget(100, 1000))[0] == 100
    assert starts == [1, 77, 61, 29]


def test_a_unit_larger_than_the_memory_of_a_shelf_is_converted_once(books):
    new_book, starts = books("x" * (MOST_HELD + 1), "small")
    for _ in range(3):
        assert len(new_book().group(0)[0][1]) == MOST_HELD + 1
    assert starts == [1]
