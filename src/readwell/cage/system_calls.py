"""System calls that Python has no function for, by number; elsewhere than on Linux each fails with ENOSYS."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from functools import cache
from signal import SIGKILL
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctypes import CDLL

SET_DEATH_SIGNAL, SET_SUBREAPER, SET_NO_NEW_PRIVILEGES = 1, 36, 38


def call(number: int, *arguments: int | bytes | None) -> int:
    """Makes a system call by its number; raises OSError."""
    return _call_checked("syscall", number, *arguments)


def prctl(option: int, *arguments: int | bytes | None) -> int:
    """Changes how the kernel treats this process; raises OSError."""
    return _call_checked("prctl", option, *arguments)


def forbid_new_privileges() -> None:
    """Takes privileges from set-user-id programs started here; required before a process may restrict itself."""
    prctl(SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)


def die_with_parent() -> None:
    """Has the kernel kill this process when its parent ends."""
    prctl(SET_DEATH_SIGNAL, int(SIGKILL), 0, 0, 0)


def adopt_orphans() -> None:
    """Makes this process the parent of the orphans among its descendants."""
    prctl(SET_SUBREAPER, 1, 0, 0, 0)


def _call_checked(function: str, *arguments: int | bytes | None) -> int:
    if sys.platform != "linux":
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    from ctypes import c_long

    libc, get_errno = _libc()
    # An int would be handed over as 32 bits, with random bits in the upper half of the register.
    passed = [c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
    result = getattr(libc, function)(*passed)
    if result < 0:
        raise OSError(get_errno(), os.strerror(get_errno()))
    return result


@cache
def _libc() -> tuple[CDLL, Callable[[], int]]:
    import ctypes

    return ctypes.CDLL(None, use_errno=True), ctypes.get_errno
