"""Which lines are headings, and of what level: what the document itself says first, then what it looks like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

from .levels import DEEPEST_LEVEL
from .lines import Line, family, letters
from .model import Table
from .outline import Title
from .profile import Profile
from .titles import ends_open, is_numbered, may_be_title, section_depth

MOST_LINES = 4
LINE_DISTANCE = 1.8
"""How many times its size the lines of one heading may be apart."""
BODY_SHARE, NUMBERED_BODY_SHARE, FONT_BODY_SHARE = 0.97, 0.85, 0.85
SPACE_ABOVE = 0.35
LONGEST_BOLD, LONGEST_OF_FONT = 90, 80
NEXT_DISTANCE = 3
TAGGED_SHARE = 0.7
LONGEST_PREFIX = 8
"""Letters before an outline's title in print: "Chapter"."""
MOST_TITLES = 200

Flow = Sequence[Line | Table]
"""A page from its first to its last line, with the tables where they stand."""


class Heading(NamedTuple):
    """A heading and how many lines it takes."""

    level: int
    lines: int


class _Sign(NamedTuple):
    """Why a line looks like a heading."""

    level: int
    kind: Literal["tag", "size", "weight", "font"]


def find_headings(flow: Flow, profile: Profile, titles: Sequence[Title], tags: dict[int, int]) -> dict[int, Heading]:
    """Returns the headings of a page by the number of the line that they start at.

    `titles` are those of the outline that lead to this page, `tags` the levels of tagged words by their places.
    """
    found = _outlined(flow, titles[:MOST_TITLES])
    taken = {number + more for number, heading in found.items() for more in range(heading.lines)}
    signs = [None if number in taken else _sign(flow, number, profile, tags) for number in range(len(flow))]
    number = 0
    while number < len(flow):
        sign = signs[number]
        if sign:
            found[number] = Heading(sign.level, _count(flow, number, signs))
        number += found[number].lines if number in found else 1
    return found


def _outlined(flow: Flow, titles: Sequence[Title]) -> dict[int, Heading]:
    """Finds each title of the outline among the lines; the largest print wins, for heads and contents repeat it."""
    best: dict[str, tuple[float, int, Heading]] = {}
    for number in range(len(flow) if titles else 0):
        for title, count in _titles_at(flow, number, titles):
            line = flow[number]
            size = line.size if isinstance(line, Line) else 0.0
            if title.letters not in best or size > best[title.letters][0]:
                best[title.letters] = size, number, Heading(title.level, count)
    return {number: heading for _, number, heading in best.values()}


def _titles_at(flow: Flow, number: int, titles: Sequence[Title]) -> list[tuple[Title, int]]:
    """Returns the titles that one to four lines from here spell, with how many lines they take."""
    found: list[tuple[Title, int]] = []
    longest = max((len(title.letters) for title in titles), default=0)
    spelt = ""
    for count, line in enumerate(flow[number : number + MOST_LINES], 1):
        if not isinstance(line, Line) or len(spelt) > longest + LONGEST_PREFIX:
            break
        spelt += letters(line.text)
        found += [(title, count) for title in titles if _spells(spelt, title.letters)]
    return found


def _spells(spelt: str, title: str) -> bool:
    return spelt.endswith(title) and len(spelt) - len(title) <= (LONGEST_PREFIX if len(title) >= 6 else 0)


def _count(flow: Flow, number: int, signs: list[_Sign | None]) -> int:
    """Returns how many lines a heading takes: those below it that are set the same and close."""
    count = 1
    while count < MOST_LINES and number + count < len(flow):
        line, above = _line(flow, number + count), _line(flow, number + count - 1)
        if signs[number + count] != signs[number] or not (line and above and _continues(line, above)):
            break
        count += 1
    return count


def _sign(flow: Flow, number: int, profile: Profile, tags: dict[int, int]) -> _Sign | None:
    line = flow[number]
    if not isinstance(line, Line):
        return None
    if tags:
        return _by_tags(line, tags)
    above = _line(flow, number - 1)
    below = _line(flow, number + 1)
    sign = _by_size(line, profile) or _by_weight(line, above, below, profile) or _by_font(line, above, below, profile)
    if not sign or not may_be_title(line.text):
        return None
    return None if ends_open(line.text) and not (below and _continues(below, line)) else sign


def _line(flow: Flow, number: int) -> Line | None:
    found = flow[number] if 0 <= number < len(flow) else None
    return found if isinstance(found, Line) else None


def _continues(line: Line, above: Line) -> bool:
    """Whether a line is set like the one above it and close below."""
    near = 0 < line.baseline - above.baseline < LINE_DISTANCE * line.size
    return near and (line.size, line.bold) == (above.size, above.bold) and not is_numbered(line.text)


def _by_tags(line: Line, tags: dict[int, int]) -> _Sign | None:
    """On a page with tagged headings nothing else is one."""
    levels = Counter(tags[word.place] for word in line.words if word.place in tags)
    if levels.total() < TAGGED_SHARE * len(line.words):
        return None
    return _Sign(max(levels, key=lambda level: (levels[level], -level)), "tag")


def _by_size(line: Line, profile: Profile) -> _Sign | None:
    level = profile.levels.get(line.size)
    if level is None:
        return None
    depth = section_depth(line.text) or 1
    return _Sign(_numbered_level(line, profile) if depth > 1 else level, "size")


def _numbered_level(line: Line, profile: Profile) -> int:
    """Returns the level that a line's section number says; of one without, that below all that stand out by size."""
    depth = section_depth(line.text)
    return min(DEEPEST_LEVEL, depth + profile.titled) if depth else profile.below


def _by_weight(line: Line, above: Line | None, below: Line | None, profile: Profile) -> _Sign | None:
    if not line.bold or profile.bold_body or len(line.text) >= LONGEST_BOLD:
        return None
    if line.size < (NUMBERED_BODY_SHARE if section_depth(line.text) else BODY_SHARE) * profile.body:
        return None
    if (line.mono and not profile.mono_body) or not line.words[-1].font.bold:
        return None
    if not is_numbered(line.text):
        if line.text.endswith((".", ":")) or _labelled(line, profile):
            return None
        if not _stands_off(line, above) or (below is not None and below.bold):
            return None
    return _Sign(_numbered_level(line, profile), "weight")


def _by_font(line: Line, above: Line | None, below: Line | None, profile: Profile) -> _Sign | None:
    """A short line in a font that the document hardly uses, above a line in its main font."""
    font = line.font
    if font not in profile.rare_fonts or {family(word.font.name) for word in line.words} != {font}:
        return None
    if line.size < FONT_BODY_SHARE * profile.body or len(line.text) >= LONGEST_OF_FONT or line.mono:
        return None
    if not (line.text[0].isupper() or line.text[0].isdigit()) or line.text.endswith((".", ":", "?", "!")):
        return None
    if below is None or below.font != profile.main_font or _labelled(line, profile):
        return None
    if not 0 < below.baseline - line.baseline < NEXT_DISTANCE * line.size:
        return None
    if above is not None and (above.font == font or not _is_lower(line, above)):
        return None
    return _Sign(_numbered_level(line, profile), "font")


def _labelled(line: Line, profile: Profile) -> bool:
    return letters(line.words[0].text) in profile.labels


def _stands_off(line: Line, above: Line | None) -> bool:
    """Whether a line is set off from what is above it, by white or by its size."""
    return above is None or above.size != line.size or _is_lower(line, above)


def _is_lower(line: Line, above: Line) -> bool:
    """Whether white lies above a line, or a new column starts with it."""
    return line.top - above.bottom > SPACE_ABOVE * line.size or line.top < above.top
