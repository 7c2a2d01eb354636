"""Running heads and feet: lines near the edge that come back at the same height on page after page."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from .lines import Line, letters

EDGE = 0.12
"""The share of a page's height, above and below, where running lines stand."""
OUTERMOST = 3
STEP = 6
"""Points of height that count as one."""
LEAST_LETTERS = 4
LEAST_LEFT, MOST_TAKEN = 4, 0.25

PAGE_NUMBER = re.compile(
    r"\W*(page|seite|p\.)?\s*[-–—|]?\s*(\d{1,4}|[ivxlc]{1,7})(\s*(of|/|von)\s*\d+)?\W*", re.IGNORECASE
)


class Running(NamedTuple):
    """What comes back: letters at a height, and the heights where page numbers stand."""

    texts: frozenset[tuple[str, int]]
    numbers: frozenset[int]


def find_running(pages: list[tuple[float, list[Line]]]) -> Running:
    """Finds what repeats on sampled pages, each given as its height and its lines."""
    texts: Counter[tuple[str, int]] = Counter()
    numbers: Counter[int] = Counter()
    for height, lines in pages:
        for line in _outermost(height, lines):
            texts[letters(line.text), _step(line)] += 1
            numbers[_step(line)] += PAGE_NUMBER.fullmatch(line.text) is not None
    least = max(3, 0.08 * len(pages))
    return Running(
        frozenset(key for key, count in texts.items() if count >= least and len(key[0]) >= LEAST_LETTERS),
        frozenset(step for step, count in numbers.items() if count >= least),
    )


def own_lines(lines: list[Line], height: float, running: Running) -> list[Line]:
    """Returns the lines that are the page's own, without those that run through the document.

    None is taken where little would be left: from a page of one line, or one that consists of its head.
    """
    own = [line for line in lines if not _runs(line, height, running)]
    kept = sum(line.length for line in own)
    if len(own) < LEAST_LEFT or kept < (1 - MOST_TAKEN) * sum(line.length for line in lines):
        return lines
    return own


def _runs(line: Line, height: float, running: Running) -> bool:
    if not _at_edge(line, height):
        return False
    steps = range(_step(line) - 1, _step(line) + 2)
    text = letters(line.text)
    if any((text, step) in running.texts for step in steps):
        return True
    return PAGE_NUMBER.fullmatch(line.text) is not None and any(step in running.numbers for step in steps)


def _outermost(height: float, lines: list[Line]) -> list[Line]:
    """Returns the few first and last lines of a page that stand near its edge, each once."""
    downwards = sorted(lines, key=lambda line: line.top)
    last = max(OUTERMOST, len(downwards) - OUTERMOST)
    return [line for line in downwards[:OUTERMOST] + downwards[last:] if _at_edge(line, height)]


def _at_edge(line: Line, height: float) -> bool:
    return line.top < EDGE * height or line.bottom > (1 - EDGE) * height


def _step(line: Line) -> int:
    return round(line.baseline / STEP)
