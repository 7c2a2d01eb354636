"""Opens a path beneath one directory that it cannot leave: with `openat2`, or component by component without it.

Both functions take the same arguments and fail with the same errnos. EXDEV means that the path leads
out of the directory; the caller may then try its target, but never with a plain open.
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

from ..light_typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctypes import CDLL

Check = Callable[[], None]
"""Checks a deadline; may raise."""
Beneath = Callable[[int, str, int, bool, Check], int]
"""(directory, path below it, open flags, follow links inside, check of the deadline) -> descriptor."""

READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
PROBE = getattr(os, "O_PATH", READ) | os.O_CLOEXEC
"""Flags that open a path without opening the file behind it, where the platform can."""
PROBE_DIRECTORY = PROBE | os.O_DIRECTORY

OPENAT2 = 437
NO_MAGICLINKS, NO_SYMLINKS, BENEATH = 0x02, 0x04, 0x08
TRIES = 32
PARTS_A_CHECK = 64
"""Components that a walk opens between two checks of the deadline."""
MAX_LINKS = 40
"""The limit of the kernel."""
MAX_HELD = 256
"""Descriptors that a walk keeps open; going up farther than these starts again at the root."""


def choose_open_beneath() -> Beneath:
    """Returns `open_by_openat2` where the kernel supports it, tried here, else `open_by_walking`."""
    if sys.platform != "linux":
        return open_by_walking
    try:
        os.close(open_by_openat2(-100, ".", PROBE_DIRECTORY, True))
    except (OSError, ImportError):
        return open_by_walking
    return open_by_openat2


def no_check() -> None:
    """Does nothing: there is no deadline to check."""


def open_by_openat2(directory: int, path: str, flags: int, follow: bool, check: Check = no_check) -> int:
    """Opens with the confinement of the kernel."""
    resolve = BENEATH | NO_MAGICLINKS | (0 if follow else NO_SYMLINKS)
    how = struct.pack("QQQ", flags, 0, resolve)
    libc, get_errno = _libc()
    number = errno.EAGAIN
    for tried in range(TRIES):
        if tried:
            check()
        descriptor = libc.syscall(OPENAT2, directory, os.fsencode(path), how, len(how))
        if descriptor >= 0:
            return descriptor
        number = get_errno()
        # EAGAIN: a component was renamed meanwhile, and the kernel asks for another try.
        if number not in (errno.EAGAIN, errno.EINTR):
            break
    raise _os_error(number)


@cache
def _libc() -> tuple[CDLL, Callable[[], int]]:
    """Returns the C library and its last error."""
    import ctypes

    return ctypes.CDLL(None, use_errno=True), ctypes.get_errno


def open_by_walking(directory: int, path: str, flags: int, follow: bool, check: Check = no_check) -> int:
    """Opens component by component; links are read, never followed by the kernel."""
    if path.startswith("/"):
        raise _os_error(errno.EXDEV)
    walk = _Walk(directory, check)
    try:
        return walk.open(path, flags, MAX_LINKS if follow else 0)
    finally:
        walk.close()


class _Walk:
    """A position beneath a directory: the names of the directories above it, and descriptors of the last of them."""

    def __init__(self, directory: int, check: Check) -> None:
        self._root, self._check = directory, check
        self._opened = 0
        self._names: list[str] = []
        self._descriptors: deque[int] = deque()

    @property
    def _here(self) -> int:
        return self._descriptors[-1] if self._descriptors else self._root

    def open(self, path: str, flags: int, max_links: int) -> int:
        """Opens a path from the current position, reading at most so many links."""
        ahead = _reversed_parts_to_open(path)
        while ahead:
            part = ahead.pop()
            try:
                if part == "..":
                    self._go_up()
                elif ahead:
                    self._go_down(part)
                else:
                    self._close_oldest(len(self._descriptors) - 1)
                    return _open_no_link(part, flags, self._here)
            except OSError as error:
                if part == ".." or error.errno not in (errno.ELOOP, errno.ENOTDIR):
                    raise
                target = _link_target(part, self._here, error)
                if not max_links:
                    raise _os_error(errno.ELOOP) from None
                max_links -= 1
                ahead.extend(_reversed_parts_to_open(target))
        return os.open(".", flags, dir_fd=self._here)

    def _go_down(self, name: str) -> None:
        """Opens the next component of the path, without following a link."""
        if name == ".":
            return
        self._opened += 1
        if self._opened % PARTS_A_CHECK == 0:
            self._check()
        try:
            descriptor = _open_no_link(name, PROBE_DIRECTORY, self._here)
        except OSError as error:
            if error.errno != errno.EMFILE or len(self._descriptors) < 2:
                raise
            self._close_oldest(len(self._descriptors) // 2)
            descriptor = _open_no_link(name, PROBE_DIRECTORY, self._here)
        self._descriptors.append(descriptor)
        self._names.append(name)
        self._close_oldest(len(self._descriptors) - MAX_HELD)

    def _close_oldest(self, count: int) -> None:
        """Closes the descriptors of the outermost directories, to make room for others."""
        for _ in range(count):
            os.close(self._descriptors.popleft())

    def _go_up(self) -> None:
        """Returns to the directory that it came from: `..` itself may be changed at any time."""
        if not self._names:
            raise _os_error(errno.EXDEV)
        os.stat(".", dir_fd=self._here)  # the kernel, too, requires permission for `..`
        names = self._names
        names.pop()
        os.close(self._descriptors.pop())
        if names and not self._descriptors:
            self._names = []
            for name in names:
                self._go_down(name)

    def close(self) -> None:
        """Closes the descriptors."""
        while self._descriptors:
            os.close(self._descriptors.pop())


def _open_no_link(name: str, flags: int, folder: int) -> int:
    """Opens a name in a directory; raises ELOOP for a link."""
    descriptor = os.open(name, flags | os.O_NOFOLLOW, dir_fd=folder)
    try:
        # With O_PATH a link itself is opened instead of refused.
        if stat.S_ISLNK(os.fstat(descriptor).st_mode):
            raise _os_error(errno.ELOOP)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def reversed_parts(path: str) -> list[str]:
    """Returns the components in reverse, so that the next one is popped."""
    return [part for part in path.split("/") if part not in ("", ".")][::-1]


def _reversed_parts_to_open(path: str) -> list[str]:
    """Like `reversed_parts`; a trailing slash becomes a `.`, which requires a directory."""
    demands_directory = path.endswith(("/", "/.")) or path == "."
    return ["."] * demands_directory + reversed_parts(path)


def _link_target(name: str, folder: int, error: OSError) -> str:
    """Returns where a link leads; raises EXDEV for an absolute target."""
    try:
        target = os.readlink(name, dir_fd=folder)
    except OSError:
        raise error from None
    if _is_magic_link(target, folder):
        raise _os_error(errno.ELOOP) from None
    if target.startswith("/"):
        raise _os_error(errno.EXDEV) from None
    return target


def _is_magic_link(target: str, folder: int) -> bool:
    """Says whether this is a link of procfs that does not lead to the path in its text, such as `pipe:[7]`."""
    if not target.startswith("/") and ":" not in target:
        return False
    try:
        return os.fstat(folder).st_dev == os.stat("/proc").st_dev
    except OSError:
        return False


def _os_error(number: int) -> OSError:
    """Returns the error of a number."""
    return OSError(number, os.strerror(number))
