"""Limits that the kernel keeps: memory, processor time, files, processes."""

from __future__ import annotations

import resource
import sys
from contextlib import suppress

OPEN_FILES = 16


def address_space() -> int | None:
    """Returns how many bytes of addresses this process has in use; None where the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as told:
            return int(told.read().split()[0]) * resource.getpagesize()
    except OSError:
        return None


def limit(memory: int, present: int | None, seconds: int) -> None:
    """Limits this process for good: `memory` bytes beyond those `present`, processor time, no files, no dump."""
    if present is not None:
        _set(resource.RLIMIT_AS, present + memory)
    else:
        _set(resource.RLIMIT_DATA, _resident_at_most() + memory)
    _set(resource.RLIMIT_CPU, seconds, seconds + 1)  # equal ones would kill without saying why
    limit_open_files(OPEN_FILES)
    _set(resource.RLIMIT_FSIZE, 0)
    _set(resource.RLIMIT_CORE, 0)


def _resident_at_most() -> int:
    """Returns how much memory this process has had at once, in bytes: macOS tells it so, Linux in units of 1024."""
    told = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return told if sys.platform == "darwin" else told * 1024


def limit_open_files(most: int) -> None:
    """Refuses descriptors from this number on; those that are open stay."""
    _set(resource.RLIMIT_NOFILE, most)


def forbid_processes() -> None:
    """Refuses new processes and threads, unless to the superuser: for where nothing better is at hand."""
    _set(resource.RLIMIT_NPROC, 0)


def _set(kind: int, soft: int, hard: int | None = None) -> None:
    """Never raises a limit: one that is lower already stays."""
    _, present = resource.getrlimit(kind)
    most = soft if hard is None else hard
    if present != resource.RLIM_INFINITY:
        most = min(most, present)
    with suppress(OSError, ValueError):
        resource.setrlimit(kind, (min(soft, most), most))
