"""`UnitSource`: the units of one document in groups of 4, from the cache or converted on first use, once."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Protocol, TypeVar

from ..deadline import Deadline
from .crash_tolerant_conversion import GROUP, CrashTolerantConversion
from .parallel_conversion import child_count_for, convert_groups
from .unit_cache import UNKNOWN, UnitCache, UnitTable
from .worker import Conversion
from .worker.wire_frames import PAST_ALL_UNITS

POLL_S = 0.01
"""Seconds between checks whether another reader has converted the units waited for."""
SAVED_EVERY = 64
"""Converted groups after which the table is saved."""

T = TypeVar("T")
Unit = list[str]
"""The lines of a unit, its anchor first."""


class ConvertFrom(Protocol):
    """Starts a child at a unit; `end` is the first that is not wanted, `deadline` another than that of the read.

    `recognise`: with an engine that reads scans.
    """

    def __call__(
        self,
        first: int,
        prepared: bytes,
        *,
        end: int = PAST_ALL_UNITS,
        deadline: Deadline | None = None,
        recognise: bool = False,
    ) -> Conversion:
        """Returns the running conversion; `prepared` are bytes from an earlier opening."""
        ...


def anchor_of(unit: str, number: int) -> str:
    """Returns the first line of a unit."""
    return f"<!-- {unit} {number} -->"


class UnitSource:
    """The units of one document during one read; to be closed.

    `key` identifies the content, the converter's version and the password. Where several readers need units that are
    not cached, one converts and the others wait for its results.
    """

    def __init__(self, key: bytes, cache: UnitCache, convert_from: ConvertFrom, deadline: Deadline) -> None:
        self._key, self._cache, self._convert_from, self._deadline = key, cache, convert_from, deadline
        self._table = cache.table(key)
        self._lock_name = key
        self._running: CrashTolerantConversion | None = None
        self._at_close = ExitStack()
        self._unsaved = 0

    @property
    def is_scan(self) -> bool:
        """Whether a page of the document had to be recognised, which takes a hundred times as long."""
        return self._cache.is_scan(self._key)

    @property
    def table(self) -> UnitTable:
        """The number of units, and of the lines of each as far as known."""
        return self._table or self.open_at(0)

    def open_at(self, group: int) -> UnitTable:
        """Returns the table; if the document must be opened for that, conversion starts at this group."""
        if self._table is None:
            self._table = self._wait_for_lock_or_result(lambda: self._cache.table(self._key)) or self._create_table(
                self._start_conversion(group)
            )
        return self._table

    def limit_waits_to_group(self, group: int) -> None:
        """From now on waits only for readers of the same group, not for one that converts everything before it."""
        self._lock_name = self._key + b"/%d" % group

    def groups(self, first: int) -> Iterator[list[Unit]]:
        """Yields the groups from number `first` on; a run of groups that are not cached takes one conversion."""
        for number in range(first, self._group_count()):
            yield self.group(number)

    def group(self, number: int) -> list[Unit]:
        """Returns the units of one group, each as a list of lines."""
        units = self._cache.units(self._key, number)
        if units is None:
            units = self._convert_or_wait(number)
        lines = [self._lines_of(unit, markdown) for unit, markdown in enumerate(units, number * GROUP + 1)]
        self._record_line_counts(number, list(map(len, lines)))
        return lines

    def prefetch_in_parallel(self, children: int | None = None) -> None:
        """Converts all pages that are not known in several children, if that pays; else does nothing.

        What is converted is cached, so this is for readers that go on to read all.
        """
        unknown = [number for number in range(self._group_count()) if UNKNOWN in self._recorded_line_counts(number)]
        count = child_count_for(len(unknown)) if children is None else children
        if self.table.unit != "page" or count < 2 or not self._cache.can_hold(self.table.units):
            return
        self.close()
        if self._wait_for_lock_or_result(lambda: self._cache.units(self._key, unknown[0])) is not None:
            return
        try:
            self._convert_in_parallel(unknown, count)
        finally:
            self.close()

    def _convert_in_parallel(self, groups: list[int], children: int) -> None:
        """Converts groups in several children."""

        def start(first: int, end: int, deadline: Deadline, recognise: bool) -> Conversion:
            prepared, scan = self._cache.prepared(self._key), recognise or self.is_scan
            return self._convert_from(first, prepared, end=end, deadline=deadline, recognise=scan)

        def keep(number: int, units: list[str]) -> None:
            self._cache.keep_units(self._key, number, units)

        for number, units in convert_groups(groups, children, start, self._deadline, keep):
            self._record_line_counts(number, [len(self._lines_of(0, markdown)) for markdown in units])
            self._deadline.tick(min((number + 1) * GROUP, self.table.units), self.table.units, "convert")

    def _recorded_line_counts(self, group: int) -> array[int]:
        """Returns the line counts of a group's units, `UNKNOWN` where they were not converted."""
        return self.table.line_counts[group * GROUP : (group + 1) * GROUP]

    def group_line_counts(self) -> Iterator[int]:
        """Yields the number of lines of each group; converts those where it is unknown."""
        for number in range(self._group_count()):
            known = self._recorded_line_counts(number)
            yield sum(map(len, self.group(number))) if UNKNOWN in known else sum(known)

    def close(self) -> None:
        """Stops the conversion, saves the table, and releases the lock for other readers."""
        self._running = None
        with self._at_close:
            self._save_table()

    def _group_count(self) -> int:
        """Returns the number of groups."""
        return -(-self.table.units // GROUP)

    def _lines_of(self, number: int, markdown: str) -> Unit:
        """Returns the lines of a unit below its anchor."""
        anchor = [anchor_of(self.table.unit, number)] if self.table.unit else []
        return [*anchor, *markdown.split("\n")] if markdown else anchor

    def _convert_or_wait(self, number: int) -> list[str]:
        """Returns the units of a group that is not cached: waits for another reader, or converts."""
        self.open_at(number)
        running = self._running
        if running is None or running.group != number:
            self.close()
            units = self._wait_for_lock_or_result(lambda: self._cache.units(self._key, number))
            if units is not None:
                return units
            running = self._start_conversion(number)
        units = running.next_group()
        self._cache.keep_units(self._key, number, units)
        return units

    def _wait_for_lock_or_result(self, find_result: Callable[[], T | None]) -> T | None:
        """Waits for the lock or for the result of another reader; None means that this reader has to convert.

        A reader that has waited for half of its time converts without the lock: its holder may be stopped.
        """
        clock = self._deadline.clock
        patient_until = (clock() + self._deadline.expires) / 2
        while (release := self._cache.locks.acquire(self._lock_name)) is None:
            self._deadline.check()
            result = find_result()
            if result is not None or clock() > patient_until:
                return result
            time.sleep(POLL_S)
        self._at_close.callback(release)
        result = find_result()
        if result is not None:
            self._at_close.close()
        return result

    def _start_conversion(self, group: int) -> CrashTolerantConversion:
        """Starts a conversion that begins at a group, and ends with `close`."""
        self._running = CrashTolerantConversion(self._start_child, group, self.is_scan)
        self._at_close.callback(self._running.close)
        return self._running

    def _create_table(self, running: CrashTolerantConversion) -> UnitTable:
        """Creates and saves the table of a document that was not converted before."""
        head = running.head
        table = UnitTable(head.unit, head.total, array("i", [UNKNOWN]) * head.total)
        table = self._cache.setdefault_table(self._key, table)
        self._cache.save_table(self._key, table)
        return table

    def _start_child(self, first: int, recognise: bool) -> Conversion:
        """Starts a child at a unit and caches what it prepared for the next opening."""
        prepared = self._cache.prepared(self._key)
        conversion = self._convert_from(first, prepared, recognise=recognise)
        if recognise:
            self._cache.mark_as_scan(self._key)
        if conversion.head.prepared != prepared:
            self._cache.keep_prepared(self._key, conversion.head.prepared)
        return conversion

    def _record_line_counts(self, group: int, counts: list[int]) -> None:
        """Enters the line counts of a group into the table; saves it now and then, and closes behind the last group."""
        lines, first = self.table.line_counts, group * GROUP
        if UNKNOWN in lines[first : first + len(counts)]:
            lines[first : first + len(counts)] = array("i", counts)
            self._unsaved += 1
        if self._running and self._running.group == self._group_count():
            self.close()
        elif self._unsaved == SAVED_EVERY:
            self._save_table()

    def _save_table(self) -> None:
        """Keeps the table if it has changed."""
        if self._unsaved and self._table:
            self._cache.save_table(self._key, self._table)
        self._unsaved = 0
