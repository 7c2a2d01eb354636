"""Running headers and footers: lines near an edge of the page that repeat exactly, page after page.

Each is kept on the first page known to show it, where a comment names it, and on all pages before that one.
"""

from __future__ import annotations

from ....named_tuple import NamedTuple
from ..page_content.text_lines import Line, letters
from .page_numbers import NUMBER_HERE, replace_page_number

EDGE = 0.16
"""The share of a page, at each of its edges, in which running lines are looked for."""
OUTERMOST = 3
STEP = 6
"""Points: baselines are compared in steps of this height."""
MIN_PAGES = 3
NEARLY_ALL = 0.8
MIN_BETWEEN = 0.4
"""The share of the pages between the first and the last that must show a line: alternating headers are on half."""
MIN_SPACE = 1.0
"""Ems of empty space above and below a running line, or below the last of several."""
MIN_LETTERS = 2
MIN_LEFT, MAX_TAKEN = 4, 0.25


class PageLines(NamedTuple):
    """The lines of a page, with its number and size."""

    number: int
    width: float
    height: float
    lines: list[Line]


class Key(NamedTuple):
    """What identifies a running line on every page: its text, its height, and the numbering of its page number.

    In the text, `#` replaces the page number; the numbering is empty where there is none.
    """

    text: str
    step: int
    numbering: str


Shown = dict[Key, list[int]]
"""The lines at one height, each with the pages that show it."""
RunningLines = dict[Key, int]
"""The running lines of a document, each with the first page known to show it."""


def find_running_lines(pages: list[PageLines]) -> RunningLines:
    """Finds lines that repeat on the sampled pages, given in order, and are set apart from the text."""
    inside = {text for page in pages for text in _texts_away_from_edges(page)}
    repeated = _find_repeated_lines(pages, [lines_at_edge(page) for page in pages])
    candidates = {key: first for key, first in repeated.items() if key.text not in inside}
    if not candidates:
        return {}
    apart = _find_repeated_lines(pages, [running_lines_of(page, candidates) for page in pages])
    return {key: first for key, first in apart.items() if key in candidates}


def _find_repeated_lines(pages: list[PageLines], lines: list[list[Line]]) -> RunningLines:
    """Returns those of the given lines that many pages share, each with its first page."""
    heights: dict[int, Shown] = {}
    for page, candidates in zip(pages, lines, strict=True):
        for key in {key for line in candidates for key in _keys(line, page.number)}:
            heights.setdefault(key.step, {}).setdefault(key, []).append(page.number)
    return {
        key: numbers[0]
        for shown in heights.values()
        for key, numbers in shown.items()
        if _is_frequent(key, numbers, pages) and _is_consistent(key, shown)
    }


def without_running_lines(page: PageLines, running: RunningLines) -> list[Line]:
    """Returns the lines of a page without its running lines.

    All lines are kept where little would be left: on a page of one line, or one that is mostly its header.
    """
    runs = [line for line in running_lines_of(page, running) if _first_page_with(line, page, running) < page.number]
    inside: set[str] = _texts_away_from_edges(page) if runs else set()
    taken = {line.words[0].char_index for line in runs if line.text not in inside}
    if not taken:
        return page.lines
    own = [line for line in page.lines if line.words[0].char_index not in taken]
    kept = sum(line.length for line in own)
    if len(own) < MIN_LEFT or kept < (1 - MAX_TAKEN) * sum(line.length for line in page.lines):
        return page.lines
    return own


def running_lines_first_shown(page: PageLines, running: RunningLines) -> dict[str, bool]:
    """Returns the running lines first shown by this page; the value is True for lines with a page number."""
    return {
        line.text: key.numbering != ""
        for line in running_lines_of(page, running)
        for key in _keys(line, page.number)
        if running.get(key) == page.number
    }


def _is_frequent(key: Key, numbers: list[int], pages: list[PageLines]) -> bool:
    """Whether many of the sampled pages show a line, and it is more than a fragment."""
    between = sum(numbers[0] <= page.number <= numbers[-1] for page in pages)
    if len(numbers) < max(MIN_PAGES, MIN_BETWEEN * between):
        return False
    return len(letters(key.text)) >= MIN_LETTERS or key.text == NUMBER_HERE


def _is_consistent(key: Key, shown: Shown) -> bool:
    """Whether nearly all pages with a line at this height show this one, or nearly all left or right pages do.

    The pages of the other side must then share one line, too, or have none: a changing line is not a running one.
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
    """Returns the keys of a line: by its whole text, and by its text without the page number."""
    step = round(line.baseline / STEP)
    numbered = replace_page_number(line, page)
    return [Key(line.text, step, ""), *([Key(numbered.text, step, numbered.numbering)] if numbered else [])]


def running_lines_of(page: PageLines, running: RunningLines) -> list[Line]:
    """Returns the running lines of a page that empty space separates from its text.

    A line close to the text belongs to the text: the header of a table, the first row of a list.
    """
    lines = [line for line in lines_at_edge(page) if _first_page_with(line, page, running)] if running else []
    while close := [line for line in lines if not _is_set_apart(line, lines, page)]:
        lines = [line for line in lines if line not in close]
    return lines


def _is_set_apart(line: Line, running: list[Line], page: PageLines) -> bool:
    """Says whether nothing but other running lines is near a line."""
    if not _is_horizontal(line):
        return True
    space = MIN_SPACE * line.size
    top, bottom = line.top - space, line.bottom + space
    close = [other for other in page.lines if other.bottom > top and other.top < bottom and _is_horizontal(other)]
    return all(other in running for other in close)


def _first_page_with(line: Line, page: PageLines, running: RunningLines) -> int:
    """Returns the first page known to show a line; 0 where it is no running line."""
    near = [key._replace(step=key.step + off) for key in _keys(line, page.number) for off in (-1, 0, 1)]
    return min((running[key] for key in near if key in running), default=0)


def _texts_away_from_edges(page: PageLines) -> set[str]:
    """Returns the lines that are not at an edge."""
    return {line.text for line in page.lines if not _at_edge(line, page)}


def lines_at_edge(page: PageLines) -> list[Line]:
    """Returns the few first and last lines near the edges of a page, and vertical lines along its sides."""
    downwards = sorted((line for line in page.lines if _is_horizontal(line)), key=lambda line: line.top)
    last = max(OUTERMOST, len(downwards) - OUTERMOST)
    vertical = [line for line in page.lines if not _is_horizontal(line) and _at_edge(line, page)]
    horizontal = [line for line in downwards[:OUTERMOST] + downwards[last:] if _at_edge(line, page)]
    return horizontal + vertical[:OUTERMOST]


def _at_edge(line: Line, page: PageLines) -> bool:
    """Says whether a line is near an edge of the page."""
    if not _is_horizontal(line):
        return line.x1 < EDGE * page.width or line.x0 > (1 - EDGE) * page.width
    return line.top < EDGE * page.height or line.bottom > (1 - EDGE) * page.height


def _is_horizontal(line: Line) -> bool:
    """Says whether a line is printed upright."""
    return line.words[0].font.horizontal
