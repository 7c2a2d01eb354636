"""Converts groups of units in order; starts a new child behind a unit that crashes the parser."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import ConversionFailed, TooLarge
from .contract import NEEDS_RECOGNITION
from .worker import Conversion

GROUP = 4
"""Units that are cached together."""

MAX_CRASHES = 8
"""Units that may crash the parser in one read before it fails."""

MAX_KILLS = 2
"""How often the parser may be killed from outside in one read before it fails."""


def needs_recognition(error: Exception) -> bool:
    """Whether a conversion ended at a page whose text must be recognised in its image."""
    return isinstance(error, ConversionFailed) and error.reason == NEEDS_RECOGNITION


class CrashTolerantConversion:
    """Converts groups of units in order, from number `group` on; to be closed.

    `start_child` starts a child at a unit, with an engine that recognises scans if `recognise`; it is called again
    after a crash, and with an engine at the first unit that needs one.
    """

    def __init__(self, start_child: Callable[[int, bool], Conversion], group: int, recognise: bool = False) -> None:
        self._start_child, self.recognise = start_child, recognise
        self.group = group
        self._next_number = self._started_at = group * GROUP + 1
        self._kills = self._crashes = 0
        self._conversion: Conversion | None = None
        self.head = self._live_conversion().head

    def next_group(self) -> list[str]:
        """Returns the units of the next group."""
        end = min((self.group + 1) * GROUP, self.head.total)
        units: list[str] = []
        while self._next_number <= end:
            units.append(self._next_unit())
            self._next_number += 1
        self.group += 1
        return units

    def close(self) -> None:
        """Stops the conversion."""
        if self._conversion:
            self._conversion.close()
            self._conversion = None

    def _next_unit(self) -> str:
        """Returns the next unit; one that crashes the parser becomes a comment, and conversion resumes behind it."""
        while True:
            try:
                return next(self._live_conversion())
            except StopIteration:
                raise ConversionFailed("document", "it has fewer units than it said") from None
            except TooLarge:
                # The limit is one of all that a child sends: a new one, begun at this unit, has all of it again.
                if self._next_number == self._started_at:
                    raise
                self.close()
            except ConversionFailed as error:
                self.close()
                if self._switches_to_recognition(error):
                    continue
                if not self._count_failure(error):
                    raise
                if not error.from_outside:
                    return f"<!-- not converted: {error.reason.replace('--', '')} -->"

    def _live_conversion(self) -> Conversion:
        """Returns the conversion of a child that runs, a new one where the last has ended."""
        while self._conversion is None:
            try:
                self._conversion = self._start_child(self._next_number, self.recognise)
                self._started_at = self._next_number
            except ConversionFailed as error:
                if self._switches_to_recognition(error):
                    continue
                if not error.from_outside or not self._count_failure(error):
                    raise
        return self._conversion

    def _switches_to_recognition(self, error: ConversionFailed) -> bool:
        """Whether a unit must be recognised and an engine has not been tried; the next conversion has one."""
        if self.recognise or not needs_recognition(error):
            return False
        self.recognise = True
        return True

    def _count_failure(self, error: ConversionFailed) -> bool:
        """Counts a failure; returns whether there were few enough to start another parser."""
        if error.from_outside:
            self._kills += 1
            return self._kills <= MAX_KILLS
        self._crashes += 1
        return self._crashes <= min(MAX_CRASHES, self.head.total // 2)
