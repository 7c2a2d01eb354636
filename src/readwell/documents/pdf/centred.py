"""Rows whose cells stand around one height: a cell of several lines has the others beside its middle."""

from bisect import bisect
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import NamedTuple

from .area import Area
from .rows import Segment, extent, said
from .wording import is_number

WITHIN = 1.12
"""How many times the pitch of a cell's lines two lines of one cell may be apart."""
LEAST_PITCH = 0.8
INSIDE = 0.3
SAME_HEIGHT = 0.2
LEAST_ROWS = 3
LEAST_EVIDENCE = 2


class _Block(NamedTuple):
    """The lines of one cell, by their numbers, and the height of their middle."""

    first: int
    last: int
    middle: float
    lines: int


def centred_rows(area: Area, separators: list[float]) -> list[int] | None:
    """Returns the row of each line where cells are centred on their rows; None where they are not, or nothing tells."""
    columns = _columns(area, separators)
    pitch = _pitch(area, columns)
    blocks = [block for numbers in columns for block in _blocks(area, numbers, WITHIN * pitch)] if pitch else []
    if any(_counts(area, numbers, separators, k, WITHIN * pitch) for k, numbers in enumerate(columns)):
        return None
    rows = _rows(blocks, SAME_HEIGHT * area.em)
    uneven = sum(len({block.lines for block in row}) > 1 for row in rows)
    if len(rows) < LEAST_ROWS or uneven < LEAST_EVIDENCE:
        return None
    firsts = [min(block.first for block in row) for row in rows]
    lasts = [max(block.last for block in row) for row in rows]
    if any(last >= first for last, first in zip(lasts, firsts[1:], strict=False)):
        return None
    return [bisect(firsts, number) - 1 for number in range(len(area.rows))]


def _columns(area: Area, separators: list[float]) -> list[list[int]]:
    """Returns the lines in which each column has words."""
    columns: list[list[int]] = [[] for _ in range(len(separators) + 1)]
    for number, row in enumerate(area.rows):
        for column in sorted({_column(area, separators, segment) for segment in area.segments(row)}):
            columns[column].append(number)
    return columns


def _column(area: Area, separators: list[float], segment: Segment) -> int:
    """Returns the column of a segment; the first one where it reaches over several."""
    start, end = extent(segment)
    first, last = bisect(separators, start + INSIDE * area.em), bisect(separators, end - INSIDE * area.em)
    return first if last > first else bisect(separators, (start + end) / 2)


def _pitch(area: Area, columns: list[list[int]]) -> float:
    """Returns how far the lines of one cell are apart: the least that is usual; 0 where that cannot be told."""
    heights = [row.mid_y for row in area.rows]
    found = sorted(heights[b] - heights[a] for numbers in columns for a, b in pairwise(numbers))
    found = [pitch for pitch in found if pitch > LEAST_PITCH * area.em]
    return found[len(found) // 10] if len(found) >= 2 * LEAST_ROWS else 0.0


def _blocks(area: Area, numbers: list[int], reach: float) -> Iterator[_Block]:
    """Yields the cells of a column: lines that are close."""
    heights = [area.rows[number].mid_y for number in numbers]
    begun = 0
    for k in range(1, len(numbers) + 1):
        if k == len(numbers) or heights[k] - heights[k - 1] > reach:
            yield _Block(numbers[begun], numbers[k - 1], (heights[begun] + heights[k - 1]) / 2, k - begun)
            begun = k


def _counts(area: Area, numbers: list[int], separators: list[float], column: int, reach: float) -> bool:
    """Whether two numbers of a column stand as close as the lines of one cell: then these are rows."""
    held = [
        area.rows[number].mid_y
        for number in numbers
        for segment in area.segments(area.rows[number])
        if _column(area, separators, segment) == column and is_number(said(segment))
    ]
    return any(below - above <= reach for above, below in pairwise(held))


def _rows(blocks: list[_Block], reach: float) -> list[list[_Block]]:
    """Returns the cells of each row, from the top down."""
    blocks = sorted(blocks, key=lambda block: block.middle)
    numbers = [0]
    for above, below in pairwise(blocks):
        numbers.append(numbers[-1] + (below.middle - above.middle > reach))
    pairs = zip(numbers, blocks, strict=False)
    return [[block for _, block in row] for _, row in groupby(pairs, key=lambda pair: pair[0])]
