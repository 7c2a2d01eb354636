"""HTML's headings with the lines of the source that they govern."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from .markdown import sections
from .text_part import Part

TAGS = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|textarea|template)\b.*?(?:</\1\s*>|\Z)|<h([1-6])\b[^>]*>|<(table|ul|ol|pre)\b[^>]*>|</(table|ul|ol|pre)\s*>",
    re.I | re.S,
)
TAG = re.compile(r"<[^>]*>")
LONGEST_HEADING = 2000


def html_parts(text: str) -> Iterator[Part]:
    """Yields the sections, and as blocks only: tables, lists, preformatted text."""
    headings: list[tuple[int, int, str]] = []
    around: list[tuple[str, int]] = []
    line, seen = 1, 0
    for tag in TAGS.finditer(text):
        line, seen = line + text.count("\n", seen, tag.start()), tag.start()
        if tag[2]:
            headings.append((line, int(tag[2]), _heading_text(text, tag.end())))
        elif tag[3]:
            around.append((tag[3].lower(), line))
        elif tag[4] and around and around[-1][0] == tag[4].lower():
            name, start = around.pop()
            kind = {"ul": "list", "ol": "list", "pre": "code"}.get(name, name)
            yield Part(start, line, kind, label=kind, title=kind, shown=False)
    yield from sections(headings, text.count("\n") + (not text.endswith("\n")))


def _heading_text(text: str, at: int) -> str:
    """Returns what a heading says, up to its closing tag."""
    inside = re.split(r"</h[1-6]|<h[1-6]", text[at : at + LONGEST_HEADING], maxsplit=1, flags=re.I)[0]
    return " ".join(unescape(TAG.sub("", inside)).split())
