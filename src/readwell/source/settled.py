"""What was found out about a file, believed as long as the file is what it was."""

from __future__ import annotations

from _thread import allocate_lock
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from ..forking import renew_after_fork
from .contract import Identity, Source

MOST_FILES = 256

T = TypeVar("T")


class Settled(Generic[T]):
    """Findings by the identity of their file, those used last. Safe to share between threads."""

    def __init__(self) -> None:
        self._known: OrderedDict[Identity, T] = OrderedDict()
        self._lock = allocate_lock()
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Makes the lock new."""
        self._lock = allocate_lock()

    def found(self, source: Source, find: Callable[[Source], T]) -> T:
        """Returns what is known of a file, or finds it out and keeps it if the file has settled."""
        identity = source.identity
        with self._lock:
            if identity in self._known:
                self._known.move_to_end(identity)
                return self._known[identity]
        found = find(source)
        if source.is_settled:
            with self._lock:
                self._known[identity] = found
                if len(self._known) > MOST_FILES:
                    self._known.popitem(last=False)
        return found
