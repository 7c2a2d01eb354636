"""A cache of values computed from files, keyed by the identity of the file's current version."""

from __future__ import annotations

from _thread import allocate_lock
from collections import OrderedDict
from collections.abc import Callable

from ..fork_locks import renew_after_fork
from ..light_typing import Generic, TypeVar
from .contract import Identity, Source

MAX_FILES = 256

T = TypeVar("T")


class IdentityCache(Generic[T]):
    """Values by the identity of their file; the least recently used are dropped. Safe to share between threads.

    The sum of what `weigh` says of the values stays within `most`; without it each value weighs 1.
    """

    def __init__(self, weigh: Callable[[T], int] | None = None, most: int = MAX_FILES) -> None:
        self._weigh, self._most, self._weight = weigh, most, 0
        self._values: OrderedDict[Identity, T] = OrderedDict()
        self._lock = allocate_lock()
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Replaces the lock."""
        self._lock = allocate_lock()

    def get(self, source: Source, compute: Callable[[Source], T]) -> T:
        """Returns the value of a file; computes it where it is missing, and keeps it if the file has settled."""
        identity = source.identity
        with self._lock:
            if identity in self._values:
                self._values.move_to_end(identity)
                return self._values[identity]
        value = compute(source)
        if source.identity_shows_changes:
            with self._lock:
                if identity in self._values:  # another thread was quicker
                    self._weight -= self._weight_of(self._values.pop(identity))
                self._weight += self._weight_of(value)
                self._values[identity] = value
                while self._weight > self._most:
                    self._weight -= self._weight_of(self._values.popitem(last=False)[1])
        return value

    def _weight_of(self, value: T) -> int:
        """Returns what a value counts towards the bound."""
        return self._weigh(value) if self._weigh else 1
