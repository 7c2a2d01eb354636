"""Opening beneath a directory that cannot be left: by `openat2`, or by a walk where it is missing.

Both openers take the same arguments and fail with the same errnos. EXDEV means that the path leads
out of the directory; the caller may then try where it leads, but never by a plain open.
"""

from __future__ import annotations

import errno
import os
import stat
import struct
import sys
from collections import deque
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctypes import CDLL

Beneath = Callable[[int, str, int, bool], int]
"""(directory, path below it, open flags, follow links inside) -> descriptor."""

READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
GLANCE = getattr(os, "O_PATH", READ) | os.O_CLOEXEC
"""Flags for looking at a thing without opening it, where the platform can."""
FOLDER = GLANCE | os.O_DIRECTORY

OPENAT2 = 437
NO_MAGICLINKS, NO_SYMLINKS, BENEATH = 0x02, 0x04, 0x08
TRIES = 32
MOST_LINKS = 40
"""As many as the kernel follows."""
MOST_HELD = 256
"""Descriptors that a walk holds; going up farther than these starts again at the root."""


def best_beneath() -> Beneath:
    """Returns `openat2` where the kernel has it, probed on the current directory, else the walk."""
    if sys.platform != "linux":
        return walk_beneath
    try:
        os.close(openat2_beneath(-100, ".", FOLDER, True))
    except (OSError, ImportError):
        return walk_beneath
    return openat2_beneath


def openat2_beneath(directory: int, path: str, flags: int, follow: bool) -> int:
    """Opens by the kernel's own confinement."""
    resolve = BENEATH | NO_MAGICLINKS | (0 if follow else NO_SYMLINKS)
    how = struct.pack("QQQ", flags, 0, resolve)
    libc, get_errno = _libc()
    number = errno.EAGAIN
    for _ in range(TRIES):
        found = libc.syscall(OPENAT2, directory, os.fsencode(path), how, len(how))
        if found >= 0:
            return found
        number = get_errno()
        # EAGAIN: a name on the way was moved while the kernel looked; it asks to be called again.
        if number not in (errno.EAGAIN, errno.EINTR):
            break
    raise _failure(number)


@cache
def _libc() -> tuple[CDLL, Callable[[], int]]:
    import ctypes

    return ctypes.CDLL(None, use_errno=True), ctypes.get_errno


def walk_beneath(directory: int, path: str, flags: int, follow: bool) -> int:
    """Opens component by component, never through a link that was not read first."""
    if path.startswith("/"):
        raise _failure(errno.EXDEV)
    walk = _Walk(directory)
    try:
        return walk.open(path, flags, MOST_LINKS if follow else 0)
    finally:
        walk.leave()


class _Walk:
    """A place beneath a directory: the names that lead there through no link, and the last few descriptors."""

    def __init__(self, directory: int) -> None:
        self._root = directory
        self._names: list[str] = []
        self._last: deque[int] = deque()

    @property
    def _here(self) -> int:
        return self._last[-1] if self._last else self._root

    def open(self, path: str, flags: int, links: int) -> int:
        """Opens a path from here, reading at most so many links on the way."""
        ahead = _parts_to_open(path)
        while ahead:
            part = ahead.pop()
            try:
                if part == "..":
                    self._go_up()
                elif ahead:
                    self._go_down(part)
                else:
                    self._let_go(len(self._last) - 1)
                    return _open_no_link(part, flags, self._here)
            except OSError as error:
                if part == ".." or error.errno not in (errno.ELOOP, errno.ENOTDIR):
                    raise
                target = _link_target(part, self._here, error)
                if not links:
                    raise _failure(errno.ELOOP) from None
                links -= 1
                ahead.extend(_parts_to_open(target))
        return os.open(".", flags, dir_fd=self._here)

    def _go_down(self, name: str) -> None:
        if name == ".":
            return
        try:
            found = _open_no_link(name, FOLDER, self._here)
        except OSError as error:
            if error.errno != errno.EMFILE or len(self._last) < 2:
                raise
            self._let_go(len(self._last) // 2)
            found = _open_no_link(name, FOLDER, self._here)
        self._last.append(found)
        self._names.append(name)
        self._let_go(len(self._last) - MOST_HELD)

    def _let_go(self, count: int) -> None:
        for _ in range(count):
            os.close(self._last.popleft())

    def _go_up(self) -> None:
        """Goes to the parent as it was found on the way down: what `..` is may change at any time."""
        if not self._names:
            raise _failure(errno.EXDEV)
        os.stat(".", dir_fd=self._here)  # the kernel, too, wants permission to leave by `..`
        names = self._names
        names.pop()
        os.close(self._last.pop())
        if names and not self._last:
            self._names = []
            for name in names:
                self._go_down(name)

    def leave(self) -> None:
        """Closes what the walk holds."""
        while self._last:
            os.close(self._last.pop())


def _open_no_link(name: str, flags: int, folder: int) -> int:
    found = os.open(name, flags | os.O_NOFOLLOW, dir_fd=folder)
    try:
        # With O_PATH a link itself is opened instead of refused.
        if stat.S_ISLNK(os.fstat(found).st_mode):
            raise _failure(errno.ELOOP)
    except OSError:
        os.close(found)
        raise
    return found


def parts_ahead(path: str) -> list[str]:
    """Returns the components in reverse, so that the next one is popped."""
    return [part for part in path.split("/") if part not in ("", ".")][::-1]


def _parts_to_open(path: str) -> list[str]:
    """Returns the same; a trailing slash leaves a `.` that demands a directory."""
    demands_directory = path.endswith(("/", "/.")) or path == "."
    return ["."] * demands_directory + parts_ahead(path)


def _link_target(name: str, folder: int, error: OSError) -> str:
    try:
        target = os.readlink(name, dir_fd=folder)
    except OSError:
        raise error from None
    if _is_magic(target, folder):
        raise _failure(errno.ELOOP) from None
    if target.startswith("/"):
        raise _failure(errno.EXDEV) from None
    return target


def _is_magic(target: str, folder: int) -> bool:
    """Says whether a link of procfs stands for something else than its text: a path, or `pipe:[7]`."""
    if not target.startswith("/") and ":" not in target:
        return False
    try:
        return os.fstat(folder).st_dev == os.stat("/proc").st_dev
    except OSError:
        return False


def _failure(number: int) -> OSError:
    return OSError(number, os.strerror(number))
