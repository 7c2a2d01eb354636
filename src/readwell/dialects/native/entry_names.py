"""Entries of a directory as they are named inside a remark, where a listing goes on behind one of them."""

from __future__ import annotations

from ...path_names import IN_REMARKS, printable

NOT_IN_REMARKS = {character: f"\\x{ord(character):02x}" for character in IN_REMARKS}
"""What would look like the end of a name or of a field, and how it is shown."""
MAX_SHOWN = 40
"""Characters of an entry in a header."""


def escape_entry(entry: str) -> str:
    r"""Returns an entry, as it is listed, for use in quotes inside a remark: with `"` as `\x22`, `|` as `\x7c`."""
    return entry.translate(str.maketrans(NOT_IN_REMARKS))


def unescape_entry(entry: str) -> str:
    r"""Returns an entry as it is listed, from how it is shown; no listed name contains `\x22` itself."""
    for character, shown in NOT_IN_REMARKS.items():
        entry = entry.replace(shown, character)
    return entry


def shorten_entry(entry: str) -> str:
    """Returns an entry for a header: where it is long, its end."""
    shown = escape_entry(printable(entry))
    return shown if len(shown) <= MAX_SHOWN else f"…{shown[-MAX_SHOWN:]}"
