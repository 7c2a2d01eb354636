"""The folder of a corpus: one run at a time, files that appear whole, and what is done in it."""

from __future__ import annotations

import os
import stat
from collections.abc import Generator, Iterable, Mapping
from contextlib import ExitStack, contextmanager, suppress
from errno import EINVAL, ELOOP, ENOTDIR, EWOULDBLOCK
from fcntl import LOCK_EX, LOCK_NB, flock
from typing import Self

from .manifest import END, NAME, SourceState, entry_lines, head_line, parse_manifest

TEMPORARY = ".readwell-"
"""How the names of files begin that are not whole yet."""


class DatasetError(Exception):
    """A run that cannot begin or go on, in words for its user."""


@contextmanager
def _open_folder_below(top: int, folders: Iterable[str], create: bool = False) -> Generator[int]:
    """Opens a folder below an open one; raises OSError for a link on the way: it may lead elsewhere."""
    descriptor = os.dup(top)
    try:
        for name in folders:
            if create:
                with suppress(FileExistsError):
                    os.mkdir(name, dir_fd=descriptor)
                    os.fsync(descriptor)
            below = _open_folder(name, descriptor)
            os.close(descriptor)
            descriptor = below
        yield descriptor
    finally:
        os.close(descriptor)


def _open_folder(name: str, parent: int) -> int:
    try:
        return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
    except OSError:
        if stat.S_ISLNK(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode):
            reason = f"the folder {name!r} is a symbolic link, and nothing is written through links"
            raise OSError(ELOOP, reason) from None
        raise


def _make_folder(path: str) -> None:
    """Makes a folder, unless it is there; raises NotADirectoryError where something else has its name."""
    try:
        os.makedirs(path, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR)) from None


def write_new_file(folder: str, name: str, content: bytes) -> None:
    """Writes a file that does not exist yet below a folder; if that fails, no part of it is left."""
    _make_folder(folder)
    *folders, last = name.split("/")
    with ExitStack() as stack:
        top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        stack.callback(os.close, top)
        parent = stack.enter_context(_open_folder_below(top, folders, create=True))
        descriptor = os.open(last, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666, dir_fd=parent)
        try:
            with open(descriptor, "wb") as file:
                file.write(content)
        except OSError:
            os.unlink(last, dir_fd=parent)
            raise


class OutputFolder:
    """A folder that one run writes into; a context manager.

    `entries` is what the manifest tells, by source; `closed` are the shards of which it tells all rows, with their
    sizes.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.entries: dict[str, SourceState] = {}
        self.closed: dict[str, int] = {}
        self.header: dict[str, object] | None = None
        self._length = 0
        self._has_lines = False
        with self.translate_os_errors():
            _make_folder(path)
            self._descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def __enter__(self) -> Self:
        try:
            self._lock()
            with self.translate_os_errors():
                self._load_manifest()
        except BaseException:
            os.close(self._descriptor)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)

    @contextmanager
    def translate_os_errors(self) -> Generator[None]:
        """Turns errors of the operating system into what a user can do about them."""
        try:
            yield
        except OSError as error:
            what = f"{self.path!r} cannot be written: {error.strerror or error}"
            raise DatasetError(f"{what}. Mend that and continue with --resume, or choose another folder") from error

    def entry_names(self) -> list[str]:
        """Returns the names in the folder, sorted, without those that are not whole."""
        return sorted(name for name in os.listdir(self.path) if not name.startswith(TEMPORARY))

    def begin_manifest(self, header: Mapping[str, object]) -> None:
        """Starts a manifest, or goes on with the one that is there."""
        with self.translate_os_errors():
            self._remove_leftovers()
            if self.header is None:
                self.header = dict(header)
                self.write(NAME, head_line(header) + entry_lines(self.entries.items(), is_first=True))
                self._length = os.path.getsize(os.path.join(self.path, NAME))
                self._has_lines = bool(self.entries)

    def write(self, name: str, content: bytes) -> None:
        """Writes a file that appears whole or not at all, and lasts when this returns; replaces an older one."""
        *folders, last = name.split("/")
        temporary = os.path.join(self.path, f"{TEMPORARY}{last}")
        with self.translate_os_errors(), _open_folder_below(self._descriptor, folders, create=True) as parent:
            try:
                with open(temporary, "wb") as file:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
                os.rename(temporary, last, dst_dir_fd=parent)
            except OSError:
                with suppress(OSError):
                    os.unlink(temporary)
                raise
            os.fsync(parent)

    def read(self, name: str) -> bytes:
        """Returns the content of a file."""
        with self.translate_os_errors(), open(self._open_regular_file(name, os.O_RDONLY), "rb") as file:
            return file.read()

    def size(self, name: str) -> int:
        """Returns how many bytes a file has."""
        with self.translate_os_errors():
            return os.lstat(os.path.join(self.path, name)).st_size

    def remove(self, name: str) -> None:
        """Removes a file, if it is there."""
        *folders, last = name.split("/")
        with (
            self.translate_os_errors(),
            suppress(FileNotFoundError),
            _open_folder_below(self._descriptor, folders) as parent,
        ):
            os.unlink(last, dir_fd=parent)

    def record(self, entries: Iterable[tuple[str, SourceState]], is_flushed: bool = True) -> None:
        """Appends what became of some sources to the manifest; without a flush it outlives this process alone."""
        entries = list(entries)
        self._append(entry_lines(entries, is_first=not self._has_lines), is_flushed)
        self.entries.update(entries)
        self.closed.update((entry.closes, entry.size) for _, entry in entries if entry.closes)
        self._has_lines = self._has_lines or bool(entries)

    def finish_manifest(self) -> None:
        """Appends the brackets that make the manifest valid JSON; the next line is written over them."""
        length = self._length
        self._append(END)
        self._length = length

    def _append(self, lines: bytes, is_flushed: bool = True) -> None:
        """Writes behind the last whole line; what stands there was not whole, or the end of an earlier run."""
        with self.translate_os_errors(), open(self._open_regular_file(NAME, os.O_RDWR), "r+b") as file:
            file.seek(self._length)
            file.truncate()
            file.write(lines)
            file.flush()
            if is_flushed:
                os.fsync(file.fileno())
        self._length += len(lines)

    def _open_regular_file(self, name: str, flags: int) -> int:
        """Opens a file of the folder; raises OSError for a link, a pipe and whatever else is no file."""
        descriptor = os.open(os.path.join(self.path, name), flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            return descriptor
        os.close(descriptor)
        raise OSError(EINVAL, f"{name} is no regular file")

    def _lock(self) -> None:
        try:
            flock(self._descriptor, LOCK_EX | LOCK_NB)
        except OSError as error:
            # Some network file systems have no locks for folders.
            if error.errno == EWOULDBLOCK:
                message = f"another run writes into {self.path!r}: wait for its end, or choose another folder"
                raise DatasetError(message) from None

    def _load_manifest(self) -> None:
        if NAME in self.entry_names():
            manifest = parse_manifest(self.read(NAME))
            self.header, self.entries, self.closed, self._length = manifest
            self._has_lines = bool(manifest.entries)

    def _remove_leftovers(self) -> None:
        for name in os.listdir(self.path):
            if name.startswith(TEMPORARY):
                self.remove(name)
