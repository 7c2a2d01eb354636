"""Pages of a long document read without converting the pages before: lines are numbered within each page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from ..errors import InvalidRequest
from ..model import Budget, Clip, Lines, ReadRequest, ShownPart, Span, Traits, UncountedPages, Window
from ..text import take_lines
from .unit_source import GROUP, UnitSource

LINE_NUMBER_SHIFT = 10**8
"""The number of a unit times this has at least as many digits as `unit.line`, so it costs no fewer tokens."""


class UncountedText:
    """The lines of some units as a `Text` of their own that starts at 1; units that are not shown are not converted."""

    known_total: int | None = None
    counting_cost = 0

    def __init__(self, source: UnitSource, format_name: str, pages: Span) -> None:
        self._source, self._format, self._pages = source, format_name, pages
        self._line_counts: list[int] = []

    def total(self) -> int:
        """The number of lines seen so far: the rest of the document is not counted."""
        return sum(self._line_counts)

    def traits(self) -> Traits:
        """The encoding and line ends of every converted document."""
        return Traits(encoding="utf-8", newline="lf")

    def take(self, start: int, count: int, column: int, budget: Budget) -> Lines:
        """Returns lines; `ended` only at the end of the document."""
        taken = take_lines(islice(self._lines(), start - 1, None), start, count, column, budget)
        first, last, line, _ = self._pages
        seen = last == self._source.table.units and len(self._line_counts) == last - first + 1
        return taken._replace(ended=seen and start - 1 + len(taken.strings) == self.total() - line + 1)

    def tail(self, count: int, column: int, budget: Budget) -> tuple[int, Lines]:
        """Returns lines from the first: uncounted pages are never read from their end."""
        lines = self.take(1, count, column, budget)
        return len(lines.strings), lines

    def part(self, window: Window) -> ShownPart:
        """Returns which units a window shows, and the numbers of its lines within them."""
        table = self._source.table
        uncounted = UncountedPages(self._pages.first, self._pages.line, self._pages.last, tuple(self._line_counts))
        return ShownPart(
            format=self._format,
            unit=table.unit,
            units=table.units,
            first=uncounted.unit_and_line(window.start)[0],
            last=uncounted.unit_and_line(window.end)[0],
            uncounted=uncounted,
        )

    def adapt_request(self, request: ReadRequest) -> ReadRequest:
        """Returns the request for this text; its cost counts line numbers as wide as `unit.line` is."""
        cost, shift = request.limits.cost, self._pages.first * LINE_NUMBER_SHIFT
        if cost is None:
            return request._replace(start=1, last_lines=None)

        def cost_here(start: int, column: int, lines: Sequence[str], text: str, clips: Sequence[Clip]) -> int:
            moved = [clip._replace(line=clip.line + shift) for clip in clips]
            return cost(start + shift, column, lines, text, moved)

        return request._replace(start=1, last_lines=None, limits=request.limits._replace(cost=cost_here))

    def _lines(self) -> Iterator[str]:
        """Yields the lines of the wanted pages, and notes how many each has."""
        self._line_counts = []
        skip = self._pages.line - 1
        for number, unit in self._wanted_units():
            if skip >= len(unit):
                raise InvalidRequest("pages", wants=f"within {number}.1-{number}.{len(unit)}")
            self._line_counts.append(len(unit))
            yield from unit[skip:]
            skip = 0

    def _wanted_units(self) -> Iterator[tuple[int, list[str]]]:
        """Yields the wanted units with their numbers."""
        first, last = self._pages.first, self._pages.last
        for group in range((first - 1) // GROUP, (last - 1) // GROUP + 1):
            for number, unit in enumerate(self._source.group(group), group * GROUP + 1):
                if first <= number <= last:
                    yield number, unit
