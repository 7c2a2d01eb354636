"""The cells of a worksheet, row after row as they are inflated: a sheet of any size takes little memory."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element

from ..container import Container
from ..sheet import Cells, column_number
from ..tree import streamed, whole_number
from .formats import Formats

ESCAPED = re.compile(r"_x(00[0-9A-Fa-f]{2})_")
"""Characters that XML cannot hold, as a workbook writes them."""
LETTERS = re.compile("[A-Z]{1,3}")


def shared_strings(container: Container, part: str) -> list[str]:
    """Returns the texts that cells refer to by number."""
    if not part or part not in container:
        return []
    return [rich_text(element) for element in streamed("xlsx", part, container.pieces(part), "si")]


def rich_text(element: Element) -> str:
    """Returns the text of a cell, without the signs that tell how it is pronounced."""
    pieces: list[str] = []
    for child in element:
        name = child.tag.rpartition("}")[2]
        if name == "t":
            pieces.append(child.text or "")
        elif name == "r":
            pieces += [t.text or "" for t in child if t.tag.rpartition("}")[2] == "t"]
    text = "".join(pieces)
    return ESCAPED.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


class Worksheet:
    """Reads the rows of one part."""

    def __init__(self, container: Container, part: str, formats: Formats, strings: Callable[[], list[str]]) -> None:
        self._container, self._part = container, part
        self._formats, self._strings = formats, strings
        self._columns: dict[str, int] = {}

    def rows(self) -> Iterator[tuple[int, Cells]]:
        """Yields the rows that have any text, with their numbers."""
        number = 0
        for row in streamed("xlsx", self._part, self._container.pieces(self._part), "row"):
            number = whole_number(row.get("r"), number + 1)
            yield number, self._cells(row)

    def _cells(self, row: Element) -> Cells:
        cells: Cells = {}
        column = -1
        for element in row:
            if element.tag != "c":
                continue
            column = self._column(element.get("r", ""), column)
            text = self._text(element)
            if text and not text.isspace():
                cells[column] = text
        return cells

    def _column(self, place: str, before: int) -> int:
        letters = place.rstrip("0123456789")
        if letters not in self._columns:
            if not LETTERS.fullmatch(letters):
                return before + 1
            self._columns[letters] = column_number(letters)
        return self._columns[letters]

    def _text(self, element: Element) -> str:
        written = element.findtext("v") or ""
        match element.get("t", "n"):
            case "n":
                return self._formats.text(written, element.get("s", "0")) if written else ""
            case "s":
                strings = self._strings()
                place = whole_number(written, len(strings))
                return strings[place] if place < len(strings) else ""
            case "b":
                return "TRUE" if written == "1" else "FALSE"
            case "inlineStr":
                inline = element.find("is")
                return "" if inline is None else rich_text(inline)
            case _:
                return written
