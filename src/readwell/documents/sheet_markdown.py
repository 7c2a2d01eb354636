"""A sheet of cells becomes a Markdown table: edges trimmed, bounded, and saying so where anything is not shown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import pairwise

from ..named_tuple import NamedTuple
from .markdown_blocks import MAX_COLUMNS, escape_cell

MAX_ROWS = 100_000
MAX_CHARACTERS = 16 << 20
READ_ON = "save the sheet as CSV to read on"
HIDDEN_SHEET = "<!-- hidden sheet -->"
NO_ROW = "*No row with text begins in this part.*"
MAX_RANGES = 5
"""Ranges of left out rows, or of columns, that are named."""

Cells = dict[int, str]
"""The text of a row's cells by column, counted from 0; cells without text are left out."""


class SheetRow(NamedTuple):
    """A row by its number, counted from 1."""

    number: int
    cells: Cells
    hidden: bool = False
    width: int = 0
    """How many cells it has, also without text, where that is known."""


class SheetGrid(NamedTuple):
    """What is to be written of a sheet: all of it, or one part, below the `head` that all parts repeat."""

    rows: Iterable[SheetRow]
    hidden_columns: Collection[int] = ()
    part_suffix: str = ""
    """Which part it is, as `, rows 701-1,400 (part 2 of 7)`; nothing where it is all."""
    head: Cells | None = None
    text_if_empty: str = NO_ROW
    """What is said of a part of which nothing is shown."""
    has_addresses: bool = False
    """Its cells have addresses such as C5: the range is told where it cannot be counted in the table."""
    names_empty: bool = False
    """Rows and columns without text that are not shown are named, also those at the edges."""


def part_suffix(number: int, count: int, first: int, last: int) -> str:
    """Returns what follows the name of a sheet to name a part: its rows where these are numbered, its own number."""
    rows = f", rows {first:,}-{last:,}" if 0 < first <= last else ""
    return f"{rows} (part {number:,} of {count:,})"


def part_suffix_of_rows(number: int, count: int, rows: Sequence[SheetRow]) -> str:
    """Returns what follows the name of a sheet to name the part with these rows."""
    first, last = (rows[0].number, rows[-1].number) if rows else (0, 0)
    return part_suffix(number, count, first, last)


class _KeptRows(NamedTuple):
    """The rows of a sheet that are shown."""

    rows: list[SheetRow]
    gaps: dict[int, int]
    """Numbers of rows before which others are empty, with the number of the first of these."""
    cut: bool
    hidden: int
    first: int
    last: int
    """Numbers of the first row and of the last, with or without text."""
    width: int

    @property
    def shown_numbers(self) -> list[int]:
        """The numbers of the rows that are shown; an empty one stands for the first of a gap."""
        numbers = [
            number for row in self.rows for number in (self.gaps.get(row.number), row.number) if number is not None
        ]
        return numbers[1:] if self.rows[0].number in self.gaps else numbers


def sheet_markdown(name: str, hidden: bool, grid: SheetGrid) -> str:
    """Returns a sheet: its name, its cells, and what is not shown."""
    heading = f"# {' '.join(name.split())}{grid.part_suffix}"
    blocks = sheet_blocks(grid)
    if grid.part_suffix and not blocks:
        blocks = [grid.text_if_empty]
    return "\n\n".join([heading, *[HIDDEN_SHEET] * hidden, *blocks])


def sheet_blocks(grid: SheetGrid) -> list[str]:
    """Returns a table, and what is not shown; empty rows or columns in a row become one."""
    kept = _keep_rows(grid.rows)
    used = sorted({column for row in kept.rows for column in row.cells} | set(grid.head or ()))
    seen = [column for column in used if column not in grid.hidden_columns]
    told = _hidden_comment(kept.hidden, len(used) - len(seen))
    if not seen or not kept.rows:
        return told
    shown = list(_columns_with_gaps(seen[:MAX_COLUMNS], grid.hidden_columns))
    if kept.cut:
        of = " of this part" if grid.part_suffix else ""
        told.append(f"*Rows{of} after {kept.rows[-1].number:,} are not shown: {READ_ON}.*")
    if len(seen) > MAX_COLUMNS:
        told.append(f"*Columns after {column_name(shown[-1])} are not shown: {READ_ON}.*")
    addresses = _address_comment(kept, shown, bool(grid.part_suffix)) if grid.has_addresses else []
    empty = _empty_ranges_comment(kept, shown, len(seen)) if grid.names_empty else []
    return [*addresses, *empty, "\n".join(_table_lines(kept, shown, grid.head)), *told]


def _address_comment(kept: _KeptRows, columns: list[int], is_part: bool) -> list[str]:
    """Returns the range of the cells, where the first is not A1 or rows or columns inside are left out."""
    rows = kept.shown_numbers
    left_out = [*_missing_ranges("row", rows, str), *_missing_ranges("column", columns, column_name)]
    if not left_out and columns[0] == 0 and (is_part or rows[0] == 1):
        return []
    told = f"; left out: {', '.join(left_out)}" if left_out else ""
    return [f"<!-- cells {column_name(columns[0])}{rows[0]}:{column_name(columns[-1])}{rows[-1]}{told} -->"]


def _empty_ranges_comment(kept: _KeptRows, columns: list[int], filled: int) -> list[str]:
    """Returns the comment that names the ranges of rows and columns without text, which are not shown."""
    last = kept.shown_numbers[-1] if kept.cut else kept.last
    width = kept.width if filled <= MAX_COLUMNS else 0
    rows = _missing_ranges("row", [kept.first - 1, *kept.shown_numbers, last + 1], str)
    told = rows + _missing_ranges("column", [-1, *columns, max(width, columns[-1] + 1)], column_name)
    return [f"<!-- empty, left out: {', '.join(told)} -->"] if told else []


def _missing_ranges(noun: str, numbers: list[int], name: Callable[[int], str]) -> list[str]:
    """Returns which numbers are missing between others, in words."""
    missing = [(before + 1, number - 1) for before, number in pairwise(numbers) if number > before + 1]
    told = [
        f"{noun} {name(first)}" if first == last else f"{noun}s {name(first)}-{name(last)}"
        for first, last in missing[:MAX_RANGES]
    ]
    return told + [f"{len(missing) - MAX_RANGES:,} more runs of {noun}s"] * (len(missing) > MAX_RANGES)


def _keep_rows(rows: Iterable[SheetRow]) -> _KeptRows:
    """Returns the rows that are shown: not empty, not hidden, within the bounds."""
    kept: list[SheetRow] = []
    gaps: dict[int, int] = {}
    hidden, room, before = 0, MAX_CHARACTERS, 0
    first = last = width = 0
    cut = False
    for row in rows:
        first, last, width = first or row.number, row.number, max(width, row.width)
        if not row.cells:
            continue
        if row.number > before + 1:
            gaps[row.number] = before + 1
        before = row.number
        if row.hidden:
            hidden += 1
            continue
        room -= sum(map(len, row.cells.values())) + len(row.cells) * 3
        if kept and (len(kept) >= MAX_ROWS or room < 0):
            cut = True
            break
        kept.append(row)
    return _KeptRows(rows=kept, gaps=gaps, cut=cut, hidden=hidden, first=first, last=last, width=width)


def _hidden_comment(rows: int, columns: int) -> list[str]:
    """Returns the comment about hidden rows and columns."""
    counts = [f"{count:,} {noun}{'s' * (count > 1)}" for count, noun in ((rows, "row"), (columns, "column")) if count]
    return [f"<!-- hidden, left out: {', '.join(counts)} -->"] if counts else []


def _table_lines(kept: _KeptRows, shown: list[int], head: Cells | None) -> Iterator[str]:
    """Yields the lines of a table; a gap between rows is an empty row."""
    rule = "|" + " --- |" * len(shown)
    if head:
        yield from (_table_line(head, shown), rule)
    for index, (number, cells, *_) in enumerate(kept.rows):
        if index and number in kept.gaps:
            yield _table_line({}, shown)
        yield _table_line(cells, shown)
        if not index and not head:
            yield rule


def _columns_with_gaps(numbers: list[int], hidden: Collection[int]) -> Iterator[int]:
    """Yields the numbers, and one between those that do not follow each other unless what lies between is hidden."""
    before = numbers[0]
    for number in numbers:
        gap = next((between for between in range(before + 1, number) if between not in hidden), None)
        if gap is not None:
            yield gap
        yield number
        before = number


def _table_line(cells: Cells, columns: list[int]) -> str:
    """Returns a row of a table."""
    return "| " + " | ".join([escape_cell(cells[column]) if column in cells else "" for column in columns]) + " |"


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
