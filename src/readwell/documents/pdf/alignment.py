"""Rows whose cells are set on one height: those beside a cell of several lines stand in its middle or at an end."""

from bisect import bisect
from collections.abc import Callable, Iterator
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
MOST_CAPITALS = 0.3


class _Piece(NamedTuple):
    """What one line has in a column."""

    line: int
    height: float
    number: bool
    capital: bool


class _Block(NamedTuple):
    """The lines of one cell."""

    pieces: list[_Piece]

    @property
    def middle(self) -> float:
        """The height of its middle."""
        return (self.pieces[0].height + self.pieces[-1].height) / 2


def level_rows(area: Area, separators: list[float]) -> list[int] | None:
    """Returns the row of each line where the cells of a row are centred, or end or begin together; else None."""
    if len(area.rows) < 2 * LEAST_ROWS:
        return None
    columns = _columns(area, separators)
    reach = WITHIN * _pitch(area, columns)
    blocks = [block for column in columns for block in _blocks(column, reach)] if reach else []
    if any(sum(piece.number for piece in block.pieces) > 1 for block in blocks):
        return None
    centred = _rows(blocks, lambda block: block.middle, SAME_HEIGHT * area.em)
    if _part(centred):
        return _numbered(centred, len(area.rows))
    following = [piece.capital for block in blocks for piece in block.pieces[1:]]
    if sum(following) > MOST_CAPITALS * len(following):
        return None  # lines of their own, the first of which is a title
    ending = _rows(blocks, lambda block: block.pieces[-1].height, SAME_HEIGHT * area.em)
    if _part(ending):
        return _numbered(ending, len(area.rows))
    beginning = _rows(blocks, lambda block: block.pieces[0].height, SAME_HEIGHT * area.em)
    return _numbered(beginning, len(area.rows)) if _part(beginning) else None


def _columns(area: Area, separators: list[float]) -> list[list[_Piece]]:
    """Returns the pieces of each column, from the top down."""
    columns: list[list[_Piece]] = [[] for _ in range(len(separators) + 1)]
    for line, (row, parts) in enumerate(zip(area.rows, area.parts, strict=True)):
        for segment in parts:
            column = columns[_column(area, separators, segment)]
            if not column or column[-1].line != line:
                column.append(_Piece(line, row.mid_y, is_number(said(segment)), segment[0].text[0].isupper()))
    return columns


def _column(area: Area, separators: list[float], segment: Segment) -> int:
    """Returns the column of a segment; the first one where it reaches over several."""
    start, end = extent(segment)
    first, last = bisect(separators, start + INSIDE * area.em), bisect(separators, end - INSIDE * area.em)
    return first if last > first else bisect(separators, (start + end) / 2)


def _pitch(area: Area, columns: list[list[_Piece]]) -> float:
    """Returns how far the lines of one cell are apart: the least that is usual; 0 where that cannot be told."""
    found = sorted(below.height - above.height for column in columns for above, below in pairwise(column))
    found = [pitch for pitch in found if pitch > LEAST_PITCH * area.em]
    return found[len(found) // 10] if len(found) >= 2 * LEAST_ROWS else 0.0


def _blocks(column: list[_Piece], reach: float) -> Iterator[_Block]:
    """Yields the cells of a column: lines that are close."""
    begun = 0
    for k in range(1, len(column) + 1):
        if k == len(column) or column[k].height - column[k - 1].height > reach:
            yield _Block(column[begun:k])
            begun = k


def _rows(blocks: list[_Block], height: Callable[[_Block], float], reach: float) -> list[list[_Block]]:
    """Returns the cells of each row, from the top down."""
    blocks = sorted(blocks, key=height)
    numbers = [0]
    for above, below in pairwise(blocks):
        numbers.append(numbers[-1] + (height(below) - height(above) > reach))
    pairs = zip(numbers, blocks, strict=False)
    return [[block for _, block in row] for _, row in groupby(pairs, key=lambda pair: pair[0])]


def _part(rows: list[list[_Block]]) -> bool:
    """Whether rows are apart, and some have cells of more lines than others: else nothing tells how they are set."""
    uneven = sum(len({len(block.pieces) for block in row}) > 1 for row in rows)
    if len(rows) < LEAST_ROWS or uneven < LEAST_EVIDENCE:
        return False
    return all(_last(above) < _first(below) for above, below in pairwise(rows))


def _first(row: list[_Block]) -> int:
    return min(block.pieces[0].line for block in row)


def _last(row: list[_Block]) -> int:
    return max(block.pieces[-1].line for block in row)


def _numbered(rows: list[list[_Block]], lines: int) -> list[int]:
    """Returns the row of each line."""
    firsts = [_first(row) for row in rows]
    return [bisect(firsts, line) - 1 for line in range(lines)]
