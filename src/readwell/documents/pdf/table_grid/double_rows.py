"""Finds rows between two ruling lines: lines that fill most columns, too far apart to be the text of one cell."""

from __future__ import annotations

from itertools import pairwise

from ..region import Region
from .column_assignment import Line, filled_columns
from .line_measures import Measures

APART = 1.75
"""The least distance of such lines, in ems: lines of one text are closer."""
MIN_COLUMNS, MOST = 3, 0.6
"""How many columns beyond the first such lines fill: at least, and as a share."""
MIN_BANDS = 2
"""In how many bands they must be: one may be text of wide leading."""


def rows_set_apart(region: Region, lines: list[Line], measures: Measures) -> frozenset[int]:
    """Returns the numbers of lines that begin a row of their own below the first one of their band."""
    if not measures.ruled:
        return frozenset()
    bands = [_lines_beginning_rows(region, lines, band) for band in measures.bands if len(band) > 1]
    several = [begun for begun in bands if begun]
    return frozenset(number for begun in several for number in begun) if len(several) >= MIN_BANDS else frozenset()


def _lines_beginning_rows(region: Region, lines: list[Line], band: range) -> list[int]:
    """Returns the lines of a band that begin rows, if all others of it belong to the first column."""
    columns = len(lines[0]) - 1
    full = [number for number in band if len(filled_columns(lines[number]) - {0}) >= max(MIN_COLUMNS, MOST * columns)]
    if any(filled_columns(lines[number]) - {0} for number in band if number not in full):
        return []
    heights = [region.rows[number].mid_y for number in full]
    near = any(below - above < APART * region.em for above, below in pairwise(heights))
    return [] if near else full[1:]
