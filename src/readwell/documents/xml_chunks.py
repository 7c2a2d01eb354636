"""A long XML member of a container in chunks: cut before an element about every 256 KiB, each parsed by itself.

Each chunk becomes a unit of the document, called a `part`. Reading them in order takes one pass; a jump forward
decompresses the bytes between and parses none of them.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator

from ..errors import ConversionFailed, TooLarge
from ..named_tuple import NamedTuple
from ..path_names import quoted
from .document_parts import PART_BYTES, part_count
from .xml_mask import MaskedXml, opening_tag_pattern
from .xml_tree import MAX_BYTES

MAX_HEAD = 2 << 20
"""Bytes within which the first element must begin, since they are put before every chunk that is parsed."""
DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
WIDE = {
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
    "<".encode("utf-16-le"): "utf-16-le",
    "<".encode("utf-16-be"): "utf-16-be",
}


class CutPlaces(NamedTuple):
    """Where a member of a container may be cut: before each element `name` directly inside the one called `within`."""

    format: str
    part: str
    within: str
    name: str


class XmlChunks:
    """The elements before which a member may be cut, those of one chunk at a time; `pieces` opens its stream."""

    def __init__(self, cut: CutPlaces, pieces: Callable[[], Iterator[bytes]], size: int) -> None:
        self.count = part_count(size)
        self._cut, self._pieces, self._opening = cut, pieces, opening_tag_pattern(cut.name)
        self._restart()
        self.head = self._read_head()
        """The bytes before the first element."""

    def chunk(self, number: int) -> bytes:
        """Returns the elements that begin in a chunk, counted from 0, each to its end."""
        start = number * PART_BYTES
        if start < self._offset:
            self._restart()
        self._drop_before(start)
        first = self._next_element_offset(start)
        end = self._next_element_offset(start + PART_BYTES) if number + 1 < self.count else self._read_to_end()
        elements = bytes(self._bytes[first - self._offset : end - self._offset])
        self._drop_before(min(end, start + PART_BYTES))
        return elements

    def _restart(self) -> None:
        """Begins to read the member again."""
        self._masked = MaskedXml(_in_utf8(self._pieces()), self._cut.within)
        self._running = iter(self._masked)
        self._bytes, self._mask, self._offset = bytearray(), bytearray(), 0

    def _read_head(self) -> bytes:
        """Returns what precedes the first element."""
        while not (first := self._opening.search(self._mask)):
            if len(self._bytes) > MAX_HEAD:
                where = f"the first {MAX_HEAD >> 20} MiB of its part {quoted(self._cut.part)}"
                reason = f"no {self._cut.name} is found in {where}"
                raise ConversionFailed(self._cut.format, reason)
            if not self._read_piece():
                return bytes(self._bytes)
        return bytes(self._bytes[: first.start()])

    def _drop_before(self, offset: int) -> None:
        """Drops the bytes before an offset."""
        while self._offset + len(self._bytes) < offset:
            self._drop(len(self._bytes))
            if not self._read_piece():
                return
        self._drop(max(offset - self._offset, 0))

    def _drop(self, count: int) -> None:
        """Forgets bytes that were used."""
        del self._bytes[:count]
        del self._mask[:count]
        self._offset += count

    def _next_element_offset(self, offset: int) -> int:
        """Returns the offset of the first element at or behind an offset; the end of the stream where there is none."""
        start_at = max(offset - self._offset, 0)
        while True:
            match = self._opening.search(self._mask, start_at)
            if match:
                return self._offset + match.start()
            start_at = max(start_at, len(self._mask))
            if not self._read_piece():
                return self._offset + len(self._bytes)

    def _read_to_end(self) -> int:
        """Reads all that is left; returns the length of the member."""
        while self._read_piece():
            pass
        return self._offset + len(self._bytes)

    def _read_piece(self) -> bool:
        """Reads another piece; returns whether there was one before the end of the elements."""
        raw, mask = next(self._running, (b"", b""))
        self._bytes += raw
        self._mask += mask
        if len(self._bytes) > MAX_BYTES:
            raise TooLarge(MAX_BYTES)
        if not raw and not self._masked.closed:
            raise ConversionFailed(
                self._cut.format, f"the XML of its part {quoted(self._cut.part)} is damaged: it breaks off"
            )
        return bool(raw)


def _in_utf8(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yields the pieces; UTF-16 becomes UTF-8 and loses its XML declaration, which would name the old encoding."""
    first = next(pieces, b"")
    codec = WIDE.get(first[:2])
    if codec is None:
        yield first
        yield from pieces
        return
    decoder = codecs.getincrementaldecoder(codec)("replace")
    yield DECLARATION.sub("", decoder.decode(first)).encode("utf-8", "replace")
    for piece in pieces:
        yield decoder.decode(piece).encode("utf-8", "replace")
