"""The lines of a file, drawn from its descriptor a window at a time."""

from collections.abc import Callable
from functools import partial

from ..errors import ColumnPastEnd
from ..model import Budget, Lines, Rules, Traits, new_traits
from ..source import Source
from ..watch import Watch
from .decode import Encoding
from .drawing import Drawing, skip_lf, unit_at
from .held import SMALL, SmallText, small_text
from .index import BLOCK, LineIndex, block_size
from .memory import How, Memory
from .sniff import encoding_of, refuse_by_name
from .split import CR, LF, Tally, narrow, nth_end, nth_feed, tally

LEAST_AHEAD, MOST_AHEAD = 1 << 13, 1 << 18
"""Bytes read at once for a window."""
ASTRAY = 1 << 12
"""Bytes by which a line may be elsewhere than where it would be if all lines of its block were alike."""


def plain_text(
    source: Source, rules: Rules, asked: str | None, memory: Memory, watch: Watch
) -> "PlainText | SmallText":
    """Returns a file as lines, with what is remembered of it; raises BinaryFile where it is no text."""
    refuse_by_name(source, rules)
    if source.size <= SMALL:
        encoding = encoding_of(source, rules, asked)
        small = small_text(source, encoding, rules.judge_whole_file, watch)
        return small or PlainText(source, _new_index(source, encoding, rules), watch)
    how = (asked, rules.decoding, rules.sample_bytes, rules.control_percent, rules.refuse_boms, rules.judge_whole_file)
    index = memory.recall(source, how) or _new_index(source, encoding_of(source, rules, asked), rules)
    return PlainText(source, index, watch, memory, how)


def _new_index(source: Source, encoding: Encoding, rules: Rules) -> LineIndex:
    return LineIndex(source.size, encoding, block_size(source.size), rules.judge_whole_file)


class PlainText:
    """A file as lines. Memory follows the window: no line is held beyond what is drawn of it."""

    def __init__(
        self, source: Source, index: LineIndex, watch: Watch, memory: Memory | None = None, how: How = ()
    ) -> None:
        self._source, self.index, self._watch = source, index, watch
        self._memory, self._how = memory, how
        self._encoding = index.encoding
        self._total: int | None = None

    @property
    def known_total(self) -> int | None:
        """The number of lines, once a scan or a window has reached the end."""
        counted = self.index.total
        return self._total if counted is None else counted

    @property
    def weight(self) -> int:
        """The size of the file."""
        return self._source.size

    def total(self) -> int:
        """The exact number of lines; scans what has not been scanned."""
        self._scan(None)
        return self.index.total or 0

    def traits(self) -> Traits:
        """Encoding and line ends; the ends of the first block where the file was not scanned."""
        size, index, (codec, bom, guess, runner_up) = self._source.size, self.index, self._encoding
        complete = index.complete
        found = index.tally if complete else self._first_ends()
        newline = found.newline if complete or found.ends > 0 or size <= BLOCK else None
        final_newline = self._ends_in_newline() if size > bom else None
        return new_traits(
            encoding=codec,
            bom=bom > 0,
            guess=guess,
            valid=index.valid,
            newline=newline,
            lone_cr=found.cr > found.pairs,
            final_newline=final_newline,
            runner_up=runner_up,
        )

    def take(self, start: int, count: int, column: int, budget: Budget) -> Lines:
        """Draws lines from number `start`."""
        at = self.offset_of(start, count)
        if at is None:
            if column > 1 and start == 1:
                raise ColumnPastEnd(1, column, 0)
            return Lines([], {}, True)
        behind = partial(self._behind_line, start) if self.index.complete else None
        lines = self._draw(at, start, count, column, budget, behind)
        if lines.ended:
            self._total = start + len(lines.strings) - 1
        return lines

    def tail(self, count: int, column: int, budget: Budget) -> tuple[int, Lines]:
        """Draws the last lines, found by reading backwards."""
        at, found = self._tail_start(count)
        if at <= self._encoding.bom:
            self._total = found
        return found, self._draw(at, -found, count, column, budget)

    def _draw(
        self, at: int, line: int, count: int, column: int, budget: Budget, behind: Callable[[int], int] | None = None
    ) -> Lines:
        chunk = min(BLOCK, self.index.block, self._bytes_for(count))
        drawing = Drawing(self._source, self._encoding, self._watch, budget, behind, chunk)
        if column > 1:
            near, characters = self.index.near(self._source, at, column - 1, self._watch)
            at = drawing.draw_line(near, column - 1 - characters, column, line)
        return drawing.draw(at, count)

    def _behind_line(self, start: int, drawn: int) -> int:
        """Returns the offset behind the line that comes after so many drawn ones."""
        following = self.offset_of(start + drawn + 1, 1)
        return self._source.size if following is None else following

    def _scan(self, ends: int | None) -> None:
        if self.index.scan(self._source, self._watch, ends) and self._memory:
            self._memory.keep(self._source, self._how, self.index)

    def offset_of(self, line: int, count: int = 1) -> int | None:
        """Returns where a line starts, having read on for a window of so many lines; None past the end."""
        start = self._encoding.bom
        if line > 1:
            self._scan(line - 1)
            place = self.index.place_of(line)
            if place is None:
                return None
            start = self._behind_end(*place, count)
        return start if start < self._source.size else None

    def _behind_end(self, block: int, number: int, of: int, count: int) -> int:
        """Returns the offset behind a block's line end of that number, out of so many."""
        index, unit = self.index, self._encoding.unit
        start, near = block * index.block, index.block // unit * number // of
        ahead = self._bytes_for(count)
        if unit == 1 and not index.tally.cr:
            found = self._behind_feed(start, number, of, ahead)
            if found:
                return found
        raw = self._source.read_at(start, index.block + ahead)
        units = raw if unit == 1 else self._narrow(raw[: index.block])
        if not index.tally.cr:
            return start + nth_feed(units, number, near) * unit
        after_cr = unit_at(self._source, self._encoding, start - unit) == CR
        end = nth_end(units, number, after_cr, near)
        offset = start + end * unit
        at_edge = end == len(units) and units.endswith(CR)
        return skip_lf(self._source, self._encoding, offset) if at_edge else offset

    def _behind_feed(self, start: int, number: int, of: int, ahead: int) -> int:
        """Looks for a line feed where it would be if all lines were alike, counting from the nearer end of its block.

        Returns the offset behind it; 0: it is elsewhere in the block.
        """
        length = min(self.index.block, self.index.scanned - start)
        near, begin = length * number // of, 0
        if number * 2 > of:
            begin = max(0, near - ASTRAY)
        raw = self._source.read_at(start + begin, max(near + ASTRAY + ahead, length if begin else 0) - begin)
        if begin:
            number -= of - tally(memoryview(raw)[: length - begin], False).lf
        found = nth_feed(raw, number, near - begin) if number > 0 else 0
        return start + begin + found if found else 0

    def _bytes_for(self, count: int) -> int:
        """Returns about as many bytes as a window of so many lines takes, in whole units."""
        ends = self.index.tally.ends
        if not ends:
            return BLOCK
        return min(MOST_AHEAD, max(LEAST_AHEAD, count * (self.index.scanned // ends) * 5 // 4 & ~3))

    def _first_ends(self) -> Tally:
        """Counts the terminators of the first block, but for one that may be half of a pair."""
        units = self._narrow(self._source.read_at(0, BLOCK))
        cut = self._source.size > BLOCK and units.endswith(CR)
        return tally(units[:-1] if cut else units, False)

    def _ends_in_newline(self) -> bool:
        if self.index.complete:
            return not self.index.open_end
        size, unit = self._source.size, self._encoding.unit
        return size % unit == 0 and unit_at(self._source, self._encoding, size - unit) in (CR, LF)

    def _narrow(self, raw: bytes) -> bytes:
        return narrow(raw, self._encoding.unit, self._encoding.big)

    def _tail_start(self, count: int) -> tuple[int, int]:
        """Returns where the last `count` lines start, and how many lines that really are."""
        end = size = self._source.size
        if size <= self._encoding.bom:
            return size, 0
        missing = count - (not self._ends_in_newline())
        lf_follows = False
        block = min(BLOCK, self.index.block)
        while end > 0:
            self._watch.tick(size - end, size, "scan")
            start = (end - 1) // block * block
            units = self._narrow(self._source.read_at(start, end - start))
            ends = tally(units, False).ends - (lf_follows and units.endswith(CR))
            if ends > missing:
                end = nth_end(units, ends - missing, False, len(units) * (ends - missing) // ends)
                return start + end * self._encoding.unit, count
            missing -= ends
            lf_follows = units.startswith(LF)
            end = start
        return self._encoding.bom, count - missing
