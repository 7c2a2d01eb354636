"""One conversion of a document at a time: among threads, and among processes that share a store."""

from __future__ import annotations

import os
from _thread import allocate_lock
from collections.abc import Callable
from functools import partial

from ..store import Store

Release = Callable[[], None]


class ConversionLocks:
    """Locks by the key of a document. They save work and guard nothing: where none can be had, all may convert."""

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self._holders: dict[bytes, int] = {}
        self._lock = allocate_lock()

    def acquire(self, key: bytes) -> Release | None:
        """Takes a lock and returns what gives it back; None where another reader holds it."""
        with self._lock:
            # A holder in another process was left behind by a fork: its thread does not exist here.
            if self._holders.get(key) == os.getpid():
                return None
            self._holders[key] = os.getpid()
        release = self._store.lock(key) if self._store else None
        if self._store and release is None:
            self._forget(key)
            return None
        return partial(self._release, key, release)

    def _release(self, key: bytes, release: Release | None) -> None:
        if release:
            release()
        self._forget(key)

    def _forget(self, key: bytes) -> None:
        with self._lock:
            self._holders.pop(key, None)
