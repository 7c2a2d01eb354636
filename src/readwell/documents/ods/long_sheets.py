"""A long ODS in parts: rows are taken from a single stream of XML and removed from the tree once they were read.

All sheets are in the same stream, and groups span rows, so a later part takes parsing all before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from ...errors import ConversionFailed
from ...path_names import quoted
from ..beside_cells import BesideCells, sheet_with_beside
from ..document_parts import ForwardParts, part_count
from ..sheet_markdown import MAX_ROWS, Cells, SheetGrid, SheetRow, part_suffix_of_rows, sheet_markdown
from ..xml_tree import MAX_DEPTH, GrowingTree, local_name, shorten_names
from ..zip_container import ZipContainer
from .beside import add_comments, add_drawings, chart_objects
from .rows import cells_of, hidden_columns, hiding_styles, is_hidden, repeat_count

GROUPS = ("table-header-rows", "table-rows", "table-row-group")


class _Sheet:
    """A sheet as far as it has been read."""

    def __init__(self, table: Element, hiding: set[str]) -> None:
        self.name = _attribute(table, "name")
        self.hidden = _attribute(table, "style-name") in hiding
        self.hidden_columns = hidden_columns(_elements_with_short_names(table, "table-column"))
        self.head: Cells = {}
        self.number = 0
        self._shapes = _elements_with_short_names(table, "shapes")

    def collect_beside(self, row: Element, beside: BesideCells, charts: frozenset[str]) -> None:
        """Takes what the next row has beside its cells; with the first, what floats over the whole sheet."""
        for element in (*self._shapes * (not self.number), row):
            add_drawings(beside, element, charts)
        add_comments(beside, [row], self.number)

    def advance(self, row: Element) -> None:
        """Counts a row; the first that has any text and is shown is the head of every part."""
        self.number += repeat_count(row)
        if not self.head and not is_hidden(row):
            self.head = cells_of(row)


class LongSheets(ForwardParts):
    """An opened workbook whose units are parts of its sheets."""

    unit = "part"

    def __init__(self, container: ZipContainer, part: str) -> None:
        self._container, self._part, self._charts = container, part, chart_objects(container)
        super().__init__(part_count(container.size(part)))

    def _skip(self, number: int) -> None:
        """Passes over the rows of a part."""
        for sheet, row in self._next_rows(number):
            sheet.advance(row)

    def _convert(self, number: int) -> str:
        """Returns the rows that end in one part, below the name and the first row of their sheet."""
        rows: dict[_Sheet, list[SheetRow]] = {}
        heads: dict[_Sheet, Cells] = {}
        beside: dict[_Sheet, BesideCells] = {}
        for sheet, row in self._next_rows(number):
            sheet.collect_beside(row, beside.setdefault(sheet, BesideCells()), self._charts)
            heads.setdefault(sheet, sheet.head)
            sheet_rows = rows.setdefault(sheet, [])
            sheet_rows += _repeated_rows(sheet, row, MAX_ROWS + 1 - len(sheet_rows))
        tables = [
            sheet_with_beside(self._sheet_part_markdown(number, sheet, sheet_rows, heads[sheet]), beside[sheet])
            for sheet, sheet_rows in rows.items()
        ]
        return "\n\n".join(tables) or "*No row ends in this part.*"

    def _sheet_part_markdown(self, number: int, sheet: _Sheet, rows: list[SheetRow], head: Cells) -> str:
        """Returns a part as a table below the head of its sheet."""
        part = part_suffix_of_rows(number, self.count, rows)
        grid = SheetGrid(rows, hidden_columns=sheet.hidden_columns, part_suffix=part, head=head, has_addresses=True)
        return sheet_markdown(sheet.name, sheet.hidden, grid)

    def _restart(self) -> None:
        """Begins to read the stream again."""
        self._tree = GrowingTree("ods", self._part, self._container.pieces(self._part))
        self._hiding: set[str] | None = None
        self._current: tuple[Element, _Sheet] | None = None

    def _next_rows(self, number: int) -> Iterator[tuple[_Sheet, Element]]:
        """Yields the rows that the next piece of the stream completes; for the last part all that are left."""
        while self._tree.grow():
            yield from self._completed_rows()
            if number < self.count:
                return

    def _completed_rows(self) -> Iterator[tuple[_Sheet, Element]]:
        """Yields the rows that have been read completely, and forgets them."""
        sheets = _spreadsheet(self._tree.root)
        if sheets is None:
            return
        tables = sheets[:]
        opened = None if self._tree.finished or not tables else tables[-1]
        for table in tables:
            if local_name(table) == "table":
                for row in self._take_rows(table, table is opened, 0):
                    yield self._sheet_of(table), row
        self._tree.keep_only_children(sheets, [] if opened is None else [opened])

    def _take_rows(self, element: Element, is_open: bool, depth: int) -> Iterator[Element]:
        """Yields the rows that are complete, also those in groups, and forgets them."""
        if depth > MAX_DEPTH:
            raise ConversionFailed(
                "ods", f"the XML of its part {quoted(self._part)} is nested more than {MAX_DEPTH} deep"
            )
        kept: list[Element] = []
        children = element[:]
        opened = children[-1] if is_open and children else None
        for child in children:
            name = local_name(child)
            if name == "table-row" and child is not opened:
                shorten_names(child)
                yield child
            elif name in GROUPS:
                yield from self._take_rows(child, child is opened, depth + 1)
                kept += [child] if child is opened else []
            else:
                kept.append(child)
        self._tree.keep_only_children(element, kept)

    def _sheet_of(self, table: Element) -> _Sheet:
        """Returns the sheet of a table element; with its first row all that stands before is known."""
        root = self._tree.root
        if self._hiding is None and root is not None:
            self._hiding = hiding_styles(_elements_with_short_names(root, "style"))
        if self._current is None or self._current[0] is not table:
            self._current = table, _Sheet(table, self._hiding or set())
        return self._current[1]


def _repeated_rows(sheet: _Sheet, row: Element, room: int) -> list[SheetRow]:
    """Returns a row as often as it is repeated and there is room for it."""
    first, cells = sheet.number + 1, cells_of(row)
    sheet.advance(row)
    count = min(repeat_count(row), max(room, 1)) if cells else 0
    return [SheetRow(number, cells, is_hidden(row)) for number in range(first, first + count)]


def _spreadsheet(root: Element | None) -> Element | None:
    """Returns the element that has the sheets; None until it was read."""
    element = root
    for name in ("body", "spreadsheet"):
        element = None if element is None else next((child for child in element if local_name(child) == name), None)
    return element


def _elements_with_short_names(root: Element, name: str) -> list[Element]:
    """Returns the elements of a name, which must be complete, with short names."""
    elements = [element for element in root.iter() if local_name(element) == name]
    for element in elements:
        shorten_names(element)
    return elements


def _attribute(table: Element, name: str) -> str:
    """Returns an attribute by its name without namespace."""
    return next((value for key, value in table.attrib.items() if key.rpartition("}")[2] == name), "")
