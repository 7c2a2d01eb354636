"""The outline of a document: the bookmarks of a PDF, sheets with their columns, headings of everything else."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ..documents.whole_text import was_read_from_image
from ..errors import ConversionFailed
from ..model import Notice, Outline, OutlineRow
from ..structure import markdown_parts, outline_parts, shortened
from ..structure.delimited_table import TableColumns
from ..text import InMemoryText
from .reading import ReadContext

if TYPE_CHECKING:
    from ..documents import PagedText

HIDDEN_SHEET = "<!-- hidden sheet -->"
"""The comment by which a converter tells that a sheet is hidden."""
APART = ("slide", "chapter")
"""Units whose sections end with the unit."""
NEAR_TOP = 2
"""Lines after its anchor in which a unit may have its title."""
SHARE = 0.6
"""The share of the remaining time for finding headings."""
MAX_BOOKMARKS = 20_000
LONGEST, LONGEST_TABLE = 120, 1500
QUICK = ("pdf", "sqlite", "parquet", "arrow")
"""Documents whose outline needs no conversion."""
NO_HEADINGS = Notice("no-outline", "no outline: the document has no headings; read it by pages or search it")


def document_outline(context: ReadContext, form: str) -> Outline:
    """Returns the outline of a document."""
    if form in QUICK and context.resources.documents.reader is None and (outline := _quick_outline(context, form)):
        return outline
    text = context.resources.documents.text_of(context.source, form, context.deadline)
    if isinstance(text, InMemoryText):
        return _outline_of_lines(form, text)
    context.cleanups.append(text.close)
    return _outline_of_units(context, form, text)


def _quick_outline(context: ReadContext, form: str) -> Outline | None:
    """Returns the bookmarks of a PDF, the tables of a database; None where there are none."""
    told = context.resources.documents.outline_of(context.source, f"outline-{form}", b"", context.deadline)
    try:
        sent: Any = json.loads(told)
        count, marks, *names = sent
        unit = names[0] if names and names[0] in ("table", "part") else "page"
        rows = [_unit_row(unit, *mark) for mark in marks[:MAX_BOOKMARKS]]
        units = int(count)
    except (TypeError, ValueError) as error:
        raise ConversionFailed(form, "the parser sent what is no outline") from error
    return Outline(form, rows, unit=unit, units=units) if rows else None


def _unit_row(unit: str, depth: int, first: int, last: int, title: str) -> OutlineRow:
    """Returns a row for a bookmark or sheet; raises TypeError for what the child should not have sent."""
    if [type(each) for each in (depth, first, last, title)] != [int, int, int, str]:
        raise TypeError("no bookmark")
    longest = LONGEST if unit == "page" else LONGEST_TABLE
    return OutlineRow(None, None, depth, kind=unit, label=_shorten_label(title, longest), page=first, last_page=last)


def _shorten_label(label: str, longest: int = LONGEST) -> str:
    """Returns a label in one line, cut where it is too long."""
    return shortened(" ".join(label.split()), longest)


def _outline_of_lines(form: str, text: InMemoryText) -> Outline:
    """Returns the headings of a document that the application's own converter returned."""
    from .file_structure import WHOLE

    lines = text.take(1, text.total(), 1, WHOLE).strings
    rows = _heading_rows(lines, [])
    return Outline(form, rows, text.total(), notices=() if rows else (NO_HEADINGS,))


def _outline_of_units(context: ReadContext, form: str, text: PagedText) -> Outline:
    """Returns the headings of all units, or of those that could be converted in time."""
    deadline = context.deadline
    until = deadline.clock() + (deadline.expires - deadline.clock()) * SHARE
    lines: list[str] = []
    starts: list[int] = []
    by_ocr = 0
    whole = text.whole_part()
    unit, units = whole.unit, whole.units
    for unit_lines in text.units():
        starts.append(len(lines) + 1)
        lines += unit_lines
        by_ocr += was_read_from_image(unit_lines)
        if deadline.clock() > until:
            break
    rows = _row_finder(unit)(lines, starts if unit else [])
    notices = [] if rows else [NO_HEADINGS]
    if len(starts) < units:
        what = f"only {unit}s 1-{len(starts)} of {units} were looked through in time: ask again to go on"
        notices.append(Notice("outline-cut", what))
    return Outline(form, rows, len(lines), unit=unit, units=units, notices=tuple(notices), by_ocr=by_ocr)


def _row_finder(unit: str) -> Callable[[Sequence[str], Sequence[int]], list[OutlineRow]]:
    """Returns the function that makes rows for a kind of unit."""
    if unit == "sheet":
        return _sheet_rows
    return partial(_rows_unit_by_unit, unit) if unit in APART else _heading_rows


def _rows_unit_by_unit(unit: str, lines: Sequence[str], starts: Sequence[int]) -> list[OutlineRow]:
    """Returns the headings of each unit, which end with it, and a row for a unit without any."""
    rows: list[OutlineRow] = []
    for number, (start, end) in enumerate(_unit_ranges(starts, len(lines)), 1):
        own_rows = [_move_row(row, start - 1, number) for row in _heading_rows(lines[start - 1 : end], [])]
        if not own_rows or (own_rows[0].start or 0) > start + NEAR_TOP:
            rows.append(OutlineRow(start, end, 0, kind=unit, label=f"{unit} {number}, without a title", page=number))
            own_rows = [row._replace(depth=row.depth + 1) for row in own_rows]
        rows += own_rows
    return rows


def _move_row(row: OutlineRow, lines: int, page: int) -> OutlineRow:
    """Returns a row of one unit with the line numbers of the whole document."""
    return row._replace(start=(row.start or 0) + lines, end=(row.end or 0) + lines, page=page)


def _unit_ranges(starts: Sequence[int], total: int) -> list[tuple[int, int]]:
    """Returns the first and the last line of each unit."""
    ends = [*(start - 1 for start in starts[1:]), total]
    return [(start, max(start, end)) for start, end in zip(starts, ends, strict=True)]


def _heading_rows(lines: Sequence[str], starts: Sequence[int]) -> list[OutlineRow]:
    """Returns the headings with their lines and pages."""
    placed = outline_parts(markdown_parts(lines)).rows
    pages = _pages_of([part.start for part, _ in placed], starts)
    return [
        OutlineRow(part.start, part.end, depth, kind=part.kind, label=_shorten_label(part.label), page=page)
        for (part, depth), page in zip(placed, pages, strict=True)
    ]


def _pages_of(lines: Sequence[int], starts: Sequence[int]) -> Iterator[int | None]:
    """Yields the page of each line, by the lines at which pages start."""
    for line in lines:
        yield bisect_right(starts, line) if starts else None


def _sheet_rows(lines: Sequence[str], starts: Sequence[int]) -> list[OutlineRow]:
    """Returns a row per sheet: name, size, columns."""
    return [
        OutlineRow(start, end, 0, kind="sheet", label=sheet_label(lines[start:end]), page=number)
        for number, (start, end) in enumerate(_unit_ranges(starts, len(lines)), 1)
    ]


def sheet_label(lines: Sequence[str]) -> str:
    """Returns the label of a sheet from its Markdown: a heading, a comment where it is hidden, then a table."""
    name = next((line.removeprefix("# ") for line in lines if line.startswith("# ")), "(no name)")
    name += " (hidden)" if HIDDEN_SHEET in lines else ""
    cells = [line.strip().strip("|").split(" | ") for line in lines if line.startswith("|")]
    if len(cells) < 2:
        return f"{name}, empty"
    columns = TableColumns(cells[0])
    for row in cells[2:]:
        columns.add(row)
    return f"{name}, {columns.summary()}"
