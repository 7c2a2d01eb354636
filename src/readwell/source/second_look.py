"""Files that have just changed: within a tick of its clock a file may change again without its times showing it."""

import os
from time import time_ns
from typing import NamedTuple

from stringzilla import hash as hash_of

TICK_NS = 20_000_000
COARSE_TICK_NS = 2_100_000_000
"""For file systems that keep whole seconds only, or every other one."""
SECOND_NS = 1_000_000_000


def settles_ns(found: os.stat_result) -> int:
    """Returns the time from which on every change of a file shows in its times."""
    written, changed = found.st_mtime_ns, found.st_ctime_ns
    # Anyone can set the time of content to a whole second, nobody that of status.
    return max(written, changed) + (TICK_NS if changed % SECOND_NS else COARSE_TICK_NS)


class Seen(NamedTuple):
    """Bytes that were read: where, how many, their hash."""

    offset: int
    length: int
    hash: int


class SecondLook:
    """The reads of a file that has just changed, compared with what the same places hold afterwards."""

    def __init__(self, settles_ns: int) -> None:
        self._settles_ns = settles_ns
        self._seen: list[Seen] = []

    def note(self, offset: int, read: bytes | memoryview) -> None:
        """Remembers bytes that were read, unless a change since then would show in the times."""
        if time_ns() <= self._settles_ns:
            self._seen.append(Seen(offset, len(read), hash_of(read)))

    def holds(self, descriptor: int) -> bool:
        """Reads everything once more and says whether it is the same; may raise OSError."""
        return all(hash_of(os.pread(descriptor, each.length, each.offset)) == each.hash for each in self._seen)
