"""A lock between processes that the kernel releases when its holder ends."""

from __future__ import annotations

import os
from contextlib import suppress
from errno import EAGAIN
from fcntl import LOCK_EX, LOCK_NB, LOCK_UN, flock

FLAGS = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


class FileLock:
    """A lock held on a file; it also excludes other threads of the same process.

    With a descriptor of -1 it locks nothing.
    """

    def __init__(self, descriptor: int, path: str) -> None:
        self.descriptor, self._path = descriptor, path

    @classmethod
    def acquire(cls, path: str) -> FileLock | None:
        """Takes the lock; None where it is held already. Raises OSError where the file cannot be locked."""
        while True:
            descriptor = os.open(path, FLAGS, 0o600)
            try:
                flock(descriptor, LOCK_EX | LOCK_NB)
                exists = os.fstat(descriptor).st_nlink > 0
            except OSError as error:
                os.close(descriptor)
                if error.errno == EAGAIN:
                    return None
                raise
            if exists:
                return cls(descriptor, path)
            os.close(descriptor)  # its last holder removed it between our open and our lock

    def release(self) -> None:
        """Releases the lock, also for processes that inherited the descriptor in a fork."""
        if self.descriptor >= 0:
            flock(self.descriptor, LOCK_UN)
            os.close(self.descriptor)

    def remove(self) -> None:
        """Removes the file and releases the lock."""
        if self.descriptor >= 0:
            with suppress(OSError):
                os.unlink(self._path)
            self.release()

    def close_after_fork(self) -> None:
        """Closes the descriptor after a fork; the original process keeps the lock."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
