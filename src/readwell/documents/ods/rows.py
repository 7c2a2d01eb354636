"""Rows, columns and cells of an ODS: what is shown in them, and what is hidden."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

from ..markdown_blocks import MAX_COLUMNS
from ..odf_text import plain_text
from ..sheet_markdown import MAX_ROWS, Cells, SheetRow
from ..xml_tree import whole_number

WIDEST = 16_384
VALUES = tuple(f"office:{kind}value" for kind in ("", "date-", "time-", "boolean-", "string-"))
REFERENCE = re.compile(r"\[([^]\[]*)\]")
CELLS = ("table:table-cell", "table:covered-table-cell")


def numbered(rows: Iterable[Element]) -> Iterator[SheetRow]:
    """Yields rows with their numbers, those that repeat as often as a sheet may show them."""
    number = 0
    for row in rows:
        cells, repeated = cells_of(row), repeat_count(row)
        for repetition in range(min(repeated, MAX_ROWS + 1) if cells else 0):
            yield SheetRow(number + repetition + 1, cells, is_hidden(row))
        number += repeated


def repeat_count(row: Element) -> int:
    """Returns how often a row is repeated."""
    return whole_number(row.get("table:number-rows-repeated"), 1)


def cells_of(row: Element) -> Cells:
    """Returns the text of a row's cells."""
    cells: Cells = {}
    column = 0
    for element in row:
        if element.tag not in CELLS:
            continue
        repeated = whole_number(element.get("table:number-columns-repeated"), 1)
        text = _text(element)
        if text and len(cells) <= MAX_COLUMNS:
            cells |= dict.fromkeys(range(column, column + min(repeated, MAX_COLUMNS + 1)), text)
        column += repeated
    return cells


def _text(cell: Element) -> str:
    """Returns what a cell shows; of one that shows nothing, its value, and of one without a value, its formula."""
    shown = "\n".join(map(plain_text, cell.findall("text:p"))).strip() or next(filter(None, map(cell.get, VALUES)), "")
    return shown if shown or cell.get("office:value-type") else _formula(cell.get("table:formula", ""))


def _formula(formula: str) -> str:
    """Returns a formula as it is typed: `=A1+B2` for `of:=[.A1]+[.B2]`."""
    _, equals, typed = formula.partition("=")
    return equals + REFERENCE.sub(lambda match: match[1].removeprefix(".").replace(":.", ":"), typed)


def hidden_columns(columns: Iterable[Element]) -> set[int]:
    """Returns which columns are not shown, counted from 0."""
    hidden: set[int] = set()
    first = 0
    for column in columns:
        repeated = min(whole_number(column.get("table:number-columns-repeated"), 1), WIDEST)
        if is_hidden(column) and first < WIDEST:
            hidden.update(range(first, first + repeated))
        first += repeated
    return hidden


def hiding_styles(styles: Iterable[Element]) -> set[str]:
    """Returns the names of the styles that hide a sheet."""
    return {style.get("style:name", "") for style in styles if _hides_sheet(style.find("style:table-properties"))}


def _hides_sheet(properties: Element | None) -> bool:
    """Says whether the properties of a style hide a sheet."""
    return properties is not None and properties.get("table:display") == "false"


def is_hidden(element: Element) -> bool:
    """Whether a row or column is not shown, by itself or by a filter."""
    return element.get("table:visibility", "visible") != "visible"
