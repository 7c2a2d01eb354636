"""White that runs down through rows: where columns part."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
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
    edges: list[tuple[float, int]] = []
    for row in rows:
        for start, end in row if len(row) < 2 else _apart(row):
            edges += (start, 1), (end, -1)
    edges.sort()
    return edges


def _apart(row: Sequence[Interval]) -> list[Interval]:
    """Returns the intervals of one row, those that overlap made one."""
    found: list[Interval] = []
    for start, end in sorted(row):
        if found and start <= found[-1][1] + TOUCH:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found
