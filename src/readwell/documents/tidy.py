"""What every converter's Markdown looks like in the end."""

import re

LINE_ENDS = re.compile("\r\n?|[\v\f]")
HALVES = re.compile("[\ud800-\udfff]")
STRANGE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
"""What no tidy text contains: control characters but tab and line feed, and halves of surrogate pairs."""
ANCHOR = re.compile(r"^[ \t]*(?=<!--[ \t]*(?:page|slide|sheet|chapter|part)[ \t]+\d+[ \t]*-->)", re.MULTILINE)
"""Before what only the machinery may write."""


def tidy(markdown: str) -> str:
    r"""Returns the text with `\n` ends, no trailing spaces, no two blank lines in a row and none at either end.

    Control characters but the tab are removed, halves of surrogate pairs become U+FFFD. What looks like the anchor
    of a page, and is none, gets a backslash.
    """
    if STRANGE.search(markdown):
        markdown = STRANGE.sub("", HALVES.sub("\ufffd", LINE_ENDS.sub("\n", markdown)))
    markdown = ANCHOR.sub(lambda found: found[0] + "\\", markdown)
    kept: list[str] = []
    for line in map(str.rstrip, markdown.split("\n")):
        if line or (kept and kept[-1]):
            kept.append(line)
    if kept and not kept[-1]:
        kept.pop()
    return "\n".join(kept)
