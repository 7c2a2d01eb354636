"""How running text is set: which lines stand below each other, their left and right edge, their distance."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from ....named_tuple import NamedTuple
from ..page_content.text_lines import Line
from ..page_model import Table

NEAR = 0.6
"""How close to the edge, in ems, a full line of justified text ends."""
JUSTIFIED_SHARE, MIN_FULL = 0.45, 3
SEVERAL = 2
SAME_SIZE, SAME_LEFT = 0.6, 5.0
FARTHEST = 2.6
"""The largest distance of two lines of one column, in ems."""
REVERSED, MOSTLY_REVERSED = re.compile("[\u0590-\u08ff]"), 0.3


class Typesetting(NamedTuple):
    """How a run of lines is set: its edges, the usual distance of lines, and whether lines end at the edge."""

    left: float
    right: float
    pitch: float
    justified: bool
    proven: bool
    """Whether the edge is known: lines end at it, or a sentence goes on below a line that ends near it."""


class Wrap(NamedTuple):
    """Where a line starts and ends whose sentence goes on in the next one, and its size."""

    start: float
    end: float
    size: float


def find_wraps(flow: Sequence[Line | Table]) -> list[Wrap]:
    """Returns the lines whose sentence goes on in lower case below them."""
    return [
        Wrap(*start_and_end(above), above.size)
        for above, line in pairwise(flow)
        if isinstance(above, Line)
        and isinstance(line, Line)
        and line.text[0].islower()
        and above.text[-1] not in ".:;!?"
        and _are_in_one_column(above, line)
    ]


def start_and_end(line: Line) -> tuple[float, float]:
    """Returns where a line starts and ends as it is read: mirrored for scripts that run from right to left."""
    if line.text.isascii() or len(REVERSED.findall(line.text)) <= MOSTLY_REVERSED * line.length:
        return line.x0, line.x1
    return -line.x1, -line.x0


def find_line_runs(flow: Sequence[Line | Table]) -> list[range]:
    """Returns the runs of two or more lines that stand below each other in one size."""
    runs: list[range] = []
    start = 0
    for number in range(1, len(flow) + 1):
        if number == len(flow) or not _are_in_one_column(flow[number - 1], flow[number]):
            runs.append(range(start, number))
            start = number
    return [run for run in runs if len(run) > 1]


def _are_in_one_column(above: Line | Table, line: Line | Table) -> bool:
    """Says whether a line is below another one in the same column of text."""
    if not isinstance(above, Line) or not isinstance(line, Line):
        return False
    if abs(above.size - line.size) > SAME_SIZE or not 0 < line.baseline - above.baseline < FARTHEST * line.size:
        return False
    return min(above.x1, line.x1) > max(above.x0, line.x0)


def typesetting_of(lines: Sequence[Line], wraps: Sequence[Wrap]) -> Typesetting:
    """Returns how a run of lines is set: justified if most end at one edge, else up to the longest of several.

    `wraps` are the places of the page where sentences go on in the next line.
    """
    em = median([line.size for line in lines])
    starts, ends = zip(*map(start_and_end, lines), strict=True)
    steps = [below.baseline - above.baseline for above, below in pairwise(lines)]
    edge, full = _commonest_end(ends, em)
    left = min(starts)
    begun = sum(start - left < em for start in starts)
    justified = full >= max(MIN_FULL, JUSTIFIED_SHARE * len(lines)) and edge >= max(ends) - NEAR * em
    justified = justified and begun >= JUSTIFIED_SHARE * len(lines)
    known = [
        wrap.end
        for wrap in wraps
        if abs(wrap.size - em) <= SAME_SIZE and abs(wrap.start - left) < SAME_LEFT * em and wrap.end > left
    ]
    right = edge if justified else max([_longest_of_several(ends, em), *known])
    return Typesetting(
        left=left,
        right=right,
        pitch=median(steps) if steps else 1.2 * em,
        justified=justified,
        proven=justified or bool(known),
    )


def _commonest_end(ends: Sequence[float], em: float) -> tuple[float, int]:
    """Returns the end that most lines have, within a tolerance, and how many have it."""
    width = NEAR * em / 2
    counts = Counter(round(end / width) for end in ends)
    best = max(counts, key=lambda step: (counts[step] + counts[step + 1], step))
    near = [end for end in ends if round(end / width) in (best, best + 1)]
    return max(near), len(near)


def _longest_of_several(ends: Sequence[float], em: float) -> float:
    """Returns the longest end; that of the second longest line where the longest stands out alone."""
    ordered = sorted(ends, reverse=True)
    if len(ordered) > SEVERAL and ordered[0] - ordered[1] > 4 * em:
        return ordered[1]
    return ordered[0]
