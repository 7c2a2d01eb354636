"""A long ODS in parts: rows as its one stream of XML gives them, each forgotten when it was read.

Groups reach over rows and sheets follow each other in the same stream, so a part far down takes a pass of parsing.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from ...errors import ConversionFailed
from ...names import quoted
from ..container import Container
from ..sheet import MOST_ROWS, Cells, Grid, Row, part_name, sheet_markdown
from ..stretches import stretches_in
from ..tree import MOST_DEPTH, GrowingTree, local_name, shorten_names
from .rows import cells_of, hidden_columns, hiding_styles, is_hidden, repeats

GROUPS = ("table-header-rows", "table-rows", "table-row-group")


class _Sheet:
    """A sheet as far as it was read."""

    def __init__(self, table: Element, hiding: set[str]) -> None:
        self.name = _own(table, "name")
        self.hidden = _own(table, "style-name") in hiding
        self.hidden_columns = hidden_columns(_shortened(table, "table-column"))
        self.head: Cells = {}
        self.number = 0

    def pass_by(self, row: Element) -> None:
        """Counts a row; the first that has any text and is shown is the head of every part."""
        self.number += repeats(row)
        if not self.head and not is_hidden(row):
            self.head = cells_of(row)


class LongSheets:
    """An opened workbook whose units are parts of its sheets."""

    unit = "part"

    def __init__(self, container: Container, part: str) -> None:
        self._container, self._part = container, part
        self.count = stretches_in(container.size(part))
        self._begin()

    def prepared(self) -> bytes:
        """Returns nothing: the size alone says how many parts there are."""
        return b""

    def markdown(self, number: int) -> str:
        """Returns the rows that end in one part, below the name and the first row of their sheet."""
        if number <= self._read:
            self._begin()
        while self._read < number - 1:
            for sheet, row in self._next():
                sheet.pass_by(row)
        rows: dict[_Sheet, list[Row]] = {}
        heads: dict[_Sheet, Cells] = {}
        for sheet, row in self._next():
            heads.setdefault(sheet, sheet.head)
            found = rows.setdefault(sheet, [])
            found += _numbered(sheet, row, MOST_ROWS + 1 - len(found))
        tables = [self._table(number, sheet, found, heads[sheet]) for sheet, found in rows.items()]
        return "\n\n".join(tables) or "*No row ends in this part.*"

    def _table(self, number: int, sheet: _Sheet, rows: list[Row], head: Cells) -> str:
        first, last = (rows[0].number, rows[-1].number) if rows else (0, 0)
        part = part_name(number, self.count, first, last)
        return sheet_markdown(sheet.name, sheet.hidden, Grid(rows, sheet.hidden_columns, part, head))

    def _begin(self) -> None:
        self._tree = GrowingTree("ods", self._part, self._container.pieces(self._part))
        self._read = 0
        self._hiding: set[str] | None = None
        self._current: tuple[Element, _Sheet] | None = None

    def _next(self) -> Iterator[tuple[_Sheet, Element]]:
        """Yields the rows that one more piece completes, behind the last piece all that are left."""
        self._read += 1
        while self._tree.grow():
            yield from self._completed()
            if self._read < self.count:
                return

    def _completed(self) -> Iterator[tuple[_Sheet, Element]]:
        sheets = _spreadsheet(self._tree.root)
        if sheets is None:
            return
        tables = sheets[:]
        opened = None if self._tree.finished or not tables else tables[-1]
        for table in tables:
            if local_name(table) == "table":
                for row in self._taken(table, table is opened, 0):
                    yield self._sheet(table), row
        self._tree.keep(sheets, [] if opened is None else [opened])

    def _taken(self, element: Element, is_open: bool, depth: int) -> Iterator[Element]:
        """Yields the rows that are complete, also those in groups, and forgets them."""
        if depth > MOST_DEPTH:
            raise ConversionFailed(
                "ods", f"the XML of its part {quoted(self._part)} is nested more than {MOST_DEPTH} deep"
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
                yield from self._taken(child, child is opened, depth + 1)
                kept += [child] if child is opened else []
            else:
                kept.append(child)
        self._tree.keep(element, kept)

    def _sheet(self, table: Element) -> _Sheet:
        """Returns the sheet of a row; with its first row all that stands before is known."""
        root = self._tree.root
        if self._hiding is None and root is not None:
            self._hiding = hiding_styles(_shortened(root, "style"))
        if self._current is None or self._current[0] is not table:
            self._current = table, _Sheet(table, self._hiding or set())
        return self._current[1]


def _numbered(sheet: _Sheet, row: Element, room: int) -> list[Row]:
    """Returns a row as often as it is repeated and there is room for it."""
    first, cells = sheet.number + 1, cells_of(row)
    sheet.pass_by(row)
    count = min(repeats(row), max(room, 1)) if cells else 0
    return [Row(number, cells, is_hidden(row)) for number in range(first, first + count)]


def _spreadsheet(root: Element | None) -> Element | None:
    found = root
    for name in ("body", "spreadsheet"):
        found = None if found is None else next((child for child in found if local_name(child) == name), None)
    return found


def _shortened(root: Element, name: str) -> list[Element]:
    """Returns the elements of a name, which must be complete, with short names."""
    found = [element for element in root.iter() if local_name(element) == name]
    for element in found:
        shorten_names(element)
    return found


def _own(table: Element, name: str) -> str:
    return next((value for key, value in table.attrib.items() if key.rpartition("}")[2] == name), "")
