"""A document as groups of units: what is kept, and what becomes of a unit that ends its parser."""

import os
import time

import pytest

from readwell import ConversionFailed
from readwell.documents.book import Book
from readwell.documents.shelf import Shelf
from readwell.documents.worker import Worker
from readwell.watch import Watch

BROKEN = "<!-- not converted: the parser crashed"


@pytest.fixture(scope="module")
def worker():
    with Worker({"leaves": "plain_converters:LEAVES"}) as worker:
        yield worker


@pytest.fixture
def read(worker, tmp_path):
    """Returns the units of a document as texts, and how often its parser was started."""

    def units(*leaves):
        path = tmp_path / "leaves"
        path.write_bytes("\f".join(leaves).encode())
        descriptor = os.open(path, os.O_RDONLY)
        starts = []

        def start(first, prepared):
            starts.append(first)
            watch = Watch(time.monotonic, time.monotonic() + 20, 20)
            return worker.convert(descriptor, "leaves", watch, range(first, 10_000), prepared=prepared)

        try:
            book = Book(b"key", Shelf(None), start)
            texts = ["\n".join(unit[1:]) for group in book.groups(0) for unit in group]
            again = ["\n".join(unit[1:]) for group in book.groups(0) for unit in group]
        finally:
            os.close(descriptor)
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
    assert starts == [1, 4, 5]


@pytest.mark.parametrize("leaves", [["crash"], ["crash", "crash", "three"], ["crash"] * 30])
def test_a_document_whose_units_mostly_end_their_parser_is_a_failure(read, leaves):
    with pytest.raises(ConversionFailed):
        read(*leaves)
