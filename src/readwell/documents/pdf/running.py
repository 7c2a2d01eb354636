"""Running heads and feet: lines near an edge of the page that come back at the same place on page after page.

Each stays on the first page that is known to show it, so that nothing is lost.
"""

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
LEAST_LETTERS, FEWEST_LETTERS = 4, 2
OFTEN = 0.25
"""The share of pages from which on even a few letters run."""
LEAST_LEFT, MOST_TAKEN = 4, 0.25

PAGE_NUMBER = re.compile(
    r"\W*(page|seite|p\.)?\s*[-–—|]?\s*(\d{1,4}|[ivxlc]{1,7})(\s*(of|/|von)\s*\d+)?\W*", re.IGNORECASE
)


class PageLines(NamedTuple):
    """A page as its number, its size and its lines."""

    number: int
    width: float
    height: float
    lines: list[Line]


class Running(NamedTuple):
    """What comes back: letters at a height, each with the first page known to show it, and heights of page numbers."""

    texts: dict[tuple[str, int], int]
    numbers: frozenset[int]


def find_running(pages: list[PageLines]) -> Running:
    """Finds what repeats on sampled pages, given in their order."""
    texts: dict[tuple[str, int], list[int]] = {}
    numbers: Counter[int] = Counter()
    for page in pages:
        for line in _outermost(page):
            texts.setdefault((letters(line.text), _step(line)), []).append(page.number)
            numbers[_step(line)] += PAGE_NUMBER.fullmatch(line.text) is not None
    least = max(3, 0.08 * len(pages))
    often = max(least, OFTEN * len(pages))
    return Running(
        {
            key: shown[0]
            for key, shown in texts.items()
            if len(shown) >= least and len(key[0]) >= (LEAST_LETTERS if len(shown) < often else FEWEST_LETTERS)
        },
        frozenset(step for step, count in numbers.items() if count >= least),
    )


def own_lines(page: PageLines, running: Running) -> list[Line]:
    """Returns the lines that are the page's own, without those that run through the document.

    None is taken where little would be left: from a page of one line, or one that consists of its head.
    """
    if not running.texts and not running.numbers:
        return page.lines
    own = [line for line in page.lines if not (_at_edge(line, page) and _runs(line, page, running))]
    kept = sum(line.length for line in own)
    if len(own) < LEAST_LEFT or kept < (1 - MOST_TAKEN) * sum(line.length for line in page.lines):
        return page.lines
    return own


def _runs(line: Line, page: PageLines, running: Running) -> bool:
    steps = range(_step(line) - 1, _step(line) + 2)
    if PAGE_NUMBER.fullmatch(line.text) and any(step in running.numbers for step in steps):
        return True
    text = letters(line.text)
    firsts = [running.texts[text, step] for step in steps if (text, step) in running.texts]
    return bool(firsts) and page.number != min(firsts)


def _outermost(page: PageLines) -> list[Line]:
    """Returns the few first and last lines of a page that stand near its edge, and those that climb along one."""
    downwards = sorted((line for line in page.lines if _is_level(line)), key=lambda line: line.top)
    last = max(OUTERMOST, len(downwards) - OUTERMOST)
    climbing = [line for line in page.lines if not _is_level(line)]
    return [line for line in downwards[:OUTERMOST] + downwards[last:] + climbing if _at_edge(line, page)]


def _at_edge(line: Line, page: PageLines) -> bool:
    if not _is_level(line):
        return line.x1 < EDGE * page.width or line.x0 > (1 - EDGE) * page.width
    return line.top < EDGE * page.height or line.bottom > (1 - EDGE) * page.height


def _is_level(line: Line) -> bool:
    return line.words[0].font.level


def _step(line: Line) -> int:
    return round(line.baseline / STEP)
