"""A table that was found and may yet be joined with others or dropped."""

from __future__ import annotations

from ....named_tuple import NamedTuple
from ..page_model import Box
from ..table_grid.cell_texts import Grid
from .table_filters import Kind


class Candidate(NamedTuple):
    """A region with a table in it, and how it was detected."""

    box: Box
    grid: Grid
    kind: Kind
