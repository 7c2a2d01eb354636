"""`OpenRoots`: the open directory descriptors of the roots, and whether each root is still in its place.

They are closed only when no thread uses them: the system would give their numbers to other files.
"""

from __future__ import annotations

import os
from _thread import allocate_lock
from collections.abc import Callable
from errno import EACCES, EMFILE, ENFILE, ENOENT, ENOTDIR, ESTALE

from ..deadline import Deadline
from ..fork_locks import renew_after_fork
from ..model import Root
from ..named_tuple import NamedTuple
from .confined_open import PROBE_DIRECTORY
from .file_status import real_path

MOVED = "the root was moved, removed or replaced since the start"


class OpeningContext(NamedTuple):
    """What one opening works with: the descriptors of the roots, and the deadline."""

    roots: list[int]
    deadline: Deadline


class RootMoved(OSError):
    """The path of a root leads to another directory than at the start."""


class OpenRoots:
    """Open root directories; as a context manager it gives their descriptors, which stay open meanwhile."""

    def __init__(self) -> None:
        self._descriptors: list[int] = []
        self._identities: list[tuple[int, int]] = []
        self._lock = allocate_lock()
        self._users = 0
        self._closed = False
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Forgets the users: their threads do not exist in the new process."""
        self._lock = allocate_lock()
        self._users = 0

    def add(self, given: str) -> Root:
        """Opens a root; raises ValueError where that fails."""
        try:
            descriptor = os.open(given, PROBE_DIRECTORY)
        except (OSError, ValueError) as error:
            self.close()
            if isinstance(error, OSError) and error.errno in (EMFILE, ENFILE, EACCES):
                raise ValueError(f"the root cannot be opened: {given!r}: {error.strerror}") from error
            raise ValueError(f"the root is not a directory: {given!r}") from error
        self._descriptors.append(descriptor)
        self._identities.append(_device_and_inode(os.fstat(descriptor)))
        real = real_path(descriptor, given)
        return Root(given, _absolute_as_given(given, real), real)

    @property
    def devices(self) -> frozenset[int]:
        """The devices of the roots."""
        return frozenset(device for device, _ in self._identities)

    def is_in_place(self, number: int, root: Root) -> bool:
        """Says whether the path of a root still leads to the directory that was opened."""
        try:
            return _device_and_inode(os.stat(root.absolute)) == self._identities[number]
        except OSError as error:
            return error.errno not in (ENOENT, ENOTDIR)

    def check_in_place(self, number: int, root: Root) -> None:
        """Raises RootMoved for a root that was moved, removed or replaced."""
        if not self.is_in_place(number, root):
            raise RootMoved(ESTALE, MOVED)

    def __enter__(self) -> list[int]:
        with self._lock:
            if self._closed:
                raise ValueError("this reader is closed")
            self._users += 1
        return self._descriptors

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._users -= 1
            self._close_if_unused()

    def close(self) -> None:
        """Closes the roots now, or when the last user has left."""
        with self._lock:
            self._closed = True
            self._close_if_unused()

    def __del__(self) -> None:
        try:
            self.close()
        except OSError:  # the application closed these descriptors itself
            return

    def _close_if_unused(self, close: Callable[[int], None] = os.close) -> None:
        """Closes the descriptors once nobody uses them."""
        # At interpreter shutdown `os` may be gone before this object: `close` is bound in advance.
        while self._closed and not self._users and self._descriptors:
            close(self._descriptors.pop())


def _device_and_inode(status: os.stat_result) -> tuple[int, int]:
    """Returns which file a status belongs to."""
    return status.st_dev, status.st_ino


def _absolute_as_given(given: str, real: str) -> str:
    """Returns a root's path as given, absolute."""
    # Removing `..` from a path changes its meaning where a link precedes it.
    if ".." in given.split("/"):
        return real
    try:
        return os.path.abspath(given)
    except OSError:
        return real
