"""`IndexedText`, a file that is not small: the line index, or an estimate, tells where `line_reader` begins."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..deadline import Deadline
from ..errors import ColumnPastEnd, DeadlineExceeded
from ..model import Budget, Lines, Rules, Traits, new_traits
from ..source import Source, exact_size
from .line_ends import CR, LF, Tally, count_feeds, count_terminators, nth_end, nth_feed, one_byte_per_unit
from .line_index import BLOCK, LineIndex, block_size
from .line_index_cache import IndexCache, IndexOptions
from .line_reader import LineReader, skip_line_feed, unit_at
from .text_or_binary import encoding_of

MIN_AHEAD, MAX_AHEAD = 1 << 13, 1 << 18
"""Bytes read at once for a window."""
UNCOUNTED = 1 << 62
MAX_UNPACKED = 64 << 20
"""Bytes that are unpacked only to count lines."""
MAX_FETCHED = 1 << 20
"""Bytes that are fetched from a remote root only to count lines: what a second request brings."""
SEARCH_RADIUS = 1 << 12
"""How far from the estimate a line is searched for, in bytes."""


def indexed_text(
    source: Source, rules: Rules, asked: str | None, cache: IndexCache | None, deadline: Deadline
) -> IndexedText:
    """Returns a file as a text with its index, cached or new; raises BinaryFile where it is no text."""
    options = (
        asked,
        rules.decoding,
        rules.sample_bytes,
        rules.control_percent,
        rules.refuse_boms,
        rules.validate_whole_file,
    )
    index = cache.get(source, options) if cache else None
    if index is None:
        encoding = encoding_of(source, rules, asked)
        index = LineIndex(source.size, encoding, block_size(source.size), rules.validate_whole_file)
    return IndexedText(source, index, deadline, cache, options)


class IndexedText:
    """A file as a text. Takes only as much memory as the window: a long line is never kept whole."""

    def __init__(
        self,
        source: Source,
        index: LineIndex,
        deadline: Deadline,
        cache: IndexCache | None = None,
        options: IndexOptions = (),
    ) -> None:
        self._source, self.index, self._deadline = source, index, deadline
        self._cache, self._options = cache, options
        self._encoding = index.encoding
        self._total: int | None = None
        self._seen, self._saw_all = Tally(), False
        """The terminators of the lines that were read, and whether these were all lines."""

    @property
    def known_total(self) -> int | None:
        """The number of lines, once a scan or a window has reached the end."""
        counted = self.index.total
        return self._total if counted is None else counted

    @property
    def counting_cost(self) -> int:
        """The size of the file; for one that is packed or remote and not small UNCOUNTED until it is scanned."""
        source = self._source
        if not (source.packing or source.address) or self.index.is_complete:
            return source.size
        max_size = MAX_FETCHED if source.address else MAX_UNPACKED
        return source.size if source.is_size_known and source.size <= max_size else UNCOUNTED

    def total(self) -> int:
        """The exact number of lines; scans what has not been scanned."""
        self._scan(None)
        return self.index.total or 0

    def traits(self) -> Traits:
        """Encoding and line ends; of a file that was not scanned, what its first block and the lines read prove."""
        size, index, (codec, bom, guess, runner_up) = self._source.size, self.index, self._encoding
        terminators = index.tally if index.is_complete else self._tally_of_first_block().plus(self._seen)
        are_all = index.is_complete or self._saw_all or size <= BLOCK
        newline = terminators.newline if are_all or terminators.newline == "mixed" else None
        final_newline = self._ends_in_newline() if size > bom and self._source.is_size_known else None
        return new_traits(
            encoding=codec,
            bom=bom > 0,
            guess=guess,
            valid=index.valid,
            newline=newline,
            newline_seen=None if newline else terminators.newline,
            lone_cr=terminators.cr > terminators.pairs,
            final_newline=final_newline,
            runner_up=runner_up,
        )

    def take(self, start: int, count: int, column: int, budget: Budget) -> Lines:
        """Reads lines from number `start`."""
        at = self.offset_of(start, count)
        if at is None:
            if column > 1 and start == 1:
                raise ColumnPastEnd(1, column, 0)
            return Lines([], {}, True)
        line_end = partial(self._end_of_window_line, start) if self.index.is_complete else None
        lines = self._read(at, start, count, column, budget, line_end)
        if lines.ended:
            self._total = start + len(lines.strings) - 1
        return lines

    def tail(self, count: int, column: int, budget: Budget) -> tuple[int, Lines]:
        """Reads the last lines backwards; of what must be unpacked to its end all lines are counted on the way."""
        if not self._source.is_size_known:
            self.total()
        at, available = self._tail_start(count)
        if at <= self._encoding.bom:
            self._total = available
        return available, self._read(at, -available, count, column, budget)

    def _read(
        self, at: int, line: int, count: int, column: int, budget: Budget, line_end: Callable[[int], int] | None = None
    ) -> Lines:
        """Reads lines from a byte on, the first of them from a column on."""
        chunk = min(BLOCK, self.index.block, self._estimated_bytes(count))
        reader = LineReader(self._source, self._encoding, self._deadline, budget, line_end, chunk)
        if column > 1:
            near, characters = self.index.nearest_mark(self._source, at, column - 1, self._deadline)
            at = reader.read_line(near, column - 1 - characters, column, line)
        lines = reader.read_lines(at, count)
        self._seen, self._saw_all = reader.ends, at <= self._encoding.bom and lines.ended
        if reader.next_at and line > 0:
            self.index.remember_line(line + len(lines.strings), reader.next_at)
        return lines

    def _end_of_window_line(self, start: int, index: int) -> int:
        """Returns the offset after the line with an index in the window that begins with line `start`."""
        following = self.offset_of(start + index + 1, 1)
        return self._source.size if following is None else following

    def _scan(self, ends: int | None) -> None:
        """Counts lines as far as needed, and keeps the index."""
        try:
            has_grown = self.index.scan(self._source, self._deadline, ends)
        except DeadlineExceeded:
            self._keep_index()  # the next call goes on from there
            raise
        if has_grown:
            self._keep_index()

    def _keep_index(self) -> None:
        """Keeps the index for later calls."""
        if self._cache:
            self._cache.put(self._source, self._options, self.index)

    def offset_of(self, line: int, count: int = 1) -> int | None:
        """Returns the offset of a line, and reads ahead for a window of `count` lines; None past the end."""
        start = self._encoding.bom if line <= 1 else self.index.offsets.get(line)
        if start is None:
            self._scan(line - 1)
            block = self.index.locate_end_before(line)
            if block is None:
                return None
            start = self._end_in_block(*block, count)
            self.index.remember_line(line, start)
        return start if start < self._source.size else None

    def _end_in_block(self, block: int, number: int, of: int, count: int) -> int:
        """Returns the offset after line end `number` of a block that has `of` of them."""
        index, unit = self.index, self._encoding.unit
        start, near = block * index.block, index.block // unit * number // of
        ahead = self._estimated_bytes(count)
        if unit == 1 and not index.tally.cr:
            estimated = self._find_end_near_estimate(start, number, of, ahead)
            if estimated:
                return estimated
        raw = self._source.read_at(start, index.block + ahead)
        units = raw if unit == 1 else self._one_byte_per_unit(raw[: index.block])
        if not index.tally.cr:
            return start + nth_feed(units, number, near) * unit
        after_cr = unit_at(self._source, self._encoding, start - unit) == CR
        end = nth_end(units, number, after_cr, near)
        offset = start + end * unit
        at_edge = end == len(units) and units.endswith(CR)
        return skip_line_feed(self._source, self._encoding, offset) if at_edge else offset

    def _find_end_near_estimate(self, start: int, number: int, of: int, ahead: int) -> int:
        """Searches for a line end near where it would be if all lines of the block had the same length.

        Returns the offset after it; 0: it is elsewhere in the block.
        """
        length = min(self.index.block, self.index.scanned - start)
        near, begin = length * number // of, 0
        if number * 2 > of:
            begin = max(0, near - SEARCH_RADIUS)
        raw = self._source.read_at(start + begin, max(near + SEARCH_RADIUS + ahead, length if begin else 0) - begin)
        if begin:
            number -= of - count_feeds(raw[: length - begin])
        end = nth_feed(raw, number, near - begin) if number > 0 else 0
        return start + begin + end if end else 0

    def _estimated_bytes(self, count: int) -> int:
        """Estimates the bytes of a window of so many lines, in whole code units."""
        ends = self.index.tally.ends
        if not ends:
            return BLOCK
        return min(MAX_AHEAD, max(MIN_AHEAD, count * (self.index.scanned // ends) * 5 // 4 & ~3))

    def _tally_of_first_block(self) -> Tally:
        """Counts the terminators of the first block, except one that may be half of a pair."""
        units = self._one_byte_per_unit(self._source.read_at(0, BLOCK))
        cut = self._source.size > BLOCK and units.endswith(CR)
        return count_terminators(units[:-1] if cut else units, False)

    def _ends_in_newline(self) -> bool:
        """Says whether the file ends in a line end."""
        if self.index.is_complete:
            return not self.index.open_end
        size, unit = self._source.size, self._encoding.unit
        return size % unit == 0 and unit_at(self._source, self._encoding, size - unit) in (CR, LF)

    def _one_byte_per_unit(self, raw: bytes) -> bytes:
        """Returns the low bytes of characters that take several, so that line ends can be found."""
        return one_byte_per_unit(raw, self._encoding.unit, self._encoding.is_big_endian)

    def _tail_start(self, count: int) -> tuple[int, int]:
        """Returns where the last `count` lines start, and how many lines that really are."""
        end = size = exact_size(self._source)
        if size <= self._encoding.bom:
            return size, 0
        missing = count - (not self._ends_in_newline())
        lf_follows = False
        block = min(BLOCK, self.index.block)
        while end > 0:
            self._deadline.tick(size - end, size, "scan")
            start = (end - 1) // block * block
            units = self._one_byte_per_unit(self._source.read_at(start, end - start))
            ends = count_terminators(units, False).ends - (lf_follows and units.endswith(CR))
            if ends > missing:
                end = nth_end(units, ends - missing, False, len(units) * (ends - missing) // ends)
                return start + end * self._encoding.unit, count
            missing -= ends
            lf_follows = units.startswith(LF)
            end = start
        return self._encoding.bom, count - missing
