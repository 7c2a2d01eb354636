"""Finds rows between two ruling lines: lines that fill most columns, too far apart to be the text of one cell."""

from __future__ import annotations

from itertools import pairwise

from ..page_content.word_rows import joined_text
from ..region import Region
from .column_assignment import Line, filled_columns
from .line_measures import Measures, is_number_cell

APART = 1.75
"""The least distance of such lines, in ems: lines of one text are closer."""
MIN_COLUMNS, MOST = 3, 0.6
"""How many columns beyond the first such lines fill: at least, and as a share."""
MIN_AMOUNTS = 2
"""How many numbers tell a row from the heads above it."""
MIN_BANDS = 2
"""In how many bands they must be: one may be text of wide leading."""


def rows_set_apart(region: Region, lines: list[Line], measures: Measures) -> frozenset[int]:
    """Returns the numbers of lines that begin a row of their own below the first one of their band."""
    if not measures.ruled:
        return frozenset()
    below_heads = _row_below_heads(lines, measures)
    if below_heads:
        return frozenset([below_heads])
    bands = [_lines_beginning_rows(region, lines, band) for band in measures.bands if len(band) > 1]
    several = [begun for begun in bands if begun]
    return frozenset(number for begun in several for number in begun) if len(several) >= MIN_BANDS else frozenset()


def _row_below_heads(lines: list[Line], measures: Measures) -> int:
    """Returns the line that begins the first row where nothing is drawn between it and the heads; 0 for none.

    So it is where every second row is shaded. The line with words in most columns is the first of a row, or the last.
    """
    first, *others = measures.bands
    full = [_full_lines(lines, band) for band in (first, *others)]
    if len(full[0]) != 2 or any(len(numbers) > 1 for numbers in full[1:]):
        return 0
    head, row = full[0]
    if _count_amounts(lines[head]) or _count_amounts(lines[row]) < MIN_AMOUNTS:
        return 0
    wrapped = [(numbers[0], band) for numbers, band in zip(full[1:], others, strict=True) if numbers and len(band) > 1]
    ends_rows = len(wrapped) >= MIN_BANDS and all(number == band[-1] for number, band in wrapped)
    return head + 1 if ends_rows else row


def _count_amounts(line: Line) -> int:
    """Returns how many cells of a line are numbers with digits."""
    return sum(is_number_cell(cell) and any(map(str.isdigit, joined_text(cell))) for cell in line)


def _full_lines(lines: list[Line], band: range) -> list[int]:
    """Returns the lines of a band that have words in most columns."""
    columns = len(lines[0]) - 1
    return [number for number in band if len(filled_columns(lines[number]) - {0}) >= max(MIN_COLUMNS, MOST * columns)]


def _lines_beginning_rows(region: Region, lines: list[Line], band: range) -> list[int]:
    """Returns the lines of a band that begin rows, if all others of it belong to the first column."""
    full = _full_lines(lines, band)
    if any(filled_columns(lines[number]) - {0} for number in band if number not in full):
        return []
    heights = [region.rows[number].mid_y for number in full]
    near = any(below - above < APART * region.em for above, below in pairwise(heights))
    return [] if near else full[1:]
