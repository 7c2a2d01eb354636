"""Splits pages printed in columns, so that tables are looked for in each text column separately."""

from __future__ import annotations

from bisect import bisect
from itertools import groupby

from ....named_tuple import NamedTuple
from ..gutters import find_gutters
from ..page_content.word_rows import Interval, Row, Segment, extent, rows_of
from ..page_model import Word

GAP = 0.8
"""The least gap, in ems, between the segments of a row."""
LONG_WORDS, LONG_EMS = 4, 9.0
"""The fewest words and the least width, in ems, of a segment that is a line of text."""
MIN_GUTTER = 0.7
"""The least width, in ems, of a gutter between text columns."""
CROSSING = 0.2
"""The share of long lines that may cross such a gutter."""
MIN_LINES = 6
"""The least number of long lines on either side of a gutter."""
SHORT_RUN = 2
"""The most lines between unsplit ones that are cells of a table and no text columns."""
TABLE_SEGMENTS = 4
"""A row with this many more segments than text columns belongs to a table across the page."""


class _Line(NamedTuple):
    """A row of words with its segments, and the extents of the long ones."""

    row: Row
    segments: list[Segment]
    long: list[Interval]


def page_zones(rows: list[Row], em: float) -> list[list[Row]]:
    """Returns the rows of each part of the page that is read separately."""
    lines = [_line(row, em) for row in rows]
    between = _page_gutters(lines, em)
    if not between:
        return [rows]
    middles = [(left + right) / 2 for left, right in between]
    zones: list[list[Row]] = []
    split = _split_flags(lines, between)
    for is_split, run in groupby(zip(split, lines, strict=True), key=lambda pair: pair[0]):
        inside = [line.row for _, line in run]
        zones += _by_column(inside, middles) if is_split else [inside]
    return zones


def _line(row: Row, em: float) -> _Line:
    """Returns a row with its segments."""
    parts = row.segments(GAP)
    long = [extent(part) for part in parts if len(part) >= LONG_WORDS and part[-1].x1 - part[0].x0 >= LONG_EMS * em]
    return _Line(row, parts, long)


def _page_gutters(lines: list[_Line], em: float) -> list[Interval]:
    """Returns the gutters between text columns: long lines end on their left and begin on their right."""
    long = [interval for line in lines for interval in line.long]
    if len(long) < 2 * MIN_LINES:
        return []
    return [
        (left, right)
        for left, right in find_gutters([[interval] for interval in long], MIN_GUTTER * em, CROSSING)
        if sum(end <= left + 1 for _, end in long) >= MIN_LINES
        and sum(start >= right - 1 for start, _ in long) >= MIN_LINES
    ]


def _split_flags(lines: list[_Line], between: list[Interval]) -> list[bool]:
    """Returns for each line whether it is split at the gutters; short lines follow their neighbours."""
    known = [_is_split(line, between) for line in lines]
    above = _fill_from_line_before(known)
    below = _fill_from_line_before(known[::-1])[::-1]
    split = [bool(over) and under is not False for over, under in zip(above, below, strict=True)]
    return _without_short_runs(split)


def _fill_from_line_before(known: list[bool | None]) -> list[bool | None]:
    """Returns the value of each line, or of the nearest line before it where that is None."""
    nearest: list[bool | None] = []
    for value in known:
        nearest.append(value if value is not None or not nearest else nearest[-1])
    return nearest


def _without_short_runs(split: list[bool]) -> list[bool]:
    """Clears the flag of one or two split lines between unsplit ones: they are long first cells of a table."""
    runs = [(is_split, len(list(run))) for is_split, run in groupby(split)]
    inner = range(1, len(runs) - 1)
    return [
        is_split and not (k in inner and length <= SHORT_RUN)
        for k, (is_split, length) in enumerate(runs)
        for _ in range(length)
    ]


def _is_split(line: _Line, between: list[Interval]) -> bool | None:
    """Whether a line is split at the gutters; None where it is too short to tell."""
    crosses = any(
        part[0].x0 < left - 0.5 and part[-1].x1 > right + 0.5 for part in line.segments for left, right in between
    )
    if crosses or len(line.segments) >= 2 * len(between) + TABLE_SEGMENTS:
        return False
    return True if line.long else None


def _by_column(rows: list[Row], middles: list[float]) -> list[list[Row]]:
    """Returns the rows of each text column: lines of different columns need not be at the same height."""
    columns: list[list[Word]] = [[] for _ in range(len(middles) + 1)]
    for row in rows:
        for word in row.words:
            columns[bisect(middles, word.mid_x)].append(word)
    return [rows_of(column) for column in columns if column]
