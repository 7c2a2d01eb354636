"""Finds rows of a table above its first ruling line (a header) or below its last one."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from ..gutters import find_gutters
from ..page_content.word_index import WordIndex
from ..page_content.word_rows import Interval, Row, extent, joined_text, rows_of_sorted
from ..page_model import Box, RulingLine
from ..text_patterns import is_caption

GAP = 0.9
"""The least gap, in ems, between the cells of a row."""
MIN_GUTTER = 0.4
"""The least width, in ems, of the gutters inside the ruling lines."""
CROSSING = 0.2
"""The share of rows inside that may cross a gutter where there are five or more."""
MIN_RULINGS = 4
"""The fewest ruling lines across a table that may have rows outside."""
MIN_PARTS = 0.5
"""The share of the columns in which the fullest row outside must have words."""
MAX_ROWS = 3
"""How far above the ruling lines rows are looked for, in heights of such a row; below them it is one."""
MARGIN = 4.0
"""How far, in points, ruling lines may end inside a table, and rows may reach beyond it."""
HIGHER = 1.3
"""The largest height of a row outside the ruling lines, as a multiple of the median distance of ruling lines."""
STACKED = 1.4
"""The pitch, in ems, below which a further line outside belongs to the one before."""
BESIDE = 1.5
"""How far beside a table, in ems, words of rows outside are looked for."""


def with_rows_outside(box: Box, horizontal: Sequence[RulingLine], index: WordIndex) -> Box:
    """Extends a box by adjacent rows of a table with ruling lines between its rows, but none above or below them.

    Such a row has its gaps where the others have theirs, and is as close to them as they are to each other.
    """
    x0, top, x1, bottom = box
    across = [ruling.at for ruling in horizontal if ruling.start < x0 + MARGIN and ruling.end > x1 - MARGIN]
    ruling_lines = [y for y in across if top - 1 <= y <= bottom + 1]
    if len(ruling_lines) < MIN_RULINGS:
        return box
    inside = [_segment_extents(row) for row in rows_of_sorted(index.within(box, 0))]
    several = [parts for parts in inside if len(parts) > 1]
    if len(several) < 2:
        return box
    band = HIGHER * median(below - above for above, below in pairwise(ruling_lines))
    gaps = find_gutters(several, MIN_GUTTER * index.em, CROSSING if len(several) > 4 else 0.0)
    above = _fitting(_rows_next_to(index, box, top - MAX_ROWS * band, top)[::-1], top, band, gaps, box)
    below = _fitting(_rows_next_to(index, box, bottom, bottom + band), bottom, band, gaps, box)
    return x0, min([top, *(row.top for row in above)]), x1, max([bottom, *(row.bottom for row in below)])


def _rows_next_to(index: WordIndex, box: Box, upper: float, lower: float) -> list[Row]:
    """Returns the rows above or below a box, also a little beside it."""
    reach = BESIDE * index.em
    return rows_of_sorted(index.within((box[0] - reach, upper, box[2] + reach, lower), 0))


def _segment_extents(row: Row) -> list[Interval]:
    """Returns the extents of a row's segments."""
    return [extent(segment) for segment in row.segments(GAP)]


def _fitting(rows: list[Row], edge: float, band: float, gaps: list[Interval], box: Box) -> list[Row]:
    """Returns the rows, from the edge of the table outwards, that continue it."""
    taken: list[Row] = []
    for row in rows:
        parts = _segment_extents(row)
        near = abs(row.mid_y - edge) < band if not taken else abs(row.mid_y - taken[-1].mid_y) < STACKED * row.size
        if not near or is_caption(joined_text(row.words[:3])) or not _fits(parts, gaps, box):
            break
        taken.append(row)
    while taken and len(_segment_extents(taken[-1])) < 2 and gaps and taken[-1].words[0].x0 < gaps[0][0]:
        taken.pop()
    widest = max((len(_segment_extents(row)) for row in taken), default=0)
    return taken if widest >= max(2, MIN_PARTS * (len(gaps) + 1)) else []


def _fits(parts: list[Interval], gaps: list[Interval], box: Box) -> bool:
    """Whether no part covers a gap between two columns or extends beyond the table."""
    if parts[0][0] < box[0] - MARGIN or parts[-1][1] > box[2] + MARGIN:
        return False
    return not any(start < left and end > right for start, end in parts for left, right in gaps)
