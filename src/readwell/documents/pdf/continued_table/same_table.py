"""Whether the last table of a page and the first of the next are one, and which head it has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ....named_tuple import NamedTuple
from ..document_facts.running_lines import PageLines, RunningLines, lines_at_edge, running_lines_of
from ..page_content.text_lines import Line, letters
from ..page_model import Table, Word
from .column_positions import Column, columns_of, is_amount, match_columns
from .last_rows import find_rest, may_begin_with_rest

LOWEST, HIGHEST = 0.7, 0.3
"""Shares of a page's height: a table that goes on ends below the one, and goes on above the other."""
SAME_HEIGHT = 6.0
MIN_COLUMNS = 3
"""Fewer columns must have a head that can be told from the rows below it."""
MAX_HEAD = 3
MOSTLY = 0.6
CONTINUED = re.compile(
    r"\b(continue[sd]?|continuing|cont['’]?d|cont\.|carried (over|forward)|brought forward|fortsetzung|übertrag"
    r"|suite|à suivre|continuación|continúa|continuação|continuazione|continua|segue|vervolg)",
    re.IGNORECASE,
)
"""Lines between the two parts of a table that say themselves that it goes on."""


class PageWithTables(NamedTuple):
    """A page whose tables are known, and the running lines of its document."""

    page: PageLines
    tables: Sequence[Table]
    running: RunningLines


class Head(NamedTuple):
    """The head of a table: its rows, and the columns of the whole table."""

    rows: list[list[str]]
    columns: list[Column]


def table_at_page_end(page: PageWithTables) -> Table | None:
    """Returns the table that ends a page, if one reaches down far enough."""
    table = max(page.tables, key=lambda table: table.box[3], default=None)
    return table if table and table.box[3] > LOWEST * page.page.height else None


def table_at_page_start(page: PageWithTables) -> Table | None:
    """Returns the table that begins a page, if one starts near the top."""
    table = min(page.tables, key=lambda table: table.box[1], default=None)
    return table if table and table.box[1] < HIGHEST * page.page.height else None


class Continuation(NamedTuple):
    """The part of a table on a page onto which it goes on."""

    table: Table
    repeated: int
    """How many rows of its head are printed again."""
    rest: bool
    """Whether only the page before shows that it is a table."""


def find_continuation(above: PageWithTables, below: PageWithTables) -> Continuation | None:
    """Returns the part of the last table of a page on the next page; None if it does not go on.

    Nothing but running lines may stand between the two; the columns must be the same, and the first row below must
    repeat the head or look like the other rows.
    """
    ending = table_at_page_end(above)
    if ending is None or not ending.cells or _lines_below(ending, above, below):
        return None
    first = table_at_page_start(below)
    repeated = _count_repeated_head_rows(ending, first, above, below) if first and first.cells else None
    if first and repeated is not None:
        return Continuation(first, repeated, rest=False)
    rest = find_rest(ending, [word for line in _text_lines_outside(None, below, above) for word in line.words])
    if rest is None or any(_belongs_partly_to(table, rest) for table in below.tables):
        return None
    repeated = _count_equal_first_rows(ending, rest)
    return Continuation(rest, repeated, rest=True) if repeated or _begins_without_head(ending, rest) else None


def _belongs_partly_to(table: Table, rest: Table) -> bool:
    """Whether some words of a table belong to a rest, but not all."""
    return bool(table.char_indexes & rest.char_indexes and table.char_indexes - rest.char_indexes)


def with_rest_in_front(tables: Sequence[Table], rest: Table) -> list[Table]:
    """Returns the tables of a page with one more in front, which replaces those inside it."""
    return [rest, *(table for table in tables if not table.char_indexes & rest.char_indexes)]


def may_go_on_from_above(page: PageWithTables) -> bool:
    """Whether a table begins a page, or words with a gap between them that may be its rest."""
    return table_at_page_start(page) is not None or may_begin_with_rest(page.page)


def _count_repeated_head_rows(ending: Table, first: Table, above: PageWithTables, below: PageWithTables) -> int | None:
    """Returns how many rows of a head the first table of a page repeats; None if it does not go on from above."""
    if _lines_above(first, below, above):
        return None
    repeated = _count_equal_first_rows(ending, first)
    shift = first.box[0] - ending.box[0] if repeated else 0.0
    columns, others, em = columns_of(ending), columns_of(first), _words(ending)[0].size
    if not any(_columns_fit(columns, others, em, each) for each in {0.0, shift}):
        return None
    return repeated if repeated or _begins_without_head(ending, first) else None


def head_of(table: Table) -> Head | None:
    """Returns the head of a table, if it can be told from the rows below."""
    count = _count_head_rows(table)
    return Head(table.rows[:count], columns_of(table)) if count else None


def with_head(table: Table, head: Head) -> Table | None:
    """Returns a table with the head of an earlier page and in its columns; None where they do not fit."""
    columns = columns_of(table)
    places = match_columns(columns, head.columns, _words(table)[0].size)
    if places is None or (len(columns) < len(head.columns) and _runs_right_to_left(table)):
        return None
    width = len(head.columns)
    rows = [_with_missing_columns(row, places, width) for row in table.rows] if len(columns) < width else table.rows
    return table._replace(rows=[*head.rows, *rows])


def _with_missing_columns(row: list[str], places: list[int], width: int) -> list[str]:
    """Returns a row with empty cells for the columns that it lacks."""
    placed = [""] * width
    for place, text in zip(places, row, strict=True):
        placed[place] = text
    return placed


def _runs_right_to_left(table: Table) -> bool:
    """Whether the columns are written from right to left."""
    first = next(row for row in table.cells if sum(map(bool, row)) > 1)
    number = table.cells.index(first)
    filled = [column for column, cell in enumerate(first) if cell]
    return not table.rows[number][filled[0]].startswith(first[filled[0]][0].text)


def _columns_fit(one: list[Column], other: list[Column], em: float, shift: float) -> bool:
    """Whether the columns of the narrower table are columns of the other, which may have others besides."""
    moved = [Column(*(edge - shift for edge in column)) for column in other]
    fewer, more = sorted((one, moved), key=len)
    return len(fewer) > 1 and 2 * len(fewer) > len(more) and match_columns(fewer, more, em) is not None


def _lines_below(table: Table, page: PageWithTables, other: PageWithTables) -> list[Line]:
    """Returns the lines of a page beside the last row of a table or below it, but for running lines."""
    top = min(word.top for cell in table.cells[-1] for word in cell) + 1
    return [line for line in _text_lines_outside(table, page, other) if line.bottom > top]


def _lines_above(table: Table, page: PageWithTables, other: PageWithTables) -> list[Line]:
    """Returns the lines of a page beside the first row of a table or above it, but for running lines."""
    bottom = max(word.bottom for cell in table.cells[0] for word in cell) - 1
    return [line for line in _text_lines_outside(table, page, other) if line.top < bottom]


def _text_lines_outside(table: Table | None, page: PageWithTables, other: PageWithTables) -> list[Line]:
    """Returns the lines outside a table that neither repeat on another page nor say that something goes on."""
    running = running_lines_of(page.page, page.running) + _repeated_edge_lines(page, other)
    known = {line.words[0].char_index for line in running}
    inside = table.char_indexes if table else frozenset[int]()
    return [
        line
        for line in page.page.lines
        if any(word.char_index not in inside for word in line.words)
        and line.words[0].char_index not in known
        and not CONTINUED.search(line.text)
    ]


def _repeated_edge_lines(page: PageWithTables, other: PageWithTables) -> list[Line]:
    """Returns the lines at the edges of a page that another has at the same height outside tables, but for numbers."""
    inside = {index for table in other.tables for index in table.char_indexes}
    there = [
        (line.baseline, letters(line.text))
        for line in lines_at_edge(other.page)
        if line.words[0].char_index not in inside
    ]
    return [
        line
        for line in lines_at_edge(page.page)
        if any(abs(line.baseline - baseline) < SAME_HEIGHT and letters(line.text) == text for baseline, text in there)
    ]


def _count_equal_first_rows(above: Table, below: Table) -> int:
    """Returns how many rows both tables begin with; a head has texts in several cells."""
    count = 0
    for one, other in zip(above.rows, below.rows, strict=False):
        if [each for each in one if each] != [each for each in other if each] or count == MAX_HEAD:
            break
        count += 1
    named = sum(bool(letters(text)) for row in above.rows[:count] for text in row)
    return count if named > 1 else 0


def _begins_without_head(above: Table, below: Table) -> bool:
    """Whether the first row of a table looks like the rows of the one above, not like a head."""
    count = _count_head_rows(above)
    first = below.cells[0]
    if not count:
        return len(above.cells[0]) >= MIN_COLUMNS and not _count_head_rows(below)
    if _is_bold(above.cells[0]) and not _is_bold(above.cells[count]):
        return not _is_bold(first)
    return any(is_amount(cell) for cell in first if cell)


def _count_head_rows(table: Table) -> int:
    """Returns how many rows are evidently the head: in bold above others, or words above numbers."""
    bold = _count_leading_true(_is_bold(row) for row in table.cells)
    if 0 < bold <= MAX_HEAD and bold < len(table.cells):
        return bold
    worded = _count_leading_true(not any(is_amount(cell) for cell in row if cell) for row in table.cells)
    if not 0 < worded < min(MAX_HEAD, len(table.cells)):
        return 0
    body = table.cells[worded:]
    for number, title in enumerate(table.cells[worded - 1]):
        filled = [row[number] for row in body if row[number]]
        if title and sum(is_amount(cell) for cell in filled) > MOSTLY * len(filled):
            return worded
    return 0


def _count_leading_true(flags: Iterable[bool]) -> int:
    """Returns how many of the first flags are set."""
    count = 0
    for flag in flags:
        if not flag:
            break
        count += 1
    return count


def _is_bold(row: Sequence[Sequence[Word]]) -> bool:
    """Says whether all words of a row are bold."""
    return all(word.font.bold for cell in row for word in cell)


def _words(table: Table) -> list[Word]:
    """Returns all words of a table."""
    return [word for row in table.cells for cell in row for word in cell]
