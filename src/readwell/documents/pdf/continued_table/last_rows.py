"""Finds the rest of a table on the next page: last rows, too few to be a table, in the columns of the one above."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from ..boxes import box_around_words
from ..document_facts.running_lines import PageLines
from ..page_content.word_rows import Row, rows_of
from ..page_model import Table, Word
from ..table_grid.cell_texts import cell_texts
from .column_positions import SAME_EDGE, Column, columns_of, distance, is_amount

MAX_ROWS = 200
"""The most rows that are compared with the columns above."""
SET_APART = 1.3
"""How much farther than the rows from each other, at least, the text below the last row is."""
MOSTLY = 0.6
MAX_LONGER = 1.5
WIDE_GAP = 0.9
HIGHEST, FIRST = 0.3, 6
"""The share of a page at its top, and how many rows in it, in which the rest of a table begins."""


def may_begin_with_rest(page: PageLines) -> bool:
    """Whether one of the highest rows has a wide gap, as between cells; the first ones may be running lines."""
    words = [word for line in page.lines if line.top < HIGHEST * page.height for word in line.words]
    rows = rows_of(word for word in words if word.font.horizontal)[:FIRST]
    return any(right.x0 - left.x1 > WIDE_GAP * right.size for row in rows for left, right in pairwise(row.words))


def find_rest(above: Table, words: Sequence[Word]) -> Table | None:
    """Returns the first rows of a page that lie in the columns of a table; None where text follows too closely."""
    columns = columns_of(above)
    bounds = _column_bounds(above, columns)
    pitch = _pitch(above)
    rows = rows_of(word for word in words if word.font.horizontal)[: MAX_ROWS + 1]
    cells: list[list[list[Word]]] = []
    last: Row | None = None
    for row in rows:
        if last and row.mid_y - last.mid_y > SET_APART * pitch:
            break
        placed = _words_by_column(row, bounds, columns) if len(cells) < MAX_ROWS else None
        if placed is None or not _looks_like_row_of(placed, above):
            return None
        cells.append(placed)
        last = row
    return _table(cells) if cells else None


def _table(cells: list[list[list[Word]]]) -> Table:
    """Returns rows of cells as a table, without empty columns."""
    used = [number for number in range(len(cells[0])) if any(row[number] for row in cells)]
    cells = [[row[number] for number in used] for row in cells]
    words = [word for row in cells for cell in row for word in cell]
    indexes = frozenset(word.char_index for word in words)
    return Table(rows=cell_texts(cells), char_indexes=indexes, box=box_around_words(words), cells=cells)


def _pitch(table: Table) -> float:
    """Returns the largest usual distance of two rows."""
    tops = [min(word.mid_y for cell in row for word in cell) for row in table.cells]
    return median([below - above for above, below in pairwise(tops)] or [0.0])


def _column_bounds(table: Table, columns: list[Column]) -> list[float]:
    """Returns where one column ends and the next begins; cells that span several are left aside."""
    bounds: list[float] = []
    for number, (one, other) in enumerate(pairwise(columns)):
        ends = [max(word.x1 for word in row[number]) for row in table.cells if row[number]]
        starts = [min(word.x0 for word in row[number + 1]) for row in table.cells if row[number + 1]]
        end = max((end for end in ends if end <= other.middle), default=one.right)
        start = min((start for start in starts if start >= one.middle), default=other.left)
        bounds.append((end + start) / 2)
    return bounds


def _words_by_column(row: Row, bounds: list[float], columns: list[Column]) -> list[list[Word]] | None:
    """Returns the words of a row by columns; None where a word crosses a bound, or a cell stands elsewhere."""
    cells: list[list[Word]] = [[] for _ in columns]
    for word in row.words:
        place = sum(bound < word.mid_x for bound in bounds)
        if any(word.x0 < bound < word.x1 for bound in bounds):
            return None
        cells[place].append(word)
    for cell, column in zip(cells, columns, strict=True):
        if cell:
            left, right = min(word.x0 for word in cell), max(word.x1 for word in cell)
            if distance(Column(left, right, (left + right) / 2), column) > SAME_EDGE * cell[0].size:
                return None
    return cells if sum(map(bool, cells)) > 1 else None


def _looks_like_row_of(row: Sequence[Sequence[Word]], table: Table) -> bool:
    """Whether the cells of a row are such as the table has: amounts in columns of amounts, no longer texts."""
    if _texts(row) == _texts(table.cells[0]):
        return True
    for number, cell in enumerate(row):
        others = [line[number] for line in table.cells[1:] if line[number]]
        amounts = sum(map(is_amount, others))
        if cell and others and amounts > MOSTLY * len(others) and not is_amount(cell):
            return False
        if cell and others and _cell_width(cell) > MAX_LONGER * max(map(_cell_width, others)):
            return False
    return True


def _cell_width(cell: Sequence[Word]) -> float:
    """Returns how wide a cell is."""
    return max(word.x1 for word in cell) - min(word.x0 for word in cell)


def _texts(row: Sequence[Sequence[Word]]) -> list[str]:
    """Returns the words of a row as texts."""
    return [word.text for cell in row for word in cell]
