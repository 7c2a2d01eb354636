"""Code listings: monospaced lines, fenced, with indentation and columns restored from word positions."""

from __future__ import annotations

import re
from itertools import groupby, pairwise
from statistics import median

from ..page_content.text_lines import Line

ANCHOR = re.compile(r"^<!-- ")
"""The start of our own page anchors: a line of a listing must not look like one."""
MIN_LINES = 2
MAX_INDENT = 40
WIDE_SPACE = 2.5
"""The largest gap that is one space, in characters."""
BEARING = 0.25
"""The side bearings before the first and after the last letter of a word, in characters."""
BLANK = 1.6
"""Lines further apart than this multiple of the usual distance get an empty line between them."""


def without_code(lines: list[Line]) -> list[Line]:
    """Returns the lines outside listings: indented code looks much like a table."""
    if not any(line.mono for line in lines):
        return lines
    kept: list[Line] = []
    for mono, run in groupby(lines, key=lambda line: line.mono):
        same = list(run)
        kept += [] if mono and len(same) >= MIN_LINES else same
    return kept


def code_block(lines: list[Line]) -> list[str]:
    """Returns lines of code in a fence that is longer than any inside the code."""
    left = min(line.x0 for line in lines)
    advance = _advance(lines)
    code: list[str] = []
    distance = _distance(lines)
    for above, line in zip([None, *lines], lines, strict=False):
        if above and line.baseline - above.baseline > BLANK * distance:
            code.append("")
        code.append(ANCHOR.sub(r"\\\g<0>", _with_spaces(line, left, advance)))
    longest = max((len(run) for text in code for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence, *code, fence]


def _advance(lines: list[Line]) -> float:
    """Returns the width of a character, measured on words of three or more letters."""
    words = [word for line in lines for word in line.words if len(word.text) >= 3]
    widths = [(word.x1 - word.x0) / (len(word.text) - BEARING) for word in words]
    return max(1.0, median(widths)) if widths else 0.6 * lines[0].size


def _distance(lines: list[Line]) -> float:
    """Returns the usual distance between lines."""
    steps = [b.baseline - a.baseline for a, b in pairwise(lines) if b.baseline > a.baseline]
    return median(steps) if steps else 0.0


def _with_spaces(line: Line, left: float, advance: float) -> str:
    """Returns a line with its indentation, and with wide gaps as several spaces."""
    text = " " * min(MAX_INDENT, round((line.x0 - left) / advance))
    for before, word in pairwise([None, *line.words]):
        if before is not None and word is not None:
            gap = (word.x0 - before.x1) / advance
            text += " " * (min(MAX_INDENT, round(gap)) if gap > WIDE_SPACE else 1)
        text += word.text if word else ""
    return text
