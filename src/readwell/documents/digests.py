"""The names of contents: a hash of every byte, computed once for a file that has settled."""

from __future__ import annotations

from _thread import allocate_lock
from collections import OrderedDict

from stringzilla import Sha256

from ..source import Identity, Source
from ..watch import Watch

PIECE = 1 << 20
MOST_FILES = 256
SETTLED_NS = 20_000_000
"""A file may change twice within one tick of its clock: what was seen so soon after a change proves nothing."""


class Digests:
    """Hashes by the identity of a file. Safe to share between threads."""

    def __init__(self) -> None:
        self._known: OrderedDict[Identity, bytes] = OrderedDict()
        self._lock = allocate_lock()

    def of(self, source: Source, watch: Watch) -> bytes:
        """Returns the hash of a file's content."""
        with self._lock:
            known = self._known.get(source.identity)
        if known:
            return known
        found = _hashed(source, watch)
        if source.seen_ns - max(source.identity[3:]) > SETTLED_NS:
            with self._lock:
                self._known[source.identity] = found
                if len(self._known) > MOST_FILES:
                    self._known.popitem(last=False)
        return found


def _hashed(source: Source, watch: Watch) -> bytes:
    digest = Sha256()
    for offset in range(0, source.size, PIECE):
        watch.check()
        digest.update(source.read_at(offset, PIECE))
    return digest.digest()
