"""The deadline and the progress of one call: whatever takes long ticks it."""

from collections.abc import Callable
from typing import NamedTuple

from .errors import DeadlineExceeded

Progress = Callable[[int, int, str], None]


class Watch(NamedTuple):
    """Ends a call at `expires` by its own `clock`, and tells `on_progress` how far it is."""

    clock: Callable[[], float]
    expires: float
    seconds: float
    on_progress: Progress | None = None

    def tick(self, done: int, total: int, what: str) -> None:
        """Reports progress; raises DeadlineExceeded when the time is up."""
        if self.clock() > self.expires:
            raise DeadlineExceeded(self.seconds)
        if self.on_progress is not None:
            self.on_progress(done, total, what)
