"""XLSX becomes Markdown, a table for each sheet."""

from __future__ import annotations

from typing import NamedTuple
from xml.etree.ElementTree import Element

from ...errors import ConversionFailed
from ..chart import chart_rows
from ..container import MOST_TOTAL, Container
from ..contract import Converter
from ..markdown import table
from ..ooxml import Relation, main_part, relations, target_of_type
from ..sheet import sheet_markdown
from ..tree import at
from .cells import Worksheet, shared_strings
from .formats import Formats

VERSION = "1"
USUAL = "xl/workbook.xml"


class Sheet(NamedTuple):
    """A sheet as the workbook lists it."""

    name: str
    hidden: bool
    relation: Relation | None


class Workbook:
    """An opened workbook."""

    unit = "sheet"

    def __init__(self, content: bytes) -> None:
        self._container = Container("xlsx", content, MOST_TOTAL)
        part = main_part(self._container, USUAL)
        if part.endswith(".bin"):
            raise ConversionFailed("xlsx", "it is a binary workbook (XLSB); saved as XLSX it can be read")
        root = self._container.xml(part)
        self._relations = relations(self._container, part)
        self._sheets = _sheets(root, self._relations)
        if not self._sheets:
            raise ConversionFailed("xlsx", "it has no sheets")
        properties = at(root, "workbookPr")
        self._since_1904 = properties is not None and properties.get("date1904") in ("1", "true")
        self._held: list[str] | None = None
        self.count = len(self._sheets)

    def prepared(self) -> bytes:
        """Returns nothing: the sheets are listed in the workbook."""
        return b""

    def markdown(self, number: int) -> str:
        """Returns one sheet."""
        sheet = self._sheets[number - 1]
        if sheet.relation is None or sheet.relation.target not in self._container:
            return f"# {sheet.name}\n\n*This sheet is missing from the file.*"
        formats = Formats(self._container.xml_if_any(self._part("styles")), self._since_1904)
        cells = Worksheet(self._container, sheet.relation.target, formats, self._strings)
        written = sheet_markdown(sheet.name, sheet.hidden, cells.rows())
        return written if "\n" in written else f"{written}\n\n{self._chart(sheet.relation.target)}"

    def _part(self, kind: str) -> str:
        return target_of_type(self._relations, kind) or f"xl/{kind}.xml"

    def _strings(self) -> list[str]:
        if self._held is None:
            self._held = shared_strings(self._container, self._part("sharedStrings"))
        return self._held

    def _chart(self, part: str) -> str:
        """Returns the chart of a sheet that has no cells."""
        drawing = target_of_type(relations(self._container, part), "drawing")
        chart = target_of_type(relations(self._container, drawing), "chart") if drawing else ""
        return table(chart_rows(self._container.xml_if_any(chart))) or "*This sheet has no cells.*"


def open_xlsx(content: bytes, password: str | None, prepared: bytes) -> Workbook:  # noqa: ARG001
    """Opens a workbook; one with a password is refused, since its parts cannot be told from noise."""
    return Workbook(content)


def _sheets(root: Element, found: dict[str, Relation]) -> list[Sheet]:
    listed = at(root, "sheets")
    return [
        Sheet(sheet.get("name", ""), sheet.get("state", "visible") != "visible", found.get(sheet.get("r:id", "")))
        for sheet in (listed if listed is not None else ())
    ]


XLSX = Converter("xlsx", VERSION, open_xlsx)
