"""Parquet and Arrow become Markdown, one table in parts of 2,000 rows; only the batches of a part are decoded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from io import BytesIO
from typing import Any

from ..errors import ConversionFailed
from .contract import Converter
from .document_parts import ForwardParts
from .parquet_footer import row_count_in_footer
from .sheet_markdown import Cells, SheetGrid, SheetRow, part_suffix, sheet_blocks, sheet_markdown
from .single_unit import SingleUnit

VERSION = "3"
PART_ROWS = 2000
MAX_ROWS = 10_000_000 * PART_ROWS
ENDS = {"parquet": b"PAR1", "arrow": b"ARROW1"}
NOTHING: Cells = {0: ""}
"""A row without a value is a row all the same."""
TYPES_BEGIN = "DataType<"
WRITTEN_BY_ARROW = ("Timestamp", "Time", "Duration", "Float16", "Float32")
"""Types of which Python's own values hold less (nanoseconds, time zones) or look like more (0.10000000149011612)."""


class ArrowDocument(ForwardParts):
    """An opened table of either format."""

    def __init__(self, format_name: str, content: bytes) -> None:
        self._format, self._content = format_name, content
        if not content.endswith(ENDS[format_name]):
            raise ConversionFailed(format_name, "it is cut off: its end is missing")
        self._restart()
        self.columns = [(str(field.name), _type_name(field.type)) for field in self._reader.schema]
        self.rows = row_count_in_footer(content) if format_name == "parquet" else self._count_rows()
        if not 0 <= self.rows <= MAX_ROWS:
            raise ConversionFailed(format_name, "it is damaged: its number of rows cannot be true")
        super().__init__(max(1, -(-self.rows // PART_ROWS)))
        self.unit = "part" if self.count > 1 else ""

    def size_and_columns(self) -> str:
        """Returns the size, and the columns with their types."""
        columns = ", ".join(f"{name} {kind}" for name, kind in self.columns)
        count = len(self.columns)
        return f"{self.rows} row{'s' * (self.rows != 1)} × {count} column{'s' * (count != 1)}: {columns}"

    def _convert(self, number: int) -> str:
        """Returns a part as a table below the names of its columns."""
        first = (number - 1) * PART_ROWS
        rows = [SheetRow(row, cells) for row, cells in enumerate(self._next_rows(PART_ROWS), first + 1)]
        head = {column: name for column, (name, _) in enumerate(self.columns)}
        grid = SheetGrid(rows, head=head)
        if self.count == 1:
            return "\n\n".join(sheet_blocks(grid)) or f"*It has no rows. {self.size_and_columns()}.*"
        return sheet_markdown(
            "Table", False, grid._replace(part_suffix=part_suffix(number, self.count, first + 1, first + len(rows)))
        )

    def _skip(self, number: int) -> None:  # noqa: ARG002 - of the base
        """Passes over the rows of a part."""
        left = PART_ROWS
        while left and (batch := self._batch_of_next_row()) is not None:
            passed = min(left, batch.num_rows - self._at)
            self._at, left = self._at + passed, left - passed

    def _restart(self) -> None:
        """Begins to read the file again."""
        library: Any = import_module("arro3.io")
        read = library.read_parquet if self._format == "parquet" else library.read_ipc
        self._reader: Any = read(BytesIO(self._content))
        self._batch: Any = None
        self._at = 0

    def _batch_of_next_row(self) -> Any:
        """Returns the batch with the next row; None at the end."""
        while self._batch is None or self._at >= self._batch.num_rows:
            self._batch, self._at = next(self._reader, None), 0
            if self._batch is None:
                return None
        return self._batch

    def _next_rows(self, count: int) -> Iterator[Cells]:
        """Yields so many of the next rows."""
        while count and (batch := self._batch_of_next_row()) is not None:
            part = batch.slice(self._at, min(count, batch.num_rows - self._at))
            columns = [_cell_texts(column) for column in part.columns]
            self._at, count = self._at + part.num_rows, count - part.num_rows
            for row in zip(*columns, strict=True):
                yield {column: text for column, text in enumerate(row) if text} or NOTHING

    def _count_rows(self) -> int:
        """Returns the number of rows, counted."""
        return sum(batch.num_rows for batch in self._reader)


def _type_name(kind: object) -> str:
    """Returns a type as Arrow calls it."""
    told = " ".join(str(kind).split())
    return told.partition(TYPES_BEGIN)[2].removesuffix(">") or told


def _cell_texts(column: Any) -> list[str]:
    """Returns the values of a column as cells show them."""
    if not _type_name(column.type).startswith(WRITTEN_BY_ARROW):
        return [_cell_text(value) for value in column]
    types: Any = import_module("arro3.core").DataType
    try:
        return [value.as_py() or "" for value in column.cast(types.utf8())]
    except Exception:  # noqa: BLE001 - the library raises nothing narrower
        # A year that no calendar knows: the number that is stored.
        unit = _type_name(column.type)
        return [
            f"{number} as {unit}" if (number := value.as_py()) is not None else "" for value in _stored_numbers(column)
        ]


def _stored_numbers(column: Any) -> Any:
    """Returns the numbers that a column of times stores."""
    return column.cast(import_module("arro3.core").DataType.int64())


def _cell_text(value: Any) -> str:
    """Returns a value as a cell shows it."""
    try:
        plain = value.as_py()
    except (ValueError, OverflowError, LookupError, ImportError, TypeError):
        # Inside of it stands a time of a zone that is not known here, or a number beyond Python's dates.
        return _without_frame(str(value))
    if plain is None:
        return ""
    if isinstance(plain, bytes):
        return f"<blob, {len(plain)} bytes>"
    if isinstance(plain, (dict, list)):
        return json.dumps(plain, ensure_ascii=False, default=str)
    return str(plain)


def _without_frame(framed: str) -> str:
    """Returns what stands in the frame that the library draws around a value: a title, a name, a rule, the value."""
    return "\n".join(line[2:-2].rstrip() for line in framed.splitlines()[4:-1])


def open_parquet(content: bytes, password: str | None, prepared: bytes) -> ArrowDocument:  # noqa: ARG001
    """Opens a Parquet file."""
    return ArrowDocument("parquet", content)


def open_arrow(content: bytes, password: str | None, prepared: bytes) -> ArrowDocument:  # noqa: ARG001
    """Opens an Arrow file, also called Feather."""
    return ArrowDocument("arrow", content)


def _outline(table: ArrowDocument) -> SingleUnit:
    """Returns the outline of a table: its size, and its columns with their types."""
    unit = "part" if table.count > 1 else "table"
    return SingleUnit(json.dumps([table.count, [[0, 1, table.count, table.size_and_columns()]], unit]))


def open_parquet_outline(content: bytes, password: str | None, prepared: bytes) -> SingleUnit:  # noqa: ARG001
    """Finds the columns of a Parquet file."""
    return _outline(ArrowDocument("parquet", content))


def open_arrow_outline(content: bytes, password: str | None, prepared: bytes) -> SingleUnit:  # noqa: ARG001
    """Finds the columns of an Arrow file."""
    return _outline(ArrowDocument("arrow", content))


def _sample() -> bytes:
    """Makes a small table, having loaded all that values need."""
    with suppress(ImportError):
        import_module("zoneinfo")
        import_module("decimal")
    core: Any = import_module("arro3.core")
    library: Any = import_module("arro3.io")
    made = BytesIO()
    array = core.Array([1, 2], core.DataType.int64())
    library.write_parquet(core.Table.from_pydict({"a": array}), made)
    return made.getvalue()


PARQUET = Converter("parquet", VERSION, open_parquet, _sample)
ARROW = Converter("arrow", VERSION, open_arrow, _sample)
PARQUET_OUTLINE = Converter("parquet", VERSION, open_parquet_outline, _sample)
ARROW_OUTLINE = Converter("arrow", VERSION, open_arrow_outline, _sample)
