"""The deadline and the progress of one call: whatever takes long ticks it."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeVar, cast

from .errors import DeadlineExceeded

Progress = Callable[[int, int, str], None]
Cancelled = Callable[[], bool]
OnOpened = Callable[[str, int], None]
"""Called with what was opened (`file`, `directory`, `document`, `batch`) and its size, before it is read; may raise
Deferred."""


T = TypeVar("T")


class Deferred(Exception):
    """Raised by `on_opened` to end a call that the caller will repeat elsewhere, such as in a thread. Not a failure."""


class Watch(NamedTuple):
    """Ends a call at `expires` by its own `clock`, and tells `on_progress` how far it is."""

    clock: Callable[[], float]
    expires: float
    seconds: float
    on_progress: Progress | None = None
    cancelled: Cancelled | None = None
    on_opened: OnOpened | None = None
    found: dict[object, object] | None = None
    """What was found out for this call and need not be looked for again in it."""

    def check(self) -> None:
        """Raises DeadlineExceeded when the time is up or the caller has gone."""
        if self.clock() > self.expires or (self.cancelled and self.cancelled()):
            raise DeadlineExceeded(self.seconds)

    def once(self, what: object, find: Callable[[], T]) -> T:
        """Returns what this call has found out already, or finds it out."""
        if self.found is None:
            return find()
        if what not in self.found:
            self.found[what] = find()
        return cast("T", self.found[what])

    def tick(self, done: int, total: int, what: str) -> None:
        """Reports progress, if there is time left."""
        self.check()
        if self.on_progress is not None:
            self.on_progress(done, total, what)

    def announce(self, kind: str, size: int) -> None:
        """Calls `on_opened` with what is about to be read."""
        self.check()
        if self.on_opened is not None:
            self.on_opened(kind, size)


new_watch = partial(Watch.__new__, Watch)
"""Builds a watch by names, quicker than the class does."""
