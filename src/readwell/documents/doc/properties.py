"""Properties of characters and paragraphs in a Word file: kept in pages of 512 bytes, by where the text is."""

from __future__ import annotations

import struct
from bisect import bisect_right

PAGE = 512
PLACE = 13
"""Bytes that a page has for each paragraph, of which the first says where its properties are."""
LENGTHS = (1, 1, 2, 4, 2, 2, 0, 3)
"""Bytes of a property's value by its kind; 0: the first says how many."""
TABLE_SHAPE = 0xD608
STYLE = -1
"""Under this name a paragraph has the number of its style."""
NOTHING: dict[int, bytes] = {}


class PropertyPages:
    """The properties of all characters, or of all paragraphs."""

    def __init__(self, main: bytes, index: bytes, is_paragraphs: bool) -> None:
        self._main, self._is_paragraphs = main, is_paragraphs
        count = max(0, (len(index) - 4) // 8)
        self._starts = list(struct.unpack_from(f"<{count}L", index)) if count else []
        self._numbers = [
            number & 0x3F_FFFF for number in (struct.unpack_from(f"<{count}L", index, 4 * (count + 1)) if count else ())
        ]
        self._number, self._page = -1, b""
        self._places: tuple[int, ...] = ()

    def properties_at(self, offset: int) -> tuple[dict[int, bytes], int]:
        """Returns the properties of what is at an offset, and up to where they hold."""
        which = bisect_right(self._starts, offset) - 1
        if which < 0:
            return NOTHING, self._starts[0] if self._starts else offset + (1 << 30)
        self._load_page(self._numbers[which])
        index = bisect_right(self._places, offset) - 1
        if index < 0 or index + 1 >= len(self._places):
            after = self._starts[which + 1] if which + 1 < len(self._starts) else offset + (1 << 30)
            return NOTHING, max(offset + 1, after)
        return self._properties_in_row(index), max(offset + 1, self._places[index + 1])

    def _load_page(self, number: int) -> None:
        """Loads a page of properties, unless it is the current one."""
        if number == self._number:
            return
        self._number, self._page = number, self._main[number * PAGE : (number + 1) * PAGE]
        count = self._page[-1] if len(self._page) == PAGE else 0
        self._places = struct.unpack_from(f"<{count + 1}L", self._page) if 0 < 4 * (count + 1) <= PAGE and count else ()

    def _properties_in_row(self, index: int) -> dict[int, bytes]:
        """Returns the properties in one row of the current page."""
        page, count = self._page, len(self._places) - 1
        at = 4 * (count + 1) + index * (PLACE if self._is_paragraphs else 1)
        at = 2 * page[at] if at < PAGE else 0
        if not at or at >= PAGE - 1:
            return NOTHING
        if not self._is_paragraphs:
            return parse_properties(page[at + 1 : at + 1 + page[at]])
        length = 2 * page[at] - 1 if page[at] else 2 * page[at + 1]
        at += 1 if page[at] else 2
        return parse_properties(page[at + 2 : at + length]) | {STYLE: page[at : at + 2]}


def parse_properties(content: bytes) -> dict[int, bytes]:
    """Returns the values of properties by their numbers."""
    values: dict[int, bytes] = {}
    at = 0
    while at + 3 <= len(content):
        number = int.from_bytes(content[at : at + 2], "little")
        at += 2
        length = LENGTHS[number >> 13]
        if number == TABLE_SHAPE:
            length = max(0, int.from_bytes(content[at : at + 2], "little") - 1)
            at += 2
        elif not length:
            length, at = content[at], at + 1
        values[number] = content[at : at + length]
        at += length
    return values
