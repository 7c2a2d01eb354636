"""Finds the bulleted lines of a page and their depth by indent; joins a lone bullet with its text."""

from __future__ import annotations

from collections import Counter

from ....named_tuple import NamedTuple
from ..heading_search.find_headings import Flow
from ..page_content.text_lines import Line, line_of
from ..page_model import Table
from ..text_patterns import BULLET_AT_START

SAME_LINE = 0.5
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
    dashes = Counter(_start(line) for line in flow if isinstance(line, Line) and line.text[0] in DASHES)
    above: Line | None = None
    items: list[Line] = []
    for number, line in enumerate(flow):
        if not isinstance(line, Line):
            above, items = None, []
            continue
        if items and _ends_list(line, items):
            items = []
        length = 0 if line.text[0] in signs else _bullet_length(line)
        if length and not (above and _is_dash_in_text(line, above, dashes[_start(line)])):
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


def _start(line: Line) -> tuple[str, int]:
    """Returns by what items of one list are alike: their sign and indent."""
    return line.text[0], round(line.x0 / SAME_INDENT)


def _is_round_bullet(line: Line) -> bool:
    """Whether a line begins with an "o" in a monospaced font, as word processors draw second-level bullets."""
    first = line.words[0]
    return first.text == "o" and first.font.mono and len(line.words) > 1 and not line.words[1].font.mono


def _ends_list(line: Line, items: list[Line]) -> bool:
    """Whether a line ends the list: it is further to the left, far to the right, or in another column."""
    first, last = items[0], items[-1]
    return line.x0 < first.x0 - SAME_INDENT or line.x0 - last.x0 > WIDEST_INDENT or line.top < last.top


def bullet_with_text(above: Line, line: Line) -> Line | None:
    """Joins a bullet that PDFium read as a separate line with the text beside it; None for other lines."""
    if not _is_lone_bullet(above) or not _beside(above, line):
        return None
    return line_of([*above.words, *line.words])


def _is_lone_bullet(line: Line) -> bool:
    """Says whether a line is a bullet without its text."""
    return len(line.text) == 1 and BULLET_AT_START.fullmatch(line.text + " ") is not None


def _beside(bullet: Line, line: Line) -> bool:
    """Says whether a line stands beside a bullet."""
    same_height = abs(line.baseline - bullet.baseline) < SAME_LINE * line.size
    return same_height and line.x0 >= bullet.x0
