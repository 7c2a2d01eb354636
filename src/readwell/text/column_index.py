"""Maps columns of one long line to byte offsets: counts the characters before each of its blocks."""

import codecs
from array import array
from bisect import bisect_right

from ..deadline import Deadline
from ..source import Source
from .decode import STATEFUL, Encoding, marking_handler
from .line_ends import find_end, one_byte_per_unit


class ColumnMarks:
    """Byte offsets in a line and the number of characters before each."""

    def __init__(self, at: int) -> None:
        self._offsets = array("Q", [at])
        self._characters = array("Q", [0])
        self._ended = False

    def nearest(self, characters: int, unit: int) -> tuple[int, int]:
        """Returns an offset with at most so many characters before it, and their number."""
        number = bisect_right(self._characters, characters) - 1
        offset, before = self._offsets[number], self._characters[number]
        if number + 1 < len(self._offsets):
            passed = self._characters[number + 1] - before
            if self._offsets[number + 1] - offset == passed * unit:  # one unit a character: the offset is exact
                return offset + (characters - before) * unit, characters
        return offset, before

    def extend(self, source: Source, encoding: Encoding, block: int, characters: int, deadline: Deadline) -> None:
        """Adds marks until so many characters are passed, or the line ends."""
        while not self._ended and self._characters[-1] < characters:
            deadline.tick(self._offsets[-1], source.size, "scan")
            at = self._offsets[-1]
            hole = (source.next_data_offset(at) - at) // encoding.unit if source.is_sparse else 0
            used, passed = (
                (hole * encoding.unit, hole)
                if hole * encoding.unit >= block
                else self._measure_block(source, encoding, block)
            )
            if not used:
                self._ended = True
                return
            self._offsets.append(at + used)
            self._characters.append(self._characters[-1] + passed)

    def _measure_block(self, source: Source, encoding: Encoding, block: int) -> tuple[int, int]:
        """Returns the bytes and characters of the next block that is entirely in the line; 0, 0: there is none."""
        if encoding.codec in STATEFUL:
            return 0, 0
        raw = source.read_at(self._offsets[-1], block)
        if len(raw) < block or find_end(one_byte_per_unit(raw, encoding.unit, encoding.is_big_endian)):
            return 0, 0
        if encoding.codec == "utf-8" and raw.isascii():
            return len(raw), len(raw)
        decoder = codecs.getincrementaldecoder(encoding.codec)(marking_handler())
        text = decoder.decode(raw)
        return len(raw) - len(decoder.getstate()[0]), len(text)
