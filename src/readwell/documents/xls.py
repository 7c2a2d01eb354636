"""XLS, the old binary workbook, becomes Markdown, a table for each sheet."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from io import BytesIO

from ..errors import ConversionFailed, DocumentLocked
from .beside_cells import BesideCells, sheet_with_beside
from .contract import Converter
from .sheet_markdown import SheetGrid, SheetRow, sheet_markdown
from .xls_beside import BesideCellsReader
from .xlsx.number_formats import duration_text, number_text

VERSION = "6"
Value = int | float | str | bool | time | date | datetime | timedelta


class BinaryWorkbook:
    """An opened workbook."""

    unit = "sheet"

    def __init__(self, content: bytes) -> None:
        from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetVisibleEnum

        try:
            self._workbook = CalamineWorkbook.from_filelike(BytesIO(content))
        except PasswordError as error:
            raise DocumentLocked("xls") from error
        except CalamineError as error:
            raise ConversionFailed("xls", "it is damaged") from error
        sheets = self._workbook.sheets_metadata
        self._sheets = [(sheet.name, sheet.visible != SheetVisibleEnum.Visible) for sheet in sheets]
        self.count = len(self._sheets)
        self._content = content
        self._beside_reader: BesideCellsReader | None = None

    def prepared(self) -> bytes:
        """Returns nothing: a workbook of this kind is small."""
        return b""

    def markdown(self, number: int) -> str:
        """Returns one sheet."""
        from python_calamine import CalamineError

        try:
            sheet = self._workbook.get_sheet_by_index(number - 1)
        except CalamineError as error:
            raise ConversionFailed("xls", f"its sheet {number} is damaged") from error
        rows = _rows(sheet.iter_rows(), sheet.start[1] if sheet.start else 0)
        written = sheet_markdown(*self._sheets[number - 1], SheetGrid(rows, has_addresses=True))
        written = written if "\n" in written else f"{written}\n\n*This sheet has no cells.*"
        return sheet_with_beside(written, self._beside(number - 1))

    def _beside(self, index: int) -> BesideCells:
        """Returns what a sheet has beside its cells; says so where that cannot be read."""
        try:
            self._beside_reader = self._beside_reader or BesideCellsReader(self._content)
            return self._beside_reader.beside_of_sheet(index)
        except (ConversionFailed, struct.error):
            beside = BesideCells()
            beside.is_damaged = True
            return beside


def open_xls(content: bytes, password: str | None, prepared: bytes) -> BinaryWorkbook:  # noqa: ARG001
    """Opens a workbook; one with a password is refused."""
    return BinaryWorkbook(content)


def _rows(rows: Iterator[list[Value]], first_column: int) -> Iterator[SheetRow]:
    """Yields the rows of a sheet; they come from the first row on, but only from the first used column on."""
    for number, values in enumerate(rows, 1):
        texts = enumerate(map(cell_text, values), first_column)
        yield SheetRow(number, {column: text for column, text in texts if text.strip()})


def cell_text(value: Value) -> str:
    """Returns a value as a person sees it."""
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case int() | float():
            return number_text(value)
        case datetime():
            return value.strftime("%Y-%m-%d %H:%M:%S" if value.second else "%Y-%m-%d %H:%M")
        case date():
            return value.isoformat()
        case time():
            return value.isoformat("seconds")
        case timedelta():
            return duration_text(round(value.total_seconds()))
        case _:
            return value


XLS = Converter("xls", VERSION, open_xls)
