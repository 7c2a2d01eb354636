"""A file or directory of the disk: kind, size, times and bytes, all from one descriptor."""

import os
import stat
import sys
from collections.abc import Callable, Iterator
from errno import ENAMETOOLONG, ENOENT, ENOTDIR, ENXIO
from time import time_ns
from typing import TYPE_CHECKING, Literal, Self

from ..errors import ChangedWhileReading, NotRegularFile, ReadError, Unreadable
from .beneath import READ
from .contract import Entry, Fates, Identity, State, Target
from .filesystems import is_pseudo
from .revision import revision_of
from .second_look import SecondLook, settles_ns

if TYPE_CHECKING:
    from .sieve import Sieve

    SieveIn = Callable[[str, bool], Sieve]
    """(where the directory really is, whether ignored entries are searched, too) -> sieve."""

Follow = Callable[[str], Target | None]
FatesIn = Callable[[str, bool], Fates]
"""(where the directory really is, whether ignored entries are left out) -> fates."""

MISSING = (ENOENT, ENOTDIR)
"""What the system says of a path that leads nowhere."""


class DiskSource:
    """An open file or directory of the disk; a context manager that closes it.

    A ReadError that leaves the block learns the real path of what was open.
    Bytes appended after the open are never seen: `size` is that of the open.
    """

    address = repaired = ""
    content_hash: bytes | None = None
    _held, _held_at, _holds_all = b"", 0, False

    def __init__(
        self,
        descriptor: int,
        asked: str,
        absolute: str,
        follow: Follow,
        fates_in: FatesIn | None = None,
        sieve_in: "SieveIn | None" = None,
    ) -> None:
        self.descriptor = descriptor
        self.name = asked.rstrip("/").rpartition("/")[2] or asked
        self.seen_ns = time_ns()
        self.stat = self.stat_now()
        self.size = self.stat.st_size
        self.is_directory = stat.S_ISDIR(self.stat.st_mode)
        self._absolute = absolute
        self._follow = follow
        self._fates_in, self._sieve_in = fates_in, sieve_in
        self._settles_ns = settles_ns(self.stat)
        self._second_look = None if self.is_directory or self.is_settled else SecondLook(self._settles_ns)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ReadError):
            error.opened, error.in_directory = self.real_path(), self.is_directory
        os.close(self.descriptor)

    def real_path(self) -> str:
        """Returns where the opened thing really is."""
        return real_path(self.descriptor, self._absolute) or self._absolute

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
        """What a file must keep to be the same and unchanged."""
        found = self.stat
        return Identity(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)

    @property
    def is_settled(self) -> bool:
        """Whether its times tell what was seen from what may be written next."""
        return self.seen_ns > self._settles_ns

    def read_at(self, offset: int, count: int) -> bytes:
        """Returns `count` bytes from `offset`, fewer only at the end of the file.

        The last bytes read are held: a small file is read once, however often it is asked for.
        """
        if self._holds_all:
            return self._held[offset : offset + count]
        held, at, end = self._held, self._held_at, min(offset + count, self.size)
        if offset >= end:
            return b""
        if at <= offset and end <= at + len(held):
            return held[offset - at : end - at]
        self._held, self._held_at = self._pread(offset, end - offset), offset
        self._holds_all = len(self._held) == self.size
        return self._held

    def _pread(self, offset: int, count: int) -> bytes:
        try:
            found = os.pread(self.descriptor, count, offset)
            while len(found) < count and (more := os.pread(self.descriptor, count - len(found), offset + len(found))):
                found += more
        except OSError as error:
            raise unreadable(error) from error
        if len(found) < count:
            self._end_at(offset + len(found))
        if self._second_look:
            self._second_look.note(offset, found)
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
        if filled < wanted:
            self._end_at(offset + filled)
        if self._second_look:
            self._second_look.note(offset, buffer[:filled])
        return filled

    def _end_at(self, end: int) -> None:
        """Takes a file that ends early at its word, unless it shrank: pseudo files tell sizes they do not have."""
        now = self.stat_now()
        if (now.st_size, now.st_mtime_ns) != (self.stat.st_size, self.stat.st_mtime_ns):
            raise ChangedWhileReading
        self.size, self._second_look = end, None

    def next_data(self, offset: int) -> int:
        """Returns where the next written bytes start: `offset` itself if they do there, the size if nowhere."""
        try:
            return min(self.size, os.lseek(self.descriptor, offset, os.SEEK_DATA))
        except OSError as error:
            return self.size if error.errno == ENXIO else offset

    revision = revision_of

    def since_opened(self) -> State:
        """What became of the file: changed is one that shrank, or whose time moved or bytes differ without growth."""
        now, then = self.stat_now(), self.stat
        if now.st_size == then.st_size and now.st_mtime_ns == then.st_mtime_ns:
            return "steady" if self._second_look is None or self._still_holds() else "changed"
        grown = now.st_size > then.st_size and not self.is_directory and self._still_holds()
        return "grown" if grown else "changed"

    def _still_holds(self) -> bool:
        """Reads again what was read last, or within a tick of the last change: a file written anew may have grown."""
        try:
            if self._second_look and not self._second_look.holds(self.descriptor):
                return False
            return os.pread(self.descriptor, len(self._held), self._held_at) == self._held
        except OSError as error:
            raise unreadable(error) from error

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

    def sieve(self, everything: bool) -> "Sieve":
        """Returns what says which entries a search sees."""
        if self._sieve_in is None:
            raise NotImplementedError
        return self._sieve_in(self.real_path(), everything)

    def open_entry(self, name: str, judge: Callable[[os.stat_result], None]) -> "DiskSource":
        """Opens what has a name in this directory, without following a link: a single name cannot leave its folder."""
        try:
            descriptor = os.open(name, READ | os.O_NOFOLLOW, dir_fd=self.descriptor)
        except OSError as error:
            raise unreadable(error) from error
        try:
            source = DiskSource(descriptor, name, f"{self._absolute}/{name}", self._follow)
            _refuse_special(source.stat, self.stat.st_dev)
            judge(source.stat)
        except BaseException:
            os.close(descriptor)
            raise
        return source

    def fates(self, thin: bool) -> Fates | None:
        """Returns what says which entries are shown; None: all are."""
        return self._fates_in(self.real_path(), thin) if self._fates_in else None

    def follow(self, name: str) -> Target | None:
        """Looks at what a name in the directory leads to; None: out of the roots, or nowhere."""
        return self._follow(name)

    def size_of(self, name: str) -> int | None:
        """Returns the size of a regular file of this directory by its name."""
        try:
            found = os.stat(name, dir_fd=self.descriptor, follow_symlinks=False)
        except OSError:
            return None
        return found.st_size if stat.S_ISREG(found.st_mode) else None


def target_of(found: os.stat_result) -> Target:
    """Returns what can be told of something that was looked at."""
    kind = "directory" if stat.S_ISDIR(found.st_mode) else "file" if stat.S_ISREG(found.st_mode) else "other"
    return Target(kind, found.st_size)


def is_readable_kind(found: os.stat_result) -> bool:
    """Whether it is a regular file or a directory."""
    return stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)


def _refuse_special(found: os.stat_result, device: int) -> None:
    """Raises NotRegularFile for what is no file; `device` is known to hold files."""
    if not is_readable_kind(found) or (found.st_dev != device and is_pseudo(found.st_dev)):
        raise NotRegularFile


def unreadable(error: OSError) -> Unreadable:
    """Returns the typed form of what the operating system said."""
    number = error.errno or 0
    return Unreadable(number, os.strerror(number) if number else str(error))


def real_path(descriptor: int, fallback: str) -> str:
    """Returns where an open thing really is, as the kernel knows it; empty where that is too long a path."""
    try:
        if sys.platform == "darwin":
            import fcntl

            found = fcntl.fcntl(descriptor, fcntl.F_GETPATH, bytes(1024))
            return os.fsdecode(found.rstrip(b"\0"))
        found = os.readlink(f"/proc/self/fd/{descriptor}")
        if found.startswith("/") and os.fstat(descriptor).st_nlink:
            return found
    except OSError as error:
        if error.errno == ENAMETOOLONG:  # and so nothing that looks at it by its name finds it
            return ""
    return os.path.realpath(fallback)


def _kind_of(entry: os.DirEntry[str]) -> Literal["directory", "file", "link", "other"]:
    if entry.is_symlink():
        return "link"
    if entry.is_dir(follow_symlinks=False):
        return "directory"
    return "file" if entry.is_file(follow_symlinks=False) else "other"
