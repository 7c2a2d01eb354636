"""Removes captions and notes from the box of a table."""

from collections.abc import Sequence

from ..page_content.word_index import WordIndex
from ..page_content.word_rows import Row, Segment, joined_text
from ..page_model import Box, RulingLine
from ..text_patterns import is_caption, is_section_number

GAP = 0.9
MARGIN = 2.0
MIN_TITLE = 3


def is_numbered_title(parts: Sequence[Segment]) -> bool:
    """Whether the segments of a row are the number of a section and its title, which a gap may separate."""
    number, *title = parts
    return len(title) == 1 and len(number) == 1 and is_section_number(number[0].text) and title[0][0].text[0].isupper()


def without_captions(box: Box, index: WordIndex, horizontal: Sequence[RulingLine]) -> Box:
    """Returns a box without a caption at its top and without notes and sources at its bottom."""
    x0, top, x1, bottom = box
    rows = index.rows_within(box, MARGIN)
    first = _after_caption(rows)
    if 0 < first < len(rows):
        top = _border(rows[first - 1], rows[first], horizontal)
    last = _before_notes(rows)
    if first < last < len(rows):
        bottom = _border(rows[last - 1], rows[last], horizontal)
    return x0, top, x1, bottom


def _after_caption(rows: list[Row]) -> int:
    """Returns the number of the first row below a caption, which continues until a row has a gap."""
    if not rows or not begins_caption(rows[0]):
        return 0
    return next((number for number, row in enumerate(rows) if number and _has_gap(row)), len(rows))


def _before_notes(rows: list[Row]) -> int:
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


def _border(above: Row, below: Row, horizontal: Sequence[RulingLine]) -> float:
    """Returns the height of the ruling line between two rows, or the middle between them."""
    upper, lower = above.mid_y, below.mid_y
    ruled = [ruling.at for ruling in horizontal if upper < ruling.at < lower]
    return ruled[0] if ruled else (above.bottom + below.top) / 2
