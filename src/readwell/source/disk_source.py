"""A file or directory of the disk: kind, size, times and bytes, all from one descriptor."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from errno import ENXIO
from time import time_ns

from ..errors import ChangedWhileReading, ReadError
from ..light_typing import TYPE_CHECKING, Self
from ..model import Notice
from .confined_open import READ
from .contract import Entry, Identity, State, Target, VisibilityOf
from .file_status import as_unreadable, kind_of_entry, quick_real_path, real_path, refuse_special
from .reread_check import RereadCheck, settled_after_ns
from .revision import revision_of

if TYPE_CHECKING:
    from .search_filter import SearchFilter

    SearchFilterIn = Callable[[str, bool], SearchFilter]
    """(real path of the directory, whether ignored entries are searched, too) -> its filter."""

TargetOf = Callable[[str], Target | None]
ListingFilterIn = Callable[[str, bool], VisibilityOf]
"""(real path of the directory, whether ignored entries are left out) -> the filter of its entries."""


class DiskSource:
    """An open file or directory of the disk; a context manager that closes it.

    A ReadError that leaves the block is given the real path of the open file.
    Bytes appended after the open are never read: `size` is the size at that time.
    """

    address = repaired = packing = _real = ""
    is_size_known = True
    remarks: tuple[Notice, ...] = ()
    content_hash: bytes | None = None
    _kept, _kept_at, _keeps_all = b"", 0, False
    _identity: Identity | None = None

    def __init__(
        self,
        descriptor: int,
        asked: str,
        absolute: str,
        target_of: TargetOf,
        listing_filter_in: ListingFilterIn | None = None,
        search_filter_in: SearchFilterIn | None = None,
    ) -> None:
        self.descriptor = descriptor
        self.name = asked.rstrip("/").rpartition("/")[2] or asked
        self.seen_ns = time_ns()
        self.stat = self.stat_now()
        self.size = self.stat.st_size
        self.is_directory = stat.S_ISDIR(self.stat.st_mode)
        self._absolute = absolute
        self._target_of = target_of
        self._listing_filter_in, self._search_filter_in = listing_filter_in, search_filter_in
        settled = self._settles_ns = settled_after_ns(self.stat)
        self._reread_check = None if self.is_directory or self.seen_ns > settled else RereadCheck(settled)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ReadError):
            error.opened, error.in_directory = self.real_path(), self.is_directory
        os.close(self.descriptor)

    def real_path(self) -> str:
        """Returns the real path of the open file; asked of the kernel once."""
        if not self._real:
            self._real = (
                quick_real_path(self.descriptor) or real_path(self.descriptor, self._absolute) or self._absolute
            )
        return self._real

    def note_real_path(self, path: str) -> None:
        """Takes over the real path that was asked for when the file was judged; empty: it was not."""
        self._real = path

    @property
    def mtime_ms(self) -> int:
        """The time of the last change, in milliseconds."""
        return self.stat.st_mtime_ns // 1_000_000

    @property
    def is_sparse(self) -> bool:
        """Whether parts of the file were never written."""
        return self.stat.st_blocks * 512 < self.size

    @property
    def identity(self) -> Identity:
        """Identifies this version of the file."""
        if self._identity is None:
            status = self.stat
            which = status.st_dev, status.st_ino
            self._identity = Identity(*which, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        return self._identity

    @property
    def identity_shows_changes(self) -> bool:
        """Whether any later change is sure to show in the timestamps."""
        return self.seen_ns > self._settles_ns

    def read_at(self, offset: int, count: int) -> bytes:
        """Returns `count` bytes from `offset`, fewer only at the end of the file.

        The last bytes read are kept, so that a small file is read only once.
        """
        if self._keeps_all:
            return self._kept[offset : offset + count]
        kept, at, end = self._kept, self._kept_at, min(offset + count, self.size)
        if offset >= end:
            return b""
        if at <= offset and end <= at + len(kept):
            return kept[offset - at : end - at]
        self._kept, self._kept_at = self._pread(offset, end - offset), offset
        self._keeps_all = len(self._kept) == self.size
        return self._kept

    def _pread(self, offset: int, count: int) -> bytes:
        """Reads bytes; notes where the file ends earlier than its size says."""
        try:
            content = os.pread(self.descriptor, count, offset)
            while len(content) < count and (
                more := os.pread(self.descriptor, count - len(content), offset + len(content))
            ):
                content += more
        except OSError as error:
            raise as_unreadable(error) from error
        if len(content) < count:
            self._accept_early_end(offset + len(content))
        if self._reread_check:
            self._reread_check.note(offset, content)
        return content

    def read_into(self, buffer: memoryview, offset: int) -> int:
        """Fills the buffer from `offset` and returns the number of bytes read."""
        wanted = min(len(buffer), self.size - offset)
        filled = 0
        try:
            while filled < wanted and (more := os.preadv(self.descriptor, [buffer[filled:wanted]], offset + filled)):
                filled += more
        except OSError as error:
            raise as_unreadable(error) from error
        if filled < wanted:
            self._accept_early_end(offset + filled)
        if self._reread_check:
            self._reread_check.note(offset, buffer[:filled])
        return filled

    def _accept_early_end(self, end: int) -> None:
        """Accepts an early end unless the file shrank: pseudo files report sizes that they do not have."""
        now = self.stat_now()
        if (now.st_size, now.st_mtime_ns) != (self.stat.st_size, self.stat.st_mtime_ns):
            raise ChangedWhileReading
        self.size, self._reread_check = end, None

    def next_data_offset(self, offset: int) -> int:
        """Returns the offset of the next bytes that were ever written, from `offset` on; the size if there are none."""
        try:
            return min(self.size, os.lseek(self.descriptor, offset, os.SEEK_DATA))
        except OSError as error:
            return self.size if error.errno == ENXIO else offset

    revision = revision_of

    def change_since_opened(self) -> State:
        """Says whether the file is as it was, has only grown, or has changed in any other way."""
        now, then = self.stat_now(), self.stat
        if now.st_size == then.st_size and now.st_mtime_ns == then.st_mtime_ns:
            return "steady" if self._reread_check is None or self._rereads_the_same() else "changed"
        grown = now.st_size > then.st_size and not self.is_directory and self._rereads_the_same()
        return "grown" if grown else "changed"

    def _rereads_the_same(self) -> bool:
        """Rereads what may have been overwritten unnoticed: a file that was rewritten may have grown, too."""
        try:
            if self._reread_check and not self._reread_check.is_unchanged(self.descriptor):
                return False
            return os.pread(self.descriptor, len(self._kept), self._kept_at) == self._kept
        except OSError as error:
            raise as_unreadable(error) from error

    def stat_now(self) -> os.stat_result:
        """Returns the current state of the open file."""
        try:
            return os.fstat(self.descriptor)
        except OSError as error:
            raise as_unreadable(error) from error

    def entries(self) -> Iterator[Entry]:
        """Yields the entries of the directory in no order, without following links."""
        try:
            with os.scandir(self.descriptor) as entries:
                for entry in entries:
                    yield Entry(entry.name, kind_of_entry(entry))
        except OSError as error:
            raise as_unreadable(error) from error

    def search_filter(self, everything: bool) -> SearchFilter:
        """Returns the filter that decides which entries are searched; `everything`: also ignored ones."""
        if self._search_filter_in is None:
            raise NotImplementedError
        return self._search_filter_in(self.real_path(), everything)

    def open_entry(self, name: str, refuse_denied: Callable[[os.stat_result], None]) -> DiskSource:
        """Opens an entry of this directory; links are not followed, and so a single name cannot leave it."""
        try:
            descriptor = os.open(name, READ | os.O_NOFOLLOW, dir_fd=self.descriptor)
        except OSError as error:
            raise as_unreadable(error) from error
        try:
            source = DiskSource(descriptor, name, f"{self._absolute}/{name}", self._target_of)
            refuse_special(source.stat, self.stat.st_dev)
            refuse_denied(source.stat)
        except BaseException:
            os.close(descriptor)
            raise
        return source

    def listing_filter(self, skip_ignored: bool) -> VisibilityOf | None:
        """Returns the function that decides which entries are shown; None: all are."""
        return self._listing_filter_in(self.real_path(), skip_ignored) if self._listing_filter_in else None

    def target_of(self, name: str) -> Target | None:
        """Returns what an entry of the directory leads to; None: outside the roots, or nowhere."""
        return self._target_of(name)

    def size_of(self, name: str) -> int | None:
        """Returns the size of a regular file of this directory by its name."""
        try:
            status = os.stat(name, dir_fd=self.descriptor, follow_symlinks=False)
        except OSError:
            return None
        return status.st_size if stat.S_ISREG(status.st_mode) else None
