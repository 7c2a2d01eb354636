r"""Counts the line ends of many blocks for the line index, at the speed of memory; by the rules of `line_ends`.

A piece is first translated to marks: 0x80 for `\n`, 0x81 for `\r`, 0 for all else. Both look like
continuation bytes of UTF-8, so counting the others counts terminators; where there are carriage returns,
the sum of the marks tells how many. These are passes of vector instructions, each many times faster than
counting a needle that occurs in every line.
"""

from __future__ import annotations

import mmap
from operator import sub
from typing import Self

from stringzilla import bytesum, count, find, translate, utf8_count

from ..named_tuple import NamedTuple
from .line_ends import Tally

LF_MARK, CR_MARK = 0x80, 0x81
MARKS = bytes({0x0A: LF_MARK, 0x0D: CR_MARK}.get(byte, 0) for byte in range(256))
HIGH_MARKED = bytes(CR_MARK if byte > 0x7F else MARKS[byte] for byte in range(256))
"""Marks bytes that are not ASCII like carriage returns, where either ends the quick way."""
RETURN, PAIR = bytes([CR_MARK]), bytes([CR_MARK, LF_MARK])
LONE_CR = (bytes([CR_MARK, 0]), bytes([CR_MARK, CR_MARK]))


class CountedEnds(NamedTuple):
    """The line ends of each block of a piece, all its terminators, and how it ends."""

    ends: list[int]
    tally: Tally
    after_cr: bool
    open_end: bool


class LineEndCounter:
    """Counts pieces of up to `size` bytes in blocks; a context manager that owns the buffers.

    `raw` is where a piece is read to. With `keep_raw` it is still there after counting.
    """

    def __init__(self, size: int, block: int, keep_raw: bool) -> None:
        # An anonymous map is page aligned, which a bytearray is not.
        self._maps = [mmap.mmap(-1, size) for _ in range(2 if keep_raw else 1)]
        self.raw = memoryview(self._maps[0])
        self._marks = memoryview(self._maps[-1])
        self._block = block
        self._blocks = [self._marks[start : start + block] for start in range(0, size, block)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for view in (*self._blocks, self._marks, self.raw):
            view.release()
        for each in self._maps:
            each.close()

    def count(self, units: memoryview | bytes, after_cr: bool, block: int) -> CountedEnds:
        """Counts a piece that has one byte a unit, in blocks of so many units."""
        with self._marks[: len(units)] as marks:
            translate(units, MARKS, out=marks)
            blocks = self._blocks_of(marks, block)
            counts = _marks_in_blocks(blocks)
            if after_cr or find(marks, RETURN) >= 0:
                return _count_with_returns(marks, blocks, counts, after_cr)
            return CountedEnds(counts, Tally(sum(counts)), False, marks[-1] == 0)

    def count_plain(self, units: memoryview, block: int) -> CountedEnds | None:
        """Counts a piece if it is ASCII without carriage returns; None: it is not."""
        with self._marks[: len(units)] as marks:
            translate(units, HIGH_MARKED, out=marks)
            if find(marks, RETURN) >= 0:
                return None
            counts = _marks_in_blocks(self._blocks_of(marks, block))
            return CountedEnds(counts, Tally(sum(counts)), False, marks[-1] == 0)

    def _blocks_of(self, marks: memoryview, block: int) -> list[memoryview]:
        """Returns a piece in blocks, without making them anew for each piece."""
        if len(marks) == len(self._marks) and block == self._block:
            return self._blocks
        return [marks[start : start + block] for start in range(0, len(marks), block)]


def _marks_in_blocks(blocks: list[memoryview]) -> list[int]:
    """Counts the marks of each block."""
    return list(map(sub, map(len, blocks), map(utf8_count, blocks)))


def _count_with_returns(marks: memoryview, blocks: list[memoryview], counts: list[int], after_cr: bool) -> CountedEnds:
    """Tells line feeds, carriage returns and pairs apart; a pair belongs to the block of its line feed."""
    some_lone = any(find(marks, lone) >= 0 for lone in LONE_CR)
    ends: list[int] = []
    total = Tally()
    for block, terminators in zip(blocks, counts, strict=True):
        returns = bytesum(block) - LF_MARK * terminators
        ends_in_cr = block[-1] == CR_MARK
        pairs = count(block, PAIR) if some_lone else returns - ends_in_cr
        pairs += after_cr and block[0] == LF_MARK
        after_cr = ends_in_cr
        tally = Tally(terminators - returns, returns, pairs)
        ends.append(tally.ends)
        total = total.plus(tally)
    return CountedEnds(ends, total, after_cr, marks[-1] == 0)
