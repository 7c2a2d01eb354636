"""A document as groups of units: each group is converted once, when it is needed, and kept."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TypeVar

from ..watch import Watch
from .run import GROUP, Run
from .shelf import UNKNOWN, Shelf, Table
from .worker import Conversion

PAUSE_S = 0.01
"""How often a reader looks whether another one has converted what it waits for."""
NOTED_EVERY = 64
"""Groups after which the table is written down."""

T = TypeVar("T")
Unit = list[str]
"""The lines of a unit, its anchor first."""


Start = Callable[[int, bytes], Conversion]
"""(number of the first unit wanted, what an earlier opening prepared) -> the conversion, running."""


class Book:
    """The units of one document for one read; to be closed.

    `key` names the document's content and the way in which it is converted. Where several readers need units that are
    not kept, one converts and the others take what it keeps.
    """

    def __init__(self, key: bytes, shelf: Shelf, start: Start, watch: Watch) -> None:
        self._key, self._shelf, self._start, self._watch = key, shelf, start, watch
        self._table = shelf.table(key)
        self._lock_name = key
        self._run: Run | None = None
        self._to_end = ExitStack()
        self._noted = 0

    @property
    def table(self) -> Table:
        """How the document is divided, and the lines of each unit as far as known."""
        return self._table or self.open_at(0)

    def open_at(self, group: int) -> Table:
        """Returns the table; a document that is opened for it can then be read from this group on."""
        if self._table is None:
            self._table = self._wait(lambda: self._shelf.table(self._key)) or self._new_table(self._start_run(group))
        return self._table

    def stand_apart(self, group: int) -> None:
        """Waits from now on only for those who want the same group, not for who converts all that comes before."""
        self._lock_name = self._key + b"/%d" % group

    def groups(self, first: int) -> Iterator[list[Unit]]:
        """Yields the groups from number `first` on; neighbours that are not kept are converted in one go."""
        for number in range(first, self._groups_in_all()):
            yield self.group(number)

    def group(self, number: int) -> list[Unit]:
        """Returns the units of one group as lines."""
        units = self._shelf.units(self._key, number)
        if units is None:
            units = self._converted(number)
        lines = [self._lines_of(unit, markdown) for unit, markdown in enumerate(units, number * GROUP + 1)]
        self._note(number, list(map(len, lines)))
        return lines

    def line_counts(self) -> Iterator[int]:
        """Yields how many lines each group has, converting those where this is not known."""
        for number in range(self._groups_in_all()):
            known = self.table.lines[number * GROUP : (number + 1) * GROUP]
            yield sum(map(len, self.group(number))) if UNKNOWN in known else sum(known)

    def close(self) -> None:
        """Ends what is running, writes down what was learned, and lets other readers convert."""
        self._run = None
        with self._to_end:
            self._write_table()

    def _groups_in_all(self) -> int:
        return -(-self.table.units // GROUP)

    def _lines_of(self, number: int, markdown: str) -> Unit:
        anchor = [f"<!-- {self.table.unit} {number} -->"] if self.table.unit else []
        return [*anchor, *markdown.split("\n")] if markdown else anchor

    def _converted(self, number: int) -> list[str]:
        """Returns the units of a group that is not kept: another reader's, or converted now."""
        self.open_at(number)
        run = self._run
        if run is None or run.group != number:
            self.close()
            units = self._wait(lambda: self._shelf.units(self._key, number))
            if units is not None:
                return units
            run = self._start_run(number)
        units = run.take()
        self._shelf.keep_units(self._key, number, units)
        return units

    def _wait(self, kept: Callable[[], T | None]) -> T | None:
        """Returns what another reader keeps while this one waits; None: it is this one's turn to convert.

        A turn also comes to those who have waited for half of their time: who is at it may have been stopped.
        """
        clock = self._watch.clock
        patient_until = (clock() + self._watch.expires) / 2
        while (release := self._shelf.locks.acquire(self._lock_name)) is None:
            self._watch.check()
            found = kept()
            if found is not None or clock() > patient_until:
                return found
            time.sleep(PAUSE_S)
        self._to_end.callback(release)
        found = kept()
        if found is not None:
            self._to_end.close()
        return found

    def _start_run(self, group: int) -> Run:
        """Starts to convert from a group on."""
        self._run = Run(self._begun, group)
        self._to_end.callback(self._run.close)
        return self._run

    def _new_table(self, run: Run) -> Table:
        head = run.head
        table = Table(head.unit, head.total, array("i", [UNKNOWN]) * head.total)
        table = self._shelf.shared_table(self._key, table)
        self._shelf.keep_table(self._key, table)
        return table

    def _begun(self, number: int) -> Conversion:
        """Starts a conversion and keeps what it prepared for the next one."""
        prepared = self._shelf.prepared(self._key)
        conversion = self._start(number, prepared)
        if conversion.head.prepared != prepared:
            self._shelf.keep_prepared(self._key, conversion.head.prepared)
        return conversion

    def _note(self, group: int, counts: list[int]) -> None:
        """Enters the lines of a group into the table."""
        lines, first = self.table.lines, group * GROUP
        if UNKNOWN in lines[first : first + len(counts)]:
            lines[first : first + len(counts)] = array("i", counts)
            self._noted += 1
        if self._run and self._run.group == self._groups_in_all():
            self.close()
        elif self._noted == NOTED_EVERY:
            self._write_table()

    def _write_table(self) -> None:
        if self._noted and self._table:
            self._shelf.keep_table(self._key, self._table)
        self._noted = 0
