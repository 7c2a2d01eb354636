"""Files that have just changed: within a tick of its clock a file may change again without its times showing it."""

import os
from time import time_ns
from typing import NamedTuple

from stringzilla import hash as hash_of

TICK_NS = 20_000_000
COARSE_TICK_NS = 2_100_000_000
"""File systems that keep whole seconds only, or every other one."""
SECOND_NS = 1_000_000_000

Identity = tuple[int, int, int, int, int]
"""Device, inode, size, and the times of the last change of content and of status, in nanoseconds."""


def settles_ns(identity: Identity) -> int:
    """Returns the time from which on a change shows in the times of a file."""
    *_, written, changed = identity
    # The time of content can be set to whole seconds by anyone, that of status by nobody.
    return max(written, changed) + (TICK_NS if changed % SECOND_NS else COARSE_TICK_NS)


def has_settled(identity: Identity, seen_ns: int) -> bool:
    """Says whether all later changes of a file seen at that time show in its times."""
    return seen_ns > settles_ns(identity)


class Seen(NamedTuple):
    """Bytes that were read: where, how many, their hash."""

    offset: int
    length: int
    hash: int


class SecondLook:
    """The reads of a file that has just changed, compared with what the same places hold afterwards."""

    def __init__(self, identity: Identity) -> None:
        self._until_ns = settles_ns(identity)
        self._seen: list[Seen] = []

    def note(self, offset: int, read: bytes | memoryview) -> None:
        """Remembers bytes that were read, unless a change since then would show in the times."""
        if time_ns() <= self._until_ns:
            self._seen.append(Seen(offset, len(read), hash_of(read)))

    def holds(self, descriptor: int) -> bool:
        """Reads everything once more and says whether it is the same; may raise OSError."""
        return all(hash_of(os.pread(descriptor, each.length, each.offset)) == each.hash for each in self._seen)
