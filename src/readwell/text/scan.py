r"""Counting terminators at the speed of memory.

A block is first translated to marks: 1 for `\n`, 0x80 for `\r`, 0 for all else. The sum of the marks
then counts line feeds, and since 0x80 looks like a continuation byte of UTF-8, counting the other
bytes counts carriage returns: three vector passes, each many times faster than counting a needle.
"""

import mmap
from typing import NamedTuple, Self

from stringzilla import bytesum, count, find, translate, utf8_count

from .split import Tally

MARKS = bytes({0x0A: 0x01, 0x0D: 0x80}.get(byte, 0) for byte in range(256))
MARKS_AND_HIGH = bytes(0x80 if byte > 0x7F else MARKS[byte] for byte in range(256))
LF_MARK, CR_MARK, PAIR = 0x01, 0x80, b"\x80\x01"
LONE_CR = (b"\x80\x00", b"\x80\x80")


class Counted(NamedTuple):
    """The line ends of each block of a piece, all its terminators, and how it ends."""

    ends: list[int]
    tally: Tally
    after_cr: bool
    open_end: bool


class Counter:
    """Counts pieces of up to `size` bytes, block by block; a context manager that owns the buffers."""

    def __init__(self, size: int) -> None:
        # An anonymous map is page aligned, which a bytearray is not.
        self._maps = mmap.mmap(-1, size), mmap.mmap(-1, size)
        self.raw, self._marks = (memoryview(each) for each in self._maps)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.raw.release()
        self._marks.release()
        for each in self._maps:
            each.close()

    def count(self, units: memoryview | bytes, after_cr: bool, block: int) -> Counted:
        """Counts a piece that has one byte a unit, in blocks of so many units."""
        with self._marks[: len(units)] as marks:
            translate(units, MARKS, out=marks)
            if utf8_count(marks) == len(marks) and not after_cr:
                return self._line_feeds(marks, block)
            return self._all_ends(marks, block, after_cr)

    def count_plain(self, units: memoryview, block: int) -> Counted | None:
        """Counts a piece if it is ASCII without carriage returns; None: it is not."""
        with self._marks[: len(units)] as marks:
            translate(units, MARKS_AND_HIGH, out=marks)
            return self._line_feeds(marks, block) if utf8_count(marks) == len(marks) else None

    def _line_feeds(self, marks: memoryview, block: int) -> Counted:
        ends = [bytesum(marks[start : start + block]) for start in range(0, len(marks), block)]
        return Counted(ends, Tally(sum(ends)), False, marks[-1] == 0)

    def _all_ends(self, marks: memoryview, block: int, after_cr: bool) -> Counted:
        """Counts blocks that hold carriage returns; a pair belongs to the block of its line feed."""
        some_lone = any(find(marks, lone) >= 0 for lone in LONE_CR)
        ends: list[int] = []
        total = Tally()
        for start in range(0, len(marks), block):
            piece = marks[start : start + block]
            returns = len(piece) - utf8_count(piece)
            ends_in_cr = piece[-1] == CR_MARK
            pairs = count(piece, PAIR) if some_lone else returns - ends_in_cr
            pairs += after_cr and piece[0] == LF_MARK
            after_cr = ends_in_cr
            found = Tally(bytesum(piece) - CR_MARK * returns, returns, pairs)
            ends.append(found.ends)
            total = total.plus(found)
        return Counted(ends, total, after_cr, marks[-1] == 0)
