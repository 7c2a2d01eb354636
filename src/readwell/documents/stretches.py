"""A long part of a container in stretches: cut before an element every so many bytes, each parsed by itself.

A stretch of bytes becomes a unit for the reader, who knows it as a `part`. How many there are follows from the size
alone, so nothing need be read to know it. Reading them in order takes one pass; a jump forward inflates what lies
between and parses none of it.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..errors import ConversionFailed, TooLarge
from ..names import quoted
from .masked import Masked, opening_of
from .tree import MOST_BYTES

STRETCH = 1 << 18
MOST_WHOLE = 4 << 20
"""A part of up to so many bytes is one stretch."""
MOST_HEAD = 2 << 20
"""Bytes within which the first element must begin, since every stretch is parsed behind what stands before it."""
DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
WIDE = {
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
    "<".encode("utf-16-le"): "utf-16-le",
    "<".encode("utf-16-be"): "utf-16-be",
}


class Cut(NamedTuple):
    """Where a part of a document may be cut: before each element `name` right inside the one called `within`."""

    format: str
    part: str
    within: str
    name: str


def stretches_in(size: int) -> int:
    """Returns into how many stretches a part of so many bytes is cut."""
    return 1 if size <= MOST_WHOLE else -(-size // STRETCH)


class Stretches:
    """The elements of a part before which it may be cut, those of one stretch at a time."""

    def __init__(self, cut: Cut, pieces: Callable[[], Iterator[bytes]], size: int) -> None:
        self.count = stretches_in(size)
        self._cut, self._pieces, self._opening = cut, pieces, opening_of(cut.name)
        self._begin()
        self.head = self._before_all()
        """What stands before the first element."""

    def stretch(self, number: int) -> bytes:
        """Returns the elements that begin in a stretch, counted from 0, up to the next one that does not."""
        start = number * STRETCH
        if start < self._at:
            self._begin()
        self._pass_by(start)
        first = self._found(start)
        end = self._found(start + STRETCH) if number + 1 < self.count else self._end()
        found = bytes(self._held[first - self._at : end - self._at])
        self._pass_by(min(end, start + STRETCH))
        return found

    def _begin(self) -> None:
        self._masked = Masked(_in_utf8(self._pieces()), self._cut.within)
        self._running = iter(self._masked)
        self._held, self._seen, self._at = bytearray(), bytearray(), 0

    def _before_all(self) -> bytes:
        while not (first := self._opening.search(self._seen)):
            if len(self._held) > MOST_HEAD:
                where = f"the first {MOST_HEAD >> 20} MiB of its part {quoted(self._cut.part)}"
                reason = f"no {self._cut.name} is found in {where}"
                raise ConversionFailed(self._cut.format, reason)
            if not self._more():
                return bytes(self._held)
        return bytes(self._held[: first.start()])

    def _pass_by(self, place: int) -> None:
        """Forgets what stands before a place."""
        while self._at + len(self._held) < place:
            self._forget(len(self._held))
            if not self._more():
                return
        self._forget(max(place - self._at, 0))

    def _forget(self, count: int) -> None:
        del self._held[:count]
        del self._seen[:count]
        self._at += count

    def _found(self, place: int) -> int:
        """Returns where the first element begins at a place or behind it; the end of all where none does."""
        look = max(place - self._at, 0)
        while True:
            match = self._opening.search(self._seen, look)
            if match:
                return self._at + match.start()
            look = max(look, len(self._seen))
            if not self._more():
                return self._at + len(self._held)

    def _end(self) -> int:
        while self._more():
            pass
        return self._at + len(self._held)

    def _more(self) -> bool:
        """Takes another piece; returns whether there was one before the end of all elements."""
        held, seen = next(self._running, (b"", b""))
        self._held += held
        self._seen += seen
        if len(self._held) > MOST_BYTES:
            raise TooLarge(MOST_BYTES)
        if not held and not self._masked.closed:
            raise ConversionFailed(
                self._cut.format, f"the XML of its part {quoted(self._cut.part)} is damaged: it breaks off"
            )
        return bool(held)


def _in_utf8(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yields pieces as they are, those of UTF-16 in UTF-8 and without their declaration, which would be wrong."""
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
