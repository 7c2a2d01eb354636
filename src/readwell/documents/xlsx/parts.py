"""The parts of one worksheet: each is read by itself, below the first row of the sheet."""

from __future__ import annotations

from functools import cached_property, partial
from xml.etree.ElementTree import Element

from ..container import Container
from ..sheet import Cells, Grid, part_name
from ..stretches import Stretches, opening_of
from ..tree import opened_xml, whole_number
from .cells import CellReader, hidden_columns, rows_of

ROW = opening_of("row")


class SheetParts:
    """A worksheet that may be long; memory follows one part of it."""

    def __init__(self, container: Container, part: str, reader: CellReader) -> None:
        self._part, self._reader = part, reader
        self._stretches = Stretches(partial(container.pieces, part), container.size(part), ROW)

    def grid(self, number: int) -> Grid:
        """Returns the rows of a part, counted from 0."""
        head = self._first_row if number else None  # first, since going back takes another pass
        root = self._root(number)
        name = self._name(number, root) if self._stretches.count > 1 else ""
        return Grid(self._reader.rows(root), hidden_columns(root), name, head)

    def _root(self, number: int) -> Element:
        head, body = self._stretches.head, self._stretches.stretch(number)
        last = number + 1 == self._stretches.count
        return opened_xml("xlsx", self._part, head + body, whole=last and bool(body))

    def _name(self, number: int, root: Element) -> str:
        rows = rows_of(root)
        first, last = (whole_number(row.get("r"), 0) for row in (rows[0], rows[-1])) if rows else (0, 0)
        return part_name(number + 1, self._stretches.count, first, last)

    @cached_property
    def _first_row(self) -> Cells | None:
        """The first row that has any text and is shown."""
        rows = self._reader.rows(self._root(0))
        return next((row.cells for row in rows if row.cells and not row.hidden), None)
