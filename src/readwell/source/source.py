"""The opened thing: kind, size, times and bytes, all from one descriptor."""

import os
import stat
import sys
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, Self

from ..errors import ReadError, Unreadable

Follow = Callable[[str], os.stat_result | None]
"""Looks at what a name in the opened directory leads to; None: out of the roots, or nowhere."""


class Entry(NamedTuple):
    """A name in a directory and what stands behind it."""

    name: str
    kind: Literal["directory", "file", "link", "other"]


class Source:
    """An open file or directory; a context manager that closes it.

    A ReadError that leaves the block learns the real path of what was open.
    Bytes appended after the open are never seen: `size` is that of the open.
    """

    def __init__(self, descriptor: int, asked: str, absolute: str, follow: Follow) -> None:
        self.descriptor = descriptor
        self.name = asked.rstrip("/").rpartition("/")[2] or asked
        self.stat = os.fstat(descriptor)
        self.size = self.stat.st_size
        self.opened = real_path(descriptor, absolute)
        self.follow = follow

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        os.close(self.descriptor)
        if isinstance(error, ReadError):
            error.opened, error.in_directory = self.opened, self.is_directory

    @property
    def is_directory(self) -> bool:
        """Whether a directory was opened."""
        return stat.S_ISDIR(self.stat.st_mode)

    @property
    def is_regular(self) -> bool:
        """Whether a regular file was opened."""
        return stat.S_ISREG(self.stat.st_mode)

    @property
    def mtime_ms(self) -> int:
        """The time of the last change, in milliseconds."""
        return self.stat.st_mtime_ns // 1_000_000

    def read_at(self, offset: int, count: int) -> bytes:
        """Returns up to `count` bytes from `offset`, fewer only at the end of the file."""
        count = min(count, self.size - offset)
        if count <= 0:
            return b""
        try:
            found = os.pread(self.descriptor, count, offset)
            while len(found) < count and (more := os.pread(self.descriptor, count - len(found), offset + len(found))):
                found += more
        except OSError as error:
            raise unreadable(error) from error
        return found

    def read_into(self, buffer: memoryview, offset: int) -> int:
        """Fills the buffer from `offset` and returns how many bytes it holds then."""
        wanted = min(len(buffer), self.size - offset)
        filled = 0
        try:
            while filled < wanted and (more := os.preadv(self.descriptor, [buffer[filled:wanted]], offset + filled)):
                filled += more
        except OSError as error:
            raise unreadable(error) from error
        return filled

    def changed(self) -> bool:
        """Whether the file shrank, or its time moved without growth, since it was opened."""
        now = self.stat_now()
        if now.st_size < self.size:
            return True
        return now.st_size == self.size and now.st_mtime_ns != self.stat.st_mtime_ns

    def grew(self) -> bool:
        """Whether bytes were appended since it was opened."""
        return self.stat_now().st_size > self.size

    def stat_now(self) -> os.stat_result:
        """Returns what the descriptor says of itself by now."""
        try:
            return os.fstat(self.descriptor)
        except OSError as error:
            raise unreadable(error) from error

    def entries(self) -> Iterator[Entry]:
        """Yields what the directory holds, in no order; links are not followed here."""
        try:
            with os.scandir(self.descriptor) as found:
                for entry in found:
                    yield Entry(entry.name, _kind_of(entry))
        except OSError as error:
            raise unreadable(error) from error

    def size_of(self, name: str) -> int | None:
        """Returns the size of a regular file of this directory by its name."""
        try:
            found = os.stat(name, dir_fd=self.descriptor, follow_symlinks=False)
        except OSError:
            return None
        return found.st_size if stat.S_ISREG(found.st_mode) else None


def unreadable(error: OSError) -> Unreadable:
    """Returns the typed form of what the operating system said."""
    number = error.errno or 0
    return Unreadable(number, os.strerror(number) if number else str(error))


def real_path(descriptor: int, fallback: str) -> str:
    """Returns where an open thing really is, as the kernel knows it."""
    try:
        if sys.platform == "darwin":
            import fcntl

            found = fcntl.fcntl(descriptor, fcntl.F_GETPATH, bytes(1024))
            return os.fsdecode(found.rstrip(b"\0"))
        found = os.readlink(f"/proc/self/fd/{descriptor}")
    except OSError:
        return os.path.realpath(fallback)
    return found if found.startswith("/") and os.fstat(descriptor).st_nlink else os.path.realpath(fallback)


def _kind_of(entry: os.DirEntry[str]) -> Literal["directory", "file", "link", "other"]:
    if entry.is_symlink():
        return "link"
    if entry.is_dir(follow_symlinks=False):
        return "directory"
    return "file" if entry.is_file(follow_symlinks=False) else "other"
