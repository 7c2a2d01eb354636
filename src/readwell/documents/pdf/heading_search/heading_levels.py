"""Determines which font sizes are headings and their levels: by rank, by section numbers, below the title."""

from __future__ import annotations

import re
from collections import Counter
from statistics import median

from ....named_tuple import NamedTuple
from ..document_facts.running_lines import PageLines
from ..page_content.text_lines import Line, letters
from .heading_patterns import begins_like_section, may_be_heading

HEADING_RATIO, MUCH_LARGER = 1.12, 1.3
"""A heading is larger than the body text by at least this factor; text beside long tables, by less than the second."""
COMMON_SHARE = 0.2
SAME_LEVEL = 0.94
DEEPEST_LEVEL = 6
LONGEST_NUMBERED = 100
MAX_TITLE_LINES = 4
SECTION = re.compile(r"(\d{1,2}(?:\.\d{1,2})*)\.?\s+[^\W\d_]{2}")


class Levels(NamedTuple):
    """The heading level of each font size that headings use, and the letters of the document's title or nothing."""

    by_size: dict[float, int]
    title: str


def find_levels(pages: list[PageLines], sizes: Counter[float], body: float) -> Levels:
    """Ranks the font sizes of headings, largest first; section numbers override the rank.

    A title of the whole document is the only heading of the first level. Text at an angle, as of stamps, has no level.
    """
    lines = [line for page in pages for line in page.lines if line.horizontal]
    titled = Counter(line.size for line in lines if line.size > HEADING_RATIO * body and may_be_heading(line.text))
    most = COMMON_SHARE * sum(sizes.values())
    text = _sizes_of_text(lines, body)
    large = [size for size in sizes if size > HEADING_RATIO * body and sizes[size] < most and titled[size]]
    large = [size for size in large if size not in text]
    large.sort(reverse=True)
    title = _find_document_title(pages, large)
    if not title:
        return Levels(_levels_of_sizes(large, titled, lines), "")
    below = _levels_of_sizes(large[1:], titled, lines)
    lower = {size: min(DEEPEST_LEVEL, level + 1) for size, level in below.items()}
    return Levels({large[0]: 1} | lower, title)


def _sizes_of_text(lines: list[Line], body: float) -> set[float]:
    """Returns sizes little larger than most text in which sentences go on from line to line: text beside tables."""
    lengths: Counter[float] = Counter()
    sentences: Counter[float] = Counter()
    above: Line | None = None
    for line in lines:
        if HEADING_RATIO * body < line.size < MUCH_LARGER * body:
            lengths[line.size] += line.length
            if above and above.size == line.size and line.text[0].islower() and line.text[-1] == ".":
                sentences[line.size] += above.length + line.length
        above = line
    return {size for size, length in lengths.items() if 2 * sentences[size] >= length}


def _find_document_title(pages: list[PageLines], large: list[float]) -> str:
    """Returns the letters of the title: in the largest font, on the first page only, and without a section number."""
    if not large or any(size >= SAME_LEVEL * large[0] for size in large[1:]):
        return ""
    first, *others = ([line.text for line in page.lines if line.size == large[0]] for page in pages)
    if not 0 < len(first) <= MAX_TITLE_LINES or any(others) or any(map(begins_like_section, first)):
        return ""
    return letters("".join(first))


def _levels_of_sizes(large: list[float], titled: Counter[float], lines: list[Line]) -> dict[float, int]:
    """Returns the level of each size; sizes are given in descending order."""
    levels = _ranks([size for size in large if titled[size] >= 2] or large)
    for size in large:
        smaller = [level for other, level in levels.items() if other <= size]
        levels.setdefault(size, min(smaller, default=max(levels.values())))
    return levels | {size: depth for size, depth in _section_depth_by_size(lines).items() if size in levels}


def _ranks(sizes: list[float]) -> dict[float, int]:
    """Numbers descending sizes from 1; nearly equal sizes share a level."""
    levels: dict[float, int] = {}
    level, first = 0, 0.0
    for size in sizes:
        if not level or size < SAME_LEVEL * first:
            level, first = level + 1, size
        levels[size] = min(DEEPEST_LEVEL, level)
    return levels


def _section_depth_by_size(lines: list[Line]) -> dict[float, int]:
    """Returns the median depth of section numbers ("2.1" is 2) for sizes with two or more numbered lines."""
    depths: dict[float, list[int]] = {}
    for line in lines:
        number = SECTION.match(line.text)
        if number and len(line.text) < LONGEST_NUMBERED:
            depths.setdefault(line.size, []).append(number.group(1).count(".") + 1)
    return {size: min(DEEPEST_LEVEL, int(median(of_size))) for size, of_size in depths.items() if len(of_size) >= 2}
