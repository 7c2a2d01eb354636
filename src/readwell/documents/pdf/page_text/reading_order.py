"""The order in which a person reads a page, where that of the PDF is plainly another.

Nothing is sorted. A run of items that jumps up moves only into a gap of its column that it fits; one that stands below
all that comes after it moves to the end; items that interrupt a sentence move behind its paragraph.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ..boxes import box_around
from ..page_content.text_lines import Line
from ..page_model import Box, Table

Item = Line | Table
SAME_COLUMN = 0.3
"""The share of the narrower of two items that must lie above or below the other."""
TOUCH = 0.25
"""How far, in ems, the boxes of two lines may reach into each other."""
NEAR, APART = 3.0, 0.6
"""In ems: the largest gap between items that move together, and the least one where a run may be cut."""
SAME_SIZE = 0.6
MIN_LENGTH = 12
"""The fewest characters of lines that move into a gap: shorter ones may be the labels of a figure."""
SHORT = 40
"""The length of lines that are a footer without standing below anything, such as a page number between two columns."""
ENDS = ".:;!?"
PITCH = 1.7
"""The largest distance, in ems, of two lines of a paragraph."""
MAX_ITEMS, MAX_CUTS, MAX_LABELS = 600, 4, 40
"""Bounds of what is compared: items of a page, ends of a run, items that interrupt a paragraph."""


def in_reading_order(flow: Sequence[Item]) -> list[Item]:
    """Returns the items of a page with those moved that plainly come too early or too late."""
    items, boxes = list(flow), [_box(item) for item in flow]
    if len(items) > MAX_ITEMS or all(above[1] <= below[1] for above, below in pairwise(boxes)):
        return items
    _move_footers(items, boxes)
    _move_into_gaps(items, boxes)
    _move_interruptions(items, boxes)
    return items


def _move_footers(items: list[Item], boxes: list[Box]) -> None:
    """Moves runs to the end that stand below all that comes after them: footers that are drawn first."""
    start, left = 0, len(items)
    while start < left:
        end = min(left, _run_end(items, boxes, start))
        top = boxes[start][1] + TOUCH * _em(items[start])
        others = (*boxes[:start], *boxes[end:left])
        if end < left and all(box[3] <= top for box in others) and _is_footer(items[start:end], items[end:left]):
            _exchange(items, boxes, start, end, left)
            start, left = 0, left - (end - start)
        else:
            start = end


def _is_footer(run: list[Item], later: list[Item]) -> bool:
    """Whether a run ends a column that others belong to, or is a short line; a text may go on in the next column."""
    if not _is_horizontal(run[0]):
        return False
    return _count_characters(run) < SHORT or any(
        _overlap_sideways(_box(item), _box(each)) for each in run for item in later
    )


def _move_into_gaps(items: list[Item], boxes: list[Box]) -> None:
    """Moves runs up into the gaps that they fit."""
    start = 1
    while start < len(items):
        moved = _find_move(items, boxes, start) if boxes[start][1] < boxes[start - 1][1] else None
        if moved:
            place, end = moved
            _exchange(items, boxes, place, start, end)
            start = end
        else:
            start += 1


def _move_interruptions(items: list[Item], boxes: list[Box]) -> None:
    """Moves what stands elsewhere, such as the labels of a figure, behind the paragraph that it interrupts."""
    number = 0
    while number < len(items):
        above = items[number]
        later = 0
        if isinstance(above, Line) and above.text[-1] not in ENDS:
            later = _next_of_sentence(items, number, above)
        if later > number + 1 and _are_elsewhere(boxes[number + 1 : later], boxes[number], boxes[later]):
            end = later + 1
            while (
                end < len(items)
                and _belong_to_one_block(items, boxes, end)
                and _follows(boxes[end - 1], boxes[end], 1.0)
            ):
                end += 1
            _exchange(items, boxes, number + 1, later, end)
        number += 1


def _next_of_sentence(items: list[Item], number: int, above: Line) -> int:
    """Returns the number of the item in which the sentence of a line goes on; 0 where none is near."""
    for later in range(number + 1, min(len(items), number + MAX_LABELS)):
        item = items[later]
        if isinstance(item, Line) and item.text[0].islower() and _sentence_goes_on(above, item):
            return later
    return 0


def _are_elsewhere(boxes: list[Box], above: Box, below: Box) -> bool:
    """Whether none of some items is at the height of two lines or near it, as parts of a formula are."""
    near = below[3] - above[3]
    return all(box[3] < above[1] - near or box[1] > below[3] + near for box in boxes)


def _exchange(items: list[Item], boxes: list[Box], first: int, middle: int, last: int) -> None:
    """Exchanges two neighbouring runs."""
    items[first:last] = [*items[middle:last], *items[first:middle]]
    boxes[first:last] = [*boxes[middle:last], *boxes[first:middle]]


def _find_move(items: list[Item], boxes: list[Box], start: int) -> tuple[int, int] | None:
    """Returns where a run that starts at an item belongs, and its end; the longest run that fits."""
    if not _is_horizontal(items[start]):
        return None
    end = _run_end(items, boxes, start)
    ends = [n for n in range(end, start, -1) if n == len(items) or not _belong_to_one_block(items, boxes, n)]
    for last in ends[:MAX_CUTS]:
        place = _find_gap(items, boxes, start, last) if _count_characters(items[start:last]) >= MIN_LENGTH else None
        if place is not None:
            return place, last
    return None


def _run_end(items: list[Item], boxes: list[Box], start: int) -> int:
    """Returns the number behind the last of the items that follow each other downwards."""
    end = start + 1
    while end < len(items) and _follows(boxes[end - 1], boxes[end], _em(items[end])):
        end += 1
    return end


def _find_gap(items: list[Item], boxes: list[Box], start: int, end: int) -> int | None:
    """Returns the item before which a run belongs: all of its column from there on is below it, all before is above."""
    box = boxes[start]
    for other in boxes[start + 1 : end]:
        box = box_around(box, other)
    reach = TOUCH * _em(items[start])
    column = [
        number for number in range(len(items)) if not start <= number < end and _overlap_sideways(boxes[number], box)
    ]
    below = [number for number in column if boxes[number][1] >= box[3] - reach]
    above = [number for number in column if boxes[number][3] <= box[1] + reach]
    if len(below) + len(above) < len(column) or not below or below[0] > start:
        return None
    if (above and above[-1] > below[0]) or (below[0] and _may_sentence_go_on(items[below[0] - 1], items[below[0]])):
        return None
    return below[0]


def _may_sentence_go_on(above: Item, below: Item) -> bool:
    """Whether a sentence may go on in lower case from one line to another."""
    return (
        isinstance(above, Line) and isinstance(below, Line) and above.text[-1] not in ENDS and below.text[0].islower()
    )


def _sentence_goes_on(one: Item, other: Item) -> bool:
    """Whether a sentence goes on from one line to the one directly below it."""
    if not isinstance(one, Line) or not isinstance(other, Line) or not _may_sentence_go_on(one, other):
        return False
    if abs(one.size - other.size) > SAME_SIZE or min(one.length, other.length) < MIN_LENGTH:
        return False
    return 0 < other.baseline - one.baseline < PITCH * one.size and _overlap_sideways(_box(one), _box(other))


def _follows(above: Box, below: Box, em: float) -> bool:
    """Whether an item stands directly below another."""
    return above[1] <= below[1] and below[1] - above[3] < NEAR * em and _overlap_sideways(above, below)


def _belong_to_one_block(items: list[Item], boxes: list[Box], number: int) -> bool:
    """Whether an item and the one before it are lines of one block."""
    above, below = items[number - 1], items[number]
    if not isinstance(above, Line) or not isinstance(below, Line) or abs(above.size - below.size) > SAME_SIZE:
        return False
    return boxes[number][3] - boxes[number - 1][1] > 0 and boxes[number][1] - boxes[number - 1][3] < APART * below.size


def _overlap_sideways(one: Box, other: Box) -> bool:
    """Whether two items stand above each other, at any distance."""
    shared = min(one[2], other[2]) - max(one[0], other[0])
    return shared > SAME_COLUMN * min(one[2] - one[0], other[2] - other[0])


def _count_characters(items: Sequence[Item]) -> int:
    """Returns how many characters lines have; a table is long enough."""
    return sum(item.length if isinstance(item, Line) else MIN_LENGTH for item in items)


def _is_horizontal(item: Item) -> bool:
    """Whether an item does not run up or down the page."""
    return isinstance(item, Table) or item.words[0].font.horizontal


def _em(item: Item) -> float:
    """Returns the font size of an item."""
    return item.size if isinstance(item, Line) else 10.0


def _box(item: Item) -> Box:
    """Returns the box around an item."""
    return item.box if isinstance(item, Table) else (item.x0, item.top, item.x1, item.bottom)
