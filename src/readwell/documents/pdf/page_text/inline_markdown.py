"""Writes words and tables as Markdown; escapes only what would be misread as structure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from ..page_model import Table, Word

MISLEADING = re.compile(r"\||#{1,6}(?=\s|$)|```|~~~|<!--|(?:=+|-+)\s*$|[-+]\s")
"""Starts of lines that Markdown reads as a table, heading, fence, comment (such as our anchors), underline or item."""
CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)], "\ufffd")
BRACKET = re.compile(r"[\\\[\]]")
CELL_BREAK = re.compile(r"\s*\n\s*")


def printable(text: str) -> str:
    """Returns a text with control characters replaced, which could control a terminal."""
    return text if text.isprintable() else text.translate(CONTROLS)


def escaped(text: str) -> str:
    """Returns a line of text, escaped where Markdown would read its start as structure."""
    return "\\" + text if MISLEADING.match(text) else text


def with_links(words: Sequence[Word], links: dict[int, str]) -> str:
    """Returns the words of a line joined by spaces, linked words as Markdown links."""
    if not links:
        return " ".join([word.text for word in words])
    groups = groupby(words, key=lambda word: links.get(word.char_index, ""))
    return " ".join(_link(" ".join(word.text for word in group), address) for address, group in groups)


def _link(text: str, address: str) -> str:
    """Returns a Markdown link; the text alone where it is the address itself."""
    if not address or text.rstrip(".,;)/").lower() in (address.rstrip("/").lower(), _without_scheme(address)):
        return text
    shown = BRACKET.sub(r"\\\g<0>", text)
    return f"[{shown}]({address})"


def _without_scheme(address: str) -> str:
    """Returns an address without its scheme, as it is usually printed."""
    return address.partition("://")[2].rstrip("/").lower() or address.partition(":")[2].lower()


def table_markdown_lines(table: Table) -> list[str]:
    """Returns the lines of a table; its first row is the header, which Markdown requires.

    A cell is one line: `<br>` would cost tokens and break up texts that one searches for.
    """
    width = max(map(len, table.rows))
    head, *rest = [_row(row, width) for row in table.rows]
    return [head, "|" + " --- |" * width, *rest]


def _row(cells: list[str], width: int) -> str:
    """Returns a row of a table."""
    full = [*cells, *[""] * (width - len(cells))]
    return "| " + " | ".join(CELL_BREAK.sub(" ", cell.strip()).replace("|", "\\|") for cell in full) + " |"
