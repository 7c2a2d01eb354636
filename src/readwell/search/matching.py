"""Matching lines, found in pieces: literals by the fastest search there is, everything else by RE2."""

from __future__ import annotations

import mmap
from bisect import bisect_right
from collections.abc import Iterator

from stringzilla import count, find, rfind, translate, utf8_count

from ..matches import Row
from ..named_tuple import NamedTuple
from ..text.scan import MARKS
from ..text.split import LF
from .expression import Expression
from .pieces import PIECE, Body, Piece

LONGEST = 400
"""Characters shown of a line."""
BEFORE_MATCH = 100
"""Characters shown before the match of a longer line."""
MOST_IN_VAIN = 256
"""Lines of a file with the needle and without a match, after which the needle is no help."""
OVERLAP = 1 << 12
"""Bytes at the end of a part of a line that are looked at again with the next part."""
COUNTED_ON = 4 << 20
"""Bytes that are searched behind the last match shown, to tell how many there are."""
MARKED_AT_ONCE = 1 << 17
FEW_BYTES = 1 << 14
"""Bytes in which line feeds are counted one by one."""
SMALL_LETTERS = bytes(byte + 32 if 65 <= byte <= 90 else byte for byte in range(256))


class Scratch:
    """Buffers that all files of a search share: new memory for each would take longer than to search it."""

    def __init__(self) -> None:
        self._letters = memoryview(b"")
        self._marks = memoryview(b"")

    def in_small_letters(self, body: Body) -> Body:
        """Returns a text with small letters for capital ones; it holds until the next is asked for."""
        if len(self._letters) < len(body):
            self._letters = memoryview(mmap.mmap(-1, max(len(body), PIECE)))
        letters = self._letters[: len(body)]
        translate(body, SMALL_LETTERS, out=letters)
        return letters

    def count_lines(self, body: Body, start: int, end: int) -> int:
        """Returns how many lines end between two offsets, at the speed of memory."""
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


class Span(NamedTuple):
    """A matching line in a piece: its bytes, and where in them the first match begins."""

    start: int
    end: int
    text: bytes
    match: int


class TextSearch:
    """The search of one text. What was found stays when time runs out; `passed` lines were searched then.

    The first `most` matches behind line `after` become rows. Behind them matches are counted as far as `counted_on`
    bytes, None: to the end; `cut` says that there may be more.
    """

    def __init__(
        self, expression: Expression, scratch: Scratch, *, after: int, most: int, counted_on: int | None
    ) -> None:
        self._expression, self._scratch = expression, scratch
        self._after, self._most, self._counted_on = after, most, counted_on
        self.rows: list[Row] = []
        self.count = self.passed = self.last = 0
        self.cut = False
        self.in_parts: list[int] = []
        """Lines that were searched in parts."""
        self._marks: list[tuple[int, int]] = []
        self._in_vain = 0
        self._in_line: _LongLine | None = None

    def run(self, pieces: Iterator[Piece]) -> None:
        """Searches all pieces, or as many as are needed."""
        counted_from: int | None = None
        for piece in pieces:
            self._marks.append((self.passed, piece.offset))
            if piece.is_part:
                self._take_part(piece)
            else:
                self._take(piece.body)
            if self._counted_on is not None and len(self.rows) >= self._most:
                counted_from = piece.offset if counted_from is None else counted_from
                if piece.offset - counted_from >= self._counted_on:
                    self.cut = True
                    return

    def offset_before(self, line: int) -> tuple[int, int]:
        """Returns how many lines are passed at an offset before a line, and that offset."""
        return self._marks[max(0, bisect_right(self._marks, (line - 1, -1)) - 1)]

    def _take(self, body: Body) -> None:
        if not self.count:
            self._expression.note_plain(body)
        haystack = self._haystack(body)
        if haystack is None:
            body = _valid(bytes(body))
        counted = 0
        for span in self._by_expression(body) if haystack is None else self._with_needle(body, haystack):
            self.passed += self._scratch.count_lines(body, counted, span.start)
            counted = span.start
            if self.passed >= self._after:
                self._note(span)
        self.passed += self._scratch.count_lines(body, counted, len(body)) + (body[-1] != 10)

    def _note(self, found: Span | Row) -> None:
        line = self.passed + 1
        self.count, self.last = self.count + 1, line
        if len(self.rows) < self._most:
            self.rows.append(excerpt(line, found.text, found.match) if isinstance(found, Span) else found)

    def _take_part(self, piece: Piece) -> None:
        if self._in_line is None:
            self._in_line = _LongLine(self._expression)
            self.in_parts.append(self.passed + 1)
        line = self._in_line
        found = line.take(bytes(piece.body).removesuffix(LF), piece.goes_on)
        if found and self.passed >= self._after:
            self._note(found._replace(line=self.passed + 1))
        if not piece.goes_on:
            self.passed += 1
            self._in_line = None

    def _haystack(self, body: Body) -> Body | None:
        """Returns where the needle of the expression is looked for; None where RE2 must look at all lines."""
        expression = self._expression
        if not expression.needle or self._in_vain > MOST_IN_VAIN:
            return None
        if not expression.folded:
            return body
        if any(find(body, each) >= 0 for each in expression.elsewhere):
            return None
        return self._scratch.in_small_letters(body)

    def _with_needle(self, body: Body, haystack: Body) -> Iterator[Span]:
        needle = self._expression.needle
        at = find(haystack, needle)
        while at >= 0:
            span = self._span_at(body, at)
            if span.match >= 0:
                yield span
            else:
                self._in_vain += 1
            at = find(haystack, needle, span.end) if span.end < len(body) else -1

    def _by_expression(self, body: Body) -> Iterator[Span]:
        scan = self._expression.scan
        if scan is None:
            yield from self._line_by_line(body)
            return
        at = 0
        while at < len(body) and (found := scan.search(body, at)):
            if found.start() == len(body) and body[-1] == 10:
                return  # behind the last line end there is no line
            span = self._span_at(body, found.start())
            if span.match >= 0:
                yield span
            at = span.end + 1

    def _line_by_line(self, body: Body) -> Iterator[Span]:
        at = 0
        while at < len(body):
            span = self._span_at(body, at)
            if span.match >= 0:
                yield span
            at = span.end + 1

    def _span_at(self, body: Body, at: int) -> Span:
        """Returns the line around an offset, and where it matches if it does; else -1."""
        start, end = rfind(body, LF, 0, at) + 1, find(body, LF, at)
        end = len(body) if end < 0 else end
        text = bytes(body[start:end])
        if self._expression.is_needle:
            return Span(start, end, text, text.find(self._expression.needle))
        text = _valid(text)
        found = self._expression.in_line.search(text)
        return Span(start, end, text, found.start() if found else -1)


class _LongLine:
    """The search of a line that comes in parts; it matches once."""

    def __init__(self, expression: Expression) -> None:
        self._expression = expression
        self._tail = b""
        self._before = 0
        """Characters before the tail."""
        self._found = False

    def take(self, part: bytes, goes_on: bool) -> Row | None:
        """Returns the part of the line that matches, numbered 0; None where none does, or one did before."""
        if self._found:
            return None
        body, began = _valid(self._tail + part), bool(self._before or self._tail)
        # What is around is looked at, so that its edges are not taken for those of the line.
        found = self._expression.in_line.search(body, int(began), len(body) - goes_on)
        if found:
            self._found = True
            row = excerpt(0, body, found.start(), self._before)
            return row._replace(cut=row.cut or goes_on)
        cut = max(0, len(body) - OVERLAP)
        while cut < len(body) and body[cut] & 0xC0 == 0x80:
            cut += 1
        self._before += len(body[:cut].decode())
        self._tail = body[cut:]
        return None


def _valid(raw: bytes) -> bytes:
    """Returns UTF-8; bytes that are no characters are replaced, as they are where lines are shown."""
    if raw.isascii():
        return raw
    try:
        raw.decode()
    except UnicodeDecodeError:
        return raw.decode(errors="replace").encode()
    return raw


def excerpt(line: int, raw: bytes, match: int, before: int = 0) -> Row:
    """Returns a matching line as it is shown: all of it, or what stands around its first match."""
    column = len(raw[:match].decode(errors="replace"))
    text = raw.decode(errors="replace")
    if len(text) <= LONGEST and not before:
        return Row(line, text, column + 1)
    first = max(0, min(column - BEFORE_MATCH, len(text) - LONGEST))
    return Row(
        line,
        text[first : first + LONGEST],
        match=before + column + 1,
        column=before + first + 1,
        cut=first + LONGEST < len(text),
    )


def neighbour(line: int, raw: bytes) -> Row:
    """Returns a line beside a match as it is shown."""
    text = raw.decode(errors="replace")
    return Row(line, text[:LONGEST], cut=len(text) > LONGEST)
