"""The cells of a worksheet: rows of XML become texts by column."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element

from ..sheet_markdown import Cells, SheetRow, column_number
from ..xml_tree import local_name, whole_number
from .formulas import SharedFormulas
from .number_formats import Formats
from .shared_strings import rich_text

LETTERS = re.compile("[A-Z]{1,3}")
MAX_COLUMNS = 16_384
YES = ("1", "true")
UNKNOWN_FORMULA = "=(formula shared with a cell before this part)"


class CellReader:
    """Turns cells into texts, by the formats and shared texts of their workbook."""

    def __init__(self, formats: Formats, shared: Callable[[int], str]) -> None:
        self._formats, self._shared = formats, shared
        self._columns: dict[str, int] = {}

    def rows(self, root: Element) -> Iterator[SheetRow]:
        """Yields the rows of a worksheet, or of a stretch of one, with their numbers."""
        number = 0
        rows = rows_of(root)
        formulas = SharedFormulas(rows)
        for row in rows:
            number = whole_number(row.get("r"), number + 1)
            yield SheetRow(number, self._cells(row, row.tag[:-3], formulas), row.get("hidden") in YES)

    def _cells(self, row: Element, namespace: str, formulas: SharedFormulas) -> Cells:
        """Returns the texts of a row by their columns."""
        cells: Cells = {}
        column = -1
        cell, value = f"{namespace}c", f"{namespace}v"
        for element in row:
            if element.tag != cell:
                continue
            column = self._column(element.get("r", ""), column)
            written = element.findtext(value) or ""
            text = self._text(element, written) if written or element.get("t") == "inlineStr" else ""
            text = text or ("" if written else _formula(element, f"{namespace}f", formulas))
            if text and not text.isspace():
                cells[column] = text
        return cells

    def _column(self, cell: str, before: int) -> int:
        """Returns the column of a cell; without a reference the one after the last."""
        letters = cell.rstrip("0123456789")
        if letters not in self._columns:
            if not LETTERS.fullmatch(letters):
                return before + 1
            self._columns[letters] = column_number(letters)
        return self._columns[letters]

    def _text(self, element: Element, written: str) -> str:
        """Returns what a cell shows, by its type."""
        match element.get("t", "n"):
            case "n":
                return self._formats.text(written, element.get("s", "0")) if written else ""
            case "s":
                index = whole_number(written, -1)
                return self._shared(index) if index >= 0 else ""
            case "b":
                return "TRUE" if written == "1" else "FALSE"
            case "inlineStr":
                return "".join([rich_text(inline) for inline in element if local_name(inline) == "is"])
            case _:
                return written


def _formula(element: Element, name: str, formulas: SharedFormulas) -> str:
    """Returns the formula of a cell without a value: a program that wrote it did not compute it."""
    formula = element.find(name)
    if formula is None:
        return ""
    text, shared = formula.text, formula.get("si")
    if formula.get("t") == "shared" and shared is not None and not text:
        text = formulas.formula_for_cell(shared, element.get("r", ""), name)
        return f"={text}" if text else UNKNOWN_FORMULA
    return f"={text}" if text else ""


def rows_of(root: Element) -> list[Element]:
    """Returns the rows of a worksheet, or of a stretch of one."""
    return [row for row in _children_of_named(root, "sheetData") if local_name(row) == "row"]


def hidden_columns(root: Element) -> set[int]:
    """Returns the columns that a worksheet does not show, counted from 0."""
    hidden: set[int] = set()
    for column in _children_of_named(root, "cols"):
        if column.get("hidden") in YES:
            first, last = whole_number(column.get("min"), 1), whole_number(column.get("max"), 0)
            hidden.update(range(first - 1, min(last, MAX_COLUMNS)))
    return hidden


def _children_of_named(root: Element, name: str) -> Iterator[Element]:
    """Yields what is in the elements of a name."""
    return (child for each in root if local_name(each) == name for child in each)
