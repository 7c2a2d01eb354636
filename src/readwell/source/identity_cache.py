"""A cache of values computed from files, keyed by the identity of the file's current version."""

from __future__ import annotations

from _thread import allocate_lock
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from ..forking import renew_after_fork
from .contract import Identity, Source

MAX_FILES = 256

T = TypeVar("T")


class IdentityCache(Generic[T]):
    """Values by the identity of their file; the least recently used are dropped. Safe to share between threads."""

    def __init__(self, most: int = MAX_FILES) -> None:
        self._most = most
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
        if source.is_settled:
            with self._lock:
                self._values[identity] = value
                if len(self._values) > self._most:
                    self._values.popitem(last=False)
        return value
