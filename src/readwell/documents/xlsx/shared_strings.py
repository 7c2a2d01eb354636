"""The texts that the cells of a workbook share: read as far as they are asked for, and held as plain bytes."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from functools import lru_cache
from xml.etree.ElementTree import Element

from ..xml_tree import local_name

ESCAPED = re.compile(r"_x(00[0-9A-Fa-f]{2})_")
"""Characters that XML cannot hold, as a workbook writes them."""
MAX_DECODED = 4096


class SharedStrings:
    """Texts by number. Writers list them as rows first use them, so the first rows need only the first of them."""

    def __init__(self, elements: Iterator[Element]) -> None:
        self._elements = elements
        self._bytes, self._ends = bytearray(), array("Q", [0])
        self.text = lru_cache(MAX_DECODED)(self._text)
        """Returns a text by its number; nothing where there is no such text."""

    def _text(self, index: int) -> str:
        """Returns the text of a number, reading on as far as needed."""
        while index + 1 >= len(self._ends):
            element = next(self._elements, None)
            if element is None:
                return ""
            self._bytes += rich_text(element).encode(errors="surrogatepass")
            self._ends.append(len(self._bytes))
        return self._bytes[self._ends[index] : self._ends[index + 1]].decode(errors="surrogatepass")


def rich_text(element: Element) -> str:
    """Returns the text of a cell, without the signs that tell how it is pronounced."""
    pieces: list[str] = []
    for child in element:
        name = local_name(child)
        if name == "t":
            pieces.append(child.text or "")
        elif name == "r":
            pieces += [t.text or "" for t in child if local_name(t) == "t"]
    text = "".join(pieces)
    return ESCAPED.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text
