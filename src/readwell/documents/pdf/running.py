"""Running heads and feet: lines near an edge of the page that come back, the same to the digit, on page after page.

Each stays on the first page that is known to show it, where a comment names it, and on all pages before that one.
"""

from __future__ import annotations

from typing import NamedTuple

from .lines import Line, letters
from .page_numbers import NUMBER_HERE, without_number

EDGE = 0.16
"""The share of a page, at each of its edges, where running lines stand."""
OUTERMOST = 3
STEP = 6
"""Points of height that count as one."""
LEAST_PAGES = 3
NEARLY_ALL = 0.8
LEAST_BETWEEN = 0.4
"""The share of the pages between the first and the last that must show a line: alternating heads stand on half."""
WHITE = 1.0
"""Ems of white above and below a running line, or below the last of several."""
LEAST_LETTERS = 2
LEAST_LEFT, MOST_TAKEN = 4, 0.25


class PageLines(NamedTuple):
    """A page as its number, its size and its lines."""

    number: int
    width: float
    height: float
    lines: list[Line]


class Key(NamedTuple):
    """What stays the same of a running line: its text, its height, and how its page number counts, empty if none.

    In the text `#` stands for a page number that counts.
    """

    text: str
    step: int
    numbering: str


Shown = dict[Key, list[int]]
"""The lines of one height, each with the pages that show it."""
Running = dict[Key, int]
"""The running lines of a document, each with the first page known to show it."""


def find_running(pages: list[PageLines]) -> Running:
    """Finds what repeats on sampled pages, given in their order, and is set apart from the rest of them."""
    inside = {text for page in pages for text in _texts_inside(page)}
    repeated = _repeated(pages, [_outermost(page) for page in pages])
    candidates = {key: first for key, first in repeated.items() if key.text not in inside}
    if not candidates:
        return {}
    apart = _repeated(pages, [_running_lines(page, candidates) for page in pages])
    return {key: first for key, first in apart.items() if key in candidates}


def _repeated(pages: list[PageLines], lines: list[list[Line]]) -> Running:
    """Returns what many of the pages have among these lines, with the first page of each."""
    heights: dict[int, Shown] = {}
    for page, found in zip(pages, lines, strict=True):
        for key in {key for line in found for key in _keys(line, page.number)}:
            heights.setdefault(key.step, {}).setdefault(key, []).append(page.number)
    return {
        key: numbers[0]
        for shown in heights.values()
        for key, numbers in shown.items()
        if _comes_back(key, numbers, pages) and _goes_through(key, shown)
    }


def own_lines(page: PageLines, running: Running) -> list[Line]:
    """Returns the lines that are the page's own, without those that run through the document.

    None is taken where little would be left: from a page of one line, or one that consists of its head.
    """
    runs = [line for line in _running_lines(page, running) if _first(line, page, running) < page.number]
    inside: set[str] = _texts_inside(page) if runs else set()
    taken = {line.words[0].place for line in runs if line.text not in inside}
    if not taken:
        return page.lines
    own = [line for line in page.lines if line.words[0].place not in taken]
    kept = sum(line.length for line in own)
    if len(own) < LEAST_LEFT or kept < (1 - MOST_TAKEN) * sum(line.length for line in page.lines):
        return page.lines
    return own


def named_lines(page: PageLines, running: Running) -> dict[str, bool]:
    """Returns the texts that later pages leave out and that this page is the first to show; True if they count."""
    return {
        line.text: key.numbering != ""
        for line in _running_lines(page, running)
        for key in _keys(line, page.number)
        if running.get(key) == page.number
    }


def _comes_back(key: Key, numbers: list[int], pages: list[PageLines]) -> bool:
    """Whether a line is shown by many of the sampled pages, and is no scrap of a line."""
    between = sum(numbers[0] <= page.number <= numbers[-1] for page in pages)
    if len(numbers) < max(LEAST_PAGES, LEAST_BETWEEN * between):
        return False
    return len(letters(key.text)) >= LEAST_LETTERS or key.text == NUMBER_HERE


def _goes_through(key: Key, shown: Shown) -> bool:
    """Whether nearly all pages that have a line at its height show this one, or nearly all left or right pages do.

    The pages on the other side then have one line, too, or none: what changes from page to page does not run.
    """
    numbers = shown[key]
    first, last = numbers[0], numbers[-1]
    on_sides = [
        {
            number
            for other in shown.values()
            for number in other
            if first <= number <= last and (number - first) % 2 == side
        }
        for side in (0, 1)
    ]
    if any((number - first) % 2 for number in numbers):
        return len(numbers) >= NEARLY_ALL * sum(map(len, on_sides))
    partner = max(len(on_sides[1].intersection(other)) for other in shown.values())
    return len(numbers) >= NEARLY_ALL * len(on_sides[0]) and partner >= NEARLY_ALL * len(on_sides[1])


def _keys(line: Line, page: int) -> list[Key]:
    """Returns how a line may be known again: by its text, and by what stands beside its page number."""
    step = round(line.baseline / STEP)
    reading = without_number(line, page)
    return [Key(line.text, step, ""), *([Key(reading.text, step, reading.numbering)] if reading else [])]


def _running_lines(page: PageLines, running: Running) -> list[Line]:
    """Returns the lines of a page that run through the document and that white sets apart from all others.

    A line that stands close to the page's own text belongs to it: the head of a table, the first row of a list.
    """
    lines = [line for line in _outermost(page) if _first(line, page, running)] if running else []
    while close := [line for line in lines if not _stands_apart(line, lines, page)]:
        lines = [line for line in lines if line not in close]
    return lines


def _stands_apart(line: Line, running: list[Line], page: PageLines) -> bool:
    if not _is_level(line):
        return True
    white = WHITE * line.size
    top, bottom = line.top - white, line.bottom + white
    close = [other for other in page.lines if other.bottom > top and other.top < bottom and _is_level(other)]
    return all(other in running for other in close)


def _first(line: Line, page: PageLines, running: Running) -> int:
    """Returns the first page known to show a line, 0 where the line does not run."""
    near = [key._replace(step=key.step + off) for key in _keys(line, page.number) for off in (-1, 0, 1)]
    return min((running[key] for key in near if key in running), default=0)


def _texts_inside(page: PageLines) -> set[str]:
    return {line.text for line in page.lines if not _at_edge(line, page)}


def _outermost(page: PageLines) -> list[Line]:
    """Returns the few first and last lines of a page that stand near its edge, and those that climb along one."""
    downwards = sorted((line for line in page.lines if _is_level(line)), key=lambda line: line.top)
    last = max(OUTERMOST, len(downwards) - OUTERMOST)
    climbing = [line for line in page.lines if not _is_level(line) and _at_edge(line, page)]
    level = [line for line in downwards[:OUTERMOST] + downwards[last:] if _at_edge(line, page)]
    return level + climbing[:OUTERMOST]


def _at_edge(line: Line, page: PageLines) -> bool:
    if not _is_level(line):
        return line.x1 < EDGE * page.width or line.x0 > (1 - EDGE) * page.width
    return line.top < EDGE * page.height or line.bottom > (1 - EDGE) * page.height


def _is_level(line: Line) -> bool:
    return line.words[0].font.level
