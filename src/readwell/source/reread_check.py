"""Rereads files that have just changed: within one clock tick a file can change again and keep its timestamps."""

from __future__ import annotations

import os
from time import time_ns

from stringzilla import hash as hash_of

from ..named_tuple import NamedTuple

TICK_NS = 20_000_000
COARSE_TICK_NS = 2_100_000_000
"""For file systems with a resolution of one or two seconds."""
SECOND_NS = 1_000_000_000


def settled_after_ns(stat: os.stat_result) -> int:
    """Returns the time after which every change of a file shows in its timestamps."""
    written, changed = stat.st_mtime_ns, stat.st_ctime_ns
    # Anyone can set mtime to a whole second, nobody can set ctime.
    return max(written, changed) + (TICK_NS if changed % SECOND_NS else COARSE_TICK_NS)


class ReadRange(NamedTuple):
    """Bytes that were read: their offset, length and hash."""

    offset: int
    length: int
    hash: int


class RereadCheck:
    """Remembers what was read from a file that has just changed, and compares it with the same bytes afterwards."""

    def __init__(self, settles_ns: int) -> None:
        self._settles_ns = settles_ns
        self._reads: list[ReadRange] = []

    def note(self, offset: int, read: bytes | memoryview) -> None:
        """Remembers bytes that were read, unless a later change would show in the timestamps."""
        if time_ns() <= self._settles_ns:
            self._reads.append(ReadRange(offset, len(read), hash_of(read)))

    def is_unchanged(self, descriptor: int) -> bool:
        """Reads everything again and says whether it is the same; may raise OSError."""
        return all(hash_of(os.pread(descriptor, each.length, each.offset)) == each.hash for each in self._reads)
