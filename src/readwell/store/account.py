"""How many bytes each folder of a store holds: a small file that one writer at a time may change."""

from __future__ import annotations

import os
import time
from array import array
from collections.abc import Callable
from typing import Self

from .file_lock import FileLock

FOLDERS = 256
PATIENCE_S = 1.0
PAUSE_S = 0.001


class Busy(OSError):
    """Another writer keeps the account for too long."""


class Account:
    """The bytes in each folder, open for a change; a context manager that writes it back.

    Every byte is entered before it is written, so that a writer who is killed leaves too high a figure, never one too
    low. `count` finds out what a folder holds, where there is no account yet.
    """

    def __init__(self, path: str, count: Callable[[int], int]) -> None:
        self._lock = _wait_for(path)
        try:
            self.held = _read(self._lock.descriptor) or array("Q", map(count, range(FOLDERS)))
        except BaseException:
            self._lock.release()
            raise
        self._before = self.held[:]

    @property
    def total(self) -> int:
        """The bytes in all folders together."""
        return sum(self.held)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self.held != self._before or not os.fstat(self._lock.descriptor).st_size:
                os.pwrite(self._lock.descriptor, self.held.tobytes(), 0)
        finally:
            self._lock.release()


def _wait_for(path: str) -> FileLock:
    expires = time.monotonic() + PATIENCE_S
    while (lock := FileLock.acquire(path)) is None:
        if time.monotonic() > expires:
            raise Busy
        time.sleep(PAUSE_S)
    return lock


def _read(descriptor: int) -> array[int] | None:
    """Returns what the file says; None where it is new or damaged."""
    stored = os.pread(descriptor, 8 * FOLDERS + 1, 0)
    return array("Q", stored) if len(stored) == 8 * FOLDERS else None
