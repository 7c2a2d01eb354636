"""Regions: parts of a page that may contain a table, with their rows, ruling lines and measures."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from operator import attrgetter
from statistics import median

from ...named_tuple import NamedTuple
from .boxes import box_around_words
from .page_content.word_index import WordIndex
from .page_content.word_rows import NARROWEST_GAP, Row, Segment
from .page_model import Box, RulingLine, Rulings

MARGIN = 2.0
"""How far from a box, in points, words still belong to its region."""
WIDEST_GAP, SPACES = 1.0, 1.7
"""A gap of 1.7 usual spaces separates cells, within the narrowest gap and this many ems."""
RULING_MARGIN = 3.0
"""How far outside a box, in points, ruling lines still belong to its region."""
MIN_ACROSS, MIN_DOWN = 0.5, 0.6
"""The least length, in ems, that a horizontal or vertical ruling line has inside its region."""
HEIGHT = attrgetter("at")
"""The sort key of horizontal ruling lines."""


class Region(NamedTuple):
    """A region of a page. `em` is its font size; the usual `space` between words is in ems."""

    x0: float
    top: float
    x1: float
    bottom: float
    rows: list[Row]
    parts: list[list[Segment]]
    """The segments of each row, split at gaps wider than the usual space of the region."""
    em: float
    space: float
    horizontal: list[RulingLine]
    vertical: list[RulingLine]

    @property
    def width(self) -> float:
        """The width, at least 1."""
        return max(1.0, self.x1 - self.x0)

    @property
    def height(self) -> float:
        """The height, at least 1."""
        return max(1.0, self.bottom - self.top)

    def horizontal_between(self, upper: float, lower: float) -> list[RulingLine]:
        """Returns the horizontal ruling lines between two heights."""
        first, end = bisect_left(self.horizontal, upper, key=HEIGHT), bisect_right(self.horizontal, lower, key=HEIGHT)
        return self.horizontal[first:end]


def region_of(box: Box, index: WordIndex, rulings: Rulings) -> Region | None:
    """Returns the region of a box; None if there are no words in it."""
    rows = index.rows_within(box, MARGIN)
    if not rows:
        return None
    words = [word for row in rows for word in row.words]
    em = median([word.font.size for word in words])
    space = index.space_width(words)
    gap = max(NARROWEST_GAP, min(WIDEST_GAP, SPACES * space))
    left, _, right, _ = box_around_words(words)
    x0, x1 = min(box[0], left), max(box[2], right)
    return Region(
        x0=x0,
        top=box[1],
        x1=x1,
        bottom=box[3],
        rows=rows,
        parts=[row.segments(gap) for row in rows],
        em=em,
        space=space,
        horizontal=_ruling_lines_inside(rulings.horizontal, (box[1], box[3]), (x0, x1), MIN_ACROSS * em),
        vertical=_ruling_lines_inside(rulings.vertical, (x0, x1), (box[1], box[3]), MIN_DOWN * em),
    )


def _ruling_lines_inside(
    ruling_lines: Iterable[RulingLine], at: tuple[float, float], along: tuple[float, float], least: float
) -> list[RulingLine]:
    """Returns the ruling lines positioned within `at` that cover at least a length of `least` within `along`."""
    low, high = at[0] - RULING_MARGIN, at[1] + RULING_MARGIN
    start, end = along
    return [
        ruling
        for ruling in ruling_lines
        if low <= ruling.at <= high and min(ruling.end, end) - max(ruling.start, start) >= least
    ]
