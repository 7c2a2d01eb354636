"""A long part of a container in stretches: cut before an element every so many bytes, each parsed by itself.

A stretch of bytes becomes a unit for the reader, who knows it as a `part`. How many there are follows from the size
alone, so nothing need be read to know it. Reading them in order takes one pass; a jump forward inflates what lies
between and parses none of it.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator

from ..errors import TooLarge
from .tree import MOST_BYTES

STRETCH = 1 << 18
MOST_WHOLE = 4 << 20
"""A part of up to so many bytes is one stretch."""
LONGEST_TAG = 64
DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def stretches_in(size: int) -> int:
    """Returns into how many stretches a part of so many bytes is cut."""
    return 1 if size <= MOST_WHOLE else -(-size // STRETCH)


def opening_of(*names: str) -> re.Pattern[bytes]:
    """Returns a pattern for the opening tag of elements of these names, whatever their prefix."""
    return re.compile(rf"<(?:[\w.-]{{1,32}}:)?(?:{'|'.join(names)})(?=[\s/>])".encode())


class Stretches:
    """The elements of a part that `opening` finds, those of one stretch at a time."""

    def __init__(self, pieces: Callable[[], Iterator[bytes]], size: int, opening: re.Pattern[bytes]) -> None:
        self.count = stretches_in(size)
        self._pieces, self._opening = pieces, opening
        self._begin()
        self.head = bytes(self._held[: self._found(0)])
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
        self._running = _in_utf8(self._pieces())
        self._held, self._at = bytearray(), 0

    def _pass_by(self, place: int) -> None:
        """Forgets what stands before a place."""
        while self._at + len(self._held) < place:
            self._at += len(self._held)
            self._held.clear()
            if not self._more():
                return
        del self._held[: place - self._at]
        self._at = max(self._at, place)

    def _found(self, place: int) -> int:
        """Returns where the first element begins at a place or behind it; the end of the part where none does."""
        look = max(place - self._at, 0)
        while True:
            match = self._opening.search(self._held, look)
            if match:
                return self._at + match.start()
            look = max(look, len(self._held) - LONGEST_TAG)
            if not self._more():
                return self._at + len(self._held)

    def _end(self) -> int:
        while self._more():
            pass
        return self._at + len(self._held)

    def _more(self) -> bool:
        piece = next(self._running, b"")
        self._held += piece
        if len(self._held) > MOST_BYTES:
            raise TooLarge(MOST_BYTES)
        return bool(piece)


def _in_utf8(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yields pieces as they are, those of UTF-16 in UTF-8 and without their declaration, which would be wrong."""
    first = next(pieces, b"")
    if not first.startswith(WIDE):
        yield first
        yield from pieces
        return
    decoder = codecs.getincrementaldecoder("utf-16")("replace")
    yield DECLARATION.sub("", decoder.decode(first)).encode("utf-8", "replace")
    for piece in pieces:
        yield decoder.decode(piece).encode("utf-8", "replace")
