"""The restrictions that this machine supports."""

from __future__ import annotations

import os
import struct
import sys

from ..named_tuple import NamedTuple
from . import landlock, seccomp
from .system_calls import call

OPENAT2 = 437
BENEATH = 0x08
HERE = -100


class Capabilities(NamedTuple):
    """Support for each restriction: None or False where it is missing."""

    openat2: bool
    """The kernel can confine an open to a directory."""
    landlock: int | None
    """The version of Landlock."""
    seccomp: str | None
    """The processor architecture, if system calls can be filtered on it."""
    limits: bool
    """Memory can be limited to the bytes in use plus a budget."""


def capabilities() -> Capabilities:
    """Returns what this machine supports; changes nothing."""
    filtered = os.uname().machine if seccomp.supported_processor() else None
    return Capabilities(_has_openat2(), landlock.version(), filtered, sys.platform == "linux")


def _has_openat2() -> bool:
    try:
        os.close(call(OPENAT2, HERE, b".", struct.pack("QQQ", os.O_RDONLY | os.O_CLOEXEC, 0, BENEATH), 24))
    except OSError:
        return False
    return True
