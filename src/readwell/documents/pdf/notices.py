"""What the limits of a page leave out is told in the page itself, above its text."""

from __future__ import annotations

import re

from .markdown import printable

TOO_MUCH_DRAWN = "tables may be missing: more is drawn on this page than is looked at"


def told_to_be_outside(words: int) -> str:
    """Returns the notice about words that lie on the sheet, but not on the part of it that is shown."""
    return f"left out: {words:,} word{'s' * (words != 1)} outside the visible page"


def told_to_run(lines: dict[str, bool]) -> str:
    """Returns the notice that names the lines which later pages leave out; True are those that count the pages."""
    named = [f"{quoted(text)} (counting)" if counts else quoted(text) for text, counts in lines.items()]
    return f"repeated on later pages and left out there: {', '.join(named)}"


def quoted(text: str) -> str:
    """Returns words of a document in quotes, so that they neither end the quotes nor the comment."""
    plain = printable(text).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub("-(?=-)", r"-\\", plain) + '"'


class Notices:
    """What was left out of one page, each said once."""

    def __init__(self) -> None:
        self._told: list[str] = []

    def tell(self, what: str) -> None:
        """Adds what the reader of the page has to know."""
        if what not in self._told:
            self._told.append(what)

    @property
    def markdown(self) -> str:
        """The notices as comments, a line each; nothing where all was read."""
        return "\n".join(f"<!-- {what} -->" for what in self._told)
