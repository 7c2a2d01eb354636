"""What a grid looks like as a whole: how full it is, how much of it is numbers, how long its cells are."""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

from .grid import Grid, cell_text
from .model import Word
from .wording import BULLETS, is_number

T = TypeVar("T")

WIDE_GAP = 1.5


class Looks(NamedTuple):
    """The texts of a grid and shares of them."""

    rows: list[list[str]]
    full: list[str]
    """All cells that say something."""
    torn: int
    """Cells with white inside, as wide as between cells."""
    numbers: float
    """The share of cells that say something which are numbers."""

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.rows)

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0])

    @property
    def first(self) -> list[str]:
        """What the first column says, without blanks."""
        return [row[0] for row in self.rows if row[0]]

    @property
    def rest(self) -> list[str]:
        """What the other columns say."""
        return [cell for row in self.rows for cell in row[1:] if cell]

    @property
    def last(self) -> list[str]:
        """What the last column says."""
        return [row[-1] for row in self.rows if row[-1]]

    @property
    def fill(self) -> float:
        """The share of cells that say something."""
        return len(self.full) / (self.height * self.width)

    @property
    def length(self) -> float:
        """How long a cell is, in characters."""
        return sum(map(len, self.full)) / max(1, len(self.full))

    @property
    def several(self) -> float:
        """The share of rows with two cells or more."""
        return share(self.rows, lambda row: sum(map(bool, row)) >= 2)


def look_at(grid: Grid) -> Looks:
    """Returns what a grid looks like."""
    rows = [[cell_text(cell) for cell in row] for row in grid]
    torn = sum(_is_torn(cell) for row in grid for cell in row)
    full = [text for row in rows for text in row if text]
    return Looks(rows, full, torn, share(full, is_number))


def _is_torn(cell: Sequence[Word]) -> bool:
    return any(
        after.x0 - before.x1 > WIDE_GAP * before.font.size
        and (before.line == after.line or abs(before.baseline - after.baseline) < 1)
        and before.text not in BULLETS
        for before, after in pairwise(cell)
    )


def share(items: Sequence[T], holds: Callable[[T], object]) -> float:
    """Returns the share of items for which something holds; 0 of none."""
    return count(items, holds) / len(items) if items else 0.0


def count(items: Iterable[T], holds: Callable[[T], object]) -> int:
    """Returns the number of items for which something holds."""
    return sum(1 for item in items if holds(item))
