"""A Word 97–2003 file: its text in the order of the document, and where the properties of each character are."""

from __future__ import annotations

import struct
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from ...errors import ConversionFailed, DocumentLocked
from ...named_tuple import NamedTuple
from ..ole_container import OleContainer
from .properties import PropertyPages

WORD, FIRST_VERSION = 0xA5EC, 0xC1
ENCRYPTED, SECOND_TABLE = 0x0100, 0x0200
LENGTHS_AT = 0x4C
PARTS = ("text", "footnotes", "headers", "macros", "comments", "endnotes", "boxes", "header_boxes")
"""What follows one after the other in the text, each with its length in the header."""
STYLES, CHARACTER_PAGES, PARAGRAPH_PAGES, PIECES = 0xA2, 0xFA, 0x102, 0x1A2
LISTS, LIST_OVERRIDES = 0x2E2, 0x2EA
COMPRESSED = 1 << 30
MAX_TEXT = 64 << 20


class Piece(NamedTuple):
    """A piece of the text: the number of its first character, where it is in the file, and bytes of a character."""

    first: int
    at: int
    width: int
    text: str


class WordFile:
    """The parts of a Word file."""

    def __init__(self, content: bytes) -> None:
        container = OleContainer("doc", content)
        self.main = container.read(("WordDocument",))
        if len(self.main) < 0x200 or struct.unpack_from("<H", self.main)[0] != WORD:
            raise ConversionFailed("doc", "it is damaged: it has no text of Word's")
        version, flags = struct.unpack_from("<H6xH", self.main, 2)
        if flags & ENCRYPTED:
            raise DocumentLocked("doc")
        if version < FIRST_VERSION:
            raise ConversionFailed("doc", "it is of Word 95 or older")
        self._table_stream = container.read(("1Table" if flags & SECOND_TABLE else "0Table",))
        self.parts = self._part_ranges()
        self._pieces = list(self._read_pieces())
        self.text = "".join(piece.text for piece in self._pieces)
        self._starts = [piece.first for piece in self._pieces]
        self.characters = PropertyPages(self.main, self.table_stream_part(CHARACTER_PAGES), is_paragraphs=False)
        self.paragraphs = PropertyPages(self.main, self.table_stream_part(PARAGRAPH_PAGES), is_paragraphs=True)

    def table_stream_part(self, at: int, to_end: bool = False) -> bytes:
        """Returns the part of the table stream that the header names at an offset; `to_end`: with all that follows."""
        if len(self.main) < at + 8:
            return b""
        start, length = struct.unpack_from("<2L", self.main, at)
        return (self._table_stream[start:] if to_end else self._table_stream[start : start + length]) if length else b""

    def character_offset(self, number: int) -> int:
        """Returns where in the file a character is."""
        piece = self._pieces[max(0, bisect_right(self._starts, number) - 1)]
        return piece.at + (number - piece.first) * piece.width

    def runs(self, start: int, end: int) -> Iterator[tuple[str, dict[int, bytes]]]:
        """Yields texts from a character to another, each with the properties that it has."""
        first, behind = bisect_right(self._starts, start) - 1, bisect_left(self._starts, end)
        for piece in self._pieces[max(0, first) : behind]:
            at, last = max(start, piece.first), min(end, piece.first + len(piece.text))
            while at < last:
                offset = piece.at + (at - piece.first) * piece.width
                properties, until = self.characters.properties_at(offset)
                stop = min(last, at + max(1, (until - offset) // piece.width))
                yield piece.text[at - piece.first : stop - piece.first], properties
                at = stop

    def _part_ranges(self) -> dict[str, range]:
        """Returns the range of characters of each part of the text."""
        lengths = struct.unpack_from(f"<{len(PARTS)}l", self.main, LENGTHS_AT)
        parts: dict[str, range] = {}
        at = 0
        for name, length in zip(PARTS, lengths, strict=True):
            parts[name] = range(at, at + max(0, length))
            at += max(0, length)
        return parts

    def _read_pieces(self) -> Iterator[Piece]:
        """Yields the pieces of text in the order of the document."""
        table = _piece_table(self.table_stream_part(PIECES))
        count = (len(table) - 4) // 12
        if count < 1:
            raise ConversionFailed("doc", "it is damaged: where its text is cannot be found")
        starts = struct.unpack_from(f"<{count + 1}L", table)
        first = 0
        for number in range(count):
            (where,) = struct.unpack_from("<L", table, 4 * (count + 1) + 8 * number + 2)
            length = min(max(0, starts[number + 1] - starts[number]), MAX_TEXT - first)
            width = 1 if where & COMPRESSED else 2
            at = (where & ~COMPRESSED) // 2 if width == 1 else where
            raw = self.main[at : at + length * width]
            text = raw.decode("cp1252" if width == 1 else "utf-16-le", "replace")
            text = _decode_by_two_bytes(raw) if len(text) != len(raw) // width else text
            yield Piece(first, at, width, text=text)
            first += len(text)


def _piece_table(content: bytes) -> bytes:
    """Returns the table of pieces, which stands behind properties of some."""
    at = 0
    while at + 3 <= len(content) and content[at] == 1:
        at += 3 + int.from_bytes(content[at + 1 : at + 3], "little")
    return content[at + 5 :] if content[at : at + 1] == b"\2" else b""


def _decode_by_two_bytes(raw: bytes) -> str:
    """Returns UTF-16 with a character each two bytes, as Word counts them."""
    return "".join(map(chr, struct.unpack(f"<{len(raw) // 2}H", raw[: len(raw) // 2 * 2])))
