"""The lines of one window while they are drawn from a file."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from ..errors import ColumnPastEnd
from ..model import Lines
from ..source import Source
from ..watch import Watch
from .decode import Encoding, decode, genuine_marks
from .index import LineIndex
from .split import CR, END, find_end, last_end, split_lines

REST_COUNTED_UP_TO = 1 << 20
"""Characters behind a cut that are counted; beyond, the rest is only known to be long."""


class Drawing:
    """Draws up to `count` lines, none beyond `longest` characters, until `enough` characters are drawn."""

    def __init__(
        self, source: Source, encoding: Encoding, index: LineIndex, watch: Watch, chunk: int, longest: int
    ) -> None:
        self._source, self._encoding, self._index, self._watch = source, encoding, index, watch
        self._chunk, self._longest = chunk, longest
        self._strings: list[str] = []
        self._rests: dict[int, int | None] = {}
        self._replaced: dict[int, int] = {}
        self._characters = 0
        self._cut = False

    def draw(self, at: int, count: int, enough: int) -> Lines:
        """Draws lines from an offset on, chunk by chunk."""
        while at < self._source.size and len(self._strings) < count and self._characters - 1 <= enough:
            at = self._draw_chunk(at, count)
        ended = at >= self._source.size and not self._cut
        return Lines(self._strings, self._rests, ended, self._replaced)

    def draw_line(self, at: int, line: int, column: int) -> int:
        """Draws one line from a column on, never holding it whole; returns the offset behind it."""
        decoder = codecs.getincrementaldecoder(self._encoding.codec)("replace")
        skip, kept, rest, genuine = column - 1, "", 0, 0
        behind = at
        for raw, offset, last in self._pieces(at):
            behind = offset
            if rest is None:
                continue
            text = decoder.decode(raw, last)
            skipped = min(skip, len(text))
            room = self._longest - len(kept)
            genuine += genuine_marks(raw, self._encoding.codec) if room else 0
            kept += text[skipped : skipped + room]
            skip -= skipped
            rest += max(0, len(text) - skipped - room)
            rest = None if rest > REST_COUNTED_UP_TO else rest
        if column > 1 and not kept:
            raise ColumnPastEnd(line, column, column - 1 - skip)
        self._append([kept], {0: rest} if rest != 0 else {}, {0: max(0, kept.count("\ufffd") - genuine)})
        return behind

    def _pieces(self, at: int) -> Iterator[tuple[bytes, int, bool]]:
        """Yields the bytes of one line, the offset behind them, and whether they were its last."""
        while at < self._source.size:
            self._watch.tick(at, self._source.size, "scan")
            raw = self._source.read_at(at, self._chunk)
            units = self._index.narrow(raw)
            end = find_end(units)
            if end:
                behind = at + end[1] * self._encoding.unit
                behind = self._index.skip_lf(behind) if units[end[1] - 1 : end[1]] == CR else behind
                yield raw[: end[0] * self._encoding.unit], behind, True
                return
            at = at + len(raw) if raw else self._source.size
            yield raw, at, at >= self._source.size

    def _draw_chunk(self, at: int, count: int) -> int:
        """Draws the whole lines of the next chunk and returns the offset behind them."""
        raw = self._source.read_at(at, self._chunk)
        if not raw:
            return self._source.size
        final = at + len(raw) >= self._source.size
        whole = len(raw) if final else last_end(self._index.narrow(raw)) * self._encoding.unit
        if not whole:
            return self.draw_line(at, 0, 1)
        text, damaged = decode(raw[:whole], self._encoding.codec)
        lines = split_lines(text)
        wanted = lines[: count - len(self._strings)]
        self._cut = len(wanted) < len(lines)
        longest = self._longest
        rests = {number: len(line) - longest for number, line in enumerate(wanted) if len(line) > longest}
        for number in rests:
            wanted[number] = wanted[number][:longest]
        self._append(wanted, rests, self._marks(raw[:whole], wanted) if damaged else {})
        return at + whole

    def _marks(self, raw: bytes, lines: list[str]) -> dict[int, int]:
        """Counts the characters of each line that stand for bytes that are none."""
        marks = {number: line.count("\ufffd") for number, line in enumerate(lines)}
        if self._encoding.unit == 1 and genuine_marks(raw, self._encoding.codec):
            for number, line in zip(marks, re.split(END, raw), strict=False):
                marks[number] = max(0, marks[number] - genuine_marks(line, self._encoding.codec))
        return marks

    def _append(self, lines: list[str], rests: dict[int, int] | dict[int, int | None], marks: dict[int, int]) -> None:
        base = len(self._strings)
        self._rests.update({base + number: rest for number, rest in rests.items()})
        self._replaced.update({base + number: count for number, count in marks.items() if count})
        self._strings += lines
        self._characters += sum(map(len, lines)) + len(lines)
