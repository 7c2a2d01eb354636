"""The deadline and the progress of one call: whatever takes long ticks it."""

from collections.abc import Callable
from typing import NamedTuple

from .errors import DeadlineExceeded

Progress = Callable[[int, int, str], None]
Cancelled = Callable[[], bool]
Converting = Callable[[], None]
"""Called before a document is converted; raises ConversionPutOff to have it done elsewhere."""


class ConversionPutOff(Exception):
    """The caller wants the conversion done by another call, where it keeps nobody waiting. No failure."""


class Watch(NamedTuple):
    """Ends a call at `expires` by its own `clock`, and tells `on_progress` how far it is."""

    clock: Callable[[], float]
    expires: float
    seconds: float
    on_progress: Progress | None = None
    cancelled: Cancelled | None = None
    converting: Converting | None = None

    def check(self) -> None:
        """Raises DeadlineExceeded when the time is up or the caller has gone."""
        if self.clock() > self.expires or (self.cancelled and self.cancelled()):
            raise DeadlineExceeded(self.seconds)

    def tick(self, done: int, total: int, what: str) -> None:
        """Reports progress, if there is time left."""
        self.check()
        if self.on_progress is not None:
            self.on_progress(done, total, what)

    def convert(self) -> None:
        """Tells the caller that a document is about to be converted."""
        self.check()
        if self.converting is not None:
            self.converting()
