"""A document as groups of units: what is cached, and what becomes of a unit that crashes its parser."""

import os
import time
from array import array
from contextlib import ExitStack, closing

import pytest

from readwell import ConversionFailed
from readwell.deadline import Deadline
from readwell.dialects.native.request import parse
from readwell.dialects.native.settings import Settings
from readwell.documents.paged_text import PagedText
from readwell.documents.unit_cache import MAX_IN_MEMORY, UNKNOWN, UnitCache
from readwell.documents.unit_source import UnitSource
from readwell.documents.worker import Worker
from readwell.model import Budget
from readwell.tokens import count_tokens, estimate_tokens
from readwell.window import take_window

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

        def start(first, prepared, recognise):
            starts.append(first)
            return worker.convert(descriptor, "leaves", deadline, range(first, 10_000), argument=prepared)

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


@pytest.mark.parametrize(
    ("count", "crashes", "fails"),
    [(2, 1, False), (3, 2, True), (4, 2, False), (5, 2, False), (5, 3, True), (20, 8, False), (20, 9, True)],
)
def test_half_of_the_units_of_a_document_may_crash_their_parser_but_at_most_eight(read, count, crashes, fails):
    leaves = ["crash"] * crashes + ["read"] * (count - crashes)
    if fails:
        with pytest.raises(ConversionFailed):
            read(*leaves)
    else:
        texts, _ = read(*leaves)
        assert [text == "read" for text in texts] == [False] * crashes + [True] * (count - crashes)


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


@pytest.mark.parametrize(
    ("leaves", "limit", "units"), [(400, 5000, 4), (400, 4000, 4), (12, 5000, 8), (400, 50_000, 40)]
)
def test_a_window_whose_tokens_are_spent_converts_no_further_group_unless_it_might_tell_the_total(
    sources, leaves, limit, units
):
    new_source, _ = sources(*["x" * 1100] * leaves)
    source = new_source()
    budget = Budget(2000, limit, exceeds=lambda start, lines: start == 1 and len(lines) >= 8)
    drawn = PagedText(source, "leaves", WATCH).take(1, 2000, 1, budget)
    assert len(source.table.line_counts) - source.table.line_counts.count(UNKNOWN) == units
    assert not drawn.ended


@pytest.mark.parametrize("leaves", [60, 1500])
@pytest.mark.parametrize("tokens", [300, 2000, 9000, 12000])
@pytest.mark.parametrize("place", [{}, {"offset": 7}, {"column": 3}])
def test_a_window_is_the_same_whether_or_not_groups_beyond_it_were_converted(sources, tokens, place, leaves):
    new_source, _ = sources(*(f"{number} words é\n" * (number * 37 % 60) for number in range(leaves)))
    request = parse({"path": "a", "max_tokens": tokens, **place}, Settings())
    without = parse({"path": "a", "max_tokens": tokens, **place}, Settings())
    without = without._replace(limits=without.limits._replace(exceeds=None))
    assert take_window(PagedText(new_source(), "leaves", WATCH), request) == take_window(
        PagedText(new_source(), "leaves", WATCH), without
    )


def test_a_window_ends_at_the_units_that_are_known_as_if_its_tokens_had_not_ended_before(sources):
    request = parse({"path": "a", "max_tokens": 300, "total": "lazy"}, Settings())
    windows = []
    for exceeds in (request.limits.exceeds, None):
        new_source, _ = sources(*("some words é " * 90 if number < 8 else "x" for number in range(4000)))
        text = PagedText(new_source(), "leaves", WATCH)
        text.tail(1, 1, Budget(100, 1000))
        text._source.table.line_counts[8:] = array("i", [2]) * 3992
        windows.append(take_window(text, request._replace(limits=request.limits._replace(exceeds=exceeds))))
    assert windows[0] == windows[1]
    assert windows[0].total == 8000


@pytest.mark.parametrize(("counter", "exceeds"), [(count_tokens, True), (estimate_tokens, False), (len, False)])
def test_only_tokens_that_add_up_exactly_end_a_window_early(counter, exceeds):
    asked = parse({"path": "a", "max_tokens": 500}, Settings(count_tokens=counter)).limits.exceeds
    assert asked
    assert asked(1, ["some words"] * 1000) is exceeds
    assert not asked(1, ["some words"] * 50)
