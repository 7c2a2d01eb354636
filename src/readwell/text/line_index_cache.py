"""A cache of line indexes, encodings and revisions of files, in memory and on disk; small files are not kept.

In memory for a tool that reads a file twice; on disk, through a store, for files that take long to scan.
An index is used only for the same version of its file: one that seems to have only grown may have
changed anywhere, and checking that takes as long as scanning it (decisions/0033).
"""

from __future__ import annotations

from _thread import allocate_lock
from collections import OrderedDict

from ..fork_locks import renew_after_fork
from ..named_tuple import NamedTuple
from ..source import Identity, IdentityCache, Source
from .lines_in_memory import SMALL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..disk_store import Store
    from .line_index import LineIndex

STORED_FROM = 64 << 20
STORE_VERSION = b"index002"
MAX_STORED = 256 << 20
MAX_BLOCKS = 1 << 20
"""Blocks of all files together: 8 MiB."""
MAX_FILES = 256

IndexOptions = tuple[str | int | bool | None, ...]
"""The options that a file is read with: with others the same bytes have another index."""
Key = tuple[int | str, int | str, IndexOptions]
"""The device and inode of a file, and its options."""


class CachedIndex(NamedTuple):
    """An index as far as it was scanned, and the version of the file that it belongs to."""

    identity: Identity
    lines: LineIndex


class IndexCache:
    """The indexes of the files read last; those of huge ones also in `folder`, if given. Thread-safe."""

    def __init__(self, folder: str | None = None) -> None:
        self._folder = folder
        self._store: Store | None = None
        self._indexes: OrderedDict[Key, CachedIndex] = OrderedDict()
        self._revisions: IdentityCache[str] = IdentityCache()
        self._lock = allocate_lock()
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Drops the indexes that other threads were scanning: they may be incomplete."""
        self._lock = allocate_lock()
        self._indexes = OrderedDict((key, each) for key, each in self._indexes.items() if not each.lines.is_busy)

    def get(self, source: Source, options: IndexOptions) -> LineIndex | None:
        """Returns the index of this version of a file, read with the same options; None where there is none."""
        if source.size <= SMALL:
            return None
        identity = source.identity
        key = (identity.where, identity.which, options)
        with self._lock:
            cached = self._indexes.get(key)
            if cached:
                self._indexes.move_to_end(key)
        if cached is None or cached.identity != identity:
            cached = self._load_stored(key, source)
        return cached.lines if cached and cached.identity == identity else None

    def _load_stored(self, key: Key, source: Source) -> CachedIndex | None:
        """Returns an index from the disk, or None."""
        store = self._store_for(source)
        if store is None:
            return None
        stored = _decode_index(store.get(repr(key).encode()))
        if stored and stored.identity == source.identity:
            self._keep_in_memory(key, stored)
        return stored

    def revision_of(self, source: Source) -> str:
        """Returns the revision of a file; cached for a large one that has settled."""
        if source.size <= SMALL:
            return source.revision()
        return self._revisions.get(source, _revision)

    def put(self, source: Source, options: IndexOptions, index: LineIndex) -> None:
        """Keeps an index as far as it has been scanned, if the file has settled."""
        if source.size <= SMALL or not index.scanned or not source.identity_shows_changes:
            return
        identity = source.identity
        key, entry = (identity.where, identity.which, options), CachedIndex(identity, index)
        self._keep_in_memory(key, entry)
        if index.is_complete and (store := self._store_for(source)):
            store.put(repr(key).encode(), _encode_index(entry))

    def _store_for(self, source: Source) -> Store | None:
        """Returns the store, loaded with the first file that takes long to scan; None for smaller ones."""
        if source.size < STORED_FROM or self._folder is None:
            return None
        from ..disk_store import Store

        self._store = self._store or Store(self._folder, STORE_VERSION, MAX_STORED)
        return self._store

    def _keep_in_memory(self, key: Key, entry: CachedIndex) -> None:
        """Keeps an index in memory as the most recent one."""
        with self._lock:
            self._indexes[key] = entry
            self._indexes.move_to_end(key)
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        """Drops the oldest indexes until the rest is within its bounds."""
        blocks = sum(len(each.lines.ends) for each in self._indexes.values())
        while len(self._indexes) > 1 and (blocks > MAX_BLOCKS or len(self._indexes) > MAX_FILES):
            blocks -= len(self._indexes.popitem(last=False)[1].lines.ends)


def _revision(source: Source) -> str:
    """Returns the revision of a source."""
    return source.revision()


def _encode_index(entry: CachedIndex) -> bytes:
    """Returns an index as bytes for the disk."""
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
        "judge": (index.validator.broken, index.validator.pending.hex()) if index.validator else None,
    }
    return json.dumps(header).encode() + b"\n" + index.ends.tobytes()


def _decode_index(content: bytes | None) -> CachedIndex | None:
    """Returns the index that bytes from the disk hold."""
    if content is None:
        return None
    import json
    from array import array

    from .decode import Encoding
    from .line_ends import Tally
    from .line_index import LineIndex

    head, _, ends = content.partition(b"\n")
    header = json.loads(head)
    index = LineIndex(header["size"], Encoding(*header["encoding"]), header["block"], header["judge"] is not None)
    index.ends = array("Q", ends)
    index.scanned, index.tally = header["scanned"], Tally(*header["tally"])
    index.after_cr, index.open_end = header["ends"]
    if index.validator:
        index.validator.broken, rest = header["judge"]
        index.validator.pending = bytes.fromhex(rest)
    return CachedIndex(Identity(*header["identity"]), index)
