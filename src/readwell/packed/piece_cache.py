"""A cache of unpacked bytes in pieces of 1 MiB: a few as they are, in memory; all of them packed again, on disk."""

from __future__ import annotations

import json
import zlib
from _thread import allocate_lock
from collections import OrderedDict
from collections.abc import Callable

from ..disk_store import Store
from ..fork_locks import renew_after_fork
from ..model import Notice
from ..named_tuple import NamedTuple
from .decompressors import zstd_module
from .packing_detection import CUT_OFF_BEHIND, DAMAGED_BEHIND, WRONG_CHECKSUM

MAX_IN_MEMORY = 6 << 20
MAX_PACKED = 8 << 20
"""Bytes of packed pieces in memory, where nothing is kept on disk."""
QUICK = 1


class ContentEnd(NamedTuple):
    """Where what is packed ends, and what is damaged there; empty: nothing."""

    size: int
    damage: str

    def notice(self, start: int, until: int) -> Notice:
        """Tells whoever reads these bytes of it what is damaged."""
        if self.damage == WRONG_CHECKSUM and self.size == until:
            what = "it could be unpacked to its end, but may not be what was packed"
            return Notice("checksum", f"{self.damage}: {what}")
        count = max(0, self.size - start)
        is_doubtful = count and self.damage not in (DAMAGED_BEHIND, CUT_OFF_BEHIND)
        what = f"only the first {count} bytes of what it holds can be read"
        return Notice("damaged", f"{self.damage}: {what}{', and some of them may be wrong' * bool(is_doubtful)}")


class PieceCache:
    """Pieces by the key of what they belong to and their number. Safe to share between threads."""

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self._plain = _BoundedCache(MAX_IN_MEMORY)
        self._packed = _BoundedCache(MAX_PACKED)
        self._pack, self._unpack = _best_piece_codec()

    def piece(self, key: bytes, number: int) -> bytes | None:
        """Returns a piece; None where it is not kept."""
        name = b"%s/%d" % (key, number)
        content = self._plain.get(name)
        if content is None and (packed := self._stored(name)) is not None:
            content = self._unpack(packed)
            self._plain.put(name, content)
        return content

    def keep(self, key: bytes, number: int, piece: bytes, lasting: bool) -> None:
        """Keeps a piece for now, and if `lasting` for later, too."""
        name = b"%s/%d" % (key, number)
        self._plain.put(name, piece)
        if lasting:
            self._put(name, self._pack(piece))

    def end(self, key: bytes) -> ContentEnd | None:
        """Returns where it ends; None where that is not known."""
        stored = self._plain.get(key + b"/end") or self._stored(key + b"/end")
        return None if stored is None else ContentEnd(*json.loads(stored))

    def keep_end(self, key: bytes, end: ContentEnd, lasting: bool) -> None:
        """Keeps where it ends for now, and if `lasting` for later, too."""
        content = json.dumps(end).encode()
        self._plain.put(key + b"/end", content)
        if lasting:
            self._put(key + b"/end", content)

    def _stored(self, name: bytes) -> bytes | None:
        """Returns a piece as it is kept, or None."""
        packed = self._packed.get(name)
        return self._store.get(name) if packed is None and self._store else packed

    def _put(self, name: bytes, content: bytes) -> None:
        """Keeps a piece, on disk where there is a store."""
        if self._store:
            self._store.put(name, content)
        else:
            self._packed.put(name, content)


class _BoundedCache:
    """Bytes by name, up to so many in all; the least recently used are dropped."""

    def __init__(self, most: int) -> None:
        self._most, self._size = most, 0
        self._values: OrderedDict[bytes, bytes] = OrderedDict()
        self._lock = allocate_lock()
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Replaces the lock and counts again."""
        self._lock = allocate_lock()
        self._size = sum(map(len, self._values.values()))

    def get(self, name: bytes) -> bytes | None:
        """Returns a value; None where there is none."""
        with self._lock:
            if name in self._values:
                self._values.move_to_end(name)
            return self._values.get(name)

    def put(self, name: bytes, value: bytes) -> None:
        """Keeps a value."""
        with self._lock:
            self._size += len(value) - len(self._values.pop(name, b""))
            self._values[name] = value
            while self._size > self._most:
                self._size -= len(self._values.popitem(last=False)[1])


def _best_piece_codec() -> tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]:
    """Returns how pieces are packed and unpacked: by zstd where it is installed, which is twice as quick."""
    zstd = zstd_module()
    if zstd is None:
        return (lambda piece: zlib.compress(piece, QUICK)), zlib.decompress
    return (lambda piece: zstd.compress(piece, QUICK)), zstd.decompress
