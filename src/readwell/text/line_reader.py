"""`LineReader`: reads and decodes lines from a byte offset on until a window is full; cuts long lines."""

import codecs
from collections.abc import Callable, Iterator

from ..deadline import Deadline
from ..errors import ColumnPastEnd
from ..model import Budget, Lines
from ..source import Source
from .decode import MARK, Encoding, decoded_text, marking_handler, replace_marks, without_forged_ends
from .line_ends import CR, LF, Tally, count_terminators, find_end, has_longer_line, last_end, one_byte_per_unit

CHUNK = 1 << 16
REST_COUNTED_UP_TO = 1 << 20
"""Characters left out of a line that are counted; beyond, the rest is only known to be long."""


class LineReader:
    """Reads lines from a source until there are enough of them, or they exceed the budget.

    `line_end`, where it is known, gives the offset after a line by its index in this window.
    """

    def __init__(
        self,
        source: Source,
        encoding: Encoding,
        deadline: Deadline,
        budget: Budget,
        line_end: Callable[[int], int] | None = None,
        chunk: int = CHUNK,
    ) -> None:
        self._source, self._encoding, self._deadline, self._budget = source, encoding, deadline, budget
        self._line_end, self._chunk = line_end, chunk
        self._strings: list[str] = []
        self._rests: dict[int, int | None] = {}
        self._replaced: dict[int, list[int]] = {}
        self._characters = 0
        self._cut = self._inside = False
        self.next_at = 0
        """The offset of the line after those that were read, where it is known without counting."""
        self.ends = Tally()
        """The terminators that were read; none are counted where `line_end` is known."""

    def read_lines(self, at: int, count: int) -> Lines:
        """Reads up to `count` lines from an offset on, chunk by chunk."""
        while at < self._source.size and len(self._strings) < count and self._wants_more():
            at = self._read_chunk(at, count)
        ended = at >= self._source.size and not self._cut and not self._inside
        return Lines(self._strings, self._rests, ended, inside=self._inside, replaced=self._replaced)

    def read_line(self, at: int, skip: int, column: int, line: int) -> int:
        """Reads one line without keeping all of it in memory; returns the offset after it.

        Reading starts at the offset `at` and drops `skip` characters. `column` and `line` name that position in the
        error for a line that ends before it.
        """
        decoder = codecs.getincrementaldecoder(self._encoding.codec)(marking_handler())
        self.next_at = 0
        kept, rest, end = "", 0, at
        longest = self._budget.characters if column > 1 else self._budget.longest
        for raw, end, last in self._pieces_of_line(at):
            text = without_forged_ends(decoder.decode(raw, last), self._encoding.codec)
            room = longest - len(kept)
            skipped = min(skip, len(text))
            kept += text[skipped : skipped + room]
            skip -= skipped
            rest += max(0, len(text) - skipped - room)
            if rest > REST_COUNTED_UP_TO:
                rest, end = None, end if last else self._skip_line(end)
                break
        if column > 1 and not kept:
            raise ColumnPastEnd(line, column, column - 1 - skip)
        self._characters += len(kept) + 1
        self._append([kept], {0: rest} if rest != 0 else {}, MARK in kept)
        return end

    def _wants_more(self) -> bool:
        """Says whether another line may be read within the budget."""
        return not self._inside and self._characters - 1 <= self._budget.characters

    def _skip_line(self, at: int) -> int:
        """Returns the offset after the rest of a very long line; stays inside it if the budget seeks no line end."""
        if self._line_end:
            return self._line_end(len(self._strings))
        if not self._budget.seeks_line_end:
            self._inside = True
            return at
        while at < self._source.size:
            if self._source.is_sparse:
                at += (self._source.next_data_offset(at) - at) // self._encoding.unit * self._encoding.unit
            _, at, last = next(self._pieces_of_line(at), (b"", at, True))
            if last:
                break
        return at

    def _pieces_of_line(self, at: int) -> Iterator[tuple[bytes, int, bool]]:
        """Yields the bytes of one line in pieces: each with the offset after it, and whether it is the last."""
        unit, big = self._encoding.unit, self._encoding.is_big_endian
        while at < self._source.size:
            self._deadline.tick(at, self._source.size, "scan")
            raw = self._source.read_at(at, self._chunk)
            units = one_byte_per_unit(raw, unit, big)
            terminator = find_end(units)
            if terminator:
                after = at + terminator[1] * unit
                if units[terminator[1] - 1 : terminator[1]] == CR and terminator[1] == len(units):
                    after = skip_line_feed(self._source, self._encoding, after)
                if self._line_end is None:
                    self._count_ends(self._source.read_at(at + terminator[0] * unit, after - at - terminator[0] * unit))
                yield raw[: terminator[0] * unit], after, True
                return
            at += len(raw)
            yield raw, at, at >= self._source.size

    def _read_chunk(self, at: int, count: int) -> int:
        """Reads the whole lines of the next chunk and returns the offset after them."""
        self.next_at = 0
        raw = self._source.read_at(at, self._chunk)
        final = at + len(raw) >= self._source.size
        unit = self._encoding.unit
        whole = len(raw) if final else last_end(one_byte_per_unit(raw, unit, self._encoding.is_big_endian)) * unit
        if not whole:
            return self.read_line(at, 0, 1, 0)
        if self._line_end is None:
            self._count_ends(raw[:whole])
        text = decoded_text(raw[:whole], self._encoding.codec)
        wanted = min(count - len(self._strings), len(text))
        lines = text.split("\n", wanted)
        self._cut = len(lines) > wanted and lines[-1] != ""
        if len(lines) > wanted or not lines[-1]:
            rest = lines.pop()
            if len(text) == whole:  # else characters are not bytes
                self.next_at = at + whole - len(rest)
        rests = self._shorten(lines) if has_longer_line(text, self._budget.longest) else {}
        self._characters += len(text) - sum(rests.values())
        self._append(lines, rests, MARK in text)
        return at + whole

    def _count_ends(self, raw: bytes) -> None:
        """Counts the terminators of some bytes that begin with a line, or with a terminator."""
        self.ends = self.ends.plus(
            count_terminators(one_byte_per_unit(raw, self._encoding.unit, self._encoding.is_big_endian), False)
        )

    def _shorten(self, lines: list[str]) -> dict[int, int]:
        """Cuts lines that are too long; returns how much of each is missing."""
        longest = self._budget.longest
        rests = {number: len(line) - longest for number, line in enumerate(lines) if len(line) > longest}
        for number in rests:
            lines[number] = lines[number][:longest]
        return rests

    def _append(self, lines: list[str], rests: dict[int, int] | dict[int, int | None], damaged: bool) -> None:
        """Adds lines, with what is missing and what was replaced in them."""
        base = len(self._strings)
        if rests:
            self._rests.update({base + number: rest for number, rest in rests.items()})
        if damaged:
            for number, line in enumerate(lines):
                if MARK in line:
                    lines[number], self._replaced[base + number] = replace_marks(line)
        self._strings += lines


def unit_at(source: Source, encoding: Encoding, offset: int) -> bytes:
    """Returns the code unit at an offset, as one byte; empty outside the file."""
    return (
        one_byte_per_unit(source.read_at(offset, encoding.unit), encoding.unit, encoding.is_big_endian)
        if offset >= 0
        else b""
    )


def skip_line_feed(source: Source, encoding: Encoding, offset: int) -> int:
    """Returns the offset after a line feed that completes a carriage return before it."""
    return offset + encoding.unit if unit_at(source, encoding, offset) == LF else offset
