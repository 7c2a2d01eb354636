"""Finds regions between stacked horizontal ruling lines with the same ends, as in printed books."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from ..page_content.word_index import WordIndex
from ..page_content.word_rows import Row, joined_text, rows_of_sorted
from ..page_model import Box, RulingLine, Rulings
from ..page_notices import TOO_MUCH_DRAWN, Notices
from ..region import HEIGHT
from ..text_patterns import is_caption
from .rows_outside_ruling_lines import with_rows_outside
from .table_captions import is_numbered_title

SHORTEST = 60.0
"""The length, in points, above which ruling lines make a stack."""
SAME_END = 6.0
"""How far apart, in points, the ends of a stack's ruling lines are at most."""
MARGIN = 4.0
"""How far beyond ruling lines, in points, words may reach that are between them."""
PROSE_GAP = 0.9
"""The least gap, in ems, that parts cells: running text has none."""
HEADER_ABOVE, RULING_BELOW = 3.4, 2.2
"""The largest distance, in ems, of further ruling lines of the same table above and below."""
PART = 0.08
"""The share of the table's width that such a further ruling line must exceed."""
MAX_STACKS = 400
"""The most stacks of a page; a notice says that there are more."""
LARGER = 1.12
"""How much larger than the lines above a line must be to be a heading."""
INDENT = 0.25
"""The share of the width right of which a row begins in a later column."""
TEXT_WORDS, TEXT_ROWS = 6, 0.5
"""The words of a row without a gap that is text, and the share of such rows that makes all of them prose."""
LONG_WORDS, LONG_ROW = 8, 0.6
"""The words, and the share of the width, of long rows without a gap, two of which in sequence are prose."""
WHOLE_PAGE, TALL, PARTING = 0.8, 30.0, 0.3
"""The share of the words of a page between the ruling lines of its head and its foot, how far apart these are, in ems,
and the share of their length from which one between them parts a table.
"""
WHOLE, OTHER_LENGTH = 3, 0.1
"""The least number of ruling lines of a whole table, and the least difference in length to those of another."""


def boxes_between_stacked_lines(rulings: Rulings, index: WordIndex, notices: Notices) -> list[Box]:
    """Returns the boxes between stacked ruling lines, split where there is prose or a table between two of them."""
    boxes: list[Box] = []
    horizontal = rulings.horizontal
    stacks = _stacks(horizontal, notices)
    whole = [stack for stack in stacks if len(stack) >= WHOLE and not _meets_any(stack, rulings.vertical)]
    firsts = [stack[0].at for stack in whole]
    for stack in stacks:
        x0, x1 = stack[0].start, stack[0].end
        run = [stack[0].at]
        for above, below in pairwise(stack):
            rows = rows_of_sorted(index.within((x0 - MARGIN + 1, above.at, x1 + MARGIN - 1, below.at), 1))
            others = whole[bisect_right(firsts, above.at + 2) : bisect_left(firsts, below.at - 2)]
            holds_other = any(_is_table_between(above, below, other, rows) for other in others)
            if holds_other or is_prose(rows) or _has_heading(rows, x0, index.em):
                boxes += [(x0, run[0], x1, run[-1])] if len(run) > 1 else []
                run = []
            run.append(below.at)
        boxes += [(x0, run[0], x1, run[-1])] if len(run) > 1 else []
    boxes = [box for box in boxes if not _holds_page(box, horizontal, index)]
    return [with_rows_outside(_extend_to_outer_lines(box, horizontal, index), horizontal, index) for box in boxes]


def _holds_page(box: Box, horizontal: Sequence[RulingLine], index: WordIndex) -> bool:
    """Whether nearly all words of a page are in a box that no ruling line parts: it is between head and foot."""
    x0, top, x1, bottom = box
    across = (ruling.at for ruling in horizontal if min(ruling.end, x1) - max(ruling.start, x0) > PARTING * (x1 - x0))
    if bottom - top < TALL * index.em or any(top + 2 < at < bottom - 2 for at in across):
        return False
    return len(index.within(box, MARGIN)) >= WHOLE_PAGE * len(index.words)


def _meets_any(stack: Sequence[RulingLine], vertical: Sequence[RulingLine]) -> bool:
    """Whether a vertical ruling line is within a stack: it belongs to frames or bars."""
    first, last = stack[0], stack[-1]
    return any(
        first.start - 2 <= wall.at <= first.end + 2 and wall.start < last.at and wall.end > first.at
        for wall in vertical
    )


def _is_table_between(above: RulingLine, below: RulingLine, stack: Sequence[RulingLine], rows: Sequence[Row]) -> bool:
    """Whether a stack that begins between two ruling lines of another length is another table: no word is beside it."""
    x0, x1, length = stack[0].start, stack[0].end, above.end - above.start
    inner = bisect_left(stack, below.at - 2, key=HEIGHT)
    if inner < WHOLE or abs(x1 - x0 - length) < OTHER_LENGTH * length or x1 < above.start or x0 > above.end:
        return False
    inside = (word for row in rows if stack[0].at < row.mid_y < stack[inner - 1].at for word in row.words)
    return not any(word.x1 < x0 or word.x0 > x1 for word in inside)


def _stacks(horizontal: Sequence[RulingLine], notices: Notices) -> list[list[RulingLine]]:
    """Returns stacks of two or more long ruling lines with the same ends, in the order of their first lines."""
    stacks: list[list[RulingLine]] = []
    for ruling in sorted(ruling for ruling in horizontal if ruling.end - ruling.start > SHORTEST):
        for stack in stacks:
            first = stack[0]
            if abs(first.start - ruling.start) < SAME_END and abs(first.end - ruling.end) < SAME_END:
                if ruling.at - stack[-1].at >= 2:
                    stack.append(ruling)
                break
        else:
            if len(stacks) == MAX_STACKS:
                notices.add(TOO_MUCH_DRAWN)
                break
            stacks.append([ruling])
    return [stack for stack in stacks if len(stack) > 1]


def is_prose(rows: Sequence[Row]) -> bool:
    """Whether rows between two ruling lines are a caption or running text, and no part of a table."""
    if any(is_caption(joined_text(row.words[:3])) for row in rows):
        return True
    left = min((row.words[0].x0 for row in rows), default=0)
    width = max((row.words[-1].x1 for row in rows), default=0) - left
    # A row that begins further right is a long cell of a later column.
    single = [_count_unbroken_words(row) if row.words[0].x0 - left < INDENT * width else 0 for row in rows]
    if rows and sum(words >= TEXT_WORDS for words in single) >= TEXT_ROWS * len(rows):
        return True
    long = [
        words >= LONG_WORDS and row.words[-1].x1 - row.words[0].x0 >= LONG_ROW * width
        for row, words in zip(rows, single, strict=True)
    ]
    return any(one and following for one, following in pairwise(long))


def _has_heading(rows: Sequence[Row], left: float, em: float) -> bool:
    """Whether a line at the left edge is larger than all lines above it: one without gaps, or a numbered title.

    The first line is a heading only with a number, and larger than `em`: it may be the head of a table.
    """
    size = LARGER * em
    for number, row in enumerate(rows):
        is_title = row.size > size and row.words[0].x0 - left < row.size
        if is_title and (is_numbered_title(row.segments(PROSE_GAP)) or (number and _count_unbroken_words(row))):
            return True
        size = LARGER * row.size if number == 0 else max(size, LARGER * row.size)
    return False


def _is_title(row: Row, left: float) -> bool:
    """Whether a row begins at the left edge and has no gap: a title over a table, no heads of its columns."""
    return row.words[0].x0 < left + row.size and len(row.segments(PROSE_GAP)) == 1


def _count_unbroken_words(row: Row) -> int:
    """Returns the number of words of a row without wide gaps; 0 for other rows."""
    return len(row.words) if len(row.segments(PROSE_GAP)) == 1 else 0


def _extend_to_outer_lines(box: Box, horizontal: Sequence[RulingLine], index: WordIndex) -> Box:
    """Extends a box by the ruling lines of a header just above and of totals just below."""
    x0, top, x1, bottom = box
    inside = [
        ruling.at
        for ruling in horizontal
        if ruling.start >= x0 - 5 and ruling.end <= x1 + 5 and ruling.end - ruling.start > PART * (x1 - x0)
    ]
    em = median([word.font.size for word in index.within(box, MARGIN)] or [index.em])
    for _ in range(4):
        above = max((y for y in inside if top - HEADER_ABOVE * em <= y < top - 3), default=None)
        rows = [] if above is None else _rows_between(index, x0, x1, above - 1, top)
        if above is None or not rows or is_prose(rows) or all(_is_title(row, x0) for row in rows):
            break
        top = above
    for _ in range(2):
        below = min((y for y in inside if bottom + 3 < y <= bottom + RULING_BELOW * em), default=None)
        rows = [] if below is None else _rows_between(index, x0, x1, bottom, below + 1)
        if below is None or is_prose(rows) or all(len(row.segments(PROSE_GAP)) < 2 for row in rows):
            break
        bottom = below
    return x0, top, x1, bottom


def _rows_between(index: WordIndex, x0: float, x1: float, top: float, bottom: float) -> list[Row]:
    """Returns the rows between two heights."""
    return rows_of_sorted(index.within((x0 - MARGIN, top, x1 + MARGIN, bottom), 0))
