"""`tidy`, the last step of every conversion: line ends, blank lines and trailing spaces of its Markdown."""

import re
from functools import cache

LINE_ENDS = re.compile("\r\n?|[\v\f]")
LONE_SURROGATES = re.compile("[\ud800-\udfff]")
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
"""What no tidy text contains: control characters but tab and line feed, and halves of surrogate pairs."""
UNITS = ("page", "slide", "sheet", "chapter", "part")
"""Whose anchors no document may imitate, whatever its own unit is."""


@cache
def _before_anchor_pattern(*units: str) -> re.Pattern[str]:
    """Returns a pattern for what stands before anchors, which only the machinery may write."""
    named = "|".join(map(re.escape, units))
    return re.compile(rf"^[ \t]*(?=<!--[ \t]*(?:{named})[ \t]+\d+[ \t]*-->)", re.MULTILINE)


USUAL = _before_anchor_pattern(*UNITS)


def remove_controls(text: str) -> str:
    r"""Returns text with `\n` ends and no control characters: what is escaped is cleaned first.

    A character that is removed later could have stood within the sign that is escaped.
    """
    if text.isprintable() or not CONTROLS.search(text):
        return text
    return CONTROLS.sub("", LINE_ENDS.sub("\n", text))


def tidy(markdown: str, unit: str = "") -> str:
    r"""Returns the text with `\n` ends, no trailing spaces, no two blank lines in a row and none at either end.

    Control characters but the tab are removed, halves of surrogate pairs become U+FFFD. What looks like the anchor
    of a page or of the document's own `unit`, and is none, gets a backslash.
    """
    if FORBIDDEN.search(markdown):
        markdown = remove_controls(LONE_SURROGATES.sub("\ufffd", markdown))
    before = USUAL if unit in ("", *UNITS) else _before_anchor_pattern(*UNITS, unit)
    markdown = before.sub(lambda match: match[0] + "\\", markdown)
    kept: list[str] = []
    for line in map(str.rstrip, markdown.split("\n")):
        if line or (kept and kept[-1]):
            kept.append(line)
    if kept and not kept[-1]:
        kept.pop()
    return "\n".join(kept)
