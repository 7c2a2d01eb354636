"""What is remembered of files between reads, but for small ones: their encoding and their line index.

In memory for a tool that reads a file twice; on disk, through a store, for files that take long to scan.
A remembered index serves a file with the same identity, and is extended for one that only grew.
"""

from _thread import allocate_lock
from array import array
from collections import OrderedDict
from typing import NamedTuple

import stringzilla

from ..source import Identity, Settled, Source
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
    """An index as far as it was scanned, the file it is of, a hash of the last full block."""

    identity: Identity
    is_settled: bool
    """Whether a later change of the file is sure to show in its identity."""
    lines: LineIndex
    scanned: int
    last_block: int


class Memory:
    """The indexes of the files read last. Safe to share between threads."""

    def __init__(self, store: Store | None = None) -> None:
        self._store = store
        self._held: OrderedDict[Key, Remembered] = OrderedDict()
        self._revisions: Settled[str] = Settled()
        self._lock = allocate_lock()

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
        if found is None and self._store and source.size >= STORED_FROM:
            found = _unpacked(self._store.get(repr(key).encode()))
            if found and found.identity == identity:
                with self._lock:
                    self._held[key] = found
                    self._forget()
        return _current(found, source, identity) if found else None

    def revision_of(self, source: Source) -> str:
        """Returns the revision of a file; of a large one that has settled it is computed once."""
        if source.size <= SMALL:
            return source.revision()
        return self._revisions.found(source, _revision)

    def keep(self, source: Source, how: How, index: LineIndex) -> None:
        """Remembers an index as far as it has been scanned."""
        if source.size <= SMALL or not index.scanned:
            return
        identity = source.identity
        key = (identity.where, identity.which, how)
        with self._lock:
            known = self._held.get(key)
        if known and known.lines is index and known.scanned == index.scanned:
            return
        scanned = index.scanned
        entry = Remembered(identity, source.is_settled, index, scanned, _last_block(source, index.block, scanned))
        with self._lock:
            self._held[key] = entry
            self._held.move_to_end(key)
            self._forget()
        if self._store and index.complete and source.size >= STORED_FROM:
            self._store.put(repr(key).encode(), _packed(entry))

    def _forget(self) -> None:
        blocks = sum(len(each.lines.ends) for each in self._held.values())
        while len(self._held) > 1 and (blocks > MOST_BLOCKS or len(self._held) > MOST_FILES):
            blocks -= len(self._held.popitem(last=False)[1].lines.ends)


def _revision(source: Source) -> str:
    return source.revision()


def _current(found: Remembered, source: Source, identity: Identity) -> LineIndex | None:
    """Returns what still holds of a remembered index."""
    if found.identity == identity:
        return found.lines if found.is_settled else None
    only_grew = source.size > found.identity.size and found.lines.scanned == found.scanned
    if not only_grew or _last_block(source, found.lines.block, found.scanned) != found.last_block:
        return None
    return found.lines.grown(source.size)


def _last_block(source: Source, block: int, scanned: int) -> int:
    full = scanned // block
    return stringzilla.hash(source.read_at((full - 1) * block, block)) if full else 0


def _packed(entry: Remembered) -> bytes:
    import json

    index = entry.lines
    header = {
        "identity": entry.identity,
        "is_settled": entry.is_settled,
        "last_block": entry.last_block,
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
    return Remembered(Identity(*header["identity"]), header["is_settled"], index, index.scanned, header["last_block"])
