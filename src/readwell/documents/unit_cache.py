"""A cache of converted documents, in memory and on disk: units, line counts, prepared bytes, recent failures."""

from __future__ import annotations

import json
import zlib
from _thread import allocate_lock
from array import array
from collections import OrderedDict

from ..disk_store import Store
from ..errors import ReadError
from ..fork_locks import renew_after_fork
from ..named_tuple import NamedTuple
from .conversion_locks import ConversionLocks

MAX_IN_MEMORY = 8 << 20
"""Bytes cached in memory; one entry larger than this is held in addition."""
MAX_PAGES_IN_MEMORY = 1000
MAX_UNITS_IN_TABLES = 4 << 20
"""Units in all tables in memory together."""
MAX_FAILURES = 256
RETRY_AFTER_S = 30.0
"""Seconds before a document that failed to convert is tried again."""
UNKNOWN = -1


class UnitTable(NamedTuple):
    """The name and number of a document's units, and the line count of each unit, `UNKNOWN` until it was converted.

    Concurrent readers of a document share one table. A line count is entered once and never changes.
    """

    unit: str
    units: int
    line_counts: array[int]


class UnitCache:
    """Converted units by the key of their document; `store` is None for memory only. Safe to share between threads.

    `hits` and `misses` count how often units were asked for and cached, or not.
    """

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self.locks = ConversionLocks(store)
        self._in_memory: OrderedDict[bytes, bytes] = OrderedDict()
        self._oversized = (b"", b"")
        self._size = 0
        self._tables: OrderedDict[bytes, UnitTable] = OrderedDict()
        self._failures: OrderedDict[bytes, tuple[float, ReadError]] = OrderedDict()
        self.hits = self.misses = 0
        self._lock = allocate_lock()
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Replaces the lock and counts the bytes in memory again."""
        self._lock = allocate_lock()
        self._size = sum(map(len, self._in_memory.values()))

    def table(self, key: bytes) -> UnitTable | None:
        """Returns the table of a document, from memory or disk; None where it was never opened."""
        with self._lock:
            cached = self._tables.get(key)
        if cached is None and (stored := self._stored_table(key)):
            cached = self.setdefault_table(key, stored)
        return cached

    def setdefault_table(self, key: bytes, table: UnitTable) -> UnitTable:
        """Returns the table that all readers of a document share; where there is none yet, this one becomes it."""
        with self._lock:
            shared = self._tables.setdefault(key, table)
            self._tables.move_to_end(key)
            while len(self._tables) > 1 and sum(each.units for each in self._tables.values()) > MAX_UNITS_IN_TABLES:
                self._tables.popitem(last=False)
            return shared

    def save_table(self, key: bytes, table: UnitTable) -> None:
        """Saves a table on disk, merged with what other processes have saved there."""
        if self._store is None:
            return
        if stored := self._stored_table(key):
            for number, lines in enumerate(stored.line_counts):
                if table.line_counts[number] == UNKNOWN:
                    table.line_counts[number] = lines
        head = json.dumps([table.unit, table.units]).encode()
        self._store.put(key + b"/table", head + b"\n" + zlib.compress(table.line_counts.tobytes(), 1))

    def prepared(self, key: bytes) -> bytes:
        """Returns the bytes that an earlier opening of the document prepared; empty where there are none."""
        return self._get(key + b"/prepared") or b""

    def keep_prepared(self, key: bytes, prepared: bytes) -> None:
        """Caches the bytes that make the next opening cheaper."""
        self._put(key + b"/prepared", prepared)

    def is_scan(self, key: bytes) -> bool:
        """Whether pages of a document had to be recognised."""
        return self._get(key + b"/scan") is not None

    def mark_as_scan(self, key: bytes) -> None:
        """Remembers that pages of a document must be recognised."""
        if not self.is_scan(key):
            self._put(key + b"/scan", b"1")

    def units(self, key: bytes, group: int) -> list[str] | None:
        """Returns the units of a group; None where they are not cached."""
        stored = self._get(key + b"/%d" % group)
        with self._lock:
            self.hits += stored is not None
            self.misses += stored is None
        return None if stored is None else json.loads(stored)

    def keep_units(self, key: bytes, group: int, units: list[str]) -> None:
        """Caches the units of a group."""
        self._put(key + b"/%d" % group, json.dumps(units, ensure_ascii=False).encode())

    def can_hold(self, units: int) -> bool:
        """Returns whether a document of this many pages stays cached until it is read: on disk, or in memory."""
        return self._store is not None or units <= MAX_PAGES_IN_MEMORY

    def outline(self, key: bytes) -> str | None:
        """Returns the outline of a file as its parser sent it; None where it is not cached."""
        cached = self._get(key + b"/outline")
        return None if cached is None else cached.decode()

    def keep_outline(self, key: bytes, outline: str, on_disk: bool) -> None:
        """Caches an outline in memory, and on disk where finding it again takes longer than reading it."""
        keep = self._put if on_disk else self._remember
        keep(key + b"/outline", outline.encode())

    def recent_failure(self, key: bytes, now: float) -> ReadError | None:
        """Returns the error of a conversion that failed less than `RETRY_AFTER_S` ago; None otherwise."""
        with self._lock:
            until, error = self._failures.get(key, (now, None))
        return error if now < until else None

    def keep_failure(self, key: bytes, now: float, error: ReadError) -> None:
        """Remembers for `RETRY_AFTER_S` that a document does not convert."""
        with self._lock:
            self._failures[key] = (now + RETRY_AFTER_S, type(error)(*error.args))
            if len(self._failures) > MAX_FAILURES:
                self._failures.popitem(last=False)

    def _stored_table(self, key: bytes) -> UnitTable | None:
        """Returns the table of a document from the disk, or None."""
        stored = self._store.get(key + b"/table") if self._store else None
        if stored is None:
            return None
        head, _, lines = stored.partition(b"\n")
        unit, units = json.loads(head)
        return UnitTable(unit, units, array("i", zlib.decompress(lines)))

    def _get(self, name: bytes) -> bytes | None:
        """Returns an entry from memory or from the disk, or None."""
        with self._lock:
            cached = self._oversized[1] if self._oversized[0] == name else self._in_memory.get(name)
            if name in self._in_memory:
                self._in_memory.move_to_end(name)
        if cached is not None:
            return cached
        cached = self._store.get(name) if self._store else None
        if cached is not None:
            self._remember(name, cached)
        return cached

    def _put(self, name: bytes, content: bytes) -> None:
        """Keeps an entry in memory and on the disk."""
        self._remember(name, content)
        if self._store:
            self._store.put(name, content)

    def _remember(self, name: bytes, content: bytes) -> None:
        """Keeps an entry in memory; drops the oldest beyond the bound."""
        with self._lock:
            if len(content) > MAX_IN_MEMORY:
                self._oversized = (name, content)
                return
            self._size += len(content) - len(self._in_memory.pop(name, b""))
            self._in_memory[name] = content
            while self._size > MAX_IN_MEMORY:
                self._size -= len(self._in_memory.popitem(last=False)[1])
