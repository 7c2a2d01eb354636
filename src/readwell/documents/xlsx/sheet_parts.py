"""The parts of one worksheet: each is read by itself, below the first row of the sheet."""

from __future__ import annotations

from functools import cached_property, partial
from xml.etree.ElementTree import Element

from ..document_parts import part_count
from ..sheet_markdown import NO_ROW, Cells, SheetGrid, part_suffix
from ..xml_chunks import CutPlaces, XmlChunks
from ..xml_tree import parse_xml_keeping_namespaces, whole_number
from ..zip_container import ZipContainer
from .cells import CellReader, hidden_columns, rows_of

UNREAD = "*The rows of this part have cells, but none whose text can be found.*"


class SheetParts:
    """A worksheet that may be long; memory follows one part of it."""

    def __init__(self, container: ZipContainer, part: str, reader: CellReader) -> None:
        self._container, self._part, self._reader = container, part, reader
        self._count = part_count(container.size(part))

    def grid(self, number: int) -> SheetGrid:
        """Returns the rows of a part, counted from 0."""
        head = self._first_row if number else None  # first, since going back takes another pass
        root = self.root if self._count == 1 else self._part_root(number)
        rows = self._reader.rows(root)
        if self._count == 1:
            return SheetGrid(rows, hidden_columns=hidden_columns(root), has_addresses=True)
        return SheetGrid(
            rows,
            hidden_columns=hidden_columns(root),
            part_suffix=self._part_suffix(number, root),
            head=head,
            text_if_empty=UNREAD if _has_cells(root) else NO_ROW,
            has_addresses=True,
        )

    @cached_property
    def root(self) -> Element:
        """The XML of a sheet that is its only part."""
        return parse_xml_keeping_namespaces("xlsx", self._part, self._container.read(self._part), is_complete=True)

    def _part_root(self, number: int) -> Element:
        """Returns the XML of one part of a long sheet."""
        return parse_xml_keeping_namespaces(
            "xlsx", self._part, self._chunks.head + self._chunks.chunk(number), is_complete=False
        )

    @cached_property
    def _chunks(self) -> XmlChunks:
        pieces = partial(self._container.pieces, self._part)
        return XmlChunks(CutPlaces("xlsx", self._part, "sheetData", "row"), pieces, self._container.size(self._part))

    def _part_suffix(self, number: int, root: Element) -> str:
        """Returns what follows the name of the sheet to name a part: its rows, its number."""
        rows = rows_of(root)
        first, last = (whole_number(row.get("r"), 0) for row in (rows[0], rows[-1])) if rows else (0, 0)
        return part_suffix(number + 1, self._count, first, last)

    @cached_property
    def _first_row(self) -> Cells | None:
        """The first row that has any text and is shown."""
        rows = self._reader.rows(self._part_root(0))
        return next((row.cells for row in rows if row.cells and not row.hidden), None)


def _has_cells(root: Element) -> bool:
    """Returns whether any cell holds something, be it a text or a place of one."""
    return any(len(cell) for row in rows_of(root) for cell in row)
