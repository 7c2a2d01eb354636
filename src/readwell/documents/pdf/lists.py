"""List items: bullets become Markdown's, numbers stay as they are printed."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from .headings import Flow
from .lines import Line, line_of
from .model import Table
from .titles import BULLET

SAME_LINE = 0.5
SAME_INDENT, WIDEST_INDENT = 4, 60
"""In points: bullets of one depth, and how far the next one is to the right at most."""
DEEPEST = 4
DASHES = "-–—"
SIGNS = ("–", "—")
"""Dashes that stand for nothing in the cells of a table; a line below it that begins with one explains the sign."""
CLOSING = (".", ":", ";", ",", "!", "?")


class Bullet(NamedTuple):
    """How many characters of a line are its bullet and the space behind it, and how deep the item is nested."""

    length: int
    depth: int


def find_bullets(flow: Flow) -> dict[int, Bullet]:
    """Returns the bulleted lines of a page by their numbers; where their bullets stand tells how deep they are."""
    found: dict[int, Bullet] = {}
    signs = {cell for item in flow if isinstance(item, Table) for row in item.rows for cell in row if cell in SIGNS}
    dashes = Counter(_start(line) for line in flow if isinstance(line, Line) and line.text[0] in DASHES)
    above: Line | None = None
    items: list[Line] = []
    for number, line in enumerate(flow):
        if not isinstance(line, Line):
            above, items = None, []
            continue
        if items and _leaves(line, items):
            items = []
        length = 0 if line.text[0] in signs else _bullet_length(line)
        if length and not (above and _is_dash_in_text(line, above, dashes[_start(line)])):
            items = [*(item for item in items if line.x0 - item.x0 > SAME_INDENT), line][:DEEPEST]
            found[number] = Bullet(length, len(items) - 1)
        above = line
    return found


def _bullet_length(line: Line) -> int:
    """Returns 0 without a bullet, and where there is nothing behind it.

    An asterisk stays as it is: it may be the mark of a footnote, and Markdown takes it for a bullet anyway.
    """
    found = BULLET.match(line.text) if line.text[0] != "*" else None
    if found:
        return found.end() if found.end() < len(line.text) else 0
    return 2 if _is_round_bullet(line) else 0


def _is_dash_in_text(line: Line, above: Line, alike: int) -> bool:
    """Whether a dash goes on with the sentence above: a small letter follows, and it is the only one at its place."""
    if line.text[0] not in DASHES or alike > 1 or above.text.endswith(CLOSING):
        return False
    return line.text[1:].lstrip()[0].islower()


def _start(line: Line) -> tuple[str, int]:
    return line.text[0], round(line.x0 / SAME_INDENT)


def _is_round_bullet(line: Line) -> bool:
    """Word processors draw the bullet of a second level as an "o" of a typewriter font."""
    first = line.words[0]
    return first.text == "o" and first.font.mono and len(line.words) > 1 and not line.words[1].font.mono


def _leaves(line: Line, items: list[Line]) -> bool:
    """Whether a line ends the list: it stands further to the left, far to the right, or in another column."""
    first, last = items[0], items[-1]
    return line.x0 < first.x0 - SAME_INDENT or line.x0 - last.x0 > WIDEST_INDENT or line.top < last.top


def itemised(above: Line, line: Line) -> Line | None:
    """Returns a bullet that PDFium read as a line of its own together with the text beside it."""
    if not _is_lone_bullet(above) or not _beside(above, line):
        return None
    return line_of([*above.words, *line.words])


def _is_lone_bullet(line: Line) -> bool:
    return len(line.text) == 1 and BULLET.fullmatch(line.text + " ") is not None


def _beside(bullet: Line, line: Line) -> bool:
    level = abs(line.baseline - bullet.baseline) < SAME_LINE * line.size
    return level and line.x0 >= bullet.x0
