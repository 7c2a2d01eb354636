"""What is remembered of files between reads, but for small ones: their encoding and their line index.

In memory for a tool that reads a file twice; on disk, through a store, for files that take long to scan.
A remembered index serves a file with the same identity and no other: what only seems to have grown may have
changed anywhere, and checking that takes as long as scanning it (decisions/0033).
"""

from _thread import allocate_lock
from array import array
from collections import OrderedDict
from typing import NamedTuple

from ..forking import renew_after_fork
from ..source import Identity, IdentityCache, Source
from ..store import Store
from .decode import Encoding
from .held import SMALL
from .index import LineIndex
from .split import Tally

STORED_FROM = 64 << 20
MOST_BLOCKS = 1 << 20
"""Blocks remembered of all files together: 8 MiB."""
MOST_FILES = 256

How = tuple[str | int | bool | None, ...]
"""The way in which a file is read: the same bytes read in another way have another index."""
Key = tuple[int | str, int | str, How]
"""Where a file is, which it is there, and how it is read."""


class Remembered(NamedTuple):
    """An index as far as it was scanned, and the file it is of."""

    identity: Identity
    lines: LineIndex


class Memory:
    """The indexes of the files read last. Safe to share between threads."""

    def __init__(self, store: Store | None = None) -> None:
        self._store = store
        self._held: OrderedDict[Key, Remembered] = OrderedDict()
        self._revisions: IdentityCache[str] = IdentityCache()
        self._lock = allocate_lock()
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Forgets the indexes that other threads were scanning: half of their numbers may be there."""
        self._lock = allocate_lock()
        self._held = OrderedDict((key, each) for key, each in self._held.items() if not each.lines.is_busy)

    def recall(self, source: Source, how: How) -> LineIndex | None:
        """Returns the index of a file read before in the same way; None where nothing certain is known."""
        if source.size <= SMALL:
            return None
        identity = source.identity
        key = (identity.where, identity.which, how)
        with self._lock:
            found = self._held.get(key)
            if found:
                self._held.move_to_end(key)
        if found is None or found.identity != identity:
            found = self._stored(key, source)
        return found.lines if found and found.identity == identity else None

    def _stored(self, key: Key, source: Source) -> Remembered | None:
        if self._store is None or source.size < STORED_FROM:
            return None
        found = _unpacked(self._store.get(repr(key).encode()))
        if found and found.identity == source.identity:
            self._hold(key, found)
        return found

    def revision_of(self, source: Source) -> str:
        """Returns the revision of a file; of a large one that has settled it is computed once."""
        if source.size <= SMALL:
            return source.revision()
        return self._revisions.get(source, _revision)

    def keep(self, source: Source, how: How, index: LineIndex) -> None:
        """Remembers an index as far as it has been scanned, if a later change of the file is sure to show."""
        if source.size <= SMALL or not index.scanned or not source.is_settled:
            return
        identity = source.identity
        key, entry = (identity.where, identity.which, how), Remembered(identity, index)
        self._hold(key, entry)
        if self._store and index.complete and source.size >= STORED_FROM:
            self._store.put(repr(key).encode(), _packed(entry))

    def _hold(self, key: Key, entry: Remembered) -> None:
        with self._lock:
            self._held[key] = entry
            self._held.move_to_end(key)
            self._forget()

    def _forget(self) -> None:
        blocks = sum(len(each.lines.ends) for each in self._held.values())
        while len(self._held) > 1 and (blocks > MOST_BLOCKS or len(self._held) > MOST_FILES):
            blocks -= len(self._held.popitem(last=False)[1].lines.ends)


def _revision(source: Source) -> str:
    return source.revision()


def _packed(entry: Remembered) -> bytes:
    import json

    index = entry.lines
    header = {
        "identity": entry.identity,
        "size": index.size,
        "encoding": index.encoding,
        "block": index.block,
        "scanned": index.scanned,
        "tally": index.tally,
        "ends": (index.after_cr, index.open_end),
        "judge": (index.judge.broken, index.judge.rest.hex()) if index.judge else None,
    }
    return json.dumps(header).encode() + b"\n" + index.ends.tobytes()


def _unpacked(content: bytes | None) -> Remembered | None:
    if content is None:
        return None
    import json

    head, _, ends = content.partition(b"\n")
    header = json.loads(head)
    index = LineIndex(header["size"], Encoding(*header["encoding"]), header["block"], header["judge"] is not None)
    index.ends = array("Q", ends)
    index.scanned, index.tally = header["scanned"], Tally(*header["tally"])
    index.after_cr, index.open_end = header["ends"]
    if index.judge:
        index.judge.broken, rest = header["judge"]
        index.judge.rest = bytes.fromhex(rest)
    return Remembered(Identity(*header["identity"]), index)
