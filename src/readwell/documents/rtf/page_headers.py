"""Headers and footers of the pages of an RTF, as plain text: those that its sections show."""

from __future__ import annotations

from ..left_out_texts import headers_and_footers

FIRST = "f"
"""How the word of a header of the first page ends."""


class PageHeaders:
    """Takes headers and footers as they come; one of first pages stands until the next, for sections that have such."""

    def __init__(self) -> None:
        self._shown: dict[str, list[str]] = {"header": [], "footer": []}
        self._first: dict[str, list[str]] = {"header": [], "footer": []}
        self._has_first_page = False

    def texts(self, word: str) -> list[str]:
        """Returns the list to which the text of a header or footer is added."""
        kind = word[: len("header")]
        if not word.endswith(FIRST):
            return self._shown[kind]
        self._first[kind] = []
        return self._first[kind]

    def read(self, word: str, number: int | None) -> bool:
        """Takes what a control word says of a section; False where it says nothing of one."""
        if word == "titlepg":
            self._has_first_page = number != 0
        elif word == "sectd":
            self._end_section()
        return word in ("titlepg", "sectd")

    def markdown(self) -> str:
        """Ends the last section; returns the comments that name all that were shown."""
        self._end_section()
        return headers_and_footers(self._shown["header"], self._shown["footer"])

    def _end_section(self) -> None:
        """Keeps what the first page of the section shows."""
        for kind, texts in self._first.items():
            self._shown[kind] += texts if self._has_first_page else []
        self._has_first_page = False
