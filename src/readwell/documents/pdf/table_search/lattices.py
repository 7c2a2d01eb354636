"""Finds regions drawn as lattices: horizontal and vertical ruling lines that cross."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import chain, pairwise

from ....named_tuple import NamedTuple
from ..boxes import box_around
from ..page_model import Box, RulingLine, Rulings
from ..page_notices import TOO_MUCH_DRAWN, Notices
from ..region import HEIGHT

CROSSING = 3.0
"""How far apart, in points, ruling lines may be that meet or are at one position."""
MAX_PAIRS = 2_000_000
"""The most pairs of ruling lines of a page with tables; a page with more is a drawing."""
DOUBLE = 6.0
"""How far, in points, a wall may be from the edge and belong to a double frame."""
WIDE = 12.0
"""The width, in points, above which a space between two walls is a column, and not one between two frames."""
WEAK = 0.3
"""The share of the height below which a vertical ruling line is short."""
BARS = 5
"""The fewest short vertical ruling lines that are bars of a chart."""
STRIPES = 3
"""How much higher than a drawn row the one between two of them may be."""
STRONG_BESIDE_BARS = 0.15
"""How many long vertical ruling lines a chart may have, for each short one."""


class Lattices(NamedTuple):
    """Boxes of connected ruling lines that separate columns, and boxes around stripes: every second row is drawn."""

    whole: list[Box]
    striped: list[Box]


def find_lattices(rulings: Rulings, notices: Notices) -> Lattices:
    """Returns the bounding boxes of connected ruling lines that separate columns."""
    boxes: list[Box] = []
    shaded: list[tuple[Box, list[float]]] = []
    if len(rulings.horizontal) * len(rulings.vertical) > MAX_PAIRS:
        notices.add(TOO_MUCH_DRAWN)
        return Lattices([], [])
    for horizontal, vertical in _crossing_groups(rulings):
        if len(horizontal) < 2 or not vertical:
            continue
        box = _box_around(horizontal, vertical)
        inner = [x for x in _distinct(vertical) if box[0] + DOUBLE < x < box[2] - DOUBLE]
        heights = _distinct(horizontal)
        if inner and (len(heights) < (3 if len(inner) == 1 else 2) or _is_drawing(inner, horizontal, vertical, box)):
            continue
        boxes += [box] if inner else []
        shaded += [(box, inner)] if len(heights) == 2 else []
    return Lattices(boxes, _striped_tables(shaded))


def _striped_tables(rows: list[tuple[Box, list[float]]]) -> list[Box]:
    """Returns the boxes of tables whose every second row is drawn: rows with the same columns below each other.

    A row may be one cell over all columns: the title of a section.
    """
    boxes: list[Box] = []
    last: tuple[Box, list[float]] | None = None
    for box, inner in sorted(rows, key=lambda row: row[0][1]):
        if last and _is_next_stripe(last, (box, inner)):
            boxes[-1] = box_around(boxes[-1], box)
            inner = inner or last[1]
        else:
            boxes.append(box)
        last = box, inner
    return [box for box in boxes if box not in [row for row, _ in rows]]


def _is_next_stripe(above: tuple[Box, list[float]], below: tuple[Box, list[float]]) -> bool:
    """Whether a drawn row has the columns of the one above, with room for one more row between them."""
    (one, columns), (other, others) = above, below
    edges = zip([one[0], one[2], *columns], [other[0], other[2], *others], strict=False)
    alike = len(columns) == len(others) > 0 or bool(columns) != bool(others)
    same = alike and all(abs(a - b) < CROSSING for a, b in edges)
    return same and -CROSSING < other[1] - one[3] < STRIPES * max(one[3] - one[1], other[3] - other[1])


def _crossing_groups(rulings: Rulings) -> list[tuple[list[RulingLine], list[RulingLine]]]:
    """Returns groups of horizontal and vertical ruling lines that cross, directly or through others."""
    horizontal, vertical = sorted(rulings.horizontal), rulings.vertical
    leaders = list(range(len(horizontal) + len(vertical)))
    for number, ruling in enumerate(vertical, len(horizontal)):
        first = bisect_left(horizontal, ruling.start - CROSSING, key=HEIGHT)
        end = bisect_right(horizontal, ruling.end + CROSSING, key=HEIGHT)
        for other in range(first, end):
            if horizontal[other].start - CROSSING <= ruling.at <= horizontal[other].end + CROSSING:
                leaders[_leader(leaders, other)] = _leader(leaders, number)
    groups: dict[int, tuple[list[RulingLine], list[RulingLine]]] = {}
    for number, ruling in enumerate(chain(horizontal, vertical)):
        group = groups.setdefault(_leader(leaders, number), ([], []))
        group[number >= len(horizontal)].append(ruling)
    return list(groups.values())


def _leader(leaders: list[int], number: int) -> int:
    """Returns the ruling line that stands for all that cross it, directly or not."""
    while leaders[number] != number:
        leaders[number] = leaders[leaders[number]]
        number = leaders[number]
    return number


def _box_around(horizontal: list[RulingLine], vertical: list[RulingLine]) -> Box:
    """Returns the box around ruling lines."""
    xs = [x for ruling in horizontal for x in (ruling.start, ruling.end)] + [ruling.at for ruling in vertical]
    ys = [y for ruling in vertical for y in (ruling.start, ruling.end)] + [ruling.at for ruling in horizontal]
    return min(xs), min(ys), max(xs), max(ys)


def _distinct(ruling_lines: Iterable[RulingLine]) -> list[float]:
    """Returns the distinct positions of ruling lines, nearly equal ones once."""
    positions: list[float] = []
    for at in sorted(ruling.at for ruling in ruling_lines):
        if not positions or at - positions[-1] > CROSSING:
            positions.append(at)
    return positions


def _is_drawing(inner: list[float], horizontal: list[RulingLine], vertical: list[RulingLine], box: Box) -> bool:
    """Whether connected ruling lines are bars, or boxes that a line connects."""
    return _is_bar_chart(inner, vertical, box) or _are_boxes_apart(inner, horizontal, box)


def _are_boxes_apart(inner: list[float], horizontal: list[RulingLine], box: Box) -> bool:
    """Whether a column between others is drawn neither at the top nor at the bottom: it is the space between boxes."""
    heights = [ruling.at for ruling in horizontal]
    ends = [ruling for ruling in horizontal if min(ruling.at - min(heights), max(heights) - ruling.at) <= CROSSING]
    columns = [(left + right) / 2 for left, right in pairwise([box[0], *inner, box[2]]) if right - left > WIDE]
    return any(not any(ruling.start <= x <= ruling.end for ruling in ends) for x in columns[1:-1])


def _is_bar_chart(inner: list[float], vertical: list[RulingLine], box: Box) -> bool:
    """Whether there are many short vertical ruling lines and hardly a long one: bars on the lines of a scale."""
    lengths = [sum(ruling.end - ruling.start for ruling in vertical if x <= ruling.at <= x + CROSSING) for x in inner]
    weak = sum(length < WEAK * (box[3] - box[1]) for length in lengths)
    return weak >= BARS and len(inner) - weak <= STRONG_BESIDE_BARS * weak
