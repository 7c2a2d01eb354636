"""The deadline of one call, with its progress, cancellation and caller; long loops call `check` or `tick`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from .errors import DeadlineExceeded
from .light_typing import TypeVar, cast
from .named_tuple import NamedTuple

Progress = Callable[[int, int, str], None]
Cancelled = Callable[[], bool]
OnOpened = Callable[[str, int], None]
"""Called with what was opened (`file`, `directory`, `document`, `batch`) and its size, before it is read; may raise
Deferred. Before anything is asked of a remote root it is called with `remote` and the number of that root."""


T = TypeVar("T")


class Deferred(Exception):
    """Raised by `on_opened` to end a call that the caller will repeat elsewhere, such as in a thread. Not a failure."""


class Deadline(NamedTuple):
    """Ends a call at `expires` by its `clock`, and reports its progress to `on_progress`."""

    clock: Callable[[], float]
    expires: float
    seconds: float
    on_progress: Progress | None = None
    cancelled: Cancelled | None = None
    on_opened: OnOpened | None = None
    computed: dict[object, object] | None = None
    """Values computed once in this call."""
    caller: str | None = None
    """Name of the caller, for the audit log."""

    def check(self) -> None:
        """Raises DeadlineExceeded when the time is up or the call was cancelled."""
        if self.clock() > self.expires or (self.cancelled and self.cancelled()):
            raise DeadlineExceeded(self.seconds)

    def once(self, key: object, compute: Callable[[], T]) -> T:
        """Returns a value that is computed once in this call."""
        if self.computed is None:
            return compute()
        if key not in self.computed:
            self.computed[key] = compute()
        return cast("T", self.computed[key])

    def tick(self, done: int, total: int, what: str) -> None:
        """Checks the deadline and reports progress."""
        self.check()
        if self.on_progress is not None:
            self.on_progress(done, total, what)

    def announce(self, kind: str, size: int) -> None:
        """Calls `on_opened` with what is about to be read."""
        self.check()
        if self.on_opened is not None:
            self.on_opened(kind, size)


new_deadline = partial(Deadline.__new__, Deadline)
"""Builds a deadline by names, quicker than calling the class."""
