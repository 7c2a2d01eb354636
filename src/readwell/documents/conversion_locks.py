"""Locks that let one reader convert a document at a time, among threads and among processes that share a store."""

from __future__ import annotations

from _thread import allocate_lock
from collections.abc import Callable
from functools import partial

from ..disk_store import FileLock, Store
from ..fork_locks import renew_after_fork


class ConversionLocks:
    """Locks by the key of a document. They only save work: where locking fails, every reader may convert."""

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self._held: dict[bytes, FileLock | None] = {}
        self._lock = allocate_lock()
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Forgets the locks of the original process, without releasing them."""
        self._lock = allocate_lock()
        held, self._held = self._held, {}
        for file_lock in held.values():
            if file_lock:
                file_lock.close_after_fork()

    def acquire(self, key: bytes) -> Callable[[], None] | None:
        """Takes a lock and returns the function that releases it; None where another reader holds it."""
        with self._lock:
            if key in self._held:
                return None
            file_lock = self._store.lock(key) if self._store else None
            if self._store and file_lock is None:
                return None
            self._held[key] = file_lock
        return partial(self._release, key)

    def _release(self, key: bytes) -> None:
        """Removes the file of a lock."""
        with self._lock:
            file_lock = self._held.pop(key, None)
        if file_lock:
            file_lock.remove()
