"""Finds paragraphs that are separated by vertical space."""

from __future__ import annotations

from itertools import pairwise
from statistics import median

from .headings import Flow
from .lines import Line

APART = 1.35
"""The distance to the line above from which a paragraph begins, as a multiple of the usual line distance."""
FARTHEST = 4
"""As a multiple of the font size: larger distances are ignored when the usual line distance is computed."""
LONG = 30
"""The least length, in characters, of a line of text; shorter lines may be labels."""


def paragraph_breaks(flow: Flow) -> set[int]:
    """Returns the numbers of the lines that begin a paragraph after vertical space."""
    steps: dict[int, float] = {}
    for number, (above, line) in enumerate(pairwise(flow), 1):
        if isinstance(above, Line) and isinstance(line, Line) and max(above.length, line.length) >= LONG:
            steps[number] = line.baseline - above.baseline
    usual = _usual(flow, steps)
    return {number for number, step in steps.items() if step > APART * usual} if usual else set()


def _usual(flow: Flow, steps: dict[int, float]) -> float:
    """Returns the median line distance of the page; 0 where there is none."""
    near = [
        step
        for number, step in steps.items()
        if isinstance(line := flow[number], Line) and 0 < step < FARTHEST * line.size
    ]
    return median(near) if near else 0.0
