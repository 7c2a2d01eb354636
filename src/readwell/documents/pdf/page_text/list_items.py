"""Finds the bulleted lines of a page and their depth by indent; joins a lone bullet or number with its text."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from ....named_tuple import NamedTuple
from ..heading_search.consecutive_lines import Flow
from ..page_content.text_lines import Line, line_of
from ..page_model import Table
from ..text_patterns import BULLET_AT_START

SAME_LINE = 0.5
SAME_BASELINE, NEAR_TEXT = 0.15, 3.0
"""In ems: how far the baselines of a mark and its text may differ, and the widest gap between them."""
MARK = re.compile(r"[•▪●‣■]|(?:\d{1,3}|[a-zA-Z]|[ivx]{2,4})[.)]")
"""The bullet, number or letter of a list item: not in brackets, as of formulas beside a column, no dash or operator."""
UNKNOWN, SPACE = re.compile("[\x01-\x1f\x7f-\x9f\ufffd]"), 0.3
"""A sign without a name, and the least space after it as a bullet, in ems; one line alone may be a formula."""
SAME_INDENT, WIDEST_INDENT = 4, 60
"""In points: the tolerance for bullets of one depth, and the widest indent of the next depth."""
DEEPEST = 4
DASHES = "-–—"
SIGNS = ("–", "—")
"""Dashes that mean an empty cell in a table; a line below it that begins with one explains the dash."""
CLOSING = (".", ":", ";", ",", "!", "?")


class Bullet(NamedTuple):
    """The length of a bullet with the space after it, in characters, and the nesting depth of the item."""

    length: int
    depth: int


def find_bullets(flow: Flow) -> dict[int, Bullet]:
    """Returns the bulleted lines of a page by their numbers; their indents give the depth."""
    bullets: dict[int, Bullet] = {}
    signs = {cell for item in flow if isinstance(item, Table) for row in item.rows for cell in row if cell in SIGNS}
    dashes = Counter(_sign_and_indent(line) for line in flow if isinstance(line, Line) and line.text[0] in DASHES)
    unknown = Counter(_sign_and_indent(line) for line in flow if isinstance(line, Line) and _begins_with_unknown(line))
    above: Line | None = None
    items: list[Line] = []
    for number, line in enumerate(flow):
        if not isinstance(line, Line):
            above, items = None, []
            continue
        if items and _ends_list(line, items):
            items = []
        length = 0 if line.text[0] in signs else _bullet_length(line)
        if unknown[_sign_and_indent(line)] > 1 and _begins_with_unknown(line):
            length = 2
        if length and not (above and _is_dash_in_text(line, above, dashes[_sign_and_indent(line)])):
            items = [*(item for item in items if line.x0 - item.x0 > SAME_INDENT), line][:DEEPEST]
            bullets[number] = Bullet(length, len(items) - 1)
        above = line
    return bullets


def _bullet_length(line: Line) -> int:
    """Returns 0 where there is no bullet, or no text after it.

    An asterisk stays as it is: it may be a footnote mark, and Markdown reads it as a bullet anyway.
    """
    match = None if line.text[0] == "*" or line.text[0].isalnum() else BULLET_AT_START.match(line.text)
    if match:
        return match.end() if match.end() < len(line.text) else 0
    return 2 if _is_round_bullet(line) else 0


def _is_dash_in_text(line: Line, above: Line, alike: int) -> bool:
    """Whether a dash continues the sentence above: a small letter follows, and no other dash has its indent."""
    if line.text[0] not in DASHES or alike > 1 or above.text.endswith(CLOSING):
        return False
    return line.text[1:].lstrip()[0].islower()


def _sign_and_indent(line: Line) -> tuple[str, int]:
    """Returns by what items of one list are alike: their sign and indent."""
    return line.text[0], round(line.x0 / SAME_INDENT)


def _is_round_bullet(line: Line) -> bool:
    """Whether a line begins with an "o" in a monospaced font, as word processors draw second-level bullets."""
    first = line.words[0]
    return first.text == "o" and first.font.mono and len(line.words) > 1 and not line.words[1].font.mono


def _begins_with_unknown(line: Line) -> bool:
    """Whether a line begins with a sign apart from its text that the font does not name: the bullet of some fonts."""
    first = line.words[0]
    if not UNKNOWN.fullmatch(first.text) or len(line.words) < 2:
        return False
    return line.words[1].x0 - first.x1 > SPACE * line.size and line.words[1].text[0].isalnum()


def _ends_list(line: Line, items: list[Line]) -> bool:
    """Whether a line ends the list: it is further to the left, far to the right, or in another column."""
    first, last = items[0], items[-1]
    return line.x0 < first.x0 - SAME_INDENT or line.x0 - last.x0 > WIDEST_INDENT or line.top < last.top


def with_marks_joined(flow: Flow) -> list[Line | Table]:
    """Joins bullets and numbers of list items with the text beside them, which may be drawn much earlier or later."""
    lines = {number: item for number, item in enumerate(flow) if isinstance(item, Line)}
    marks = [number for number, line in lines.items() if MARK.fullmatch(line.text)]
    if not marks:
        return list(flow)
    level: dict[int, list[int]] = defaultdict(list)
    for number, line in lines.items():
        level[round(line.baseline)].append(number)
    for mark in marks:
        here = round(lines[mark].baseline)
        near = [number for height in (here - 1, here, here + 1) for number in level.get(height, ()) if number in lines]
        beside = [number for number in near if _is_text_of(lines[number], lines[mark])]
        if beside:
            text = min(beside, key=lambda number: lines[number].x0)
            lines[text] = line_of([*lines.pop(mark).words, *lines[text].words])
    tables = {number: item for number, item in enumerate(flow) if isinstance(item, Table)}
    return [(lines | tables)[number] for number in sorted(lines.keys() | tables.keys())]


def _is_text_of(line: Line, mark: Line) -> bool:
    """Whether a line begins directly to the right of the mark of a list item."""
    level = abs(line.baseline - mark.baseline) < SAME_BASELINE * line.size
    return level and 0 <= line.x0 - mark.x1 < NEAR_TEXT * line.size and any(map(str.isalnum, line.text))


def join_bullet_with_text(above: Line, line: Line) -> Line | None:
    """Joins a bullet that PDFium read as a separate line with the text beside it; None for other lines."""
    if not _is_lone_bullet(above) or not _is_beside_bullet(above, line):
        return None
    return line_of([*above.words, *line.words])


def _is_lone_bullet(line: Line) -> bool:
    """Says whether a line is a bullet without its text."""
    return len(line.text) == 1 and BULLET_AT_START.fullmatch(line.text + " ") is not None


def _is_beside_bullet(bullet: Line, line: Line) -> bool:
    """Says whether a line stands beside a bullet."""
    same_height = abs(line.baseline - bullet.baseline) < SAME_LINE * line.size
    return same_height and line.x0 >= bullet.x0
