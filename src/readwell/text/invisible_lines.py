"""Lines of a window with characters that a reader cannot see: they can make text look like what it is not."""

from __future__ import annotations

from stringzilla import find_first_of

from ..invisible_characters import ANY, ASCII_CONTROLS, BIDI, CONTROLS, ESCAPES, INVISIBLE, without_flag_emoji
from ..model import HiddenCharacters, Traits, Window

NOTHING = HiddenCharacters()
MIN_CHARACTERS = 3
"""Characters of UTF-8 in a line of an encoding of several bytes, which fewer can be by chance."""


def hidden_in(window: Window, traits: Traits) -> HiddenCharacters:
    """Returns the numbers of the lines that hold such characters, or are in another encoding than the file."""
    if window.text.isascii():
        if find_first_of(window.text, ASCII_CONTROLS) < 0:
            return NOTHING
        return HiddenCharacters(
            escapes=_matching_line_numbers(ESCAPES, window), controls=_matching_line_numbers(CONTROLS, window)
        )
    import re

    utf8 = _utf8_line_numbers(window, traits.encoding or "") if traits.guess == "guessed" else ()
    if not re.search(ANY, window.text):
        return HiddenCharacters(utf8=utf8) if utf8 else NOTHING
    return HiddenCharacters(
        bidi=_matching_line_numbers(BIDI, window),
        invisible=_matching_line_numbers(INVISIBLE, window),
        escapes=_matching_line_numbers(ESCAPES, window),
        controls=_matching_line_numbers(CONTROLS, window),
        utf8=utf8,
    )


def _matching_line_numbers(pattern: str, window: Window) -> tuple[int, ...]:
    """Returns the numbers of the lines that match."""
    import re

    if not re.search(pattern, window.text):
        return ()
    numbered = enumerate(window.lines, window.start)
    return tuple(number for number, line in numbered if re.search(pattern, without_flag_emoji(line)))


def _utf8_line_numbers(window: Window, codec: str) -> tuple[int, ...]:
    """Returns the lines of a text in an old encoding that are UTF-8."""
    return tuple(number for number, line in enumerate(window.lines, window.start) if _is_utf8(line, codec))


def _is_utf8(line: str, codec: str) -> bool:
    """Says whether a line that was decoded otherwise is really UTF-8."""
    if line.isascii():
        return False
    try:
        raw = line.encode(codec)
        text = raw.decode()
    except UnicodeError:
        return False
    several_bytes = len(raw) > len(line)
    return not text.isascii() and (not several_bytes or len(raw) - len(text) >= MIN_CHARACTERS)
