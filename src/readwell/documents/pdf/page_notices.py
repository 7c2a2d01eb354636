"""Notices about what was left out of a page, and why. They are comments above the page's text."""

from __future__ import annotations

from ..left_out_texts import quoted_in_comment
from .page_text.inline_markdown import printable

RECOGNISED_LAYER = "this page is an image; its text is a layer that a program recognised and may contain errors"
TOO_MUCH_DRAWN = "tables may be missing: more is drawn on this page than is looked at"


def outside_notice(words: int) -> str:
    """Returns the notice about words outside the visible part of the page."""
    return f"left out: {words:,} word{'s' * (words != 1)} outside the visible page"


def unseen_notice(words: int) -> str:
    """Returns the notice about words that cannot be seen."""
    return f"left out: {words:,} word{'s' * (words != 1)} that cannot be seen on the page"


def pictured_notice(words: int) -> str:
    """Returns the notice about words that the page shows as images."""
    many = (
        f"{words:,} words are shown as images; their text is"
        if words != 1
        else "1 word is shown as an image; its text is"
    )
    return f"{many} what a program recognised and may contain errors"


def hidden_comments_notice(comments: int) -> str:
    """Returns the notice about comments that no reader of the page is shown."""
    return f"left out: {comments:,} hidden comment{'s' * (comments != 1)}"


def running_lines_notice(lines: dict[str, bool]) -> str:
    """Returns the notice that names running lines; the value is True for lines with a page number."""
    named = [f"{_quoted(text)} (counting)" if counts else _quoted(text) for text, counts in lines.items()]
    return f"repeated on later pages and left out where enough other text remains: {', '.join(named)}"


def _quoted(text: str) -> str:
    """Returns a text in quotes, without control characters."""
    return quoted_in_comment(printable(text))


class Notices:
    """The notices of one page, without duplicates."""

    def __init__(self) -> None:
        self._notices: list[str] = []

    def add(self, notice: str) -> None:
        """Adds a notice unless the page already has it."""
        if notice not in self._notices:
            self._notices.append(notice)

    def __contains__(self, notice: str) -> bool:
        return notice in self._notices

    @property
    def markdown(self) -> str:
        """The notices as comments, one per line; empty where nothing was left out."""
        return "\n".join(f"<!-- {notice} -->" for notice in self._notices)
