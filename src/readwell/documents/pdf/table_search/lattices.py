"""Finds regions drawn as lattices: horizontal and vertical rules that cross."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import chain

from ....named_tuple import NamedTuple
from ..boxes import around
from ..page_model import Box, Rule, Rulings
from ..page_text.page_notices import TOO_MUCH_DRAWN, Notices
from .region import HEIGHT

CROSSING = 3.0
MAX_PAIRS = 2_000_000
"""The most pairs of rules of a page with tables; a page with more is a drawing."""
WEAK = 0.3
"""The share of the height below which a vertical rule is short."""
BARS = 5
STRIPES = 3
"""How much higher than a drawn row the one between two of them may be."""
STRONG_BESIDE_BARS = 0.15


class Lattices(NamedTuple):
    """Boxes of connected rules that separate columns, and boxes around stripes: every second row is drawn."""

    whole: list[Box]
    striped: list[Box]


def lattices(rulings: Rulings, notices: Notices) -> Lattices:
    """Returns the bounding boxes of connected rules that separate columns."""
    boxes: list[Box] = []
    shaded: list[tuple[Box, list[float]]] = []
    if len(rulings.horizontal) * len(rulings.vertical) > MAX_PAIRS:
        notices.add(TOO_MUCH_DRAWN)
        return Lattices([], [])
    for horizontal, vertical in _groups(rulings):
        if len(horizontal) < 2 or not vertical:
            continue
        box = _around(horizontal, vertical)
        inner = [x for x in _distinct(vertical) if box[0] + CROSSING < x < box[2] - CROSSING]
        heights = _distinct(horizontal)
        if inner and len(heights) >= (3 if len(inner) == 1 else 2) and not _is_bar_chart(inner, vertical, box):
            boxes.append(box)
            shaded += [(box, inner)] if len(heights) == 2 else []
    return Lattices(boxes, _striped(shaded))


def _striped(rows: list[tuple[Box, list[float]]]) -> list[Box]:
    """Returns the boxes of tables whose every second row is drawn: rows with the same columns below each other."""
    boxes: list[Box] = []
    last: tuple[Box, list[float]] | None = None
    for box, inner in sorted(rows, key=lambda row: row[0][1]):
        if last and _is_next_stripe(last, (box, inner)):
            boxes[-1] = around(boxes[-1], box)
        else:
            boxes.append(box)
        last = box, inner
    return [box for box in boxes if box not in [row for row, _ in rows]]


def _is_next_stripe(above: tuple[Box, list[float]], below: tuple[Box, list[float]]) -> bool:
    """Whether a drawn row has the columns of the one above, with room for one more row between them."""
    (one, columns), (other, others) = above, below
    edges = zip([one[0], one[2], *columns], [other[0], other[2], *others], strict=False)
    same = len(columns) == len(others) and all(abs(a - b) < CROSSING for a, b in edges)
    return same and -CROSSING < other[1] - one[3] < STRIPES * max(one[3] - one[1], other[3] - other[1])


def _groups(rulings: Rulings) -> list[tuple[list[Rule], list[Rule]]]:
    """Returns groups of horizontal and vertical rules that cross, directly or through others."""
    horizontal, vertical = sorted(rulings.horizontal), rulings.vertical
    leaders = list(range(len(horizontal) + len(vertical)))
    for number, rule in enumerate(vertical, len(horizontal)):
        first = bisect_left(horizontal, rule.start - CROSSING, key=HEIGHT)
        end = bisect_right(horizontal, rule.end + CROSSING, key=HEIGHT)
        for other in range(first, end):
            if horizontal[other].start - CROSSING <= rule.at <= horizontal[other].end + CROSSING:
                leaders[_leader(leaders, other)] = _leader(leaders, number)
    groups: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for number, rule in enumerate(chain(horizontal, vertical)):
        group = groups.setdefault(_leader(leaders, number), ([], []))
        group[number >= len(horizontal)].append(rule)
    return list(groups.values())


def _leader(leaders: list[int], number: int) -> int:
    """Returns the rule that stands for all that cross it, directly or not."""
    while leaders[number] != number:
        leaders[number] = leaders[leaders[number]]
        number = leaders[number]
    return number


def _around(horizontal: list[Rule], vertical: list[Rule]) -> Box:
    """Returns the box around rules."""
    xs = [x for rule in horizontal for x in (rule.start, rule.end)] + [rule.at for rule in vertical]
    ys = [y for rule in vertical for y in (rule.start, rule.end)] + [rule.at for rule in horizontal]
    return min(xs), min(ys), max(xs), max(ys)


def _distinct(rules: Iterable[Rule]) -> list[float]:
    """Returns the distinct positions of rules, nearly equal ones once."""
    positions: list[float] = []
    for at in sorted(rule.at for rule in rules):
        if not positions or at - positions[-1] > CROSSING:
            positions.append(at)
    return positions


def _is_bar_chart(inner: list[float], vertical: list[Rule], box: Box) -> bool:
    """Whether there are many short vertical rules and hardly a long one: bars on the lines of a scale."""
    lengths = [sum(rule.end - rule.start for rule in vertical if x <= rule.at <= x + CROSSING) for x in inner]
    weak = sum(length < WEAK * (box[3] - box[1]) for length in lengths)
    return weak >= BARS and len(inner) - weak <= STRONG_BESIDE_BARS * weak
