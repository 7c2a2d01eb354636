"""Pages of a long document whose earlier pages are not converted: their lines are counted in each page by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from ..errors import InvalidRequest
from ..model import Budget, Clip, Lines, Part, ReadRequest, Span, Traits, Uncounted, Window
from ..text import draw_held
from .book import GROUP, Book

WIDE = 10**8
"""A number with so many digits behind a unit's costs no less than the unit, a point and a line."""


class FarText:
    """The lines of some units as a text that starts at 1; what is not shown is not converted."""

    known_total: int | None = None
    weight = 0

    def __init__(self, book: Book, format_name: str, pages: Span) -> None:
        self._book, self._format, self._pages = book, format_name, pages
        self._lengths: list[int] = []

    def total(self) -> int:
        """The lines seen so far: those of the document are not counted."""
        return sum(self._lengths)

    def traits(self) -> Traits:
        """What is true of every converted document."""
        return Traits(encoding="utf-8", newline="lf")

    def take(self, start: int, count: int, column: int, budget: Budget) -> Lines:
        """Draws lines; they end only with the document."""
        drawn = draw_held(islice(self._lines(), start - 1, None), start, count, column, budget)
        first, last, line = self._pages
        seen = last == self._book.table.units and len(self._lengths) == last - first + 1
        return drawn._replace(ended=seen and start - 1 + len(drawn.strings) == self.total() - line + 1)

    def tail(self, count: int, column: int, budget: Budget) -> tuple[int, Lines]:
        """Draws from the first line: a far page is never asked for from its end."""
        lines = self.take(1, count, column, budget)
        return len(lines.strings), lines

    def part(self, window: Window) -> Part:
        """Returns which units a window shows, and where its lines stand in them."""
        table = self._book.table
        places = Uncounted(self._pages.first, self._pages.line, self._pages.last, tuple(self._lengths))
        return Part(
            format=self._format,
            unit=table.unit,
            units=table.units,
            first=places.place_of(window.start)[0],
            last=places.place_of(window.end)[0],
            uncounted=places,
        )

    def request(self, request: ReadRequest) -> ReadRequest:
        """Returns the request in lines of this text, which are as wide as those of a unit far back."""
        cost, shift = request.limits.cost, self._pages.first * WIDE
        if cost is None:
            return request._replace(start=1, last=None)

        def cost_here(start: int, column: int, lines: Sequence[str], text: str, clips: Sequence[Clip]) -> int:
            moved = [clip._replace(line=clip.line + shift) for clip in clips]
            return cost(start + shift, column, lines, text, moved)

        return request._replace(start=1, last=None, limits=request.limits._replace(cost=cost_here))

    def _lines(self) -> Iterator[str]:
        self._lengths = []
        skip = self._pages.line - 1
        for number, unit in self._units():
            if skip >= len(unit):
                raise InvalidRequest("pages", wants=f"within {number}.1-{number}.{len(unit)}")
            self._lengths.append(len(unit))
            yield from unit[skip:]
            skip = 0

    def _units(self) -> Iterator[tuple[int, list[str]]]:
        first, last = self._pages.first, self._pages.last
        for group in range((first - 1) // GROUP, (last - 1) // GROUP + 1):
            for number, unit in enumerate(self._book.group(group), group * GROUP + 1):
                if first <= number <= last:
                    yield number, unit
