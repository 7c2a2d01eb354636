"""A table of delimited values: its size, and its columns with their types."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from io import StringIO

from .text_part import ParseStopped, Part, shortened

HEAD = 1 << 16
MAX_FIELD = 1 << 20
DELIMITERS = ",;\t|"
QUOTED = re.compile(rf"""(?:^|(?<=[{DELIMITERS}]))"[^"]*(?:""[^"]*)*(?:"|\Z)""", re.M)
SAMPLE = 20
"""Lines from which the delimiter is told."""
MAX_COLUMNS = 40
LONGEST_NAME = 40
KINDS = (
    ("integer", re.compile(r"[+-]?\d{1,40}")),
    ("number", re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d{0,40})(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?%?")),
    ("date", re.compile(r"\d{4}-\d\d-\d\d(?:[ T][\d:.]+(?:Z|[+-][\d:]+)?)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}")),
    ("boolean", re.compile(r"true|false|yes|no", re.I)),
)
"""From narrow to wide; everything else is text."""
ANY = frozenset(kind for kind, _ in KINDS)


class TableColumns:
    """The columns of a table; their types are narrowed row by row."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = [name.strip() for name in names]
        self._may_be: list[frozenset[str]] = [ANY] * len(self._names)
        self._filled = [False] * len(self._names)
        self.rows = 0

    def add(self, row: Sequence[str]) -> None:
        """Takes one row below the names into account; one that is wider than all above adds columns."""
        self.rows += 1
        if (more := len(row) - len(self._names)) > 0:
            self._names += [""] * more
            self._may_be += [ANY] * more
            self._filled += [False] * more
        for number, cell in enumerate(row):
            left, text = self._may_be[number], cell.strip()
            if text:
                self._filled[number] = True
                if left:
                    fitting = (kind for kind, form in KINDS if kind in left and form.fullmatch(text))
                    self._may_be[number] = frozenset(fitting)

    def summary(self) -> str:
        """Returns rows × columns, then the columns with their types; empty columns at the edges are none."""
        used = [number for number, name in enumerate(self._names) if name or self._filled[number]]
        shown = range(used[0], used[-1] + 1) if used else range(0)
        return table_summary(
            self.rows, [(self._names[number] or f"column {number + 1}", self._column_type(number)) for number in shown]
        )

    def _column_type(self, number: int) -> str:
        """Returns the narrowest type that all values of a column have."""
        if not self._filled[number]:
            return "empty"
        return next((kind for kind, _ in KINDS if kind in self._may_be[number]), "text")


def table_summary(rows: int, columns: Sequence[tuple[str, str]]) -> str:
    """Returns rows × columns, then the columns, each with what it holds."""
    size = f"{rows} row{'s' * (rows != 1)} × {len(columns)} column{'s' * (len(columns) != 1)}"
    shown = [f"{shortened(name, LONGEST_NAME)} {kind}" for name, kind in columns[:MAX_COLUMNS]]
    more = f", … {len(columns) - MAX_COLUMNS} more" if len(columns) > MAX_COLUMNS else ""
    return f"{size}: {', '.join(shown)}{more}" if shown else size


def delimited_parts(text: str) -> Iterator[Part]:
    """Yields the one table of a text."""
    csv.field_size_limit(MAX_FIELD)
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter_of(text[:HEAD]))
    columns: TableColumns | None = None
    empty = 0
    try:
        for row in reader:
            if not any(cell.strip() for cell in row):
                empty += bool(row)  # a line without anything is no row
                continue
            if columns is None:
                columns = TableColumns(row)
            else:
                columns.add(row)
    except csv.Error as error:
        raise ParseStopped(max(1, reader.line_num)) from error
    if columns:
        end = max(1, text.count("\n") + (not text.endswith("\n")))
        told = f"; {empty} row{'s' * (empty > 1)} without text" if empty else ""
        yield Part(1, end, "table", label=f"table, {columns.summary()}{told}", title="table")


def delimiter_of(text: str) -> str:
    """Returns the delimiter that stands equally often in the first lines, the more often the better.

    What is quoted does not count, nor does a line without any delimiter: a title, or an empty line.
    """
    lines = [line for line in QUOTED.sub("", text).splitlines() if any(sign in line for sign in DELIMITERS)][:SAMPLE]
    counts = {sign: [line.count(sign) for line in lines] for sign in DELIMITERS}
    return max(DELIMITERS, key=lambda sign: _evenness(counts[sign]))


def _evenness(counts: Sequence[int]) -> tuple[int, bool, int, int]:
    """Returns how well a delimiter fits: larger is better."""
    return min(counts, default=0), any(counts), -len(set(counts)), sum(counts)
