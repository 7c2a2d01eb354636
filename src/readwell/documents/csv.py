"""CSV becomes a Markdown table: the delimiter is the one that splits the first lines alike."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from io import BytesIO, TextIOWrapper
from itertools import islice

from ..errors import ConversionFailed
from ..structure.delimited_table import delimiter_of
from .contract import Converter
from .document_parts import PART_BYTES, ForwardParts, part_count
from .guessed_encoding import HEAD, encoding_of, guess_notice
from .markdown_blocks import MAX_COLUMNS
from .sheet_markdown import Cells, SheetGrid, SheetRow, part_suffix_of_rows, sheet_blocks, sheet_markdown

VERSION = "7"
MAX_FIELD = 1 << 20


class CsvDocument(ForwardParts):
    """An opened table: a single unit, or parts of about the same number of bytes where it is long."""

    def __init__(self, content: bytes) -> None:
        encoding = encoding_of("csv", content)
        self._content, self._encoding = content, encoding
        self._delimiter = delimiter_of(content[encoding.bom : HEAD].decode(encoding.codec, "replace"))
        super().__init__(part_count(len(content)))
        self.unit = "part" if self.count > 1 else ""

    def _convert(self, number: int) -> str:
        """Returns the table, or a part of it below the first row of all."""
        notice = guess_notice(self._encoding)
        if self.count == 1:
            return "\n\n".join([*notice, *sheet_blocks(_grid(map(_row, self._records(number))))])
        head = self._first
        rows = list(map(_row, self._records(number)))
        grid = _grid(rows)._replace(part_suffix=part_suffix_of_rows(number, self.count, rows), head=head)
        return "\n\n".join([*notice, sheet_markdown("Table", False, grid)])

    def _skip(self, number: int) -> None:
        """Passes over the records of a part."""
        for _ in self._records(number):
            pass

    def _restart(self) -> None:
        """Begins to read the file again."""
        csv.field_size_limit(MAX_FIELD)
        self._stream = BytesIO(self._content)
        self._stream.seek(self._encoding.bom)
        text = TextIOWrapper(self._stream, self._encoding.codec, "replace", newline="")
        self._reader = enumerate(csv.reader(text, delimiter=self._delimiter), 1)
        self._first = Cells()

    def _records(self, part: int) -> Iterator[tuple[int, list[str]]]:
        """Yields the records up to the end of a part; each belongs to the part in which the stream stands behind it."""
        while part == self.count or self._stream.tell() < part * PART_BYTES:
            try:
                record = next(self._reader, None)
            except csv.Error as error:
                raise ConversionFailed("csv", f"it cannot be split into fields: {error}") from error
            if record is None:
                break
            self._first = self._first or dict(islice(_row(record).cells.items(), MAX_COLUMNS + 1))
            yield record


def open_csv(content: bytes, password: str | None, prepared: bytes) -> CsvDocument:  # noqa: ARG001
    """Opens a table."""
    return CsvDocument(content)


def _row(record: tuple[int, list[str]]) -> SheetRow:
    """Returns a record as a row of cells."""
    number, fields = record
    return SheetRow(
        number, {column: text for column, field in enumerate(fields) if (text := field.strip())}, width=len(fields)
    )


def _grid(rows: Iterable[SheetRow]) -> SheetGrid:
    """Returns what is to be written of rows; at the edges a line without anything is none of them."""
    return SheetGrid((row for row in rows if row.width), names_empty=True)


def _sample() -> bytes:
    """Returns a table whose encoding must be guessed, so that all that guessing needs is loaded."""
    return "имя;размер\nпервый;1\nвторой;2\n".encode("cp1251") * 20


CSV = Converter("csv", VERSION, open_csv, _sample)
