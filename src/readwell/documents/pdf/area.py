"""A part of a page in which a table is looked for: its rows, its rules and its measures."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from operator import attrgetter
from statistics import median
from typing import NamedTuple

from .model import Box, Rule, Rulings
from .rows import NARROWEST_GAP, Row, Segment
from .sheet import Sheet

MARGIN = 2.0
WIDEST_GAP, SPACES = 1.0, 1.7
"""Words are of one cell up to 1.7 spaces apart, in ems never more than this, nor less than the narrowest gap."""
RULE_MARGIN = 3.0
HEIGHT = attrgetter("at")
"""By what level rules are sorted."""


class Area(NamedTuple):
    """What a region holds. `em` is its font size; the `space` between words is in ems."""

    x0: float
    top: float
    x1: float
    bottom: float
    rows: list[Row]
    parts: list[list[Segment]]
    """The segments of each row, cut as the area's own spaces tell."""
    em: float
    space: float
    level: list[Rule]
    upright: list[Rule]

    @property
    def width(self) -> float:
        """How wide it is; never nothing."""
        return max(1.0, self.x1 - self.x0)

    @property
    def height(self) -> float:
        """How high it is; never nothing."""
        return max(1.0, self.bottom - self.top)

    def level_between(self, upper: float, lower: float) -> list[Rule]:
        """Returns the level rules between two heights."""
        first, end = bisect_left(self.level, upper, key=HEIGHT), bisect_right(self.level, lower, key=HEIGHT)
        return self.level[first:end]


def area_of(box: Box, sheet: Sheet, rulings: Rulings) -> Area | None:
    """Returns what a box holds; None if there is no word in it."""
    rows = sheet.rows_within(box, MARGIN)
    if not rows:
        return None
    words = [word for row in rows for word in row.words]
    em = median([word.font.size for word in words])
    space = sheet.space(words)
    gap = max(NARROWEST_GAP, min(WIDEST_GAP, SPACES * space))
    x0 = min(box[0], min([word.x0 for word in words]))
    x1 = max(box[2], max([word.x1 for word in words]))
    return Area(
        x0=x0,
        top=box[1],
        x1=x1,
        bottom=box[3],
        rows=rows,
        parts=[row.segments(gap) for row in rows],
        em=em,
        space=space,
        level=_inside(rulings.level, (box[1], box[3]), (x0, x1), 0.5 * em),
        upright=_inside(rulings.upright, (x0, x1), (box[1], box[3]), 0.6 * em),
    )


def _inside(rules: Iterable[Rule], at: tuple[float, float], along: tuple[float, float], least: float) -> list[Rule]:
    """Returns the rules at a position between two, that run at least so far between two others."""
    low, high = at[0] - RULE_MARGIN, at[1] + RULE_MARGIN
    start, end = along
    return [rule for rule in rules if low <= rule.at <= high and min(rule.end, end) - max(rule.start, start) >= least]
