"""A document as a text: its lines are those of its units, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, islice

from ..errors import InvalidRequest
from ..model import Budget, Lines, Part, Span, Traits, Window
from ..text import draw_held
from ..watch import Watch
from .book import GROUP, Book
from .far import FarText
from .pace import Pace
from .shelf import UNKNOWN

UNIT_WEIGHT = 32 << 20
"""Bytes that are scanned in about the time that a unit takes to be converted."""
OPENED_AT_START = 5000
"""A unit up to this number is opened from the first on, since all before it may have to be counted."""
MOST_FROM_END = 64
"""Units that are read from the end without counting what comes before."""
MOST_BACK = 4
"""How many times as many groups as were seen may be guessed to hold the lines that are still missing."""


class PagedText:
    """The lines of a document; only the units that a window needs are converted."""

    def __init__(self, book: Book, format_name: str, watch: Watch) -> None:
        self._book, self._format, self._watch = book, format_name, watch
        self.known_total: int | None = None
        """The number of lines, if every unit was known when this read last looked: other readers learn meanwhile."""

    @property
    def weight(self) -> int:
        """What the units take that are not known yet."""
        return self._book.table.lines.count(UNKNOWN) * UNIT_WEIGHT

    def total(self) -> int:
        """The number of lines; converts what is missing."""
        self.known_total = sum(self._book.line_counts())
        return self.known_total

    def close(self) -> None:
        """Ends what is being converted for this read."""
        self._book.close()

    def traits(self) -> Traits:
        """What is true of every converted document."""
        return Traits(encoding="utf-8", newline="lf")

    def take(self, start: int, count: int, column: int, budget: Budget) -> Lines:
        """Draws lines from number `start`."""
        drawn = draw_held(self._lines_from(start), start, count, column, budget)
        total = self._look()
        return drawn._replace(ended=total is not None and start - 1 + len(drawn.strings) >= total)

    def tail(self, count: int, column: int, budget: Budget) -> tuple[int, Lines]:
        """Draws the last lines; only the units that hold them are converted."""
        held = self._last_lines(count)
        self._look()
        drawn = draw_held(held, -len(held), count, column, budget)
        return len(held), drawn._replace(ended=len(drawn.strings) == len(held))

    def _look(self) -> int | None:
        """Returns the total, if it is known by now."""
        lines = self._book.table.lines
        self.known_total = None if UNKNOWN in lines else sum(lines)
        return self.known_total

    def _last_lines(self, count: int) -> list[str]:
        """Returns the last lines; goes back by as many groups at once as their lengths suggest."""
        groups = -(-self._book.table.units // GROUP)
        first = groups
        held: list[str] = []
        while first and len(held) < count:
            seen, wanted = groups - first, count - len(held)
            back = max(1, min(-(-wanted * seen // max(1, len(held))), MOST_BACK * seen))
            before = max(0, first - back)
            more = islice(self._book.groups(before), first - before)
            held = [*(line for units in more for unit in units for line in unit), *held]
            first = before
        return held[-count:]

    def part(self, window: Window) -> Part:
        """Returns which units a window shows."""
        table = self._book.table
        # An empty window waits behind the last line.
        first, last = (self._unit_of(line) for line in (min(window.start, window.end), window.end))
        return Part(format=self._format, unit=table.unit, units=table.units, first=first, last=last)

    def lines_of(self, pages: Span, exact_up_to: int | None, most: int) -> tuple[int, int] | None:
        """Returns the first line of some units, and how many lines they have, counted up to `most`.

        All units before them are converted; None where there is no time for that. If they are counted from the end and
        counting all weighs too much, the line is counted from the end too.
        """
        first, last, line = self.span_of(pages)
        few = last - first < MOST_FROM_END
        if pages.first < 0 and few and exact_up_to is not None and self.weight > exact_up_to:
            held = sum(self._lines_in(unit) for unit in range(first, last + 1))
            return -held, held
        if not self._count_before(first):
            return None
        before, counted = sum(self._book.table.lines[: first - 1]), 1 - line
        for unit in range(first, last + 1):
            counted += self._lines_in(unit)
            if counted < 1:
                raise InvalidRequest("pages", wants=f"within {unit}.1-{unit}.{counted + line - 1}")
            if counted >= most:
                break
        return before + line, counted

    def far(self, pages: Span) -> FarText:
        """Returns some units as a text of their own, without numbers in the document."""
        span = self.span_of(pages)
        self._book.stand_apart((span.first - 1) // GROUP)
        return FarText(self._book, self._format, span)

    def span_of(self, pages: Span) -> Span:
        """Returns some units by their numbers from the first; raises InvalidRequest where they are not there."""
        if pages.first > OPENED_AT_START:
            self._book.open_at((pages.first - 1) // GROUP)
        table = self._book.table
        if not table.unit:
            raise InvalidRequest("pages", wants=f"left out: a {self._format} document has none")
        span = pages if pages.first > 0 else Span(table.units + pages.first + 1, table.units)
        if not 1 <= span.first <= span.last <= table.units or span.line < 1:
            raise InvalidRequest("pages", wants=f"within 1-{table.units}")
        return span

    def _count_before(self, first: int) -> bool:
        """Counts the lines of all units before one; False as soon as it shows that the time will not be enough."""
        lines, pace = self._book.table.lines, Pace(self._watch)
        left = lines[: first - 1].count(UNKNOWN)
        for group in range((first - 1 + GROUP - 1) // GROUP):
            unknown = lines[group * GROUP : min((group + 1) * GROUP, first - 1)].count(UNKNOWN)
            if unknown:
                if not pace.allows(left):
                    return False
                self._book.group(group)
                pace.note(unknown)
                left -= unknown
        return True

    def _lines_in(self, unit: int) -> int:
        known = self._book.table.lines[unit - 1]
        group, number = divmod(unit - 1, GROUP)
        return known if known != UNKNOWN else len(self._book.group(group)[number])

    def _lines_from(self, start: int) -> Iterator[str]:
        found = self._group_of(start)
        if found is None:
            return
        group, skip = found
        for units in self._book.groups(group):
            yield from islice((line for unit in units for line in unit), skip, None)
            skip = 0

    def _group_of(self, line: int) -> tuple[int, int] | None:
        """Returns the group that holds a line, and how many of its lines come before; None past the end."""
        before = 0
        for group, held in enumerate(self._book.line_counts()):
            if before + held >= line:
                return group, line - 1 - before
            before += held
        return None

    def _unit_of(self, line: int) -> int:
        """Returns the number of the unit that holds a line; a negative line counts from the end."""
        lines = self._book.table.lines
        if line < 0:
            ends = accumulate(reversed(lines))
            return len(lines) - next(number for number, end in enumerate(ends) if end >= -line)
        return next((number for number, end in enumerate(accumulate(lines), 1) if end >= line), 1)
