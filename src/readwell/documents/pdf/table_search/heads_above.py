"""Finds heads of a table above its region: lines inside its columns, or centred over several of them."""

from collections.abc import Sequence

from ..page_content.word_index import WordIndex
from ..page_content.word_rows import Interval, Row, extent, joined_text, rows_of_sorted
from ..page_model import Box
from ..text_patterns import is_caption
from .table_candidate import Candidate

MAX_LINES = 4
"""The most lines of heads above a table."""
REACH = 2.0
"""The largest distance of a head from the line below it, in ems."""
GAP = 0.9
"""The least gap, in ems, between the heads of a line."""
INSIDE = 0.5
"""How far, in ems, a head may reach beyond its column."""
CENTRED = 1.0
"""How far, in ems, the middle of a head may be from that of the columns that it spans."""
LARGER = 1.12
"""How much larger than the largest word of the table a head may be."""
FULL_ROW = 0.7
"""The share of the cells of the fullest row from which a row shows where the columns are."""
CLOSING, BRACKETS = (".", ":", ";", ","), "[("
"""Ends and beginnings of lines that are no heads."""


def with_heads_above(table: Candidate, index: WordIndex, others: Sequence[Box]) -> Box:
    """Returns the box of a table with the heads above it; the same box where there are none."""
    x0, top, x1, bottom = table.box
    columns = _columns(table)
    size = max(word.font.size for row in table.grid for cell in row for word in cell)
    above = rows_of_sorted(index.within((x0 - index.em, top - 2 * MAX_LINES * size, x1 + index.em, top - 1), 0))
    heads: list[Row] = []
    edge = top
    for row in above[: -MAX_LINES - 1 : -1]:
        if edge - row.bottom > REACH * row.size / 2 or not _is_head(row, columns, size):
            break
        heads.append(row)
        edge = row.top
    taken = any(box[1] <= row.mid_y <= box[3] for row in heads for box in others)
    return (x0, edge, x1, bottom) if heads and not taken else table.box


def _columns(table: Candidate) -> list[Interval]:
    """Returns the extent of each column, by the rows that have most cells."""
    most = max(sum(map(bool, row)) for row in table.grid)
    full = [row for row in table.grid if sum(map(bool, row)) >= FULL_ROW * most]
    columns: list[Interval] = []
    for cells in zip(*full, strict=True):
        words = [word for cell in cells for word in cell]
        columns.append((min([w.x0 for w in words], default=0.0), max([w.x1 for w in words], default=0.0)))
    return columns


def _is_head(row: Row, columns: list[Interval], size: float) -> bool:
    """Whether each part of a row lies in a column, or is centred over several; none in the first column alone."""
    text = joined_text(row.words)
    if row.size > LARGER * size or is_caption(text) or text.endswith(CLOSING) or text[0] in BRACKETS:
        return False
    places = [_first_column_of(extent(part), columns, row.size) for part in row.segments(GAP)]
    return all(place is not None for place in places) and places != [0]


def _first_column_of(part: Interval, columns: list[Interval], em: float) -> int | None:
    """Returns the first column of a part of a head; None where it fits none."""
    start, end = part
    for number, (left, right) in enumerate(columns):
        if left - INSIDE * em <= start and end <= right + INSIDE * em:
            return number
    for first in range(1, len(columns)):
        for last in range(first + 1, len(columns)):
            left, right = columns[first][0], columns[last][1]
            if left <= start and end <= right and abs(start + end - left - right) < 2 * CENTRED * em:
                return first
    return None
