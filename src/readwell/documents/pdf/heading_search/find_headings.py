"""Finds headings and their levels: by the outline, then by structure tags, else by the look of a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from ....named_tuple import NamedTuple
from ..document_facts.bookmark_titles import Title
from ..document_facts.profile import Profile
from ..page_content.text_lines import ONE_SPACE, Line, font_family, letters
from ..page_model import Table
from ..text_patterns import BULLET_AT_START, is_year
from .consecutive_lines import LINE_DISTANCE, MAX_LINES, Flow, count_text_lines, goes_on, line_at
from .heading_levels import DEEPEST_LEVEL
from .heading_patterns import LEADER_DOTS, begins_like_section, is_unfinished, may_be_heading, section_depth
from .running_heads import begins_with_page

BODY_SHARE, NUMBERED_BODY_SHARE, FONT_BODY_SHARE = 0.97, 0.85, 0.85
SPACE_ABOVE, NEXT_DISTANCE = 0.35, 3
LONGEST_BOLD, LONGEST_OF_FONT = 90, 80
MUCH_LARGER, SENTENCE_WORDS = 1.3, 8
BESIDE, LABEL, INDENTED = 0.3, 25, 2.0
PAGE_APART = 2.0
TAGGED_SHARE = 0.7
LONGEST_PREFIX = 8
"""The most letters that may precede an outline title in print, such as "Chapter"."""
MAX_TITLES = 200


class Heading(NamedTuple):
    """The level of a heading and the number of its lines."""

    level: int
    lines: int


class _Cue(NamedTuple):
    """The level of a line that looks like a heading, and why it does."""

    level: int
    kind: Literal["tag", "size", "weight", "font"]


def find_headings(flow: Flow, profile: Profile, titles: Sequence[Title], tags: dict[int, int]) -> dict[int, Heading]:
    """Returns the headings of a page by the number of their first line.

    `titles` are the outline entries that point to this page; `tags` are the levels of tagged words by `char_index`.
    """
    headings = _find_title_headings(flow, titles[:MAX_TITLES])
    taken = {number + more for number, heading in headings.items() for more in range(heading.lines)}
    cues = [None if number in taken else _cue(flow, number, profile, tags) for number in range(len(flow))]
    number = 0
    while number < len(flow):
        cue = cues[number]
        if cue:
            text = count_text_lines(flow, number) if cue.kind == "size" else 0
            if text:
                number += text
                continue
            headings[number] = Heading(cue.level, _count_heading_lines(flow, number, cues))
        number += headings[number].lines if number in headings else 1
    return headings


def _find_title_headings(flow: Flow, titles: Sequence[Title]) -> dict[int, Heading]:
    """Finds each outline title among the lines; of several the largest, for headers and contents repeat titles."""
    best: dict[str, tuple[float, int, Heading]] = {}
    for number in range(len(flow) if titles else 0):
        for title, count in _titles_at(flow, number, titles):
            line = flow[number]
            size = line.size if isinstance(line, Line) else 0.0
            if title.letters not in best or size > best[title.letters][0]:
                best[title.letters] = size, number, Heading(title.level, count)
    return {number: heading for _, number, heading in best.values()}


def _titles_at(flow: Flow, number: int, titles: Sequence[Title]) -> list[tuple[Title, int]]:
    """Returns the titles that one to four lines from here spell, each with its number of lines."""
    matches: list[tuple[Title, int]] = []
    longest = max((len(title.letters) for title in titles), default=0)
    spelt = ""
    for count, line in enumerate(flow[number : number + MAX_LINES], 1):
        if not isinstance(line, Line) or len(spelt) > longest + LONGEST_PREFIX:
            break
        spelt += letters(line.text)
        matches += [(title, count) for title in titles if _spells(spelt, title.letters)]
    return matches


def _spells(spelt: str, title: str) -> bool:
    """Says whether a line is a title, with at most a number before it."""
    return spelt.endswith(title) and len(spelt) - len(title) <= (LONGEST_PREFIX if len(title) >= 6 else 0)


def _count_heading_lines(flow: Flow, number: int, cues: list[_Cue | None]) -> int:
    """Returns the number of lines of a heading: those directly below it in the same font belong to it."""
    count = 1
    while count < MAX_LINES and number + count < len(flow):
        line, above = line_at(flow, number + count), line_at(flow, number + count - 1)
        if cues[number + count] != cues[number] or not (line and above and goes_on(line, above)):
            break
        count += 1
    return count


def _cue(flow: Flow, number: int, profile: Profile, tags: dict[int, int]) -> _Cue | None:
    """Returns why a line may be a heading, and at which level; None where nothing speaks for it."""
    line = flow[number]
    if not isinstance(line, Line) or begins_with_page(line):
        return None
    if tags:
        return _cue_by_tags(line, tags)
    above = line_at(flow, number - 1)
    below = line_at(flow, number + 1)
    cue = _cue_by_size(line, profile) or _cue_by_weight(line, above, below, profile)
    cue = cue or _cue_by_font(line, above, below, profile)
    if not cue or not line.horizontal or not may_be_heading(line.text) or _is_sentence(line, above, cue, profile):
        return None
    if _has_line_beside(flow, number) or _is_contents_entry(flow, number) or _continues_list_item(flow, number):
        return None
    if cue.kind != "size" and _is_over_table(flow, number):
        return None
    return None if is_unfinished(line.text) and not (below and goes_on(below, line)) else cue


def _is_sentence(line: Line, above: Line | None, cue: _Cue, profile: Profile) -> bool:
    """Whether a line begins in lower case or ends a long sentence, and is not much larger than the text."""
    if line.size >= MUCH_LARGER * profile.body or (cue.kind == "size" and above and goes_on(line, above)):
        return False
    first = next((letter for letter in line.text if letter.isalpha()), "A")
    if first.islower() and (cue.kind != "size" or line.text[0].isalpha()):
        return True
    return line.text.endswith(".") and len(line.words) >= SENTENCE_WORDS


def _is_contents_entry(flow: Flow, number: int) -> bool:
    """Whether a line, or one that goes on it, ends with a page set apart: it has a section number or company."""
    for end in range(number, number + MAX_LINES):
        line, above = line_at(flow, end), line_at(flow, end - 1)
        if line is None or (end > number and not (above and goes_on(line, above))):
            return False
        if _ends_with_page(line):
            near = (line_at(flow, other) for other in range(end - MAX_LINES, end + MAX_LINES + 1) if other != end)
            company = any(other and _ends_with_page(other) and line.size < MUCH_LARGER * other.size for other in near)
            return not LEADER_DOTS.search(line.text) and (company or begins_like_section(line.text))
    return False


def _ends_with_page(line: Line) -> bool:
    """Whether a line ends with a number behind leader dots, or with one, no year, that white sets apart."""
    last, before = line.words[-1], line.words[max(0, len(line.words) - 2)]
    is_apart = last.x0 - before.x1 > PAGE_APART * line.size and line.x0 < before.x0 and not is_year(last.text)
    return last.text.isdecimal() and (is_apart or LEADER_DOTS.search(line.text) is not None)


def _continues_list_item(flow: Flow, number: int) -> bool:
    """Whether a line goes on a list item, which may be as large as a heading."""
    line = line_at(flow, number)
    for k in range(number - 1, number - MAX_LINES, -1):
        above = line_at(flow, k)
        if not line or not above or not goes_on(line, above):
            return False
        if BULLET_AT_START.match(above.text):
            return line.x0 > above.x0
        line = above
    return False


def _has_line_beside(flow: Flow, number: int) -> bool:
    """Whether one of the next lines stands beside a line: it is a label in a figure or a form."""
    line = flow[number]
    for other in (line_at(flow, number + step) for step in (-2, -1, 1, 2)):
        if isinstance(line, Line) and other and abs(other.baseline - line.baseline) < BESIDE * line.size:
            gap = max(other.x0 - line.x1, line.x0 - other.x1)
            if gap > ONE_SPACE * line.size and other.length < LABEL:
                return True
    return False


def _is_over_table(flow: Flow, number: int) -> bool:
    """Whether a line stands directly over a table, away from its left edge: a head of columns."""
    line, table = flow[number], flow[number + 1] if number + 1 < len(flow) else None
    if not isinstance(line, Line) or not isinstance(table, Table):
        return False
    return table.box[1] - line.bottom < line.size and line.x0 - table.box[0] > INDENTED * line.size


def _cue_by_tags(line: Line, tags: dict[int, int]) -> _Cue | None:
    """Judges a line by its tags alone: on a page with tagged headings no other line is one."""
    levels = Counter(tags[word.char_index] for word in line.words if word.char_index in tags)
    if levels.total() < TAGGED_SHARE * len(line.words):
        return None
    return _Cue(max(levels, key=lambda level: (levels[level], -level)), "tag")


def _cue_by_size(line: Line, profile: Profile) -> _Cue | None:
    """Takes a line for a heading by its size."""
    level = profile.levels.get(line.size)
    if level is None:
        return None
    depth = section_depth(line.text) or 1
    return _Cue(_level_by_section_number(line, profile) if depth > 1 else level, "size")


def _level_by_section_number(line: Line, profile: Profile) -> int:
    """Returns the level by the section number of a line; without one, the level below all those by size."""
    depth = section_depth(line.text)
    return min(DEEPEST_LEVEL, depth + profile.titled) if depth else profile.level_in_body_size


def _cue_by_weight(line: Line, above: Line | None, below: Line | None, profile: Profile) -> _Cue | None:
    """Takes a line for a heading because it is bold and set off."""
    if not line.bold or profile.bold_body or len(line.text) >= LONGEST_BOLD:
        return None
    if line.size < (NUMBERED_BODY_SHARE if section_depth(line.text) else BODY_SHARE) * profile.body:
        return None
    if (line.mono and not profile.mono_body) or not line.words[-1].font.bold:
        return None
    if not begins_like_section(line.text):
        if line.text.endswith((".", ":")) or _begins_with_label(line, profile):
            return None
        if not _is_set_off(line, above) or _continues_bold_paragraph(line, above) or (below is not None and below.bold):
            return None
    return _Cue(_level_by_section_number(line, profile), "weight")


def _cue_by_font(line: Line, above: Line | None, below: Line | None, profile: Profile) -> _Cue | None:
    """Recognises a short line in a rare font above a line in the main font."""
    font = line.font
    if font not in profile.rare_fonts or {font_family(word.font.name) for word in line.words} != {font}:
        return None
    if line.size < FONT_BODY_SHARE * profile.body or len(line.text) >= LONGEST_OF_FONT or line.mono:
        return None
    if not (line.text[0].isupper() or line.text[0].isdigit()) or line.text.endswith((".", ":", "?", "!")):
        return None
    if below is None or below.font != profile.main_font or _begins_with_label(line, profile):
        return None
    if not 0 < below.baseline - line.baseline < NEXT_DISTANCE * line.size:
        return None
    if above is not None and (above.font == font or not _has_space_above(line, above)):
        return None
    return _Cue(_level_by_section_number(line, profile), "font")


def _begins_with_label(line: Line, profile: Profile) -> bool:
    """Says whether a line begins with a word that labels paragraphs in this document."""
    return letters(line.words[0].text) in profile.labels


def _continues_bold_paragraph(line: Line, above: Line | None) -> bool:
    """Whether a bold line goes on a bold one that is as wide: the tail of a bold paragraph."""
    if above is None or not above.bold or above.size != line.size:
        return False
    near = 0 < line.baseline - above.baseline < LINE_DISTANCE * line.size
    return near and above.x1 >= line.x1 and abs(above.x0 - line.x0) < INDENTED * line.size


def _is_set_off(line: Line, above: Line | None) -> bool:
    """Whether a line is set off from the one above it, by space or by its size."""
    return above is None or above.size != line.size or _has_space_above(line, above)


def _has_space_above(line: Line, above: Line) -> bool:
    """Whether there is space above a line, or it starts a new column."""
    return line.top - above.bottom > SPACE_ABOVE * line.size or line.top < above.top
