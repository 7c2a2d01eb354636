"""The lines of a file, drawn from its descriptor a window at a time."""

from __future__ import annotations

from ..model import Lines, Traits
from ..source import Source
from ..watch import Watch
from .decode import Encoding
from .drawing import Drawing
from .index import BLOCK, LineIndex
from .split import CR, LF, nth_end, tally


class PlainText:
    """A file as lines. Memory follows the window: no line is held beyond what is drawn of it."""

    def __init__(
        self, source: Source, encoding: Encoding, watch: Watch, judge_utf8: bool = False, block: int = BLOCK
    ) -> None:
        self._source, self._encoding, self._watch, self._block = source, encoding, watch, block
        self._index = LineIndex(source, encoding, watch, judge_utf8, block)
        self._total: int | None = None

    @property
    def known_total(self) -> int | None:
        """The number of lines, once a scan or a window has reached the end."""
        return self.total() if self._index.complete else self._total

    def total(self) -> int:
        """The exact number of lines; scans what has not been scanned."""
        return self._index.total()

    def traits(self) -> Traits:
        """Encoding and line ends; the ends are known once the file has been scanned."""
        holds_text = self._source.size > self._encoding.bom
        found = self._index.seen()
        return Traits(
            encoding=self._encoding.codec,
            bom=bool(self._encoding.bom),
            guess=self._encoding.guess,
            valid=self._index.valid,
            newline=found.newline if found else None,
            lone_cr=found is not None and found.cr > found.pairs,
            final_newline=self._index.final_newline() if holds_text else None,
        )

    def take(self, start: int, count: int, column: int, longest: int, characters: int) -> Lines:
        """Draws lines from number `start`."""
        at = self._index.offset_of(start)
        if at is None:
            return Lines([], {}, True)
        drawing = self._drawing(longest)
        if column > 1:
            at = drawing.draw_line(at, start, column)
        lines = drawing.draw(at, count, characters)
        if lines.ended:
            self._total = start + len(lines.strings) - 1
        return lines

    def tail(self, count: int, longest: int, characters: int) -> tuple[int, Lines]:
        """Draws the last lines, found by reading backwards."""
        at, found = self._tail_start(count)
        if at <= self._encoding.bom:
            self._total = found
        return found, self._drawing(longest).draw(at, count, characters)

    def _drawing(self, longest: int) -> Drawing:
        return Drawing(self._source, self._encoding, self._index, self._watch, self._block, longest)

    def _tail_start(self, count: int) -> tuple[int, int]:
        """Returns where the last `count` lines start, and how many lines that really are."""
        end = size = self._source.size
        if size <= self._encoding.bom:
            return size, 0
        missing = count - (not self._index.final_newline())
        lf_follows = False
        while end > 0:
            self._watch.tick(size - end, size, "scan")
            start = (end - 1) // self._block * self._block
            units = self._index.narrow(self._source.read_at(start, end - start))
            ends = tally(units, False).ends - (lf_follows and units.endswith(CR))
            if ends > missing:
                return start + nth_end(units, ends - missing, False) * self._encoding.unit, count
            missing -= ends
            lf_follows = units.startswith(LF)
            end = start
        return self._encoding.bom, count - missing
