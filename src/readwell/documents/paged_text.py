"""`PagedText`, a document as a `Text`: the lines of the units of a `UnitSource`, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, islice

from ..deadline import Deadline
from ..errors import InvalidRequest
from ..model import Budget, Lines, ShownPart, Span, Traits, Window
from ..text import take_lines
from .conversion_speed import Pace
from .uncounted_text import UncountedText
from .unit_cache import UNKNOWN
from .unit_names import resolve_named_units, valid_pages_hint
from .unit_source import GROUP, UnitSource
from .window_end import WindowEnd

UNIT_WEIGHT = 32 << 20
"""Bytes of plain text that are scanned in about the time that converting a unit takes."""
SCAN_WEIGHT = 512 << 20
"""The same for a unit that must be recognised."""
SCAN_UNIT_S = 2.0
SCAN_SHARE = 1 / 3
"""The share of a call's time after which a window of a scan ends."""
OPENED_AT_START = 5000
"""Up to this unit, conversion starts at the first one, since the lines before it may have to be counted."""
MAX_FROM_END = 64
"""Units that are read from the end without counting the lines before them."""
MAX_BACK = 4
"""How many times as many groups as were read already may be read in one step back."""


class PagedText:
    """The lines of a document; only the units that a window needs are converted."""

    def __init__(self, source: UnitSource, format_name: str, deadline: Deadline) -> None:
        self._source, self._format, self._deadline = source, format_name, deadline
        self.known_total: int | None = None
        """The number of lines, if all units were known when this read last checked; other readers may have gone on."""

    @property
    def counting_cost(self) -> int:
        """The work of converting the units that are not known yet, in bytes of plain text."""
        unknown = self._source.table.line_counts.count(UNKNOWN)
        return unknown * (SCAN_WEIGHT if unknown and self._source.is_scan else UNIT_WEIGHT)

    def total(self) -> int:
        """Returns the number of lines; converts the units that are missing."""
        self._source.prefetch_in_parallel()
        self.known_total = sum(self._source.group_line_counts())
        return self.known_total

    def close(self) -> None:
        """Stops the conversion of this read."""
        self._source.close()

    def traits(self) -> Traits:
        """Returns the encoding and line ends of every converted document."""
        return Traits(encoding="utf-8", newline="lf")

    def take(self, start: int, count: int, column: int, budget: Budget) -> Lines:
        """Returns lines from number `start` on."""
        lines = self._lines_from(start, budget if column == 1 else budget._replace(exceeds=None))
        taken = take_lines(lines, start, count, column, budget)
        total = self._refresh_total()
        return taken._replace(ended=total is not None and start - 1 + len(taken.strings) >= total)

    def tail(self, count: int, column: int, budget: Budget) -> tuple[int, Lines]:
        """Returns the last lines and how many there are; converts only their units."""
        last = self._last_lines(count)
        self._refresh_total()
        taken = take_lines(last, -len(last), count, column, budget)
        return len(last), taken._replace(ended=len(taken.strings) == len(last))

    def _refresh_total(self) -> int | None:
        """Returns the total if it is known by now; sets `known_total`."""
        lines = self._source.table.line_counts
        self.known_total = None if UNKNOWN in lines else sum(lines)
        return self.known_total

    def _last_lines(self, count: int) -> list[str]:
        """Returns the last lines; each step back takes as many groups as the lengths seen so far suggest."""
        groups = -(-self._source.table.units // GROUP)
        first = groups
        lines: list[str] = []
        while first and len(lines) < count:
            seen, wanted = groups - first, count - len(lines)
            back = max(1, min(-(-wanted * seen // max(1, len(lines))), MAX_BACK * seen))
            before = max(0, first - back)
            more = islice(self._source.groups(before), first - before)
            lines = [*(line for group in more for unit in group for line in unit), *lines]
            first = before
        return lines[-count:]

    def units(self) -> Iterator[list[str]]:
        """Yields the lines of each unit, converting those that are not kept."""
        for group in self._source.groups(0):
            yield from group

    def whole_part(self) -> ShownPart:
        """Returns the whole document as a part: its format, and what it is divided into."""
        table = self._source.table
        return ShownPart(self._format, table.unit, table.units, first=1, last=table.units)

    def part(self, window: Window) -> ShownPart:
        """Returns which units a window shows."""
        table = self._source.table
        # An empty window starts behind the last line.
        first, last = (self._unit_at_line(line) for line in (min(window.start, window.end), window.end))
        return ShownPart(format=self._format, unit=table.unit, units=table.units, first=first, last=last)

    def line_range(self, pages: Span, exact_up_to: int | None, max_lines: int) -> tuple[int, int] | None:
        """Returns the first line of some units, and how many lines they have, counted up to `max_lines`.

        All units before them are converted; None where there is no time for that. If they are counted from the end and
        counting all weighs too much, the line is counted from the end too.
        """
        first, last, line, _ = self.resolve_span(pages)
        few = last - first < MAX_FROM_END
        if pages.first < 0 and few and exact_up_to is not None and self.counting_cost > exact_up_to:
            lines = sum(self._line_count_of(unit) for unit in range(first, last + 1))
            return -lines, lines
        if not self._count_lines_before(first):
            return None
        before, counted = sum(self._source.table.line_counts[: first - 1]), 1 - line
        for unit in range(first, last + 1):
            counted += self._line_count_of(unit)
            if counted < 1:
                raise InvalidRequest("pages", wants=f"within {unit}.1-{unit}.{counted + line - 1}")
            if counted >= max_lines:
                break
        return before + line, counted

    def pages_as_own_text(self, pages: Span) -> UncountedText:
        """Returns some units as a text of their own, whose lines are numbered within each unit; counts none before."""
        span = self.resolve_span(pages)
        self._source.limit_waits_to_group((span.first - 1) // GROUP)
        return UncountedText(self._source, self._format, span)

    def resolve_span(self, pages: Span) -> Span:
        """Returns units by their numbers counted from the first; raises InvalidRequest where they do not exist."""
        if pages.first > OPENED_AT_START:
            self._source.open_at((pages.first - 1) // GROUP)
        table = self._source.table
        if not table.unit:
            raise InvalidRequest("pages", wants=f"left out: a {self._format} document has none")
        pages = resolve_named_units(self, pages)
        span = pages if pages.first > 0 else Span(table.units + pages.first + 1, table.units)
        if not 1 <= span.first <= span.last <= table.units or span.line < 1:
            raise InvalidRequest("pages", wants=valid_pages_hint(span, table.units))
        return span

    def _count_lines_before(self, first: int) -> bool:
        """Counts the lines of all units before one; False as soon as the time left will not be enough."""
        lines = self._source.table.line_counts
        pace = Pace(self._deadline, SCAN_UNIT_S if self._source.is_scan else None)
        left = lines[: first - 1].count(UNKNOWN)
        for group in range((first - 1 + GROUP - 1) // GROUP):
            unknown = lines[group * GROUP : min((group + 1) * GROUP, first - 1)].count(UNKNOWN)
            if unknown:
                if not pace.allows(left):
                    return False
                self._source.group(group)
                pace.record_converted(unknown)
                left -= unknown
        return True

    def _line_count_of(self, unit: int) -> int:
        """Returns the number of lines of a unit, converting it where that is not known."""
        known = self._source.table.line_counts[unit - 1]
        group, number = divmod(unit - 1, GROUP)
        return known if known != UNKNOWN else len(self._source.group(group)[number])

    def _lines_from(self, start: int, budget: Budget) -> Iterator[str]:
        """Yields the lines from a number on; of a scan as many as time allows, else until they exceed the budget."""
        position = self._group_and_skip(start)
        if position is None:
            return
        first, skip = position
        now = self._deadline.clock()
        until = now + (self._deadline.expires - now) * SCAN_SHARE
        window_end = WindowEnd(self._source.table, start, budget) if budget.exceeds else None
        for following, group in enumerate(self._source.groups(first), first + 1):
            lines = list(islice((line for unit in group for line in unit), skip, None))
            yield from lines
            skip = 0
            if self._deadline.clock() > until and self._source.is_scan:
                return
            if window_end:
                window_end.add(lines)
                if window_end.is_before(following):
                    return

    def _group_and_skip(self, line: int) -> tuple[int, int] | None:
        """Returns the group that holds a line, and how many of its lines come before; None past the end."""
        before = 0
        for group, lines in enumerate(self._source.group_line_counts()):
            if before + lines >= line:
                return group, line - 1 - before
            before += lines
        return None

    def _unit_at_line(self, line: int) -> int:
        """Returns the number of the unit that holds a line; a negative line counts from the end."""
        lines = self._source.table.line_counts
        if line < 0:
            ends = accumulate(reversed(lines))
            return len(lines) - next(number for number, end in enumerate(ends) if end >= -line)
        return next((number for number, end in enumerate(accumulate(lines), 1) if end >= line), 1)
