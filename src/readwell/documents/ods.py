"""ODS becomes Markdown, a table for each sheet, with the text that each cell shows."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from ..errors import ConversionFailed
from .container import Container
from .contract import Converter
from .markdown import MOST_COLUMNS
from .odt.locked import refuse_locked
from .sheet import MOST_ROWS, Cells, Grid, Row, sheet_markdown
from .tree import at, every, whole_number

VERSION = "2"
GROUPS = ("table:table-header-rows", "table:table-rows", "table:table-row-group")
COLUMN_GROUPS = ("table:table-columns", "table:table-header-columns", "table:table-column-group")
WIDEST = 16_384
CELLS = ("table:table-cell", "table:covered-table-cell")


class OpenSheets:
    """An opened workbook."""

    unit = "sheet"

    def __init__(self, content: bytes) -> None:
        container = Container("ods", content)
        refuse_locked(container)
        root = container.xml("content.xml")
        self._hidden = {style.get("style:name") for style in every(root, "style:style") if _hides_sheets(style)}
        sheets = at(root, "office:body", "office:spreadsheet")
        self._sheets = [] if sheets is None else sheets.findall("table:table")
        if not self._sheets:
            raise ConversionFailed("ods", "it has no sheets")
        self.count = len(self._sheets)

    def prepared(self) -> bytes:
        """Returns nothing: the sheets stand one after the other."""
        return b""

    def markdown(self, number: int) -> str:
        """Returns one sheet."""
        sheet = self._sheets[number - 1]
        hidden = sheet.get("table:style-name", "") in self._hidden
        written = sheet_markdown(sheet.get("table:name", ""), hidden, Grid(_numbered(sheet), _hidden_columns(sheet)))
        return written if "\n" in written else f"{written}\n\n*This sheet has no cells.*"


def open_ods(content: bytes, password: str | None, prepared: bytes) -> OpenSheets:  # noqa: ARG001
    """Opens a workbook; one with a password is refused."""
    return OpenSheets(content)


def _numbered(sheet: Element) -> Iterator[Row]:
    number = 0
    for row in _rows(sheet):
        cells = _cells(row)
        repeated = whole_number(row.get("table:number-rows-repeated"), 1)
        if not cells:
            number += repeated
            continue
        for _ in range(min(repeated, MOST_ROWS + 1)):
            number += 1
            yield Row(number, cells, _is_hidden(row))


def _rows(element: Element) -> Iterator[Element]:
    return _within(element, "table:table-row", GROUPS)


def _within(element: Element, name: str, groups: tuple[str, ...]) -> Iterator[Element]:
    for child in element:
        if child.tag == name:
            yield child
        elif child.tag in groups:
            yield from _within(child, name, groups)


def _hidden_columns(sheet: Element) -> set[int]:
    hidden: set[int] = set()
    place = 0
    for column in _within(sheet, "table:table-column", COLUMN_GROUPS):
        repeated = min(whole_number(column.get("table:number-columns-repeated"), 1), WIDEST)
        if _is_hidden(column) and place < WIDEST:
            hidden.update(range(place, place + repeated))
        place += repeated
    return hidden


def _is_hidden(element: Element) -> bool:
    return element.get("table:visibility", "visible") != "visible"


def _hides_sheets(style: Element) -> bool:
    properties = style.find("style:table-properties")
    return properties is not None and properties.get("table:display") == "false"


def _cells(row: Element) -> Cells:
    cells: Cells = {}
    column = 0
    for element in row:
        if element.tag not in CELLS:
            continue
        repeated = whole_number(element.get("table:number-columns-repeated"), 1)
        text = _text(element)
        if text and len(cells) <= MOST_COLUMNS:
            cells |= dict.fromkeys(range(column, column + min(repeated, MOST_COLUMNS + 1)), text)
        column += repeated
    return cells


def _text(cell: Element) -> str:
    """Returns what a cell shows; of one that shows nothing, its value."""
    lines = ["".join(paragraph.itertext()) for paragraph in cell.findall("text:p")]
    shown = "\n".join(lines).strip()
    return shown or cell.get("office:value") or cell.get("office:date-value") or cell.get("office:string-value") or ""


ODS = Converter("ods", VERSION, open_ods)
