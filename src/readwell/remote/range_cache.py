"""A cache of the ranges of remote objects that were read last, by the version that they belong to."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from ..fork_locks import renew_after_fork
from ..source import Identity

MAX_BYTES = 16 << 20


class RangeCache:
    """Pieces of objects, `MAX_BYTES` in all; the least recently used go first. Safe to share between threads."""

    def __init__(self) -> None:
        self._pieces: OrderedDict[Identity, OrderedDict[int, bytes]] = OrderedDict()
        self._bytes = 0
        self.after_fork()
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Replaces the lock."""
        self._lock = Lock()

    def find(self, identity: Identity, offset: int) -> tuple[int, bytes] | None:
        """Returns the piece that contains an offset, and where it begins; the one that goes on farthest."""
        with self._lock:
            pieces = self._pieces.get(identity)
            if pieces is None:
                return None
            self._pieces.move_to_end(identity)
            holding = [start for start, piece in pieces.items() if start <= offset < start + len(piece)]
            if not holding:
                return None
            start = max(holding, key=lambda each: each + len(pieces[each]))
            return start, pieces[start]

    def add(self, identity: Identity, start: int, piece: bytes) -> None:
        """Keeps a piece."""
        if not piece:
            return
        with self._lock:
            pieces = self._pieces.setdefault(identity, OrderedDict())
            self._pieces.move_to_end(identity)
            self._bytes += len(piece) - len(pieces.pop(start, b""))
            pieces[start] = piece
            while self._bytes > MAX_BYTES:
                self._drop_oldest()

    def _drop_oldest(self) -> None:
        """Drops a piece of the object that was used least recently."""
        identity, pieces = next(iter(self._pieces.items()))
        _, dropped = pieces.popitem(last=False)
        self._bytes -= len(dropped)
        if not pieces:
            del self._pieces[identity]
