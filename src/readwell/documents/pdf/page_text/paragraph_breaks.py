"""Finds paragraphs that are separated by vertical space."""

from __future__ import annotations

import re
from itertools import pairwise
from statistics import median

from ..heading_search.consecutive_lines import Flow
from ..page_content.text_lines import Line

APART = 1.35
"""The distance to the line above from which a paragraph begins, as a multiple of the usual line distance."""
FARTHEST = 4
"""As a multiple of the font size: larger distances are ignored when the usual line distance is computed."""
LONG = 30
"""The least length, in characters, of a line of text; shorter lines may be labels."""


LONGEST = 1000
"""The longest line of a paragraph: a reader that cuts long lines never cuts one."""
SENTENCE_END = re.compile(r"[.!?]\s")


def split_long_paragraph(text: str) -> list[str]:
    """Returns a paragraph as lines of bounded length, broken at the end of a sentence, else at a space."""
    parts: list[str] = []
    while len(text) > LONGEST:
        ends = [match.end() for match in SENTENCE_END.finditer(text, 0, LONGEST)]
        end = ends[-1] if ends else text.rfind(" ", 0, LONGEST) + 1
        if not end:
            break
        parts.append(text[:end].rstrip())
        text = text[end:]
    return [*parts, text]


def paragraph_breaks(flow: Flow) -> set[int]:
    """Returns the numbers of the lines that begin a paragraph after vertical space."""
    steps: dict[int, float] = {}
    for number, (above, line) in enumerate(pairwise(flow), 1):
        if isinstance(above, Line) and isinstance(line, Line) and max(above.length, line.length) >= LONG:
            steps[number] = line.baseline - above.baseline
    usual = _usual_line_distance(flow, steps)
    return {number for number, step in steps.items() if step > APART * usual} if usual else set()


def _usual_line_distance(flow: Flow, steps: dict[int, float]) -> float:
    """Returns the median line distance of the page; 0 where there is none."""
    near = [
        step
        for number, step in steps.items()
        if isinstance(line := flow[number], Line) and 0 < step < FARTHEST * line.size
    ]
    return median(near) if near else 0.0
