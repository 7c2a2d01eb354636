"""Captions and notes that stand inside the frame of a table are no part of it."""

from collections.abc import Sequence

from .model import Box, Rule
from .rows import Row, said
from .sheet import Sheet
from .wording import is_caption

GAP = 0.9
MARGIN = 2.0
LEAST_TITLE = 3


def without_captions(box: Box, sheet: Sheet, level: Sequence[Rule]) -> Box:
    """Returns a box without a caption at its top and without notes and sources at its bottom."""
    x0, top, x1, bottom = box
    rows = sheet.rows_within(box, MARGIN)
    first = _after_caption(rows)
    if 0 < first < len(rows):
        top = _border(rows[first - 1], rows[first], level)
    last = _before_notes(rows)
    if first < last < len(rows):
        bottom = _border(rows[last - 1], rows[last], level)
    return x0, top, x1, bottom


def _after_caption(rows: list[Row]) -> int:
    """Returns the number of the first row below a caption, which goes on as long as nothing is parted."""
    if not rows or not begins_caption(rows[0]):
        return 0
    return next((number for number, row in enumerate(rows) if number and _is_parted(row)), len(rows))


def _before_notes(rows: list[Row]) -> int:
    """Returns the number of the row that begins the notes below a table; the count of rows where there are none."""
    number = len(rows)
    for row in reversed(rows):
        if _is_parted(row):
            break
        number -= 1
        if begins_caption(row):
            return number
    return len(rows)


def begins_caption(row: Row) -> bool:
    """Whether a row begins a caption: in one piece, or a label and apart from it a title."""
    if not is_caption(said(row.words[:3])):
        return False
    parts = row.segments(GAP)
    return len(parts) == 1 or (len(parts) == 2 and len(parts[0]) <= 2 and len(parts[1]) >= LEAST_TITLE)


def _is_parted(row: Row) -> bool:
    return len(row.segments(GAP)) > 1


def _border(above: Row, below: Row, level: Sequence[Rule]) -> float:
    """Returns the height of the rule between two rows, or half way between them."""
    upper, lower = above.mid_y, below.mid_y
    ruled = [rule.at for rule in level if upper < rule.at < lower]
    return ruled[0] if ruled else (above.bottom + below.top) / 2
