"""Line number to byte offset: how many lines end in each block, counted while scanning once.

The scan stops where the question is answered and goes on from there when more is asked.
"""

from __future__ import annotations

import codecs
import mmap
from array import array
from bisect import bisect_left

from ..source import Source
from ..watch import Watch
from .decode import Encoding
from .split import CR, LF, Tally, narrow, nth_end, tally

BLOCK = 1 << 16
BLOCKS_A_READ = 16


class LineIndex:
    """Cumulative line ends per block of a file, as far as it has been scanned."""

    def __init__(
        self, source: Source, encoding: Encoding, watch: Watch, judge_utf8: bool = False, block: int = BLOCK
    ) -> None:
        self._source, self._encoding, self._watch, self._block = source, encoding, watch, block
        self._ends = array("Q")
        self._scanned = 0
        self._after_cr = False
        self._open_end = False
        self._judge = codecs.getincrementaldecoder("utf-8")() if judge_utf8 else None
        self.tally = Tally()
        self.valid: bool | None = None

    @property
    def complete(self) -> bool:
        """Whether the whole file has been scanned."""
        return self._scanned >= self._source.size

    def total(self) -> int:
        """Returns the number of lines, scanning what has not been scanned yet."""
        self._scan(None)
        return self.tally.ends + self._open_end

    def seen(self) -> Tally | None:
        """Returns the terminators of the file; those of its first block where it was not scanned."""
        if self.complete:
            return self.tally
        found = tally(self.narrow(self._source.read_at(0, self._block)), False)
        return found if found.ends or self._source.size <= self._block else None

    def offset_of(self, line: int) -> int | None:
        """Returns where a line starts; None past the end."""
        ends = line - 1
        if ends == 0:
            start = self._encoding.bom
        else:
            self._scan(ends)
            number = bisect_left(self._ends, ends)
            if number == len(self._ends):
                return None
            before = self._ends[number - 1] if number else 0
            start = self._after_end(number, ends - before)
        return start if start < self._source.size else None

    def skip_lf(self, offset: int) -> int:
        """Returns the offset behind a line feed that completes a carriage return before it."""
        unit = self._encoding.unit
        return offset + unit if self._unit_at(offset) == LF else offset

    def final_newline(self) -> bool:
        """Whether the last unit of the file ends a line."""
        size, unit = self._source.size, self._encoding.unit
        return size % unit == 0 and self._unit_at(size - unit) in (CR, LF)

    def narrow(self, raw: bytes) -> bytes:
        """Returns the bytes with one byte a unit."""
        return narrow(raw, self._encoding.unit, self._encoding.big)

    def _unit_at(self, offset: int) -> bytes:
        return self.narrow(self._source.read_at(offset, self._encoding.unit)) if offset >= 0 else b""

    def _after_end(self, block: int, number: int) -> int:
        start = block * self._block
        raw = self.narrow(self._source.read_at(start, self._block))
        end = nth_end(raw, number, self._unit_at(start - self._encoding.unit) == CR)
        offset = start + end * self._encoding.unit
        return self.skip_lf(offset) if raw[end - 1 : end] == CR else offset

    def _scan(self, ends: int | None) -> None:
        """Scans on until so many lines have ended; None: to the end of the file."""
        if self.complete or (ends is not None and self.tally.ends >= ends):
            return
        # An anonymous map is page aligned, which a bytearray is not: counting runs twice as fast on it.
        with mmap.mmap(-1, self._block * BLOCKS_A_READ) as buffer, memoryview(buffer) as view:
            while not self.complete and (ends is None or self.tally.ends < ends):
                self._watch.tick(self._scanned, self._source.size, "scan")
                filled = self._source.read_into(view, self._scanned)
                if not filled:
                    break
                self._count(view, filled)
        if self.complete:
            self._close()

    def _count(self, view: memoryview, filled: int) -> None:
        for start in range(0, filled, self._block):
            with view[start : min(start + self._block, filled)] as piece:
                self._count_block(piece)
        self._scanned += filled

    def _count_block(self, piece: memoryview) -> None:
        block = piece if self._encoding.unit == 1 else self.narrow(bytes(piece))
        found = tally(block, self._after_cr)
        last = bytes(block[-1:])
        self._after_cr, self._open_end = last == CR, last not in (CR, LF)
        self.tally = Tally(*map(sum, zip(self.tally, found, strict=True)))
        self._ends.append(self.tally.ends)
        self._judge_utf8(bytes(piece), final=False)

    def _close(self) -> None:
        self._open_end = self._open_end and self._source.size > self._encoding.bom
        self._judge_utf8(b"", final=True)

    def _judge_utf8(self, raw: bytes, final: bool) -> None:
        if self._judge is None:
            return
        try:
            self._judge.decode(raw, final)
            self.valid = True if final else None
        except UnicodeDecodeError:
            self._judge = None
            self.valid = False
