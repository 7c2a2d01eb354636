"""White that runs down through rows: where columns part."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from .rows import Interval

TOUCH = 0.01


def gutters(rows: Sequence[Sequence[Interval]], least: float, share: float = 0.0) -> list[Interval]:
    """Returns the stretches, at least so wide, that no more than this share of the rows covers.

    Only what has text on both sides is a gutter.
    """
    most = int(share * len(rows))
    found: list[Interval] = []
    start: float | None = None
    covered = 0
    for x, change in _edges(rows):
        if change > 0 and covered == most and start is not None:
            if x - start >= least:
                found.append((start, x))
            start = None
        covered += change
        if change < 0 and covered == most:
            start = x
    return found


def cores(found: Sequence[Interval], rows: Sequence[Sequence[Interval]], least: float) -> list[float]:
    """Returns for each gutter the middle of its widest stretch that the fewest rows cover."""
    edges = _edges(rows)
    places = [x for x, _ in edges]
    coverage = [0, *accumulate(change for _, change in edges)]
    middles: list[float] = []
    for left, right in found:
        first, end = bisect_right(places, left), bisect_left(places, right)
        stretches = zip(coverage[first : end + 1], [left, *places[first:end]], [*places[first:end], right], strict=True)
        wide = [(covered, a - b, (a + b) / 2) for covered, a, b in stretches if b - a > least]
        middles.append(min(wide)[2] if wide else (left + right) / 2)
    return middles


def _edges(rows: Sequence[Sequence[Interval]]) -> list[tuple[float, int]]:
    """Returns where intervals begin (1) and end (-1), from left to right."""
    return sorted(edge for row in rows for edge in _row_edges(row))


def _row_edges(row: Sequence[Interval]) -> Iterator[tuple[float, int]]:
    """Yields the edges of one row's intervals, those that overlap made one."""
    end: float | None = None
    for start, stop in sorted(row):
        if end is not None and start <= end + TOUCH:
            end = max(end, stop)
            continue
        if end is not None:
            yield end, -1
        yield start, 1
        end = stop
    if end is not None:
        yield end, -1
