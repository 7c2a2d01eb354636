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


def join_bullets(lines: list[Line]) -> list[Line]:
    """Joins a bullet that PDFium read as a line of its own with the text beside it."""
    joined: list[Line] = []
    for line in lines:
        if joined and _is_lone_bullet(joined[-1]) and _beside(joined[-1], line):
            joined[-1] = line_of([*joined[-1].words, *line.words])
        else:
            joined.append(line)
    return joined


def _is_lone_bullet(line: Line) -> bool:
    return len(line.text) == 1 and BULLET.fullmatch(line.text + " ") is not None


def _beside(bullet: Line, line: Line) -> bool:
    level = abs(line.baseline - bullet.baseline) < SAME_LINE * line.size
    return level and line.x0 >= bullet.x0
