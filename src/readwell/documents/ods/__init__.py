"""ODS becomes Markdown, a table for each sheet, with the text that each cell shows."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from ...errors import ConversionFailed
from ..beside_cells import BesideCells, sheet_with_beside
from ..contract import Converter, Document
from ..document_parts import part_count
from ..odt.password_check import refuse_locked
from ..sheet_markdown import SheetGrid, sheet_markdown
from ..xml_tree import at, every
from ..zip_container import MAX_STREAMED, ZipContainer
from .beside import add_comments, add_drawings, chart_objects
from .long_sheets import LongSheets
from .rows import hidden_columns, hiding_styles, numbered

VERSION = "8"
CONTENT = "content.xml"
ROW_GROUPS = ("table:table-header-rows", "table:table-rows", "table:table-row-group")
COLUMN_GROUPS = ("table:table-columns", "table:table-header-columns", "table:table-column-group")


class OdsWorkbook:
    """An opened workbook."""

    unit = "sheet"

    def __init__(self, container: ZipContainer) -> None:
        root = container.xml(CONTENT)
        self._charts = chart_objects(container)
        self._hiding = hiding_styles(every(root, "style:style"))
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
        hidden = sheet.get("table:style-name", "") in self._hiding
        rows = numbered(_children_or_grouped(sheet, "table:table-row", ROW_GROUPS))
        columns = hidden_columns(_children_or_grouped(sheet, "table:table-column", COLUMN_GROUPS))
        written = sheet_markdown(
            sheet.get("table:name", ""), hidden, SheetGrid(rows, hidden_columns=columns, has_addresses=True)
        )
        written = written if "\n" in written else f"{written}\n\n*This sheet has no cells.*"
        beside = BesideCells()
        add_comments(beside, _children_or_grouped(sheet, "table:table-row", ROW_GROUPS))
        add_drawings(beside, sheet, self._charts)
        return sheet_with_beside(written, beside)


def open_ods(content: bytes, password: str | None, prepared: bytes) -> Document:  # noqa: ARG001
    """Opens a workbook, a long one in parts; one with a password is refused."""
    container = ZipContainer("ods", content, MAX_STREAMED)
    refuse_locked(container)
    size = container.size(CONTENT)
    return OdsWorkbook(container) if part_count(size) == 1 else LongSheets(container, CONTENT)


def _children_or_grouped(element: Element, name: str, groups: tuple[str, ...]) -> Iterator[Element]:
    """Yields the children of a name, also those in groups."""
    for child in element:
        if child.tag == name:
            yield child
        elif child.tag in groups:
            yield from _children_or_grouped(child, name, groups)


ODS = Converter("ods", VERSION, open_ods)
