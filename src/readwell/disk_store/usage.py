"""The bytes in each folder of a store, recorded in a small file that is locked for every change."""

from __future__ import annotations

import os
import time
from array import array
from collections.abc import Callable
from typing import Self

from .file_lock import FileLock

FOLDERS = 256
LOCK_TIMEOUT_S = 1.0
POLL_S = 0.001


class UsageFileBusy(OSError):
    """Another writer has held the lock for too long."""


class DiskUsage:
    """The bytes in each folder, locked for a change; a context manager that writes them back.

    Bytes are added before they are written, so that a writer that is killed leaves too high a number, never one too
    low. `count` measures a folder, for where the file is new or damaged.
    """

    def __init__(self, path: str, count: Callable[[int], int]) -> None:
        self._lock = _lock_when_free(path)
        try:
            self.folder_bytes = _read_usage(self._lock.descriptor) or array("Q", map(count, range(FOLDERS)))
        except BaseException:
            self._lock.release()
            raise
        self._before = self.folder_bytes[:]

    @property
    def total(self) -> int:
        """The bytes in all folders."""
        return sum(self.folder_bytes)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self.folder_bytes != self._before or not os.fstat(self._lock.descriptor).st_size:
                os.pwrite(self._lock.descriptor, self.folder_bytes.tobytes(), 0)
                os.ftruncate(self._lock.descriptor, 8 * FOLDERS)
        finally:
            self._lock.release()


def _lock_when_free(path: str) -> FileLock:
    expires = time.monotonic() + LOCK_TIMEOUT_S
    while (lock := FileLock.acquire(path)) is None:
        if time.monotonic() > expires:
            raise UsageFileBusy
        time.sleep(POLL_S)
    return lock


def _read_usage(descriptor: int) -> array[int] | None:
    """Returns the recorded bytes; None where the file is new or damaged."""
    stored = os.pread(descriptor, 8 * FOLDERS + 1, 0)
    return array("Q", stored) if len(stored) == 8 * FOLDERS else None
