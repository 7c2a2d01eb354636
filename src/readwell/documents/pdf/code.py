"""Listings: lines in a typewriter font, fenced, with their columns restored from where the words stand."""

from __future__ import annotations

import re
from itertools import groupby, pairwise
from statistics import median

from .lines import Line

ANCHOR = re.compile(r"^<!-- ")
"""What our own anchors begin with: a listing must not pretend to be one."""
LEAST_LINES = 2
MOST_INDENT = 40
WIDE_SPACE = 2.5
"""In characters: how wide one space may look."""
BEARING = 0.25
"""In characters: the white before a word's first letter and behind its last."""
BLANK = 1.6
"""Lines that are further apart than this many usual distances have an empty one between them."""


def without_code(lines: list[Line]) -> list[Line]:
    """Returns the lines that are in no listing: indented code looks much like a table."""
    if not any(line.mono for line in lines):
        return lines
    kept: list[Line] = []
    for mono, run in groupby(lines, key=lambda line: line.mono):
        same = list(run)
        kept += [] if mono and len(same) >= LEAST_LINES else same
    return kept


def code_block(lines: list[Line]) -> list[str]:
    """Returns lines of code in a fence that nothing in them can close."""
    left = min(line.x0 for line in lines)
    advance = _advance(lines)
    code: list[str] = []
    distance = _distance(lines)
    for above, line in zip([None, *lines], lines, strict=False):
        if above and line.baseline - above.baseline > BLANK * distance:
            code.append("")
        code.append(ANCHOR.sub(r"\\\g<0>", _placed(line, left, advance)))
    longest = max((len(run) for text in code for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence, *code, fence]


def _advance(lines: list[Line]) -> float:
    """Returns how wide a character is: told by words of some length, for letters do not fill their cells."""
    words = [word for line in lines for word in line.words if len(word.text) >= 3]
    widths = [(word.x1 - word.x0) / (len(word.text) - BEARING) for word in words]
    return max(1.0, median(widths)) if widths else 0.6 * lines[0].size


def _distance(lines: list[Line]) -> float:
    steps = [b.baseline - a.baseline for a, b in pairwise(lines) if b.baseline > a.baseline]
    return median(steps) if steps else 0.0


def _placed(line: Line, left: float, advance: float) -> str:
    """Returns a line with its indentation, and with its inner spaces where they are too wide to be one."""
    text = " " * min(MOST_INDENT, round((line.x0 - left) / advance))
    for before, word in pairwise([None, *line.words]):
        if before is not None and word is not None:
            gap = (word.x0 - before.x1) / advance
            text += " " * (min(MOST_INDENT, round(gap)) if gap > WIDE_SPACE else 1)
        text += word.text if word else ""
    return text
