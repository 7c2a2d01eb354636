"""Statistics of a grid for `table_filters`: filled cells, numbers, lengths of cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TypeVar

from ....named_tuple import NamedTuple
from ..page_model import Word
from ..table_grid.cell_texts import Grid, cell_text
from ..text_patterns import BULLETS, SIGNS, is_number

T = TypeVar("T")

WIDE_GAP = 1.5
"""The gap inside a cell, in ems, above which it is as wide as one between columns."""


class TableEvidence(NamedTuple):
    """The cell texts of a grid and statistics of them."""

    rows: list[list[str]]
    filled: list[str]
    """The texts of all cells that are not empty."""
    gappy: int
    """The number of cells with a gap inside that is as wide as one between cells."""
    number_share: float
    """The share of filled cells that are numbers."""

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.rows)

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0])

    @property
    def first_column(self) -> list[str]:
        """The filled cells of the first column."""
        return [row[0] for row in self.rows if row[0]]

    @property
    def other_columns(self) -> list[str]:
        """The filled cells of all columns but the first."""
        return [cell for row in self.rows for cell in row[1:] if cell]

    @property
    def last_column(self) -> list[str]:
        """The filled cells of the last column."""
        return [row[-1] for row in self.rows if row[-1]]

    @property
    def fill_share(self) -> float:
        """The share of cells that are filled."""
        return len(self.filled) / (self.height * self.width)

    @property
    def mean_length(self) -> float:
        """The mean length of a filled cell, in characters."""
        return sum(map(len, self.filled)) / max(1, len(self.filled))

    @property
    def several_cells_share(self) -> float:
        """The share of rows with two or more filled cells."""
        return share(self.rows, lambda row: sum(map(bool, row)) >= 2)


def evidence_of(grid: Grid) -> TableEvidence:
    """Returns what the cells of a grid say for and against a table."""
    rows = [[cell_text(cell) for cell in row] for row in grid]
    gappy = sum([_is_gappy(cell) for row in grid for cell in row if len(cell) > 1])
    filled = [text for row in rows for text in row if text]
    return TableEvidence(rows, filled, gappy, share(filled, is_number))


def _is_gappy(cell: Sequence[Word]) -> bool:
    """Says whether a cell has a gap as wide as between columns, other than one between an amount and its sign."""
    return any(
        after.x0 - before.x1 > WIDE_GAP * before.font.size
        and (before.line == after.line or abs(before.baseline - after.baseline) < 1)
        and before.text not in BULLETS
        and before.text not in SIGNS
        and after.text not in SIGNS
        for before, after in pairwise(cell)
    )


def share(items: Sequence[T], predicate: Callable[[T], object]) -> float:
    """Returns the share of items that satisfy a predicate; 0 where there are none."""
    return count(items, predicate) / len(items) if items else 0.0


def count(items: Iterable[T], predicate: Callable[[T], object]) -> int:
    """Returns the number of items that satisfy a predicate."""
    return len([*filter(predicate, items)])
