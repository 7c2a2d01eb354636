"""Search in a document: its lines are broken anywhere, so a match may begin in one line and end in the next."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from ..model.search import SearchRow
from ..text.line_ends import LF
from .context_lines import with_neighbours
from .excerpts import excerpt_row
from .search_pattern import Expression


class DocumentSearch:
    """The search of a document: the first `most` matches after line `after` become rows; all are counted."""

    def __init__(self, expression: Expression, after: int, most: int) -> None:
        self._expression, self._after, self._most = expression.in_document(), after, most
        self._check_for_literal = expression.check_for_literal
        self._text = b""
        self._unit_ends: list[int] = []
        self.rows: list[SearchRow] = []
        self.count = self.last = 0
        self.cut = False

    def run(self, text: bytes, units: Sequence[int]) -> None:
        """Searches all lines of a text in UTF-8; `units` is the number of lines of each unit."""
        self._text, self._unit_ends = text, list(accumulate(units))
        self._check_for_literal(text)
        line, counted = 1, 0
        for offset in self._match_offsets(text):
            line, counted = line + text.count(LF, counted, offset), offset
            if line <= max(self.last, self._after):
                continue
            self.count, self.last = self.count + 1, line
            if len(self.rows) < self._most:
                start, end = text.rfind(LF, 0, offset) + 1, text.find(LF, offset)
                row = excerpt_row(line, text[start : end if end >= 0 else len(text)], offset - start)
                self.rows.append(self._with_unit_number(row))

    def with_neighbours(self, around: int) -> list[SearchRow]:
        """Returns the matches with `around` lines before and after each."""
        if not around:
            return self.rows
        lines = self._text.split(LF)

        def lines_from(line: int) -> Iterator[tuple[int, bytes]]:
            return enumerate(lines[line - 1 :], line)

        return [self._with_unit_number(row) for row in with_neighbours(self.rows, around, lines_from)]

    def _with_unit_number(self, row: SearchRow) -> SearchRow:
        """Returns a row with the number of its page, where there are pages."""
        ends = self._unit_ends
        return row._replace(unit=min(bisect_right(ends, row.line - 1) + 1, len(ends)) if ends else None)

    def _match_offsets(self, text: bytes) -> Iterator[int]:
        """Yields where the first match of each line begins."""
        at = 0
        while at < len(text) and (match := self._expression.search(text, at)):
            yield match.start()
            at = text.find(LF, match.start()) + 1 or len(text)
