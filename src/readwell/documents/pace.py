"""Whether the time of a call is enough to convert so many units more."""

from __future__ import annotations

from ..watch import Watch

QUICKEST_UNIT_S = 0.003
"""Seconds that a unit takes at least, as long as it is not known how long those of this document take."""
KNOWN_AFTER = 16
"""Units after which it is."""
SHARE = 0.6
"""The part of the time left that they may take."""


class Pace:
    """How fast units are converted; the first ones noted, which the document is opened for, do not count."""

    def __init__(self, watch: Watch) -> None:
        self._clock = watch.clock
        now = self._clock()
        self._until = now + (watch.expires - now) * SHARE
        self._since: float | None = None
        self._units = 0

    def allows(self, units: int) -> bool:
        """Says whether there is time for so many units more."""
        now, each = self._clock(), QUICKEST_UNIT_S
        if self._since is not None and self._units >= KNOWN_AFTER:
            each = (now - self._since) / self._units
        return now + units * each <= self._until

    def note(self, units: int) -> None:
        """Counts units that were converted since the last ones."""
        if self._since is None:
            self._since = self._clock()
        else:
            self._units += units
