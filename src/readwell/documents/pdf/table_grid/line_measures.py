"""Measures the lines of a table before they are merged into rows: ruling lines between them, pitches, the header."""

from __future__ import annotations

from itertools import pairwise

from ....named_tuple import NamedTuple
from ..page_content.word_rows import joined_text
from ..page_model import Word
from ..region import Region
from ..text_patterns import is_number, is_year
from .column_assignment import Line
from .column_separators import count_vertical_lines

RULED_ACROSS = 0.3
"""The share of the width that ruling lines between two lines must cover to separate them."""
RULED = 0.45
"""The number of bands for each line from which a table is ruled."""
MANY_BANDS, LIGHTLY_RULED, THREE_BANDS = 4, 0.2, 0.3
"""The same with vertical ruling lines: of so many bands or more, and of three in a lattice."""
WALLS, WHOLE_HEIGHT = 3, 0.9
"""The fewest vertical ruling lines of a lattice, and the share of its height that they cover."""
HEADER_NUMBERS = 0.4
"""The share of a line's cells beyond the first that must be numbers for it to be the first one below the header."""


class Measures(NamedTuple):
    """Measurements of a table's lines before they are merged."""

    ruling_below: list[bool]
    """For each line but the last, whether ruling lines separate it from the next."""
    ruled: bool
    pitches: list[float]
    header: int
    """The number of lines above the first one with many numbers, or above the first ruling line if there is none.

    In a table whose rows are aligned it is replaced by the lines above the row of the first number.
    """
    columns: int

    @property
    def bands(self) -> list[range]:
        """Runs of lines without a ruling line between them."""
        ends = [number + 1 for number, ruled in enumerate(self.ruling_below) if ruled]
        return [range(a, b) for a, b in pairwise([0, *ends, len(self.ruling_below) + 1])]


def ruling_below_each_line(region: Region) -> list[bool]:
    """Returns for each line but the last whether ruling lines separate it from the next."""
    return [_ruled_share(region, above.mid_y, below.mid_y) >= RULED_ACROSS for above, below in pairwise(region.rows)]


def count_ruled_head_lines(ruling_below: list[bool]) -> int:
    """Returns the number of lines above the first ruling line between lines; 0 without one."""
    return ruling_below.index(True) + 1 if True in ruling_below else 0


def is_ruled(region: Region, ruling_below: list[bool]) -> bool:
    """Whether ruling lines separate the rows of a table, so that a band between two ruling lines is one row."""
    bands, count = sum(ruling_below) + 1, len(region.rows)
    if bands < MANY_BANDS:
        in_lattice = bands >= THREE_BANDS * count and count_vertical_lines(region, WHOLE_HEIGHT) >= WALLS
        return bands == MANY_BANDS - 1 and (bands >= RULED * count or in_lattice)
    return bands >= RULED * count or (bands >= LIGHTLY_RULED * count and count_vertical_lines(region) >= 2)


def measure(region: Region, lines: list[Line], ruling_below: list[bool]) -> Measures:
    """Measures the lines of a table."""
    return Measures(
        ruling_below=ruling_below,
        ruled=is_ruled(region, ruling_below),
        pitches=[below.mid_y - above.mid_y for above, below in pairwise(region.rows)],
        header=_count_lines_above_numbers(lines, ruling_below),
        columns=len(lines[0]),
    )


def _ruled_share(region: Region, upper: float, lower: float) -> float:
    """Returns the share of the width that the ruling lines between two heights cover."""
    between = region.horizontal_between(upper, lower)
    return sum(min(ruling.end, region.x1) - max(ruling.start, region.x0) for ruling in between) / region.width


def _count_lines_above_numbers(lines: list[Line], ruling_below: list[bool]) -> int:
    """Returns how many lines precede the first one with many numbers beyond its first cell; else the ruled head."""
    for number, line in enumerate(lines):
        full = [cell for cell in line[1:] if cell]
        if full and sum(is_number_cell(c) and not is_year(joined_text(c)) for c in full) >= max(
            1, HEADER_NUMBERS * len(full)
        ):
            return number
    return count_ruled_head_lines(ruling_below) or 1


def is_number_cell(cell: list[Word]) -> bool:
    """Whether a cell is a number."""
    return bool(cell) and is_number(joined_text(cell))
