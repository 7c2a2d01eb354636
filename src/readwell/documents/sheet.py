"""A sheet of cells becomes a Markdown table: edges trimmed, bounded, and saying so where it ends early."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .markdown import MOST_COLUMNS, cell

MOST_ROWS = 100_000
MOST_CHARACTERS = 16 << 20
READ_ON = "save the sheet as CSV to read on"

Cells = dict[int, str]
"""The text of a row's cells by column, counted from 0; cells without text are left out."""


def sheet_markdown(name: str, hidden: bool, rows: Iterable[tuple[int, Cells]]) -> str:
    """Returns a sheet: its name, its cells, and what is not shown."""
    heading = f"# {' '.join(name.split())}{' (hidden)' if hidden else ''}"
    return "\n\n".join([heading, *sheet_rows(rows)])


def sheet_rows(rows: Iterable[tuple[int, Cells]]) -> list[str]:
    """Returns a table from rows and their numbers, and what is not shown; empty rows or columns in a row become one."""
    kept, cut = _kept(rows)
    if not kept:
        return []
    used = sorted({column for _, cells in kept for column in cells})
    shown = list(_with_gaps(used[:MOST_COLUMNS]))
    lines: list[str] = []
    before = kept[0][0]
    for number, cells in kept:
        if number > before + 1:
            lines.append(_line({}, shown))
        lines.append(_line(cells, shown))
        before = number
    lines.insert(1, "|" + " --- |" * len(shown))
    told = [f"*Rows after {before:,} are not shown: {READ_ON}.*"] if cut else []
    if len(used) > MOST_COLUMNS:
        told.append(f"*Columns after {column_name(shown[-1])} are not shown: {READ_ON}.*")
    return ["\n".join(lines), *told]


def _with_gaps(numbers: list[int]) -> Iterator[int]:
    """Yields the numbers, and one between those that do not follow each other."""
    before = numbers[0]
    for number in numbers:
        if number > before + 1:
            yield before + 1
        yield number
        before = number


def _kept(rows: Iterable[tuple[int, Cells]]) -> tuple[list[tuple[int, Cells]], bool]:
    kept: list[tuple[int, Cells]] = []
    room = MOST_CHARACTERS
    for number, cells in rows:
        if not cells:
            continue
        room -= sum(map(len, cells.values())) + len(cells) * 3
        if kept and (len(kept) >= MOST_ROWS or room < 0):
            return kept, True
        kept.append((number, cells))
    return kept, False


def _line(cells: Cells, columns: list[int]) -> str:
    return "| " + " | ".join([cell(cells[column]) if column in cells else "" for column in columns]) + " |"


def column_name(column: int) -> str:
    """Returns the letters of a column counted from 0."""
    name = ""
    number = column + 1
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def column_number(letters: str) -> int:
    """Returns the number of a column from its letters, counted from 0."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1
