"""Listings: lines in a typewriter font, fenced, with their columns restored from where the words stand."""

from __future__ import annotations

import re
from itertools import pairwise
from statistics import median

from .lines import Line

LEAST_LINES = 2
MOST_INDENT = 40
BLANK = 1.6
"""Lines that are further apart than this many usual distances have an empty one between them."""


def code_block(lines: list[Line]) -> list[str]:
    """Returns lines of code in a fence that nothing in them can close."""
    left = min(line.x0 for line in lines)
    advance = _advance(lines)
    code: list[str] = []
    distance = _distance(lines)
    for above, line in zip([None, *lines], lines, strict=False):
        if above and line.baseline - above.baseline > BLANK * distance:
            code.append("")
        code.append(_placed(line, left, advance))
    longest = max((len(run) for text in code for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence, *code, fence]


def _advance(lines: list[Line]) -> float:
    """Returns how wide a character is."""
    widths = [(word.x1 - word.x0) / len(word.text) for line in lines for word in line.words]
    return max(1.0, median(widths))


def _distance(lines: list[Line]) -> float:
    steps = [b.baseline - a.baseline for a, b in pairwise(lines) if b.baseline > a.baseline]
    return median(steps) if steps else 0.0


def _placed(line: Line, left: float, advance: float) -> str:
    """Puts words at their columns; a column more than the one space between words may be a matter of rounding."""
    text = ""
    for word in line.words:
        column = round((word.x0 - left) / advance)
        if not text:
            text = " " * min(MOST_INDENT, column)
        else:
            text += " " if column < len(text) + 3 else " " * min(MOST_INDENT, column - len(text))
        text += word.text
    return text
