"""What is kept of converted documents: their units and how many lines each has, in memory and on disk."""

from __future__ import annotations

import json
import zlib
from _thread import allocate_lock
from array import array
from collections import OrderedDict
from typing import NamedTuple

from ..errors import ReadError
from ..forking import renew_after_fork
from ..store import Store
from .locks import ConversionLocks

MOST_HELD = 8 << 20
"""Bytes kept in memory, beside one entry that is larger than all this."""
MOST_TABLED = 4 << 20
"""Units of all tables in memory together."""
MOST_FAILURES = 256
FAILED_FOR_S = 30.0
"""A document that did not convert is not tried again so soon."""
UNKNOWN = -1


class Table(NamedTuple):
    """How a document is divided, and the lines of each unit as far as known.

    All who read the document at once share one table. A number is entered once and never changes.
    """

    unit: str
    units: int
    lines: array[int]


class Shelf:
    """Units by the key of their document. What cannot be kept is converted again. Safe to share between threads."""

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self.locks = ConversionLocks(store)
        self._held: OrderedDict[bytes, bytes] = OrderedDict()
        self._large = (b"", b"")
        self._size = 0
        self._tables: OrderedDict[bytes, Table] = OrderedDict()
        self._failures: OrderedDict[bytes, tuple[float, ReadError]] = OrderedDict()
        self._lock = allocate_lock()
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Makes the lock new and counts what is held."""
        self._lock = allocate_lock()
        self._size = sum(map(len, self._held.values()))

    def table(self, key: bytes) -> Table | None:
        """Returns what is known of a document, by all who read it now or did before."""
        with self._lock:
            found = self._tables.get(key)
        if found is None and (stored := self._stored_table(key)):
            found = self.shared_table(key, stored)
        return found

    def shared_table(self, key: bytes, table: Table) -> Table:
        """Returns the table that all readers of the document share: this one, if there is none yet."""
        with self._lock:
            shared = self._tables.setdefault(key, table)
            self._tables.move_to_end(key)
            while len(self._tables) > 1 and sum(each.units for each in self._tables.values()) > MOST_TABLED:
                self._tables.popitem(last=False)
            return shared

    def keep_table(self, key: bytes, table: Table) -> None:
        """Writes down what is known of a document, here and in other processes."""
        if self._store is None:
            return
        if stored := self._stored_table(key):
            for number, lines in enumerate(stored.lines):
                if table.lines[number] == UNKNOWN:
                    table.lines[number] = lines
        head = json.dumps([table.unit, table.units]).encode()
        self._store.put(key + b"/table", head + b"\n" + zlib.compress(table.lines.tobytes(), 1))

    def prepared(self, key: bytes) -> bytes:
        """Returns what an earlier opening of the document left for the next one."""
        return self._get(key + b"/prepared") or b""

    def keep_prepared(self, key: bytes, prepared: bytes) -> None:
        """Keeps what the next opening need not find out again."""
        self._put(key + b"/prepared", prepared)

    def units(self, key: bytes, group: int) -> list[str] | None:
        """Returns the units of a group; None where they are not kept."""
        kept = self._get(key + b"/%d" % group)
        return None if kept is None else json.loads(kept)

    def keep_units(self, key: bytes, group: int, units: list[str]) -> None:
        """Keeps the units of a group."""
        self._put(key + b"/%d" % group, json.dumps(units, ensure_ascii=False).encode())

    def outline(self, key: bytes) -> str | None:
        """Returns the outline of a file as its parser told it; None where it is not kept."""
        kept = self._get(key + b"/outline")
        return None if kept is None else kept.decode()

    def keep_outline(self, key: bytes, told: str, on_disk: bool) -> None:
        """Keeps an outline; on disk where finding it anew takes longer than reading it."""
        name = key + b"/outline"
        if on_disk:
            self._put(name, told.encode())
        else:
            self._hold(name, told.encode())

    def failure(self, key: bytes, now: float) -> ReadError | None:
        """Returns why a document did not convert a moment ago."""
        with self._lock:
            until, error = self._failures.get(key, (now, None))
        return error if now < until else None

    def keep_failure(self, key: bytes, now: float, error: ReadError) -> None:
        """Remembers for a while that a document does not convert."""
        with self._lock:
            self._failures[key] = (now + FAILED_FOR_S, type(error)(*error.args))
            if len(self._failures) > MOST_FAILURES:
                self._failures.popitem(last=False)

    def _stored_table(self, key: bytes) -> Table | None:
        stored = self._store.get(key + b"/table") if self._store else None
        if stored is None:
            return None
        head, _, lines = stored.partition(b"\n")
        unit, units = json.loads(head)
        return Table(unit, units, array("i", zlib.decompress(lines)))

    def _get(self, name: bytes) -> bytes | None:
        with self._lock:
            found = self._large[1] if self._large[0] == name else self._held.get(name)
            if name in self._held:
                self._held.move_to_end(name)
        if found is not None:
            return found
        found = self._store.get(name) if self._store else None
        if found is not None:
            self._hold(name, found)
        return found

    def _put(self, name: bytes, content: bytes) -> None:
        self._hold(name, content)
        if self._store:
            self._store.put(name, content)

    def _hold(self, name: bytes, content: bytes) -> None:
        with self._lock:
            if len(content) > MOST_HELD:
                self._large = (name, content)
                return
            self._size += len(content) - len(self._held.pop(name, b""))
            self._held[name] = content
            while self._size > MOST_HELD:
                self._size -= len(self._held.popitem(last=False)[1])
