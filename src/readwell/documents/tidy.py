"""What every converter's Markdown looks like in the end."""

import re

LINE_ENDS = re.compile("\r\n?|[\v\f]")
HALVES = re.compile("[\ud800-\udfff]")
CONTROLS = dict.fromkeys([*(code for code in range(32) if code not in (9, 10)), 127])


def tidy(markdown: str) -> str:
    r"""Returns the text with `\n` ends, no trailing spaces, no two blank lines in a row and none at either end.

    Control characters but the tab are removed, halves of surrogate pairs become U+FFFD.
    """
    text = HALVES.sub("\ufffd", LINE_ENDS.sub("\n", markdown)).translate(CONTROLS)
    kept: list[str] = []
    for line in map(str.rstrip, text.split("\n")):
        if line or (kept and kept[-1]):
            kept.append(line)
    if kept and not kept[-1]:
        kept.pop()
    return "\n".join(kept)
