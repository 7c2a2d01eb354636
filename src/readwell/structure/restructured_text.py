"""reStructuredText's sections: underlined or overlined titles; levels in the order of their first use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .markdown import LONGEST_LINE, sections
from .text_part import Part

ADORNMENT = re.compile(r"([!-/:-@[-`{-~])\1+\s*$")


def restructured_parts(lines: Iterable[str]) -> Iterator[Part]:
    """Yields the sections."""
    held = [line[:LONGEST_LINE].rstrip() for line in lines]
    levels: dict[str, int] = {}
    headings = [
        (number, levels.setdefault(style, len(levels) + 1), held[title].strip())
        for number, title, style in _titles(held)
    ]
    return sections(headings, len(held))


def _titles(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    """Yields the first line of each title, the index of its text, and its adornment."""
    done = 0
    for index in range(1, len(lines)):
        below, text = ADORNMENT.match(lines[index]), lines[index - 1]
        if index <= done or not below or not text.strip() or ADORNMENT.match(text):
            continue
        long_enough = len(lines[index]) >= len(text.rstrip()) or len(lines[index]) >= 4
        over = index > 1 and lines[index - 2] == lines[index]
        alone = index < 2 or not lines[index - 2].strip() or over
        if long_enough and alone and (over or not text[0].isspace()):
            done = index + over
            yield index - over, index - 1, below[1] * (2 if over else 1)
