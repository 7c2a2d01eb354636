"""What this machine offers for locking processes in."""

from __future__ import annotations

import os
import struct
import sys
from typing import NamedTuple

from . import landlock, seccomp
from .kernel import call

OPENAT2 = 437
BENEATH = 0x08
HERE = -100


class Offers(NamedTuple):
    """The bars that can be had: None or False where one is missing."""

    openat2: bool
    """The kernel keeps an open beneath a directory."""
    landlock: int | None
    """The version of Landlock."""
    seccomp: str | None
    """The kind of processor whose system calls are filtered."""
    limits: bool
    """Memory can be limited to what is in use and a budget."""


def offers() -> Offers:
    """Looks at this machine; changes nothing."""
    filtered = os.uname().machine if seccomp.machine() else None
    return Offers(_has_openat2(), landlock.version(), filtered, sys.platform == "linux")


def _has_openat2() -> bool:
    try:
        os.close(call(OPENAT2, HERE, b".", struct.pack("QQQ", os.O_RDONLY | os.O_CLOEXEC, 0, BENEATH), 24))
    except OSError:
        return False
    return True
