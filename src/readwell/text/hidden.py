"""Characters that a reader cannot see: they can make text look like what it is not."""

from __future__ import annotations

import re

from ..model import Hidden

BIDI = "[\u202a-\u202e\u2066-\u2069]"
# Joiners are ordinary between letters of many scripts and in emoji: only beside ASCII are they odd.
# Tag characters are ordinary behind a black flag, where they spell a region.
INVISIBLE = (
    "[\u200b\u2060-\u2064\u180e\ufeff]|(?<=[!-~])[\u200c\u200d]|[\u200c\u200d](?=[!-~])"
    "|(?<![\U0001f3f4\U000e0000-\U000e007f])[\U000e0000-\U000e007f]"
)
ESCAPES = "[\x1b\x9b]"
NOTHING = Hidden()


def hidden_in(lines: list[str], start: int) -> Hidden:
    """Returns the numbers of the lines that hold such characters."""
    text = "\n".join(lines)
    if text.isascii() and "\x1b" not in text:
        return NOTHING
    return Hidden(*(_numbers(pattern, text, lines, start) for pattern in (BIDI, INVISIBLE, ESCAPES)))


def _numbers(pattern: str, text: str, lines: list[str], start: int) -> tuple[int, ...]:
    if not re.search(pattern, text):
        return ()
    return tuple(start + number for number, line in enumerate(lines) if re.search(pattern, line))
