"""A document as groups of units: each group is converted once, when it is needed, and kept."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing

from ..errors import ConversionFailed, TooLarge
from .shelf import UNKNOWN, Shelf, Table
from .worker import Conversion, Head

GROUP = 4
"""Units that are kept together."""

MOST_BROKEN = 8
"""Units that end their parser in one read, before it is given up."""

MOST_KILLED = 2
"""Parsers that may be killed from outside in one read, before that is told."""

Unit = list[str]
"""The lines of a unit, its anchor first."""


Start = Callable[[int, bytes], Conversion]
"""(number of the first unit wanted, what an earlier opening prepared) -> the conversion, running."""


class Book:
    """The units of one document; `key` names its content and the way in which it is converted."""

    def __init__(self, key: bytes, shelf: Shelf, start: Start) -> None:
        self._key, self._shelf, self._start = key, shelf, start
        self._table = shelf.table(key)

    @property
    def table(self) -> Table:
        """How the document is divided, and the lines of each unit as far as known."""
        if self._table is None:
            with closing(self._converted(0)) as groups:
                next(groups, None)
        if self._table is None:
            raise ConversionFailed("document", "it has no units")
        return self._table

    def group(self, number: int) -> list[Unit]:
        """Returns the units of one group as lines."""
        with closing(self.groups(number)) as groups:
            return next(groups)

    def groups(self, first: int) -> Generator[list[Unit]]:
        """Yields the groups from number `first` on; neighbours that are not kept are converted in one go."""
        running: Iterator[list[str]] | None = None
        with ExitStack() as runs:
            for number in range(first, self._groups_in_all()):
                units = self._shelf.units(self._key, number)
                if units is None:
                    running = running or runs.enter_context(closing(self._converted(number)))
                    units = next(running)
                else:
                    running = None
                yield self._as_lines(number, units)

    def line_counts(self) -> Iterator[int]:
        """Yields how many lines each group has, converting those where this is not known."""
        running: Iterator[list[str]] | None = None
        with ExitStack() as runs:
            for number in range(self._groups_in_all()):
                if UNKNOWN in self._known(number):
                    running = running or runs.enter_context(closing(self._converted(number)))
                    next(running)
                else:
                    running = None
                yield sum(self._known(number))

    def _known(self, group: int) -> array[int]:
        return self.table.lines[group * GROUP : (group + 1) * GROUP]

    def _groups_in_all(self) -> int:
        return -(-self.table.units // GROUP)

    def _converted(self, group: int) -> Generator[list[str]]:
        """Yields groups as they are converted, and keeps each."""
        units: list[str] = []
        with closing(self._units_from(group * GROUP + 1)) as converted:
            for markdown in converted:
                units.append(markdown)
                if len(units) == GROUP or group * GROUP + len(units) == self.table.units:
                    self._keep(self.table, group, units)
                    yield units
                    group, units = group + 1, []

    def _units_from(self, number: int) -> Generator[str]:
        """Yields units one by one; one that ends its parser is told in its place, and the next ones are tried anew."""
        broken = killed = 0
        while self._table is None or number <= self._table.units:
            began = number
            try:
                with closing(self._begun(number)) as running:
                    for markdown in running:
                        yield markdown
                        number += 1
            except TooLarge:
                if number == began:
                    raise
            except ConversionFailed as error:
                if error.from_outside:
                    killed += 1
                    if killed > MOST_KILLED:
                        raise
                    continue
                broken += 1
                if self._table is None or broken > min(MOST_BROKEN, self._table.units // 2):
                    raise
                yield f"<!-- not converted: {error.reason.replace('--', '')} -->"
                number += 1

    def _begun(self, number: int) -> Conversion:
        """Starts a conversion and keeps what it tells of the document."""
        prepared = self._shelf.prepared(self._key)
        running = self._start(number, prepared)
        self._table = self._table or _new_table(running.head)
        if running.head.prepared != prepared:
            self._shelf.keep_prepared(self._key, running.head.prepared)
        return running

    def _keep(self, table: Table, group: int, units: list[str]) -> None:
        self._shelf.keep_units(self._key, group, units)
        for number, unit in enumerate(self._as_lines(group, units), group * GROUP):
            table.lines[number] = len(unit)
        self._shelf.keep_table(self._key, table)

    def _as_lines(self, group: int, units: list[str]) -> list[Unit]:
        return [self._lines_of(number, markdown) for number, markdown in enumerate(units, group * GROUP + 1)]

    def _lines_of(self, number: int, markdown: str) -> Unit:
        anchor = [f"<!-- {self.table.unit} {number} -->"] if self.table.unit else []
        return [*anchor, *markdown.split("\n")] if markdown else anchor


def _new_table(head: Head) -> Table:
    return Table(head.unit, head.total, array("i", [UNKNOWN] * head.total))
