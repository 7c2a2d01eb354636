"""Formulas that cells share: that of the first cell, with its references moved to another."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element

from ..sheet_markdown import column_name, column_number

QUOTED = r"""("[^"]*"|'[^']*'!)"""
REFERENCE = re.compile(QUOTED + r"|(?<![A-Za-z0-9_.$])(\$?)([A-Z]{1,3})(\$?)([0-9]{1,7})(?![A-Za-z0-9_(.])")
PLACE = re.compile("([A-Z]{1,3})([0-9]{1,7})")


class SharedFormulas:
    """The formulas that cells of these rows share, looked for when a cell refers to one."""

    def __init__(self, rows: Iterable[Element]) -> None:
        self._rows = rows
        self._found: dict[str, tuple[str, str]] | None = None

    def formula_for_cell(self, shared: str, cell: str, name: str) -> str:
        """Returns a formula as a cell has it; empty where none of the rows has it. Formulas have this `name`."""
        if self._found is None:
            formulas = ((each.get("r", ""), each.find(name)) for row in self._rows for each in row)
            self._found = {
                formula.get("si", ""): (formula.text, first)
                for first, formula in formulas
                if formula is not None and formula.text and formula.get("t") == "shared"
            }
        text, first = self._found.get(shared, ("", ""))
        return move_formula(text, first, cell)


def move_formula(formula: str, first: str, cell: str) -> str:
    """Returns a formula of the cell `first` as the cell `cell` has it; the same where either is no cell."""
    came, goes = PLACE.fullmatch(first), PLACE.fullmatch(cell)
    if not came or not goes or first == cell:
        return formula
    columns = column_number(goes[1]) - column_number(came[1])
    rows = int(goes[2]) - int(came[2])

    def moved_reference(reference: re.Match[str]) -> str:
        """Returns a reference moved by rows and columns; what is fixed stays."""
        if reference[1]:
            return reference[1]
        fixed_column, column, fixed_row, row = reference[2], reference[3], reference[4], reference[5]
        column = column if fixed_column else column_name(max(0, column_number(column) + columns))
        return f"{fixed_column}{column}{fixed_row}{row if fixed_row else max(1, int(row) + rows)}"

    return REFERENCE.sub(moved_reference, formula)
