"""A table of delimited values: its size, and its columns with their types."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence

from .text_part import ParseStopped, Part

HEAD = 1 << 16
MAX_FIELD = 1 << 20
DELIMITERS = ",;\t|"
QUOTED = re.compile(r'"[^"]*"')
MAX_COLUMNS = 40
LONGEST_NAME = 40
KINDS = (
    ("integer", re.compile(r"[+-]?\d{1,40}")),
    ("number", re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d{0,40})(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?%?")),
    ("date", re.compile(r"\d{4}-\d\d-\d\d(?:[ T][\d:.]+(?:Z|[+-][\d:]+)?)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}")),
    ("boolean", re.compile(r"true|false|yes|no", re.I)),
)
"""From narrow to wide; everything else is text."""


class Columns:
    """The columns of a table; their types are narrowed row by row."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = [name.strip() or f"column {number}" for number, name in enumerate(names, 1)]
        self._may_be: list[set[str]] = [{kind for kind, _ in KINDS} for _ in self._names]
        self._filled = [False] * len(self._names)
        self.rows = 0

    def add(self, row: Sequence[str]) -> None:
        """Takes one row below the names into account."""
        self.rows += 1
        for number, cell in enumerate(row[: len(self._names)]):
            left, text = self._may_be[number], cell.strip()
            if text:
                self._filled[number] = True
                if left:
                    self._may_be[number] = {kind for kind, form in KINDS if kind in left and form.fullmatch(text)}

    def summary(self) -> str:
        """Returns rows × columns, then the columns with their types."""
        return table_summary(self.rows, [(name, self._kind(number)) for number, name in enumerate(self._names)])

    def _kind(self, number: int) -> str:
        """Returns the narrowest type that all values of a column have."""
        if not self._filled[number]:
            return "empty"
        return next((kind for kind, _ in KINDS if kind in self._may_be[number]), "text")


def table_summary(rows: int, columns: Sequence[tuple[str, str]]) -> str:
    """Returns rows × columns, then the columns, each with what it holds."""
    size = f"{rows} row{'s' * (rows != 1)} × {len(columns)} column{'s' * (len(columns) != 1)}"
    shown = [f"{name[:LONGEST_NAME]} {kind}" for name, kind in columns[:MAX_COLUMNS]]
    more = f", … {len(columns) - MAX_COLUMNS} more" if len(columns) > MAX_COLUMNS else ""
    return f"{size}: {', '.join(shown)}{more}" if shown else size


def delimited_parts(text: str) -> Iterator[Part]:
    """Yields the one table of a text."""
    csv.field_size_limit(MAX_FIELD)
    reader = csv.reader(text.splitlines(keepends=True), delimiter=delimiter_of(text[:HEAD]))
    columns: Columns | None = None
    try:
        for row in reader:
            if columns is None:
                columns = Columns(row) if row else None
            elif row:
                columns.add(row)
    except csv.Error as error:
        raise ParseStopped(max(1, reader.line_num)) from error
    if columns:
        end = max(1, text.count("\n") + (not text.endswith("\n")))
        yield Part(1, end, "table", label=f"table, {columns.summary()}", title="table")


def delimiter_of(text: str) -> str:
    """Returns the delimiter that is most frequent, and equally frequent, in the first lines."""
    lines = [line for line in QUOTED.sub("", text).splitlines() if line.strip()][:20]
    counts = {sign: [line.count(sign) for line in lines] for sign in DELIMITERS}
    return max(DELIMITERS, key=lambda sign: (min(counts[sign], default=0), -len(set(counts[sign])), sum(counts[sign])))
