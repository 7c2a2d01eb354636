"""Resource limits of the kernel: memory, processor time, files, processes."""

from __future__ import annotations

import resource
import sys
from contextlib import suppress

OPEN_FILES = 16


def address_space_bytes() -> int | None:
    """Returns the size of this process's address space in bytes; None where the system does not report it."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return None


def limit_resources(memory: int, in_use: int | None, seconds: int) -> None:
    """Limits this process for good: `memory` bytes beyond those `in_use`, processor time, no files, no dump."""
    if in_use is not None:
        _lower_limit(resource.RLIMIT_AS, in_use + memory)
    else:
        _lower_limit(resource.RLIMIT_DATA, _peak_resident_bytes() + memory)
    _lower_limit(resource.RLIMIT_CPU, seconds, seconds + 1)  # equal ones would kill without saying why
    limit_open_files(OPEN_FILES)
    _lower_limit(resource.RLIMIT_FSIZE, 0)
    _lower_limit(resource.RLIMIT_CORE, 0)


def _peak_resident_bytes() -> int:
    """Returns the peak resident memory in bytes: macOS reports bytes, Linux units of 1024."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def limit_open_files(most: int) -> None:
    """Refuses descriptors from this number on; those that are open stay."""
    _lower_limit(resource.RLIMIT_NOFILE, most)


def forbid_processes() -> None:
    """Refuses new processes and threads, except to the superuser: the fallback for a missing seccomp."""
    _lower_limit(resource.RLIMIT_NPROC, 0)


def _lower_limit(kind: int, soft: int, hard: int | None = None) -> None:
    """Sets a limit; never raises one that is lower already."""
    _, current = resource.getrlimit(kind)
    most = soft if hard is None else hard
    if current != resource.RLIM_INFINITY:
        most = min(most, current)
    with suppress(OSError, ValueError):
        resource.setrlimit(kind, (min(soft, most), most))
