"""A table that was found and may yet be joined with others or dropped."""

from __future__ import annotations

from collections.abc import Sequence, Set

from ....named_tuple import NamedTuple
from ..page_model import Box
from ..table_grid.cell_texts import Grid
from .table_filters import Kind

MAX_LABELS = 2
"""The most columns beside those below lines of totals: labels, and the numbers of notes."""


class Candidate(NamedTuple):
    """A region with a table in it, and how it was detected."""

    box: Box
    grid: Grid
    kind: Kind


def has_labels_beside(grid: Grid, inside: Sequence[Candidate], known: Set[int]) -> bool:
    """Whether a grid has the columns of the tables inside it, and few beside them: rules may be over amounts."""
    columns = max(_count_columns_with(known, table.grid, 2) for table in inside)
    within = _count_columns_with(known, grid, 1)
    return columns <= within <= columns + 1 and len(grid[0]) <= within + MAX_LABELS


def _count_columns_with(known: Set[int], grid: Grid, cells: int) -> int:
    """Returns how many columns have words of these in at least so many cells."""
    found = ([word.char_index in known for cell in column for word in cell[:1]] for column in zip(*grid, strict=True))
    return sum(sum(column) >= cells for column in found)
