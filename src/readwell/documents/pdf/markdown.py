"""Printed words as Markdown: what would be read as structure that is not there is escaped, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from .model import Table, Word

MISLEADING = re.compile(r"\||#{1,6}(?=\s|$)|```|~~~|<!--|(?:=+|-+)\s*$|[-+]\s")
"""What Markdown takes at the start of a line for a table, heading, fence, comment (as anchors are), underline, item."""
CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)], "\ufffd")
BRACKET = re.compile(r"[\\\[\]]")
CELL_BREAK = re.compile(r"\s*\n\s*")


def printable(text: str) -> str:
    """Returns a text without what steers a terminal."""
    return text if text.isprintable() else text.translate(CONTROLS)


def escaped(text: str) -> str:
    """Returns a line of ordinary text so that it says of itself only what is printed."""
    return "\\" + text if MISLEADING.match(text) else text


def linked(words: Sequence[Word], links: dict[int, str]) -> str:
    """Returns the words of a line with a space between, those that lead somewhere as links."""
    if not links:
        return " ".join([word.text for word in words])
    groups = groupby(words, key=lambda word: links.get(word.place, ""))
    return " ".join(_link(" ".join(word.text for word in group), address) for address, group in groups)


def _link(text: str, address: str) -> str:
    """An address that is printed in full needs no link."""
    if not address or text.rstrip(".,;)/").lower() in (address.rstrip("/").lower(), _bare(address)):
        return text
    shown = BRACKET.sub(r"\\\g<0>", text)
    return f"[{shown}]({address})"


def _bare(address: str) -> str:
    """Returns an address as people print it: without its scheme."""
    return address.partition("://")[2].rstrip("/").lower() or address.partition(":")[2].lower()


def table_rows(table: Table) -> list[str]:
    """Returns a table's lines; its first row is the head, as Markdown wants one.

    A cell is one line: `<br>` would cost tokens and cut what one searches for.
    """
    width = max(map(len, table.rows))
    head, *rest = [_row(row, width) for row in table.rows]
    return [head, "|" + " --- |" * width, *rest]


def _row(cells: list[str], width: int) -> str:
    full = [*cells, *[""] * (width - len(cells))]
    return "| " + " | ".join(CELL_BREAK.sub(" ", cell.strip()).replace("|", "\\|") for cell in full) + " |"
