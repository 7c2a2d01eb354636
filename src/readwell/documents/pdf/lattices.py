"""Regions drawn as lattices: level and upright rules that cross."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import chain

from .area import HEIGHT
from .model import Box, Rule, Rulings
from .notices import TOO_MUCH_DRAWN, Notices

CROSSING = 3.0
MOST_PAIRS = 2_000_000
"""Pairs of rules beyond which a page is a drawing."""
WEAK = 0.3
"""The share of the height below which an upright rule is short."""
BARS = 5
STRONG_BESIDE_BARS = 0.15


def lattices(rulings: Rulings, notices: Notices) -> list[Box]:
    """Returns the boxes around rules that hang together and part columns."""
    found: list[Box] = []
    if len(rulings.level) * len(rulings.upright) > MOST_PAIRS:
        notices.tell(TOO_MUCH_DRAWN)
        return found
    for level, upright in _groups(rulings):
        if len(level) < 2 or not upright:
            continue
        box = _around(level, upright)
        inner = [x for x in _distinct(upright) if box[0] + CROSSING < x < box[2] - CROSSING]
        heights = _distinct(level)
        if inner and len(heights) >= (3 if len(inner) == 1 else 2) and not _is_bar_chart(inner, upright, box):
            found.append(box)
    return found


def _groups(rulings: Rulings) -> list[tuple[list[Rule], list[Rule]]]:
    """Returns level and upright rules by what crosses what, through others too."""
    level, upright = sorted(rulings.level), rulings.upright
    leaders = list(range(len(level) + len(upright)))
    for number, rule in enumerate(upright, len(level)):
        first = bisect_left(level, rule.start - CROSSING, key=HEIGHT)
        end = bisect_right(level, rule.end + CROSSING, key=HEIGHT)
        for other in range(first, end):
            if level[other].start - CROSSING <= rule.at <= level[other].end + CROSSING:
                leaders[_leader(leaders, other)] = _leader(leaders, number)
    groups: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for number, rule in enumerate(chain(level, upright)):
        group = groups.setdefault(_leader(leaders, number), ([], []))
        group[number >= len(level)].append(rule)
    return list(groups.values())


def _leader(leaders: list[int], number: int) -> int:
    while leaders[number] != number:
        leaders[number] = leaders[leaders[number]]
        number = leaders[number]
    return number


def _around(level: list[Rule], upright: list[Rule]) -> Box:
    xs = [x for rule in level for x in (rule.start, rule.end)] + [rule.at for rule in upright]
    ys = [y for rule in upright for y in (rule.start, rule.end)] + [rule.at for rule in level]
    return min(xs), min(ys), max(xs), max(ys)


def _distinct(rules: Iterable[Rule]) -> list[float]:
    """Returns the positions of rules, those that touch only once."""
    found: list[float] = []
    for at in sorted(rule.at for rule in rules):
        if not found or at - found[-1] > CROSSING:
            found.append(at)
    return found


def _is_bar_chart(inner: list[float], upright: list[Rule], box: Box) -> bool:
    """Many short upright rules and hardly a long one: bars on the lines of a scale."""
    lengths = [sum(rule.end - rule.start for rule in upright if x <= rule.at <= x + CROSSING) for x in inner]
    weak = sum(length < WEAK * (box[3] - box[1]) for length in lengths)
    return weak >= BARS and len(inner) - weak <= STRONG_BESIDE_BARS * weak
