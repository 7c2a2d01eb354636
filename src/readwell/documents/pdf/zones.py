"""Pages printed in columns: each column of text is looked at by itself."""

from bisect import bisect
from itertools import groupby
from typing import NamedTuple

from .gutters import gutters
from .model import Word
from .rows import Interval, Row, Segment, extent, rows_of

GAP = 0.8
LONG_WORDS, LONG_EMS = 4, 9.0
LEAST_GUTTER = 0.7
CROSSING = 0.2
LEAST_LINES = 6
"""Long lines that must stand on either side of a gutter."""
SHORT_RUN = 2
TABLE_SEGMENTS = 4
"""A row with so many segments more than its columns would have is one of a table across the page."""


class _Line(NamedTuple):
    row: Row
    segments: list[Segment]
    long: list[Interval]


def zones(rows: list[Row], em: float) -> list[list[Row]]:
    """Returns the rows of each part of the page that is read by itself."""
    lines = [_line(row, em) for row in rows]
    between = _page_gutters(lines, em)
    if not between:
        return [rows]
    middles = [(left + right) / 2 for left, right in between]
    found: list[list[Row]] = []
    parted = _parted(lines, between)
    for is_parted, run in groupby(zip(parted, lines, strict=True), key=lambda pair: pair[0]):
        inside = [line.row for _, line in run]
        found += _by_column(inside, middles) if is_parted else [inside]
    return found


def _line(row: Row, em: float) -> _Line:
    parts = row.segments(GAP)
    long = [extent(part) for part in parts if len(part) >= LONG_WORDS and part[-1].x1 - part[0].x0 >= LONG_EMS * em]
    return _Line(row, parts, long)


def _page_gutters(lines: list[_Line], em: float) -> list[Interval]:
    """Returns the white between columns of text: long lines end on its left and begin on its right."""
    long = [interval for line in lines for interval in line.long]
    if len(long) < 2 * LEAST_LINES:
        return []
    return [
        (left, right)
        for left, right in gutters([[interval] for interval in long], LEAST_GUTTER * em, CROSSING)
        if sum(end <= left + 1 for _, end in long) >= LEAST_LINES
        and sum(start >= right - 1 for start, _ in long) >= LEAST_LINES
    ]


def _parted(lines: list[_Line], between: list[Interval]) -> list[bool]:
    """Tells for each line whether it is parted at the gutters; short lines go with their neighbours."""
    known = [_is_parted(line, between) for line in lines]
    above = _nearest(known)
    below = _nearest(known[::-1])[::-1]
    parted = [bool(over) and under is not False for over, under in zip(above, below, strict=True)]
    return _without_short_runs(parted)


def _nearest(known: list[bool | None]) -> list[bool | None]:
    """Returns what is known of each line, or else of the last before it."""
    found: list[bool | None] = []
    for parted in known:
        found.append(parted if parted is not None or not found else found[-1])
    return found


def _without_short_runs(parted: list[bool]) -> list[bool]:
    """Takes a line or two between lines across the page for ones across it: the long first cells of a table."""
    runs = [(is_parted, len(list(run))) for is_parted, run in groupby(parted)]
    inner = range(1, len(runs) - 1)
    return [
        is_parted and not (k in inner and length <= SHORT_RUN)
        for k, (is_parted, length) in enumerate(runs)
        for _ in range(length)
    ]


def _is_parted(line: _Line, between: list[Interval]) -> bool | None:
    """Whether a line is parted; None where it does not tell."""
    crosses = any(
        part[0].x0 < left - 0.5 and part[-1].x1 > right + 0.5 for part in line.segments for left, right in between
    )
    if crosses or len(line.segments) >= 2 * len(between) + TABLE_SEGMENTS:
        return False
    return True if line.long else None


def _by_column(rows: list[Row], middles: list[float]) -> list[list[Row]]:
    """Returns the rows of each column: lines side by side need not stand at one height."""
    columns: list[list[Word]] = [[] for _ in range(len(middles) + 1)]
    for row in rows:
        for word in row.words:
            columns[bisect(middles, word.mid_x)].append(word)
    return [rows_of(column) for column in columns if column]
