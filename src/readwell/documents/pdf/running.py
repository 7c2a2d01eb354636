"""Running heads and feet: lines near an edge of the page that come back at the same place on page after page."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from .lines import Line, letters

EDGE = 0.16
"""The share of a page, at each of its edges, where running lines stand."""
OUTERMOST = 3
STEP = 6
"""Points of height that count as one."""
LEAST_LETTERS = 4
LEAST_LEFT, MOST_TAKEN = 4, 0.25

PAGE_NUMBER = re.compile(
    r"\W*(page|seite|p\.)?\s*[-–—|]?\s*(\d{1,4}|[ivxlc]{1,7})(\s*(of|/|von)\s*\d+)?\W*", re.IGNORECASE
)


class Sheet(NamedTuple):
    """A page as its size and its lines."""

    width: float
    height: float
    lines: list[Line]


class Running(NamedTuple):
    """What comes back: letters at a height, and the heights where page numbers stand."""

    texts: frozenset[tuple[str, int]]
    numbers: frozenset[int]


def find_running(sheets: list[Sheet]) -> Running:
    """Finds what repeats on sampled pages."""
    texts: Counter[tuple[str, int]] = Counter()
    numbers: Counter[int] = Counter()
    for sheet in sheets:
        for line in _outermost(sheet):
            texts[letters(line.text), _step(line)] += 1
            numbers[_step(line)] += PAGE_NUMBER.fullmatch(line.text) is not None
    least = max(3, 0.08 * len(sheets))
    return Running(
        frozenset(key for key, count in texts.items() if count >= least and len(key[0]) >= LEAST_LETTERS),
        frozenset(step for step, count in numbers.items() if count >= least),
    )


def own_lines(sheet: Sheet, running: Running) -> list[Line]:
    """Returns the lines that are the page's own, without those that run through the document.

    None is taken where little would be left: from a page of one line, or one that consists of its head.
    """
    own = [line for line in sheet.lines if not _runs(line, sheet, running)]
    kept = sum(line.length for line in own)
    if len(own) < LEAST_LEFT or kept < (1 - MOST_TAKEN) * sum(line.length for line in sheet.lines):
        return sheet.lines
    return own


def _runs(line: Line, sheet: Sheet, running: Running) -> bool:
    if not _at_edge(line, sheet):
        return False
    steps = range(_step(line) - 1, _step(line) + 2)
    text = letters(line.text)
    if any((text, step) in running.texts for step in steps):
        return True
    return PAGE_NUMBER.fullmatch(line.text) is not None and any(step in running.numbers for step in steps)


def _outermost(sheet: Sheet) -> list[Line]:
    """Returns the few first and last lines of a page that stand near its edge, and those that climb along one."""
    downwards = sorted((line for line in sheet.lines if _is_level(line)), key=lambda line: line.top)
    last = max(OUTERMOST, len(downwards) - OUTERMOST)
    climbing = [line for line in sheet.lines if not _is_level(line)]
    return [line for line in downwards[:OUTERMOST] + downwards[last:] + climbing if _at_edge(line, sheet)]


def _at_edge(line: Line, sheet: Sheet) -> bool:
    if not _is_level(line):
        return line.x1 < EDGE * sheet.width or line.x0 > (1 - EDGE) * sheet.width
    return line.top < EDGE * sheet.height or line.bottom > (1 - EDGE) * sheet.height


def _is_level(line: Line) -> bool:
    return line.words[0].font.level


def _step(line: Line) -> int:
    return round(line.baseline / STEP)
