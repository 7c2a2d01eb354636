"""XLSX becomes Markdown, a table for each sheet."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from xml.etree.ElementTree import Element

from ...errors import ConversionFailed, TooLarge
from ...named_tuple import NamedTuple
from ..beside_cells import BesideCells, sheet_with_beside
from ..contract import Converter
from ..document_parts import part_count
from ..encrypted_office import load_decryption
from ..markdown_blocks import Blocks
from ..office_charts import write_chart
from ..office_relations import Relation, main_part, relations, target_of_type
from ..sheet_markdown import sheet_markdown
from ..xml_tree import at, every, stream_elements
from ..zip_container import MAX_STREAMED, ZipContainer
from .beside import add_page_headers, find_beside_cells
from .cells import CellReader
from .number_formats import Formats
from .shared_strings import SharedStrings
from .sheet_parts import SheetParts

VERSION = "11"
USUAL = "xl/workbook.xml"


class Sheet(NamedTuple):
    """A sheet as the workbook lists it, and into how many parts it is cut."""

    name: str
    hidden: bool
    part: str
    """Where its cells are; nothing where the file does not hold them."""
    parts: int


class Workbook:
    """An opened workbook: its units are sheets, or parts of sheets as soon as one of them is long."""

    def __init__(self, content: bytes, password: str | None) -> None:
        self._container = ZipContainer("xlsx", content, MAX_STREAMED, password)
        part = main_part(self._container, USUAL)
        if part.endswith(".bin"):
            raise ConversionFailed("xlsx", "it is a binary workbook (XLSB); saved as XLSX it can be read")
        root = self._container.xml(part)
        self._relations = relations(self._container, part)
        self._sheets = list(_sheets(root, self._relations, self._container))
        if not self._sheets:
            raise ConversionFailed("xlsx", "it has no sheets")
        properties = at(root, "workbookPr")
        self._since_1904 = properties is not None and properties.get("date1904") in ("1", "true")
        self._last_sheet_parts: tuple[int, SheetParts] | None = None
        self.count = sum(sheet.parts for sheet in self._sheets)
        self.unit = "sheet" if self.count == len(self._sheets) else "part"

    def prepared(self) -> bytes:
        """Returns nothing: the sheets are listed in the workbook, their sizes in the container."""
        return b""

    def markdown(self, number: int) -> str:
        """Returns one sheet, or a part of one; the first part begins with a list of all."""
        index, part = self._sheet_and_part(number)
        sheet = self._sheets[index]
        if not sheet.part:
            return f"# {sheet.name}\n\n*This sheet is missing from the file.*"
        written = sheet_markdown(sheet.name, sheet.hidden, self._sheet_parts(index).grid(part))
        charts = self._charts(sheet.part) if "\n" not in written and sheet.parts == 1 else None
        if charts is not None:
            written = "\n\n".join([written, *(charts or ["*This sheet has no cells.*"])])
        if not part:
            written = sheet_with_beside(written, self._beside(index, len(charts or ())))
        return written if number > 1 or self.unit == "sheet" else f"{self._table_of_contents()}\n\n{written}"

    def _sheet_and_part(self, number: int) -> tuple[int, int]:
        """Returns which sheet a unit belongs to, and which of its parts it is, both counted from 0."""
        part = number - 1
        for index, sheet in enumerate(self._sheets):
            if part < sheet.parts:
                return index, part
            part -= sheet.parts
        raise IndexError(number)

    def _sheet_parts(self, index: int) -> SheetParts:
        """Returns the parts of a sheet; those that were read last stay open."""
        if self._last_sheet_parts is None or self._last_sheet_parts[0] != index:
            self._last_sheet_parts = index, SheetParts(self._container, self._sheets[index].part, self._cell_reader)
        return self._last_sheet_parts[1]

    @cached_property
    def _cell_reader(self) -> CellReader:
        """Returns what reads cells, with the formats and shared texts of the workbook."""
        styles = self._container.xml_if_any(self._part_of_kind("styles"))
        part = self._part_of_kind("sharedStrings")
        listed = (
            stream_elements("xlsx", part, self._container.pieces(part), "si") if part in self._container else iter(())
        )
        return CellReader(Formats(styles, self._since_1904), SharedStrings(listed).text)

    def _part_of_kind(self, kind: str) -> str:
        """Returns the name of a part of the workbook."""
        return target_of_type(self._relations, kind) or f"xl/{kind}.xml"

    def _table_of_contents(self) -> str:
        """Returns a list of the sheets and the parts that each takes."""
        lines: list[str] = []
        first = 1
        for sheet in self._sheets:
            parts = f"part {first}" if sheet.parts == 1 else f"parts {first}-{first + sheet.parts - 1}"
            lines.append(f"- {' '.join(sheet.name.split())}: {parts}")
            first += sheet.parts
        return "\n".join(lines)

    def _charts(self, part: str) -> list[str]:
        """Returns the charts of a sheet that has no cells."""
        drawing = target_of_type(relations(self._container, part), "drawing")
        related = relations(self._container, drawing).values() if drawing else ()
        charts = [Blocks() for _ in related]
        for relation, blocks in zip(related, charts, strict=True):
            if relation.type == "chart":
                write_chart(self._container, relation, blocks)
        return [blocks.markdown() for blocks in charts if blocks]

    def _beside(self, index: int, charts: int) -> BesideCells:
        """Returns what a sheet has beside its cells, without the `charts` that are shown."""
        sheet = self._sheets[index]
        beside = find_beside_cells(self._container, sheet.part, self._people)
        beside.charts = max(0, beside.charts - charts)
        if sheet.parts == 1:
            add_page_headers(self._sheet_parts(index).root, beside)
        return beside

    @cached_property
    def _people(self) -> dict[str, str] | None:
        """The names of those who wrote comments that can be answered; None where their part is damaged."""
        try:
            people = self._container.xml_if_any(target_of_type(self._relations, "person"))
        except (ConversionFailed, TooLarge):
            return None
        return {person.get("id", ""): person.get("displayName", "") for person in every(people, "person")}


def open_xlsx(content: bytes, password: str | None, prepared: bytes) -> Workbook:  # noqa: ARG001
    """Opens a workbook."""
    return Workbook(content, password)


def _sheets(root: Element, related: dict[str, Relation], container: ZipContainer) -> Iterator[Sheet]:
    """Yields the sheets in the order of the workbook."""
    listed = at(root, "sheets")
    for sheet in listed if listed is not None else ():
        relation = related.get(sheet.get("r:id", ""))
        part = relation.target if relation and relation.target in container else ""
        count = part_count(container.size(part)) if part else 1
        yield Sheet(sheet.get("name", ""), sheet.get("state", "visible") != "visible", part, count)


XLSX = Converter("xlsx", VERSION, open_xlsx, load_decryption)
