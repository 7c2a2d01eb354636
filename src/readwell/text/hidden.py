"""Characters that a reader cannot see: they can make text look like what it is not."""

from __future__ import annotations

import re

from ..model import Hidden, Window

BIDI = "[\u202a-\u202e\u2066-\u2069]"
# Joiners are ordinary between letters of many scripts and in emoji: only beside ASCII are they odd.
# Tag characters are ordinary behind a black flag, where they spell a region.
INVISIBLE = (
    "[\u200b\u2060-\u2064\u180e\ufeff]|(?<=[!-~])[\u200c\u200d]|[\u200c\u200d](?=[!-~])"
    "|(?<![\U0001f3f4\U000e0000-\U000e007f])[\U000e0000-\U000e007f]"
)
ESCAPES = "[\x1b\x9b]"
NOTHING = Hidden()


def hidden_in(window: Window) -> Hidden:
    """Returns the numbers of the lines that hold such characters."""
    if window.text.isascii() and "\x1b" not in window.text:
        return NOTHING
    return Hidden(*(_numbers(pattern, window) for pattern in (BIDI, INVISIBLE, ESCAPES)))


def _numbers(pattern: str, window: Window) -> tuple[int, ...]:
    if not re.search(pattern, window.text):
        return ()
    return tuple(number for number, line in enumerate(window.lines, window.start) if re.search(pattern, line))
