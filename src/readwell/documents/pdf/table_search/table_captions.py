"""Removes captions, titles set apart and notes from the box of a table."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from ..boxes import box_around
from ..page_content.word_index import WordIndex
from ..page_content.word_rows import Row, Segment, joined_text
from ..page_model import Box, RulingLine
from ..text_patterns import is_caption, is_number, is_section_number

GAP = 0.9
"""A gap between columns, in ems; a row without one is text, and may be a title or a note."""
MARGIN = 2.0
"""How far from a box, in points, words still belong to it."""
MIN_TITLE = 3
"""The fewest words behind the label of a caption and a gap: fewer may be cells beside a label."""
SET_APART = 1.5
"""How much larger than the usual line pitch of a region that below a title is."""


def is_numbered_title(parts: Sequence[Segment]) -> bool:
    """Whether the segments of a row are the number of a section and its title, which a gap may separate."""
    number, *title = parts
    return len(title) == 1 and len(number) == 1 and is_section_number(number[0].text) and title[0][0].text[0].isupper()


def without_captions(box: Box, index: WordIndex, horizontal: Sequence[RulingLine]) -> Box:
    """Returns a box without a caption at its top and without notes and sources at its bottom."""
    x0, top, x1, bottom = box
    rows = index.rows_within(box, MARGIN)
    first = _first_row_below_caption(rows)
    if 0 < first < len(rows):
        top = _boundary_height(rows[first - 1], rows[first], horizontal)
    last = _first_row_of_notes(rows)
    if first < last < len(rows):
        bottom = _boundary_height(rows[last - 1], rows[last], horizontal)
    return x0, top, x1, bottom


def without_titles(box: Box, tables: Sequence[Box], index: WordIndex) -> Box:
    """Returns the box around a region and its tables, without lines set apart above that have no numbers."""
    for table in tables:
        box = box_around(box, table)
    first = min(table[1] for table in tables)
    rows = index.rows_within(box, MARGIN)
    usual = median([below.mid_y - above.mid_y for above, below in pairwise(rows)] or [0.0])
    top = first
    for row, below in reversed(list(pairwise(rows))):
        if row.mid_y > first:
            continue
        first_part, *others = row.segments(GAP)
        numbered = any(is_number(joined_text(part)) for part in others)
        apart = below.mid_y - row.mid_y > SET_APART * usual
        if (apart and not numbered) or (others and first_part[-1].text.endswith(":")):
            break
        top = row.top
    return box[0], top, box[2], box[3]


def _first_row_below_caption(rows: list[Row]) -> int:
    """Returns the number of the first row below a caption, which continues until a row has a gap."""
    if not rows or not begins_caption(rows[0]):
        return 0
    return next((number for number, row in enumerate(rows) if number and _has_gap(row)), len(rows))


def _first_row_of_notes(rows: list[Row]) -> int:
    """Returns the number of the row that begins the notes below a table; the number of rows where there are none."""
    number = len(rows)
    for row in reversed(rows):
        if _has_gap(row):
            break
        number -= 1
        if begins_caption(row):
            return number
    return len(rows)


def begins_caption(row: Row) -> bool:
    """Whether a row begins a caption: without a gap, or as a label, a gap and a title."""
    if not is_caption(joined_text(row.words[:3])):
        return False
    parts = row.segments(GAP)
    return len(parts) == 1 or (len(parts) == 2 and len(parts[0]) <= 2 and len(parts[1]) >= MIN_TITLE)


def _has_gap(row: Row) -> bool:
    """Says whether a row has a gap as wide as between columns."""
    return len(row.segments(GAP)) > 1


def _boundary_height(above: Row, below: Row, horizontal: Sequence[RulingLine]) -> float:
    """Returns the height of the ruling line between two rows, or the middle between them."""
    upper, lower = above.mid_y, below.mid_y
    ruled = [ruling.at for ruling in horizontal if upper < ruling.at < lower]
    return ruled[0] if ruled else (above.bottom + below.top) / 2
