"""Entries of a directory as they are named inside a remark, where a listing goes on behind one of them."""

from __future__ import annotations

import re

NOT_IN_REMARKS = '["|[\\]]'
"""What would look like the end of a name or of a field."""
MOST_SHOWN = 40
"""Characters of an entry in a header."""


def escaped(entry: str) -> str:
    r"""Returns an entry, as it is listed, for use in quotes inside a remark: with `"` as `\x22`, `|` as `\x7c`."""
    return re.sub(NOT_IN_REMARKS, lambda found: f"\\x{ord(found[0]):02x}", entry)


def unescaped(entry: str) -> str:
    r"""Returns an entry as it is listed, from how it is shown; no listed name contains `\x22` itself."""
    return re.sub(r"\\x(22|5b|5d|7c)", lambda found: chr(int(found[1], 16)), entry)


def shortened(entry: str) -> str:
    """Returns an entry for a header: where it is long, its end."""
    shown = escaped(entry)
    return shown if len(shown) <= MOST_SHOWN else f"…{shown[-MOST_SHOWN:]}"
