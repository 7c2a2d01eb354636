"""Where the columns of a finished table stand, to compare them with those of a table on another page."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from statistics import median

from ....named_tuple import NamedTuple
from ..page_model import Table, Word
from ..text_patterns import is_number, is_year

SAME_EDGE = 0.6
"""The largest distance, in ems, of the edges of a column on two pages."""


class Column(NamedTuple):
    """Where the cells of a column usually start, end and have their middle."""

    left: float
    right: float
    middle: float


NOWHERE = Column(inf, inf, inf)
"""A column without a word."""


def columns_of(table: Table) -> list[Column]:
    """Returns the columns of a table; heads that span several hardly count, for the median is taken."""
    columns: list[Column] = []
    for number in range(len(table.cells[0])):
        cells = [row[number] for row in table.cells if row[number]]
        lefts, rights = [min(w.x0 for w in cell) for cell in cells], [max(w.x1 for w in cell) for cell in cells]
        middles = [(left + right) / 2 for left, right in zip(lefts, rights, strict=True)]
        columns.append(Column(median(lefts), median(rights), median(middles)) if cells else NOWHERE)
    return columns


def match_columns(columns: list[Column], among: list[Column], em: float) -> list[int] | None:
    """Returns the number of each column among others; None if one is not among them."""
    places: list[int] = []
    for column in columns:
        first = places[-1] + 1 if places else 0
        place = next((n for n in range(first, len(among)) if distance(column, among[n]) <= SAME_EDGE * em), None)
        if place is None:
            return None
        places.append(place)
    return places


def distance(one: Column, other: Column) -> float:
    """Returns how far two columns are apart where they are nearest: on the left, on the right or in the middle."""
    return min(abs(a - b) for a, b in zip(one, other, strict=True))


def is_amount(cell: Sequence[Word]) -> bool:
    """Whether a cell is a number, but no year."""
    text = " ".join(word.text for word in cell)
    return is_number(text) and not is_year(text)
