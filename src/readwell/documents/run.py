"""A conversion that goes from one group of units to the next, past units that end their parser."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import ConversionFailed, TooLarge
from .worker import Conversion

GROUP = 4
"""Units that are kept together."""

MOST_BROKEN = 8
"""Units that end their parser in one read, before it is given up."""

MOST_KILLED = 2
"""Parsers that may be killed from outside in one read, before that is told."""


class Run:
    """Groups of units from number `group` on, converted one after the other; to be closed.

    `start` starts a conversion at a unit.
    """

    def __init__(self, start: Callable[[int], Conversion], group: int) -> None:
        self._start = start
        self.group = group
        self._number = self._began = group * GROUP + 1
        self._killed = self._broken = 0
        self._conversion: Conversion | None = None
        self.head = self._opened().head

    def take(self) -> list[str]:
        """Returns the units of the next group."""
        end = min((self.group + 1) * GROUP, self.head.total)
        units: list[str] = []
        while self._number <= end:
            units.append(self._unit())
            self._number += 1
        self.group += 1
        return units

    def close(self) -> None:
        """Ends the conversion."""
        if self._conversion:
            self._conversion.close()
            self._conversion = None

    def _unit(self) -> str:
        """Returns the next unit; one that ends its parser is told in its place, and the next ones are tried anew."""
        while True:
            try:
                return next(self._opened())
            except StopIteration:
                raise ConversionFailed("document", "it has fewer units than it said") from None
            except TooLarge:
                if self._number == self._began:
                    raise
                self.close()
            except ConversionFailed as error:
                self.close()
                if not self._may_go_on(error):
                    raise
                if not error.from_outside:
                    return f"<!-- not converted: {error.reason.replace('--', '')} -->"

    def _opened(self) -> Conversion:
        while self._conversion is None:
            try:
                self._conversion, self._began = self._start(self._number), self._number
            except ConversionFailed as error:
                if not error.from_outside or not self._may_go_on(error):
                    raise
        return self._conversion

    def _may_go_on(self, error: ConversionFailed) -> bool:
        """Counts a failure, and says whether the rest is worth another try."""
        if error.from_outside:
            self._killed += 1
            return self._killed <= MOST_KILLED
        self._broken += 1
        return self._broken <= min(MOST_BROKEN, self.head.total // 2)
