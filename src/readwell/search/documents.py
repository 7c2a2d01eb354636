"""A document searched: printed lines are no lines of thought, so a match may begin in one and end in the next."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from ..matches import Row
from .expression import Expression
from .matching import excerpt
from .neighbours import with_neighbours


class DocumentSearch:
    """The search of a document's lines, unit by unit; what was found stays when time runs out."""

    def __init__(self, expression: Expression, after: int, most: int) -> None:
        self._expression, self._after, self._most = expression.in_document(), after, most
        self._note_plain = expression.note_plain
        self._lines: list[bytes] = []
        self.rows: list[Row] = []
        self.count = self.last = 0
        self.cut = False

    def run(self, lines: Sequence[str], units: Sequence[int]) -> None:
        """Searches all lines; `units` says how many each unit has."""
        self._lines = [line.encode(errors="replace") for line in lines]
        starts = [0, *accumulate(len(line) + 1 for line in self._lines)]
        ends = list(accumulate(units))
        text = b"\n".join(self._lines)
        self._note_plain(text)
        for offset in self._begins(text):
            number = bisect_right(starts, offset) - 1
            if number + 1 <= max(self.last, self._after) or number >= len(self._lines):
                continue
            self.count, self.last = self.count + 1, number + 1
            if len(self.rows) < self._most:
                row = excerpt(number + 1, self._lines[number], offset - starts[number])
                self.rows.append(row._replace(unit=bisect_right(ends, number) + 1 if ends else None))

    def with_neighbours(self, around: int) -> list[Row]:
        """Returns the matches with so many lines before and after each."""

        def lines_from(line: int) -> Iterator[tuple[int, bytes]]:
            return enumerate(self._lines[line - 1 :], line)

        return with_neighbours(self.rows, around, lines_from) if around else self.rows

    def _begins(self, text: bytes) -> Iterator[int]:
        """Yields where the first match of each line begins."""
        at = 0
        while at < len(text) and (found := self._expression.search(text, at)):
            yield found.start()
            at = text.find(b"\n", found.start()) + 1 or len(text)
