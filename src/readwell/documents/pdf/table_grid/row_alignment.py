"""Finds rows by vertical alignment: cells beside a cell of several lines are at its middle, top or bottom."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator
from itertools import groupby, pairwise

from ....named_tuple import NamedTuple
from ..page_content.word_rows import Segment, extent, joined_text
from ..region import Region
from ..text_patterns import is_number
from .early_line_ends import column_width, is_own_entry

WITHIN = 1.12
"""The largest distance of two lines of one cell, as a multiple of the usual line pitch."""
MIN_PITCH = 0.8
"""The distance of two lines, in ems, up to which it is no line pitch."""
SAME_PLACE = 2.0
"""How far from a separator, in points, a vertical ruling line is at its place."""
INSIDE = 0.3
"""How much of a segment, in ems, may reach across a separator at either end."""
SAME_HEIGHT = 0.2
"""How far below another cell of its row, in ems, one may be: by the middle, the bottom or the top of each."""
MIN_ROWS = 3
"""The fewest rows; twice as many lines and line pitches are needed."""
MAX_HEAD = 4
"""The most lines of a ruled head that may be aligned otherwise than the rows below it."""
MIN_EVIDENCE = 2
"""The fewest rows with cells of different heights: cells of equal ones are aligned in any case."""
MAX_CAPITALS = 0.3
"""The share of lines below the first one of a cell that may begin with capitals: others are lines of their own."""
MAX_ENTRIES = 0.6
"""The share of close lines in a column that may be entries of their own; no two columns may have more."""


class _Piece(NamedTuple):
    """The part of a line in one column."""

    line: int
    height: float
    words: Segment
    number: bool
    capital: bool


class _Block(NamedTuple):
    """The pieces of one cell, one per line."""

    pieces: list[_Piece]

    @property
    def middle(self) -> float:
        """The vertical centre."""
        return (self.pieces[0].height + self.pieces[-1].height) / 2


def aligned_rows(region: Region, separators: list[float], ruled_head: int = 0) -> list[int] | None:
    """Returns the row number of each line where cells are aligned at their middle, bottom or top; else None.

    The lines of the ruled head, above the first ruling line, may be aligned otherwise than those below it.
    """
    rows = _rows_by_alignment(region, separators)
    if rows or not 0 < ruled_head <= MAX_HEAD or not _is_one_row(_region_of_lines(region, 0, ruled_head), separators):
        return rows
    body = _rows_by_alignment(_region_of_lines(region, ruled_head, len(region.rows)), separators)
    return [0] * ruled_head + [row + 1 for row in body] if body else None


def _region_of_lines(region: Region, first: int, end: int) -> Region:
    """Returns a region with some of its lines."""
    return region._replace(rows=region.rows[first:end], parts=region.parts[first:end])


def _is_one_row(region: Region, separators: list[float]) -> bool:
    """Whether the cells of all lines have the same middle."""
    blocks = [_Block(column) for column in _columns(region, separators) if column]
    return len(_group_into_rows(blocks, lambda block: block.middle, SAME_HEIGHT * region.em)) == 1


def _rows_by_alignment(region: Region, separators: list[float]) -> list[int] | None:
    """Returns the row number of each line by the alignment of all of them."""
    if len(region.rows) < 2 * MIN_ROWS:
        return None
    columns = _columns(region, separators)
    reach = WITHIN * _pitch(region, columns)
    blocks = [block for column in columns for block in _blocks(column, reach)] if reach else []
    if any(sum(piece.number for piece in block.pieces) > 1 for block in blocks) or _are_own_entries(columns, reach):
        return None
    centred = _group_into_rows(blocks, lambda block: block.middle, SAME_HEIGHT * region.em)
    if _are_separate(centred):
        return _row_number_of_lines(centred, len(region.rows))
    following = [piece.capital for block in blocks for piece in block.pieces[1:] if piece.words[0].text[0].isalpha()]
    if sum(following) > MAX_CAPITALS * len(following):
        return None  # separate lines, the first of which is a title
    ending = _group_into_rows(blocks, lambda block: block.pieces[-1].height, SAME_HEIGHT * region.em)
    if _are_separate(ending):
        return _row_number_of_lines(ending, len(region.rows))
    beginning = _group_into_rows(blocks, lambda block: block.pieces[0].height, SAME_HEIGHT * region.em)
    return _row_number_of_lines(beginning, len(region.rows)) if _are_separate(beginning) else None


def _columns(region: Region, separators: list[float]) -> list[list[_Piece]]:
    """Returns the pieces of each column, from top to bottom."""
    columns: list[list[_Piece]] = [[] for _ in range(len(separators) + 1)]
    walls = sorted(wall for wall in region.vertical if _is_at_any(wall.at, separators))
    for line, (row, parts) in enumerate(zip(region.rows, region.parts, strict=True)):
        height = row.mid_y
        here = [at for at, start, end in walls if start <= height <= end] if walls else []
        for segment in _cut_at_ruling_lines(here, parts) if here else parts:
            column = columns[_column(region, separators, segment)]
            if not column or column[-1].line != line:
                column.append(
                    _Piece(line, height, segment, is_number(joined_text(segment)), segment[0].text[0].isupper())
                )
    return columns


def _is_at_any(x: float, separators: list[float]) -> bool:
    """Whether a position is that of a separator; separators are sorted."""
    first = bisect(separators, x - SAME_PLACE)
    return first < len(separators) and separators[first] < x + SAME_PLACE


def _cut_at_ruling_lines(walls: list[float], segments: list[Segment]) -> Iterator[Segment]:
    """Yields segments cut at vertical ruling lines."""
    for segment in segments:
        for _, words in groupby(segment, key=lambda word: bisect(walls, word.mid_x)):
            yield list(words)


def _are_own_entries(columns: list[list[_Piece]], reach: float) -> bool:
    """Whether in several columns most lines that look like the second of a cell are entries of their own."""
    listed = 0
    for column in columns:
        width = column_width(piece.words for piece in column)
        near = [(a, b) for a, b in pairwise(column) if b.height - a.height <= reach]
        own = sum(is_own_entry(above.words, below.words, width) for above, below in near)
        listed += own > MAX_ENTRIES * len(near)
    return listed > 1


def _column(region: Region, separators: list[float], segment: Segment) -> int:
    """Returns the column of a segment; the first one where it spans several."""
    start, end = extent(segment)
    first, last = bisect(separators, start + INSIDE * region.em), bisect(separators, end - INSIDE * region.em)
    return first if last > first else bisect(separators, (start + end) / 2)


def _pitch(region: Region, columns: list[list[_Piece]]) -> float:
    """Returns the line pitch inside cells, a low percentile of all pitches; 0 where there are too few."""
    pitches = sorted(below.height - above.height for column in columns for above, below in pairwise(column))
    pitches = [pitch for pitch in pitches if pitch > MIN_PITCH * region.em]
    return pitches[len(pitches) // 10] if len(pitches) >= 2 * MIN_ROWS else 0.0


def _blocks(column: list[_Piece], reach: float) -> Iterator[_Block]:
    """Yields the cells of a column: runs of close lines."""
    begun = 0
    for k in range(1, len(column) + 1):
        if k == len(column) or column[k].height - column[k - 1].height > reach:
            yield _Block(column[begun:k])
            begun = k


def _group_into_rows(blocks: list[_Block], height: Callable[[_Block], float], reach: float) -> list[list[_Block]]:
    """Returns the cells of each row, from top to bottom."""
    blocks = sorted(blocks, key=height)
    numbers = [0]
    for above, below in pairwise(blocks):
        numbers.append(numbers[-1] + (height(below) - height(above) > reach))
    pairs = zip(numbers, blocks, strict=False)
    return [[block for _, block in row] for _, row in groupby(pairs, key=lambda pair: pair[0])]


def _are_separate(rows: list[list[_Block]]) -> bool:
    """Whether rows do not overlap, and some have cells of different heights, which proves the alignment."""
    uneven = sum(len({len(block.pieces) for block in row}) > 1 for row in rows)
    if len(rows) < MIN_ROWS or uneven < MIN_EVIDENCE:
        return False
    return all(_last_line(above) < _first_line(below) for above, below in pairwise(rows))


def _first_line(row: list[_Block]) -> int:
    """Returns the first line of a row."""
    return min(block.pieces[0].line for block in row)


def _last_line(row: list[_Block]) -> int:
    """Returns the last line of a row."""
    return max(block.pieces[-1].line for block in row)


def _row_number_of_lines(rows: list[list[_Block]], lines: int) -> list[int]:
    """Returns the row number of each line."""
    firsts = [_first_line(row) for row in rows]
    return [bisect(firsts, line) - 1 for line in range(lines)]
