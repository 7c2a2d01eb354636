"""A conversion group by group that goes on after units that crash the parser."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import ConversionFailed, TooLarge
from .worker import Conversion

GROUP = 4
"""Units that are cached together."""

MOST_CRASHES = 8
"""Units that may crash the parser in one read before it fails."""

MOST_KILLS = 2
"""How often the parser may be killed from outside in one read before it fails."""


class GroupConversion:
    """Converts groups of units in order, from number `group` on; to be closed.

    `start` starts a conversion at a unit; it is called again after a crash.
    """

    def __init__(self, start: Callable[[int], Conversion], group: int) -> None:
        self._start = start
        self.group = group
        self._next_number = self._started_at = group * GROUP + 1
        self._kills = self._crashes = 0
        self._conversion: Conversion | None = None
        self.head = self._running().head

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
                return next(self._running())
            except StopIteration:
                raise ConversionFailed("document", "it has fewer units than it said") from None
            except TooLarge:
                if self._next_number == self._started_at:
                    raise
                self.close()
            except ConversionFailed as error:
                self.close()
                if not self._may_retry(error):
                    raise
                if not error.from_outside:
                    return f"<!-- not converted: {error.reason.replace('--', '')} -->"

    def _running(self) -> Conversion:
        while self._conversion is None:
            try:
                self._conversion, self._started_at = self._start(self._next_number), self._next_number
            except ConversionFailed as error:
                if not error.from_outside or not self._may_retry(error):
                    raise
        return self._conversion

    def _may_retry(self, error: ConversionFailed) -> bool:
        """Counts a failure and returns whether to start another parser."""
        if error.from_outside:
            self._kills += 1
            return self._kills <= MOST_KILLS
        self._crashes += 1
        return self._crashes <= min(MOST_CRASHES, self.head.total // 2)
