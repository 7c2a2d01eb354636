"""Estimates whether the rest of a call's time is enough to convert a number of units."""

from __future__ import annotations

from ..deadline import Deadline

QUICKEST_UNIT_S = 0.003
"""Estimated seconds for a unit, until the speed of this document is known."""
KNOWN_AFTER = 16
"""Units after which the measured speed is used."""
SHARE = 0.6
"""The share of the time left that conversion may take."""


class Pace:
    """The measured speed of conversion; the first units are not counted, since opening the document takes time."""

    def __init__(self, deadline: Deadline, seconds_per_unit: float | None = None) -> None:
        self._clock, self._seconds_per_unit = deadline.clock, seconds_per_unit
        now = self._clock()
        self._until = now + (deadline.expires - now) * SHARE
        self._since: float | None = None
        self._units = 0

    def allows(self, units: int) -> bool:
        """Returns whether there is time for this many more units."""
        now, each = self._clock(), self._seconds_per_unit or QUICKEST_UNIT_S
        if self._since is not None and self._units >= KNOWN_AFTER:
            each = (now - self._since) / self._units
        return now + units * each <= self._until

    def record_converted(self, units: int) -> None:
        """Records units that were converted since the last call."""
        if self._since is None:
            self._since = self._clock()
        else:
            self._units += units
