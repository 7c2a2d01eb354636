"""JSON lines become a Markdown table: a row a line, a column a key; long ones in parts."""

from __future__ import annotations

import json
from io import BytesIO
from itertools import islice
from typing import cast

from ..errors import ConversionFailed
from .contract import Converter
from .document_parts import PART_BYTES, ForwardParts, part_count
from .sheet_markdown import Cells, SheetGrid, SheetRow, part_suffix_of_rows, sheet_blocks, sheet_markdown

VERSION = "3"
LONGEST = 1 << 20
"""Characters of a line that are parsed."""
NOTHING: Cells = {0: ""}
"""The cells of a row that has no text, and is shown."""
VALUE = "value"
"""The column of what is no object."""


class JsonLinesDocument(ForwardParts):
    """An opened table: a single unit, or parts of about the same number of bytes where it is long."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        super().__init__(part_count(len(content)))
        self.unit = "part" if self.count > 1 else ""

    def _convert(self, number: int) -> str:
        """Returns a part as a table, with a column for each key."""
        columns: dict[str, int] = {}
        rows = [SheetRow(at, _cells(line, at, columns)) for at, line in self._lines(number)]
        grid = SheetGrid(rows, head={column: name for name, column in columns.items()}, names_empty=True)
        if self.count == 1:
            return "\n\n".join(sheet_blocks(grid))
        return sheet_markdown("Table", False, grid._replace(part_suffix=part_suffix_of_rows(number, self.count, rows)))

    def _skip(self, number: int) -> None:
        """Passes over the lines of a part."""
        for _ in self._lines(number):
            pass

    def _restart(self) -> None:
        """Begins to read the file again."""
        self._stream = BytesIO(self._content.removeprefix(b"\xef\xbb\xbf"))
        self._number = 0

    def _lines(self, part: int) -> list[tuple[int, bytes]]:
        """Returns the lines up to the end of a part; each belongs to the part in which it ends."""
        lines: list[tuple[int, bytes]] = []
        while (part == self.count or self._stream.tell() < part * PART_BYTES) and (line := self._stream.readline()):
            self._number += 1
            if line.strip():
                lines.append((self._number, line))
        return lines


def _cells(line: bytes, number: int, columns: dict[str, int]) -> Cells:
    """Returns a line as cells; a key that is new gets a new column."""
    if len(line) > LONGEST:
        return {_column_of_key(VALUE, columns): f"(line {number} is {len(line):,} bytes long and not shown)"}
    try:
        value_of_line: object = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ConversionFailed("jsonl", f"line {number} is no JSON") from error
    record = cast("dict[str, object]", value_of_line) if isinstance(value_of_line, dict) else {VALUE: value_of_line}
    places = [(_column_of_key(str(key), columns), _text(value)) for key, value in record.items()]
    return {column: text for column, text in places if text} or NOTHING


def _column_of_key(name: str, columns: dict[str, int]) -> int:
    """Returns the column of a key."""
    return columns.setdefault(name, len(columns))


def _text(value: object) -> str:
    """Returns a value as a cell shows it."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def open_jsonl(content: bytes, password: str | None, prepared: bytes) -> JsonLinesDocument:  # noqa: ARG001
    """Opens JSON lines; raises ConversionFailed where the first ones are none."""
    for number, line in enumerate(islice(BytesIO(content), 3), 1):
        if line.strip():
            _cells(line, number, {})
    return JsonLinesDocument(content)


JSONL = Converter("jsonl", VERSION, open_jsonl, lambda: b'{"a": 1}\n')
