"""The descriptors of the roots, closed only when nobody uses them: their numbers must not be used again."""

from __future__ import annotations

import os
from _thread import allocate_lock
from collections.abc import Callable
from errno import EACCES, EMFILE, ENFILE, ENOENT, ENOTDIR, ESTALE

from ..forking import renew_after_fork
from ..model import Root
from .beneath import FOLDER
from .source import real_path

MOVED = "the root was moved, removed or replaced since the start"


class RootMoved(OSError):
    """The name of a root leads elsewhere by now."""


class Folders:
    """Open root directories; a context manager that lends them out."""

    def __init__(self) -> None:
        self._descriptors: list[int] = []
        self._identities: list[tuple[int, int]] = []
        self._lock = allocate_lock()
        self._users = 0
        self._closed = False
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Counts the users anew: their threads are not there."""
        self._lock = allocate_lock()
        self._users = 0

    def add(self, given: str) -> Root:
        """Opens a root."""
        try:
            descriptor = os.open(given, FOLDER)
        except (OSError, ValueError) as error:
            self.close()
            if isinstance(error, OSError) and error.errno in (EMFILE, ENFILE, EACCES):
                raise ValueError(f"the root cannot be opened: {given!r}: {error.strerror}") from error
            raise ValueError(f"the root is not a directory: {given!r}") from error
        self._descriptors.append(descriptor)
        self._identities.append(_identity(os.fstat(descriptor)))
        real = real_path(descriptor, given)
        return Root(given, _absolute(given, real), real)

    @property
    def devices(self) -> frozenset[int]:
        """The devices that the roots lie on."""
        return frozenset(device for device, _ in self._identities)

    def holds(self, number: int, root: Root) -> bool:
        """Says whether the name of a root still leads to the directory that was opened."""
        try:
            return _identity(os.stat(root.absolute)) == self._identities[number]
        except OSError as error:
            return error.errno not in (ENOENT, ENOTDIR)

    def check(self, number: int, root: Root) -> None:
        """Raises RootMoved for a root that is not what it was."""
        if not self.holds(number, root):
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
        except OSError:  # somebody else has closed them
            return

    def _close_if_unused(self, close: Callable[[int], None] = os.close) -> None:
        # At the end of the interpreter the names of a module may be gone before its objects: `os` is none of ours then.
        while self._closed and not self._users and self._descriptors:
            close(self._descriptors.pop())


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _absolute(given: str, real: str) -> str:
    # Taking `..` out of a name changes what it means where a link stands before it.
    if ".." in given.split("/"):
        return real
    try:
        return os.path.abspath(given)
    except OSError:
        return real
