"""A lock between processes that ends with its holder, however that ends."""

from __future__ import annotations

import os
from contextlib import suppress
from errno import EAGAIN
from fcntl import LOCK_EX, LOCK_NB, LOCK_UN, flock

FLAGS = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


class FileLock:
    """A lock held on a file; threads of one process exclude each other as processes do.

    One without a descriptor (-1) locks nothing.
    """

    def __init__(self, descriptor: int, path: str) -> None:
        self.descriptor, self._path = descriptor, path

    @classmethod
    def acquire(cls, path: str) -> FileLock | None:
        """Takes the lock; None where somebody holds it. Raises OSError where nothing can be locked there."""
        while True:
            descriptor = os.open(path, FLAGS, 0o600)
            try:
                flock(descriptor, LOCK_EX | LOCK_NB)
                is_there = os.fstat(descriptor).st_nlink > 0
            except OSError as error:
                os.close(descriptor)
                if error.errno == EAGAIN:
                    return None
                raise
            if is_there:
                return cls(descriptor, path)
            os.close(descriptor)  # its last holder removed it between our open and our lock

    def release(self) -> None:
        """Gives the lock back, also for those who inherited the descriptor in a fork."""
        if self.descriptor >= 0:
            flock(self.descriptor, LOCK_UN)
            os.close(self.descriptor)

    def remove(self) -> None:
        """Removes the file and gives the lock back."""
        if self.descriptor >= 0:
            with suppress(OSError):
                os.unlink(self._path)
            self.release()

    def forget(self) -> None:
        """Closes the descriptor; the lock stays with the process that this one was forked from."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
