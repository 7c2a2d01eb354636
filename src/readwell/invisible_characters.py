"""Patterns of invisible characters: controls of direction, invisible characters, control characters.

These are Unicode's default ignorable characters, its controls of direction and format, blank letters, and the control
characters of ASCII and Latin-1. Some are ordinary where they have a visible effect, and not reported there: a joiner
between letters, a variation selector behind what has variants, the tags of the three flags that exist.
"""

from __future__ import annotations

BIDI = "[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
_JOINERS = "[\u200c\u200d]"
_TAGS = "[\U000e0000-\U000e007f]"
INVISIBLE = "|".join(
    (
        "[\xad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2065\u206a-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb]",
        "[\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0080-\U000e00ff\U000e01f0-\U000e0fff]",
        _TAGS,
        # Joiners are ordinary between letters of many scripts and in emoji.
        f"(?<![^\\s!-~\u200c\u200d]){_JOINERS}|{_JOINERS}(?=[!-~\u200c\u200d])",
        # Behind letters of Mongolian; symbols and digits; ideographs, symbols of mathematics, letters of Myanmar.
        "(?<![\u1820-\u18aa])[\u180b-\u180d\u180f]",
        "(?<![#*0-9\xa9\xae\u203c-\u3299\U0001f000-\U0001faff])[\ufe0e\ufe0f]",
        "(?<![\u1000-\u109f\u2200-\u2bff\u3000-\u9fff\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff])[\ufe00-\ufe0d]",
        "(?<![\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\U000e0100-\U000e01ef]",
    )
)
ESCAPES = "[\x1b\x9b]"
CONTROLS = "[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9a\x9c-\x9f\u2028\u2029]"
"""But for tabs and what ends a line; with the separators that other programs take for line ends."""
ANY = (
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Every character that one of the patterns can begin with: a text without any is searched once."""
ASCII_CONTROLS = "".join(map(chr, [*range(9), 11, 12, *range(14, 32), 127]))

FLAGS = "\U0001f3f4(?:{})\U000e007f".format(
    "|".join("".join(chr(0xE0000 + ord(letter)) for letter in name) for name in ("gbeng", "gbsct", "gbwls"))
)
"""The flags of England, Scotland and Wales: tags spell which."""


def without_flag_emoji(text: str) -> str:
    """Returns a text without such flags."""
    if "\U0001f3f4" not in text:
        return text
    import re

    return re.sub(FLAGS, "", text)
