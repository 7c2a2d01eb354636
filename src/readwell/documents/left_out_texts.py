"""Texts that a document repeats on its pages, such as headers: named once, in a comment, and left out else."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .clean_markdown import remove_controls

UNREAD = "<!-- page headers or footers cannot be read: their part of the file is missing or damaged -->"


def left_out_comment(kind: str, texts: Iterable[str], plural: str = "s", most: int | None = None) -> str:
    """Returns the comment that names the texts of a kind, each once, and counts those beyond `most`; empty for none."""
    named = [
        quoted_in_comment(text)
        for text in dict.fromkeys(" ".join(remove_controls(text).split()) for text in texts)
        if text
    ]
    more = len(named[most:]) if most else 0
    told = ", ".join(named[:most]) + f" and {more:,} more" * bool(more)
    return f"<!-- left out: {kind}{plural * (len(named) > 1)} {told} -->" if named else ""


def headers_and_footers(headers: Iterable[str], footers: Iterable[str], is_damaged: bool = False) -> str:
    """Returns the comments that name the headers and footers of pages, one a line, and whether some cannot be read."""
    comments = left_out_comment("page header", headers), left_out_comment("page footer", footers), UNREAD * is_damaged
    return "\n".join(filter(None, comments))


def quoted_in_comment(text: str) -> str:
    """Returns a text in quotes, escaped so that it ends neither the quotes nor the comment."""
    plain = remove_controls(text).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub("-(?=-)", r"-\\", plain) + '"'
