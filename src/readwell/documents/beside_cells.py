"""What a sheet has beside its cells: comments, which are shown; drawings, headers and footers, which are named."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..named_tuple import NamedTuple
from .clean_markdown import remove_controls
from .left_out_texts import headers_and_footers, left_out_comment
from .markdown_blocks import Blocks, in_one_line

UNREAD = "<!-- comments and drawings of this sheet cannot be read: their part of the file is missing or damaged -->"
CODE = re.compile(r'&(?:"[^"]*"|K[0-9A-Fa-f+-]{5,6}|[0-9]+|.)', re.S)
FIELDS = {
    "&&": "&", "&L": " ", "&C": " ", "&R": " ", "&P": "&[Page]", "&N": "&[Pages]", "&D": "&[Date]", "&T": "&[Time]",
    "&F": "&[File]", "&A": "&[Tab]", "&Z": "&[Path]", "&G": "&[Picture]",
}  # fmt: skip
"""Codes in the header or footer of a sheet, and what is shown for them; others say how it is set."""


class Comment(NamedTuple):
    """A comment on a cell."""

    cell: str
    author: str
    text: str


class BesideCells:
    """Collects what a sheet, or a part of one, has beside its cells."""

    def __init__(self) -> None:
        self.comments: list[Comment] = []
        self.boxes: list[str] = []
        self.headers: list[str] = []
        self.footers: list[str] = []
        self.diagrams: list[str] = []
        self.charts = self.pictures = self.drawings = 0
        self.is_damaged = False

    def markdown(self) -> str:
        """Returns the comments as a list, and what is left out; empty where there is nothing."""
        blocks = Blocks()
        if self.comments:
            blocks.raw("Comments:")
        for comment in self.comments:
            cell, author, text = in_one_line(comment.cell), in_one_line(comment.author), remove_controls(comment.text)
            text = text.strip().removeprefix(f"{author}:").strip() if author else text
            blocks.item(0, "-", f"{cell}, {author}: {text}" if author else f"{cell}: {text}")
        counts = ((self.charts, "chart"), (self.pictures, "picture"), (self.drawings, "drawing"))
        drawn = ", ".join(_counted(count, noun) for count, noun in counts if count)
        told = (
            f"<!-- left out: {drawn} -->" if drawn else "",
            left_out_comment("text box", self.boxes, "es"),
            left_out_comment("diagram", self.diagrams),
            headers_and_footers(self.headers, self.footers),
            UNREAD * self.is_damaged,
        )
        blocks.raw("\n".join(filter(None, told)))
        return blocks.markdown()


def sheet_with_beside(sheet: str, beside: BesideCells) -> str:
    """Returns the Markdown of a sheet followed by what is beside its cells."""
    return "\n\n".join(filter(None, (sheet, beside.markdown())))


def header_text(coded: str) -> str:
    """Returns the header or footer of a sheet as its program shows it; nothing where it has no words but fields."""
    has_words = any(map(str.isalnum, CODE.sub("", coded)))
    return CODE.sub(lambda code: FIELDS.get(code[0], ""), coded) if has_words else ""


def joined(lines: Iterable[str]) -> str:
    """Returns the paragraphs of a box or comment as lines."""
    return "\n".join(lines).strip()


def _counted(count: int, noun: str) -> str:
    """Returns a count with its noun."""
    return f"{count:,} {noun}{'s' * (count > 1)}"
