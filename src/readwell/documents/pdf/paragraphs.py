"""Where paragraphs begin that are set apart by white."""

from __future__ import annotations

from itertools import pairwise
from statistics import median

from .headings import Flow
from .lines import Line

APART = 1.35
"""A paragraph is further below the line above than this many usual distances."""
FARTHEST = 4
"""In sizes: lines that are further apart than this say nothing about the usual distance."""
LONG = 30
"""Characters of a line that is text and not the label of something."""


def paragraph_breaks(flow: Flow) -> set[int]:
    """Returns the numbers of the lines that begin a paragraph, as far as white above them tells."""
    steps: dict[int, float] = {}
    for number, (above, line) in enumerate(pairwise(flow), 1):
        if isinstance(above, Line) and isinstance(line, Line) and max(above.length, line.length) >= LONG:
            steps[number] = line.baseline - above.baseline
    usual = _usual(flow, steps)
    return {number for number, step in steps.items() if step > APART * usual} if usual else set()


def _usual(flow: Flow, steps: dict[int, float]) -> float:
    """Returns the usual distance of lines on this page; 0 where there is none."""
    near = [
        step
        for number, step in steps.items()
        if isinstance(line := flow[number], Line) and 0 < step < FARTHEST * line.size
    ]
    return median(near) if near else 0.0
