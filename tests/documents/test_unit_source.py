"""A document as groups of units: what is cached, and what becomes of a unit that crashes its parser."""

import os
import time
from contextlib import ExitStack, closing

import pytest

from readwell import ConversionFailed
from readwell.deadline import Deadline
from readwell.documents.paged_text import PagedText
from readwell.documents.unit_cache import MAX_IN_MEMORY, UnitCache
from readwell.documents.unit_source import UnitSource
from readwell.documents.worker import Worker
from readwell.model import Budget

WATCH = Deadline(time.monotonic, float("inf"), 20)
BROKEN = "<!-- not converted: the parser crashed"


@pytest.fixture(scope="module")
def worker():
    with Worker({"leaves": "plain_converters:LEAVES"}) as worker:
        yield worker


@pytest.fixture
def sources(worker, tmp_path):
    """Returns a function that makes unit sources of one document, and the units at which its parser was started."""

    def sources_of(*leaves):
        path = tmp_path / "leaves"
        path.write_bytes("\f".join(leaves).encode())
        descriptor = os.open(path, os.O_RDONLY)
        to_end.callback(os.close, descriptor)
        starts, cache = [], UnitCache(None)
        deadline = Deadline(time.monotonic, time.monotonic() + 20, 20)

        def start(first, prepared):
            starts.append(first)
            return worker.convert(descriptor, "leaves", deadline, range(first, 10_000), prepared=prepared)

        return lambda: to_end.enter_context(closing(UnitSource(b"key", cache, start, deadline))), starts

    with ExitStack() as to_end:
        yield sources_of


@pytest.fixture
def read(sources):
    """Returns the units of a document as texts, and the units at which its parser was started."""

    def units(*leaves):
        new_source, starts = sources(*leaves)
        texts, again = (["\n".join(unit[1:]) for group in new_source().groups(0) for unit in group] for _ in range(2))
        assert again == texts
        return texts, starts

    return units


def test_a_unit_that_crashes_its_parser_is_replaced_by_a_comment(read):
    texts, starts = read("one", "two", "crash", "four", "five", "six")
    assert [text.split(":")[0] if text.startswith("<") else text for text in texts] == [
        "one", "two", "<!-- not converted", "four", "five", "six"
    ]  # fmt: skip
    assert texts[2].startswith(BROKEN)
    assert texts[2].endswith(" -->")
    assert starts == [1, 4]


@pytest.mark.parametrize("leaves", [["crash"], ["crash", "crash", "three"], ["crash"] * 30])
def test_a_document_whose_units_mostly_crash_their_parser_is_a_failure(read, leaves):
    with pytest.raises(ConversionFailed):
        read(*leaves)


def test_a_cold_document_is_opened_once_for_its_total_and_its_lines(sources):
    new_source, starts = sources(*"abcdefghij")
    text = PagedText(new_source(), "leaves", WATCH)
    assert text.total() == 20
    assert text.take(1, 4, 1, Budget(100, 1000)).strings == ["<!-- leaf 1 -->", "a", "<!-- leaf 2 -->", "b"]
    assert starts == [1]


def test_a_cold_tail_is_converted_in_few_steps(sources):
    new_source, starts = sources(*"x" * 80)
    text = PagedText(new_source(), "leaves", WATCH)
    assert text.tail(100, 1, Budget(100, 1000))[0] == 100
    assert starts == [1, 77, 61, 29]


def test_a_unit_larger_than_the_memory_of_the_cache_is_converted_once(sources):
    new_source, starts = sources("x" * (MAX_IN_MEMORY + 1), "small")
    for _ in range(3):
        assert len(new_source().group(0)[0][1]) == MAX_IN_MEMORY + 1
    assert starts == [1]
