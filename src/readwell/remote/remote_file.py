"""An object of a remote root, as the engine reads it."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from time import time_ns
from typing import IO

from ..deadline import Deadline
from ..errors import ChangedWhileReading, ReadError, TooLarge
from ..source import Entry, Identity, State, Target, VisibilityOf, hash_of_identity, revision_of_identity
from ..source.revision import revision_of
from .range_cache import RangeCache
from .readahead import Readahead
from .remote_access_rules import RulesInside
from .remote_folder import RemoteSource
from .store_contract import Store, Version

HEAD = 256 << 10
"""Bytes of the request that opens an object."""
BLOCK = 192 << 10
"""Bytes of a later request at least; with the head they are fewer than 512 kB."""
ALIGNED = 64 << 10
MAX_SPOOLED = 256 << 20
SETTLED_NS = 2_000_000_000
"""A server that tells times only tells them in seconds."""


class RemoteFile(RemoteSource):
    """An object, read in ranges.

    `version_confirmed`: its version was told by this call; else it is told by the first range.
    """

    def __init__(
        self,
        store: Store,
        key: str,
        version: Version,
        *,
        address: str,
        store_id: str,
        range_cache: RangeCache,
        deadline: Deadline,
        executor: Callable[[], Executor],
        forget: Callable[[], None],
        version_confirmed: bool = True,
        rules_inside: RulesInside | None = None,
    ) -> None:
        super().__init__(address)
        self.rules_inside = rules_inside
        """What denies names in it, where it is an archive."""
        self._store, self._key, self._version = store, key, version
        self._deadline, self._executor, self._forget = deadline, executor, forget
        self._version_confirmed, self._changed = version_confirmed, False
        self.size = version.size
        self.identity = Identity(store_id, key, version.size, version.modified_ns, version.tag)
        # Pieces of a version that nothing tells from the next one serve this read alone.
        self._range_cache = range_cache if self.identity_shows_changes else RangeCache()
        self.content_hash: bytes | None = hash_of_identity(self) if self.identity_shows_changes else None
        self._readahead: Readahead | None = None
        self._spooled: IO[bytes] | None = None

    def add_first_bytes(self, content: bytes) -> None:
        """Takes the first bytes, which came with the request that opened it."""
        self._range_cache.add(self.identity, 0, content)

    def close(self) -> None:
        """Gives up what is under way."""
        if self._readahead:
            self._readahead.close()
        if self._spooled:
            self._spooled.close()

    @property
    def identity_shows_changes(self) -> bool:
        """Whether any later change shows in what the server tells."""
        version = self._version
        return bool(version.tag) or 0 < version.modified_ns < time_ns() - SETTLED_NS

    @property
    def mtime_ms(self) -> int:
        """The time of the last change, in milliseconds."""
        return self._version.modified_ns // 1_000_000

    @property
    def descriptor(self) -> int:
        """A file without a name that has the whole content."""
        if self._spooled is None:
            self._spooled = self._spool()
        return self._spooled.fileno()

    def read_at(self, offset: int, count: int) -> bytes:
        """Returns `count` bytes from `offset`, fewer only at the end."""
        end = min(offset + count, self.size)
        if offset >= end:
            return b""
        start, piece = self._find_or_fetch_piece(offset, end)
        if end <= start + len(piece):
            return piece[offset - start : end - start]
        content = bytearray(end - offset)
        self.read_into(memoryview(content), offset)
        return bytes(content)

    def read_into(self, buffer: memoryview, offset: int) -> int:
        """Fills the buffer from `offset`; reads on ahead, because the next bytes will be wanted as well."""
        wanted, filled = min(len(buffer), self.size - offset), 0
        while filled < wanted:
            data = self._next_bytes(offset + filled)[: wanted - filled]
            buffer[filled : filled + len(data)] = data
            filled += len(data)
        return filled

    def revision(self) -> str:
        """Returns a hash of what the server tells of the version; of the content, if that is small and none is told."""
        if self.identity_shows_changes or self.size > READ_ON_FROM:
            return revision_of_identity(self)
        if self.size > HEAD and self.content_hash is None:  # so that nothing of it is fetched twice
            behind = self._fetch(HEAD, self.size - HEAD, self._deadline)
            self._range_cache.add(self.identity, 0, self.read_at(0, HEAD) + behind)
        return revision_of(self)

    def change_since_opened(self) -> State:
        """Says whether the object is the one that was opened; all that was read was checked as it came."""
        if not self._version_confirmed and not self._changed:
            try:
                self._changed = self._store.version_of(self._key, self._deadline) != self._version
            except ReadError:
                self._deadline.check()
                self._changed = True
            self._version_confirmed = True
            if self._changed:
                self._forget()
        return "changed" if self._changed else "steady"

    def entries(self) -> Iterator[Entry]:
        """Yields nothing: it is no folder."""
        yield from ()

    def listing_filter(self, skip_ignored: bool) -> VisibilityOf | None:
        """Returns None: it is no folder."""
        del skip_ignored

    def target_of(self, name: str) -> Target | None:
        """Returns None: it is no folder."""
        del name

    def size_of(self, name: str) -> int | None:
        """Returns None: it is no folder."""
        del name

    def _fetch(self, start: int, count: int, deadline: Deadline) -> bytes:
        """Returns a range of the version that was opened."""
        try:
            content = self._store.fetch(self._key, start, count, self._version, deadline).content
        except ReadError as error:
            # One that was not asked for yet may be gone by now.
            if not self._version_confirmed or isinstance(error, ChangedWhileReading):
                self._changed = True
                self._forget()
            raise
        self._version_confirmed = True
        return content

    def _find_or_fetch_piece(self, offset: int, end: int) -> tuple[int, bytes]:
        """Returns a piece that contains an offset, and where it begins; of what is not there, more is fetched."""
        cached = self._range_cache.find(self.identity, offset)
        if cached or end - offset > READ_ON_FROM:
            return cached or (offset, b"")
        start = offset // ALIGNED * ALIGNED
        end = min(self.size, max(end, start + BLOCK))
        start = max(0, min(start, end - BLOCK))
        piece = self._fetch(start, end - start, self._deadline)
        self._range_cache.add(self.identity, start, piece)
        return start, piece

    def _next_bytes(self, offset: int) -> bytes | memoryview:
        """Returns bytes from an offset on, as many as are at hand."""
        if not (self._readahead and self._readahead.holds(offset)):
            cached = self._range_cache.find(self.identity, offset)
            if cached:
                start, piece = cached
                return memoryview(piece)[offset - start :]
        if self._readahead is None:
            self._readahead = Readahead(self._fetch, self.size, self._deadline, self._executor())
        return self._readahead.bytes_from(offset)

    def _spool(self) -> IO[bytes]:
        """Copies the object into memory, for a process that may open nothing."""
        if self.size > MAX_SPOOLED:
            raise TooLarge(MAX_SPOOLED)
        spooled = _open_nameless_file()
        try:
            at = 0
            while at < self.size:
                self._deadline.check()
                data = self._next_bytes(at)
                spooled.write(data)
                at += len(data)
            spooled.flush()
        except BaseException:
            spooled.close()
            raise
        return spooled


READ_ON_FROM = 1 << 20
"""Bytes at once that are read in the ranges of those who read on."""


def _open_nameless_file() -> IO[bytes]:
    """Returns a file without a name."""
    if sys.platform == "linux":
        return os.fdopen(os.memfd_create("readwell", os.MFD_CLOEXEC), "w+b")
    return tempfile.TemporaryFile()
