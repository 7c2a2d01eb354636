"""What the limits of a page leave out is told in the page itself, above its text."""

from __future__ import annotations

TOO_MUCH_DRAWN = "tables may be missing: more is drawn on this page than is looked at"


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
