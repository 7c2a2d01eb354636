"""`LineIndex`: maps line numbers to byte offsets by the number of line ends before each block of a file.

An index contains numbers only, no descriptor: it can be kept between reads and written to disk.
A scan stops once the question is answered, and the next one goes on from there.
"""

from _thread import allocate_lock
from array import array
from bisect import bisect_left
from itertools import accumulate, islice
from typing import TYPE_CHECKING

from ..deadline import Deadline
from ..errors import ReadError
from ..source import Source
from .column_index import ColumnMarks
from .decode import Encoding, Utf8Validator
from .line_counting import CountedEnds, LineEndCounter
from .line_ends import Tally, one_byte_per_unit

if TYPE_CHECKING:
    from threading import Event

BLOCK = 1 << 16
MAX_BLOCKS = 1 << 20
"""Larger files get larger blocks, so that no index takes more than 8 MiB."""
PIECE = 3 << 18
PIECE_KEPT = 1 << 18
"""Bytes counted at once; fewer where they are read twice, so that they are still in the processor's cache."""
WORTH_A_THREAD = 64 << 20
"""Bytes to scan from which a second thread pays."""
LONG_LINES_MARKED = 8
LINES_MARKED = 16
"""Lines whose offsets are remembered: those where windows began and ended, since reads often go on there."""


def block_size(size: int, least: int = BLOCK) -> int:
    """Returns the smallest block size that keeps the index of such a file small."""
    block = least
    while size > block * MAX_BLOCKS:
        block *= 2
    return block


class LineIndex:
    """Cumulative line ends per block of a file of one size, as far as it has been scanned."""

    def __init__(self, size: int, encoding: Encoding, block: int = BLOCK, validate_utf8: bool = False) -> None:
        self.size, self.encoding, self.block = size, encoding, block
        self.ends = array("Q")
        self.scanned = 0
        self.tally = Tally()
        self.after_cr = False
        self.open_end = False
        self.validator = Utf8Validator() if validate_utf8 else None
        self.offsets: dict[int, int] = {}
        self._marks: dict[int, ColumnMarks] = {}
        self._lock = allocate_lock()

    @property
    def is_complete(self) -> bool:
        """Whether the whole file has been scanned."""
        return self.scanned >= self.size

    @property
    def is_busy(self) -> bool:
        """Whether a thread is scanning."""
        return self._lock.locked()

    @property
    def total(self) -> int | None:
        """The number of lines, once the file has been scanned to its end."""
        if self.scanned < self.size:
            return None
        return self.tally.ends + (self.open_end and self.size > self.encoding.bom)

    @property
    def valid(self) -> bool | None:
        """Whether the whole file is UTF-8; None: not asked for, or not known yet."""
        return self.validator.is_valid if self.validator and self.is_complete else None

    def locate_end_before(self, line: int) -> tuple[int, int, int] | None:
        """Returns the block with the end of the previous line, the number of that end in the block, and of how many."""
        number = bisect_left(self.ends, line - 1)
        if number == len(self.ends):
            return None
        before = self.ends[number - 1] if number else 0
        return number, line - 1 - before, self.ends[number] - before

    def remember_line(self, line: int, offset: int) -> None:
        """Remembers where a line begins, and forgets all others once there are many."""
        if len(self.offsets) >= LINES_MARKED:
            self.offsets.clear()
        self.offsets[line] = offset

    def nearest_mark(self, source: Source, at: int, characters: int, deadline: Deadline) -> tuple[int, int]:
        """Returns an offset in the line that starts at `at`, and how many characters of the line precede it.

        At most `characters` precede it, and less than a block is missing.
        """
        self._wait_for_lock(deadline)
        try:
            if at not in self._marks:
                while len(self._marks) >= LONG_LINES_MARKED:
                    self._marks.pop(next(iter(self._marks)))
                self._marks[at] = ColumnMarks(at)
            marks = self._marks[at]
            marks.extend(source, self.encoding, self.block, characters, deadline)
            return marks.nearest(characters, self.encoding.unit)
        finally:
            self._lock.release()

    def scan(self, source: Source, deadline: Deadline, ends: int | None) -> bool:
        """Scans on until so many lines have ended (None: to the end of the file); says whether that was needed."""
        if self._has_counted(ends):
            return False
        self._wait_for_lock(deadline)
        try:
            if ends is None and self.size - self.scanned >= WORTH_A_THREAD and self._can_scan_in_halves(source):
                self._scan_with_two(source, deadline)
            self._scan_alone(source, deadline, ends, self.size)
        finally:
            self._lock.release()
        return True

    def _wait_for_lock(self, deadline: Deadline) -> None:
        """Waits for another thread that scans the same file, until the deadline."""
        while not self._lock.acquire(timeout=0.05):
            deadline.check()

    def _has_counted(self, ends: int | None) -> bool:
        """Says whether the lines counted so far are enough."""
        return self.scanned >= self.size or (ends is not None and self.tally.ends >= ends)

    def _scan_alone(self, source: Source, deadline: Deadline, ends: int | None, stop: int) -> None:
        """Counts in this thread, up to a byte or a number of line ends."""
        if self.scanned >= stop or self._has_counted(ends):
            return
        keep_raw = self.validator is not None or self.encoding.unit > 1
        piece = max(self.block, min(PIECE_KEPT if keep_raw else PIECE, 16 * self.block))
        with LineEndCounter(piece, self.block, keep_raw) as counter:
            while self.scanned < stop and not self._has_counted(ends):
                deadline.tick(self.scanned, self.size, "scan")
                if not (source.is_sparse and self._skip_hole(source)):
                    self._count_piece(source, counter, stop)

    def _count_piece(self, source: Source, counter: LineEndCounter, stop: int) -> None:
        """Counts the next piece, or first the rest of an unfinished block."""
        begun = self.scanned % self.block
        room = self.block - begun if begun else len(counter.raw)
        with counter.raw[: min(room, stop - self.scanned)] as raw:
            filled = source.read_into(raw, self.scanned)
            if filled < len(raw):  # a file that is shorter than its reported size
                self.size = self.scanned + filled
            if not filled:
                return
            counted = self._count_checked(raw[:filled], counter)
        before = self.ends.pop() if begun else self.tally.ends
        self.ends.extend(islice(accumulate(counted.ends, initial=before), 1, None))
        self.tally = self.tally.plus(counted.tally)
        self.after_cr, self.open_end = counted.after_cr, counted.open_end
        self.scanned += filled

    def _count_checked(self, raw: memoryview, counter: LineEndCounter) -> CountedEnds:
        """Counts the line ends of a piece, and checks it where the encoding must be valid."""
        unit = self.encoding.unit
        if unit > 1:
            return counter.count(
                one_byte_per_unit(bytes(raw), unit, self.encoding.is_big_endian), self.after_cr, self.block // unit
            )
        if self.validator:
            plain = None if self.validator.pending or self.after_cr else counter.count_plain(raw, self.block)
            if plain:
                return plain
            self.validator.feed(raw)
        return counter.count(raw, self.after_cr, self.block)

    def _skip_hole(self, source: Source) -> bool:
        """Skips whole blocks that were never written: they read as NULs, which end no line."""
        begun = self.scanned % self.block
        data = source.next_data_offset(self.scanned)
        length = data - self.scanned if data >= self.size else (data - self.scanned) // self.block * self.block
        if begun or not length:
            return False
        self.ends.extend(array("Q", [self.tally.ends]) * -(-length // self.block))
        self.scanned += length
        self.after_cr, self.open_end = False, True
        if self.validator:
            self.validator.feed(memoryview(b"\0"))
        return True

    def _can_scan_in_halves(self, source: Source) -> bool:
        """Says whether two threads can each count one half."""
        # What is not on the disk reads on by itself, and from two places it would read twice as much.
        elsewhere = source.address or source.packing
        return self.encoding.unit == 1 and self.validator is None and not source.is_sparse and not elsewhere

    def _scan_with_two(self, source: Source, deadline: Deadline) -> None:
        """Scans the second half in another thread: reading releases the GIL, and counting is short."""
        from threading import Event, Thread

        middle = (self.scanned + self.size) // 2 // self.block * self.block
        second = LineIndex(self.size, self.encoding, self.block)
        second.scanned, second.after_cr = middle, source.read_at(middle - 1, 1) == b"\r"
        done, given_up = Event(), Event()
        quiet = deadline._replace(on_progress=None, cancelled=given_up.is_set)
        thread = Thread(target=second.scan_and_signal, args=(source, quiet, done), daemon=True)
        thread.start()
        try:
            self._scan_alone(source, deadline, None, middle)
            while not done.wait(0.05):
                deadline.tick(second.scanned, self.size, "scan")
        finally:
            given_up.set()
            thread.join()
        if second.is_complete:
            self._append_half(second)

    def scan_and_signal(self, source: Source, deadline: Deadline, done: "Event") -> None:
        """Scans to the end and sets `done`; what fails here is repeated by the thread that waits."""
        try:
            self._scan_alone(source, deadline, None, self.size)
        except ReadError:
            return
        finally:
            done.set()

    def _append_half(self, second: "LineIndex") -> None:
        """Appends what was counted of the second half."""
        before = self.tally.ends
        self.ends.extend(array("Q", [before + ends for ends in second.ends]))
        self.tally = self.tally.plus(second.tally)
        self.after_cr, self.open_end, self.scanned = second.after_cr, second.open_end, second.scanned
