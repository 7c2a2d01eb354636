"""JSON lines: a table of all of them, and each line as a value of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from .delimited_table import table_summary
from .text_part import ParseStopped, Part

KINDS: dict[type, str] = {bool: "boolean", int: "integer", float: "number", str: "text", list: "array", dict: "object"}
NUMBERS = {"integer", "number"}
VALUE = "value"
"""The column of lines that are no objects."""


def json_line_parts(text: str, line: int | None = None) -> Iterator[Part]:
    """Yields the one table of a text, or the value of a line; raises ParseStopped behind what is JSON."""
    lines = text.removesuffix("\n").split("\n")
    if line is not None:
        yield from _parts_of_line(lines, line)
        return
    columns: dict[str, set[str]] = {}
    rows = 0
    for number, written in enumerate(lines, 1):
        if not written.strip():
            continue
        try:
            _note_columns(json.loads(written), columns)
        except (ValueError, RecursionError) as error:
            if rows:
                yield _table_part(number - 1, rows, columns)
            raise ParseStopped(number) from error
        rows += 1
    if rows:
        yield _table_part(len(lines), rows, columns)


def _parts_of_line(lines: list[str], number: int) -> Iterator[Part]:
    """Yields the object or array of one line."""
    if not 1 <= number <= len(lines):
        return
    try:
        value: object = json.loads(lines[number - 1])
    except (ValueError, RecursionError):
        return
    kind = KINDS.get(type(value), "value")
    yield Part(number, number, kind, label=kind)


def _note_columns(value: object, columns: dict[str, set[str]]) -> None:
    """Adds the keys of a line, with the kinds of their values."""
    record = cast("dict[str, object]", value) if isinstance(value, dict) else {VALUE: value}
    for key, each in record.items():
        kinds = columns.setdefault(key, set())
        if each is not None:
            kinds.add(KINDS[type(each)])


def _table_part(end: int, rows: int, columns: dict[str, set[str]]) -> Part:
    """Returns the table of the lines up to one."""
    label = table_summary(rows, [(name, _column_kind(kinds)) for name, kinds in columns.items()])
    return Part(1, end, "table", label=f"table, {label}", title="table")


def _column_kind(kinds: set[str]) -> str:
    """Returns what the values of a column are, in one word."""
    if len(kinds) < 2:
        return next(iter(kinds), "empty")
    return "number" if kinds <= NUMBERS else "mixed"
