"""Finds gutters, vertical whitespace that (nearly) no row covers: geometry for zones, regions and columns."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from .page_content.word_rows import Interval

TOUCH = 0.01


def find_gutters(rows: Sequence[Sequence[Interval]], least_width: float, covered_share: float = 0.0) -> list[Interval]:
    """Returns the intervals at least `least_width` wide that at most the `covered_share` of the rows covers.

    A gutter has text on both sides.
    """
    most = int(covered_share * len(rows))
    parts = [part for row in rows for part in (row if len(row) < 2 else _merged(row))]
    starts, ends = sorted([start for start, _ in parts]), sorted([end for _, end in parts])
    intervals: list[Interval] = []
    left: float | None = None
    ended = 0
    for begun, x in enumerate(starts):
        while ended < len(ends) and ends[ended] <= x:
            ended += 1
            if begun - ended == most:
                left = ends[ended - 1]
        if begun - ended == most and left is not None:
            if x - left >= least_width:
                intervals.append((left, x))
            left = None
    return intervals


def gutter_middles(intervals: Sequence[Interval], rows: Sequence[Sequence[Interval]], least: float) -> list[float]:
    """Returns for each gutter the middle of its widest part that the fewest rows cover."""
    if not intervals:
        return []
    edges = _interval_ends(rows)
    positions = [x for x, _ in edges]
    coverage = [0, *accumulate(change for _, change in edges)]
    middles: list[float] = []
    for left, right in intervals:
        first, end = bisect_right(positions, left), bisect_left(positions, right)
        inside = positions[first:end]
        parts = zip(coverage[first : end + 1], [left, *inside], [*inside, right], strict=True)
        wide = [(covered, a - b, (a + b) / 2) for covered, a, b in parts if b - a > least]
        middles.append(min(wide)[2] if wide else (left + right) / 2)
    return middles


def _interval_ends(rows: Sequence[Sequence[Interval]]) -> list[tuple[float, int]]:
    """Returns where intervals begin (1) and end (-1), from left to right."""
    edges: list[tuple[float, int]] = []
    for row in rows:
        for start, end in row if len(row) < 2 else _merged(row):
            edges += (start, 1), (end, -1)
    edges.sort()
    return edges


def _merged(row: Sequence[Interval]) -> list[Interval]:
    """Returns the intervals of one row, with overlapping ones merged."""
    merged: list[Interval] = []
    for start, end in sorted(row):
        if merged and start <= merged[-1][1] + TOUCH:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((start, end))
    return merged
