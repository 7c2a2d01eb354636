"""Regions between level rules: stacked rules with the same ends, as books print tables."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from .model import Box, Rule
from .notices import TOO_MUCH_DRAWN, Notices
from .outside import with_rows_outside
from .rows import Row, rows_downwards, said
from .sheet import Sheet
from .wording import is_caption

SHORTEST = 60.0
SAME_END = 6.0
MARGIN = 4.0
PROSE_GAP = 0.9
HEADER_ABOVE, RULE_BELOW = 3.4, 2.2
"""How far above and below, in ems, further rules of the same table may be."""
PART = 0.08
MOST_STACKS = 400
INDENT = 0.25


def rule_groups(level: Sequence[Rule], sheet: Sheet, notices: Notices) -> list[Box]:
    """Returns the boxes between stacked rules, cut where what is between two of them is prose."""
    found: list[Box] = []
    for stack in _stacks(level, notices):
        x0, x1 = stack[0].start, stack[0].end
        run = [stack[0].at]
        for above, below in pairwise(stack):
            if is_prose(rows_downwards(sheet.within((x0 - MARGIN + 1, above.at, x1 + MARGIN - 1, below.at), 1))):
                found += [(x0, run[0], x1, run[-1])] if len(run) > 1 else []
                run = []
            run.append(below.at)
        found += [(x0, run[0], x1, run[-1])] if len(run) > 1 else []
    return [with_rows_outside(_grown(box, level, sheet), level, sheet) for box in found]


def _stacks(level: Sequence[Rule], notices: Notices) -> list[list[Rule]]:
    """Returns long rules that begin and end alike, from the top down, where there are two or more."""
    stacks: list[list[Rule]] = []
    for rule in sorted(rule for rule in level if rule.end - rule.start > SHORTEST):
        for stack in stacks:
            first = stack[0]
            if abs(first.start - rule.start) < SAME_END and abs(first.end - rule.end) < SAME_END:
                if rule.at - stack[-1].at >= 2:
                    stack.append(rule)
                break
        else:
            if len(stacks) == MOST_STACKS:
                notices.tell(TOO_MUCH_DRAWN)
                break
            stacks.append([rule])
    return [stack for stack in stacks if len(stack) > 1]


def is_prose(rows: Sequence[Row]) -> bool:
    """Whether rows between two rules are no part of a table: a caption, or text that runs across."""
    if any(is_caption(said(row.words[:3])) for row in rows):
        return True
    left = min((row.words[0].x0 for row in rows), default=0)
    width = max((row.words[-1].x1 for row in rows), default=0) - left
    # What begins further right is a long cell of a later column.
    single = [_words_across(row) if row.words[0].x0 - left < INDENT * width else 0 for row in rows]
    if rows and sum(words >= 6 for words in single) >= 0.5 * len(rows):
        return True
    long = [
        words >= 8 and row.words[-1].x1 - row.words[0].x0 >= 0.6 * width
        for row, words in zip(rows, single, strict=True)
    ]
    return any(one and following for one, following in pairwise(long))


def _words_across(row: Row) -> int:
    """Returns how many words a row without any wide white has; 0 for one that is parted."""
    return len(row.words) if len(row.segments(PROSE_GAP)) == 1 else 0


def _grown(box: Box, level: Sequence[Rule], sheet: Sheet) -> Box:
    """Takes in the rules of a header just above, and of totals just below."""
    x0, top, x1, bottom = box
    inside = [
        rule.at
        for rule in level
        if rule.start >= x0 - 5 and rule.end <= x1 + 5 and rule.end - rule.start > PART * (x1 - x0)
    ]
    em = median([word.font.size for word in sheet.within(box, MARGIN)] or [sheet.em])
    for _ in range(4):
        above = max((y for y in inside if top - HEADER_ABOVE * em <= y < top - 3), default=None)
        rows = [] if above is None else _band(sheet, x0, x1, above - 1, top)
        if above is None or not rows or is_prose(rows):
            break
        top = above
    for _ in range(2):
        below = min((y for y in inside if bottom + 3 < y <= bottom + RULE_BELOW * em), default=None)
        rows = [] if below is None else _band(sheet, x0, x1, bottom, below + 1)
        if below is None or is_prose(rows) or all(len(row.segments(PROSE_GAP)) < 2 for row in rows):
            break
        bottom = below
    return x0, top, x1, bottom


def _band(sheet: Sheet, x0: float, x1: float, top: float, bottom: float) -> list[Row]:
    return rows_downwards(sheet.within((x0 - MARGIN, top, x1 + MARGIN, bottom), 0))
