"""List items: bullets become Markdown's, numbers stay as they are printed."""

from __future__ import annotations

from .lines import Line, line_of
from .titles import BULLET

SAME_LINE = 0.5


def bullet_length(line: Line) -> int:
    """Returns how many characters of a line are its bullet and the space behind it; 0 without one.

    An asterisk stays as it is: it may be the mark of a footnote, and Markdown takes it for a bullet anyway.
    """
    found = BULLET.match(line.text) if line.text[0] != "*" else None
    if found:
        return found.end()
    return 2 if _is_round_bullet(line) else 0


def _is_round_bullet(line: Line) -> bool:
    """Word processors draw the bullet of a second level as an "o" of a typewriter font."""
    first = line.words[0]
    return first.text == "o" and first.font.mono and len(line.words) > 1 and not line.words[1].font.mono


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
