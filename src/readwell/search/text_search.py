"""Finds matching lines in pieces: literals by stringzilla, everything else by RE2."""

from __future__ import annotations

import mmap
from bisect import bisect_right
from collections.abc import Iterator

from stringzilla import count, find, rfind, translate, utf8_count

from ..model.search import SearchRow
from ..named_tuple import NamedTuple
from ..text.line_counting import MARKS
from ..text.line_ends import LF
from .excerpts import excerpt_row
from .file_pieces import PIECE, Body, Piece
from .search_pattern import Expression
from .stepwise_matching import take_mid_line_cuts

MAX_FALSE_HITS = 256
"""Lines with the needle but without a match, after which RE2 searches everything."""
OVERLAP = 1 << 12
"""Bytes at the end of a part of a line that are searched again with the next part."""
COUNT_AHEAD = 4 << 20
"""Bytes searched after the last match shown, to count the others."""
MARKED_AT_ONCE = 1 << 17
ABSENT, CUT = -1, -2
"""Instead of the offset of a match: there is none; none in the parts in which a line was searched."""
FEW_BYTES = 1 << 14
"""Up to this many bytes, line feeds are counted one by one."""
LOWER_CASE = bytes(byte + 32 if 65 <= byte <= 90 else byte for byte in range(256))


class Buffers:
    """Memory that all files of a search share: allocating it for each would take longer than searching."""

    def __init__(self) -> None:
        self._letters = memoryview(bytearray())
        self._marks = memoryview(bytearray())

    def lower_case(self, body: Body) -> Body:
        """Returns a text with ASCII letters in lower case; valid until the next call."""
        if len(self._letters) < len(body):
            self._letters = memoryview(mmap.mmap(-1, max(len(body), PIECE)))
        letters = self._letters[: len(body)]
        translate(body, LOWER_CASE, out=letters)
        return letters

    def count_lines(self, body: Body, start: int, end: int) -> int:
        """Returns how many lines end between two offsets, about as fast as memory is read."""
        if end - start < FEW_BYTES:
            return count(body, LF, start, end) if start < end else 0
        if not self._marks:
            self._marks = memoryview(mmap.mmap(-1, MARKED_AT_ONCE))
        view, marks, total = memoryview(body), self._marks, 0
        for at in range(start, end, MARKED_AT_ONCE):
            piece = view[at : min(at + MARKED_AT_ONCE, end)]
            marked = marks[: len(piece)]
            translate(piece, MARKS, out=marked)
            total += len(piece) - utf8_count(marked)
        return total


class LineMatch(NamedTuple):
    """A matching line in a piece: its bytes, and the offset of the first match in them."""

    start: int
    end: int
    text: bytes
    match: int
    """`ABSENT` or `CUT` where there is none."""


class TextSearch:
    """The search of one text. Its results are valid when time runs out, too; `passed` lines were searched then.

    It starts behind the first `passed` lines. The first `most` matches after line `after` become rows. Matches in the
    next `count_ahead` bytes are counted, too (None: to the end); `cut` says that there may be more.
    """

    def __init__(
        self, expression: Expression, buffers: Buffers, *, passed: int, after: int, most: int, count_ahead: int | None
    ) -> None:
        self._expression, self._buffers = expression, buffers
        self._after, self._most, self._count_ahead = after, most, count_ahead
        self.rows: list[SearchRow] = []
        self.passed = passed
        self.count = self.last = 0
        self.cut = False
        self.long_lines: list[int] = []
        """Lines that were searched in parts."""
        self._marks: list[tuple[int, int]] = []
        self._false_hits = 0
        self._in_line: _LongLine | None = None

    def run(self, pieces: Iterator[Piece]) -> None:
        """Searches the pieces until enough matches are known."""
        counted_from: int | None = None
        for piece in pieces:
            self._marks.append((self.passed, piece.offset))
            if piece.is_part:
                self._search_line_part(piece)
            else:
                self._search_lines(piece.body)
            if self._count_ahead is not None and len(self.rows) >= self._most:
                counted_from = piece.offset if counted_from is None else counted_from
                if piece.offset - counted_from >= self._count_ahead:
                    self.cut = True
                    return

    def offset_before(self, line: int) -> tuple[int, int]:
        """Returns an offset before a line, as (number of lines before the offset, offset)."""
        return self._marks[max(0, bisect_right(self._marks, (line - 1, -1)) - 1)]

    def _search_lines(self, body: Body) -> None:
        """Searches a piece of whole lines."""
        if not self.count:
            self._expression.check_for_literal(body)
        haystack = self._haystack(body)
        if haystack is None:
            body = _replace_invalid_bytes(bytes(body))
        counted = 0
        for line_match in (
            self._lines_by_expression(body) if haystack is None else self._lines_with_needle(body, haystack)
        ):
            self.passed += self._buffers.count_lines(body, counted, line_match.start)
            counted = line_match.start
            if line_match.match == CUT:
                self.long_lines.append(self.passed + 1)
            elif self.passed >= self._after:
                self._note_match(line_match)
        self.passed += self._buffers.count_lines(body, counted, len(body)) + (body[-1] != 10)

    def _note_match(self, match: LineMatch | SearchRow) -> None:
        """Notes a match, and keeps its line while there is room."""
        line = self.passed + 1
        self.count, self.last = self.count + 1, line
        if len(self.rows) < self._most:
            self.rows.append(excerpt_row(line, match.text, match.match) if isinstance(match, LineMatch) else match)

    def _search_line_part(self, piece: Piece) -> None:
        """Searches a part of a line that is longer than a piece."""
        if self._in_line is None:
            self._in_line = _LongLine(self._expression)
            self.long_lines.append(self.passed + 1)
        line = self._in_line
        row = line.search_part(bytes(piece.body).removesuffix(LF), piece.goes_on)
        if row and self.passed >= self._after:
            self._note_match(row._replace(line=self.passed + 1))
        if not piece.goes_on:
            self.passed += 1
            self._in_line = None

    def _haystack(self, body: Body) -> Body | None:
        """Returns the bytes in which to find the needle; None where RE2 must search all lines."""
        expression = self._expression
        if not expression.needle or self._false_hits > MAX_FALSE_HITS:
            return None
        if not expression.folded:
            return body
        if any(find(body, each) >= 0 for each in expression.other_spellings):
            return None
        return self._buffers.lower_case(body)

    def _lines_with_needle(self, body: Body, haystack: Body) -> Iterator[LineMatch]:
        """Yields lines that contain the needle and match."""
        find_needle = self._expression.find_needle
        at = find_needle(haystack)
        while at >= 0:
            line_match = self._line_match_at(body, at)
            if line_match.match != ABSENT:
                yield line_match
            else:
                self._false_hits += 1
            at = find_needle(haystack, line_match.end) if line_match.end < len(body) else -1

    def _lines_by_expression(self, body: Body) -> Iterator[LineMatch]:
        """Yields lines that match, found by RE2 over many lines at once."""
        scan = self._expression.many_lines
        if scan is None:
            yield from self._lines_one_by_one(body)
            return
        at = 0
        while at < len(body):
            match = scan.search(body, at)
            yield from _lines_cut_by_steps(body, take_mid_line_cuts(scan), match.start() if match else len(body))
            if match is None:
                return
            if match.start() == len(body) and body[-1] == 10:
                return  # there is no line after the last line end
            line_match = self._line_match_at(body, match.start())
            if line_match.match != ABSENT:
                yield line_match
            at = line_match.end + 1

    def _lines_one_by_one(self, body: Body) -> Iterator[LineMatch]:
        """Yields lines that match, each tried by itself."""
        at = 0
        while at < len(body):
            line_match = self._line_match_at(body, at)
            if line_match.match != ABSENT:
                yield line_match
            at = line_match.end + 1

    def _line_match_at(self, body: Body, at: int) -> LineMatch:
        """Returns the line around an offset with the offset of its match, or -1."""
        start, end = rfind(body, LF, 0, at) + 1, find(body, LF, at)
        end = len(body) if end < 0 else end
        text = bytes(body[start:end])
        if self._expression.is_needle:
            return LineMatch(start, end, text, text.find(self._expression.needle))
        text = _replace_invalid_bytes(text)
        match = self._expression.in_line.search(text)
        none = CUT if take_mid_line_cuts(self._expression.in_line) else ABSENT
        return LineMatch(start, end, text, match.start() if match else none)


class _LongLine:
    """The search of a line that comes in parts; only its first match counts."""

    def __init__(self, expression: Expression) -> None:
        self._expression = expression
        self._tail = b""
        self._before = 0
        """Characters before the tail."""
        self._found = False

    def search_part(self, part: bytes, goes_on: bool) -> SearchRow | None:
        """Returns the excerpt around the first match, as line 0; None: no match, or an earlier part had one."""
        if self._found:
            return None
        body, began = _replace_invalid_bytes(self._tail + part), bool(self._before or self._tail)
        # RE2 sees the bytes around, so that the ends of a part do not count as ends of the line.
        match = self._expression.in_line.search(body, int(began), len(body) - goes_on)
        take_mid_line_cuts(self._expression.in_line)
        if match:
            self._found = True
            row = excerpt_row(0, body, match.start(), self._before)
            return row._replace(cut=row.cut or goes_on)
        cut = max(0, len(body) - OVERLAP)
        while cut < len(body) and body[cut] & 0xC0 == 0x80:
            cut += 1
        self._before += len(body[:cut].decode())
        self._tail = body[cut:]
        return None


def _lines_cut_by_steps(body: Body, cuts: list[int], most: int) -> Iterator[LineMatch]:
    """Yields the lines that were searched in parts, without a match, up to an offset; each once."""
    end = -1
    for cut in cuts:
        if cut > end:
            start, end = rfind(body, LF, 0, cut) + 1, find(body, LF, cut)
            end = len(body) if end < 0 else end
            if end < most or most == len(body):
                yield LineMatch(start, end, b"", CUT)


def _replace_invalid_bytes(raw: bytes) -> bytes:
    """Returns valid UTF-8; invalid bytes are replaced as they are in lines that are shown."""
    if raw.isascii():
        return raw
    try:
        raw.decode()
    except UnicodeDecodeError:
        return raw.decode(errors="replace").encode()
    return raw
