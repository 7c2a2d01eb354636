"""Entries by name in a folder of bounded size; where the disk fails, nothing is stored and no error is raised."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from stat import S_ISREG, S_IWGRP, S_IWOTH

from stringzilla import Sha256

from ..named_tuple import NamedTuple
from .file_lock import FileLock
from .usage import FOLDERS, DiskUsage

MAGIC = b"readwell"
CHECKSUM = 32
ENTRY_NAME = r"[0-9a-f]{64}(\.lock|\.[0-9]+\.[0-9a-f]{8})?"
"""Names of entries, of their locks, and of temporary files that killed writers left behind."""
SAMPLE = 64
"""The least number of entries among which the oldest are removed."""
REMOVED_SHARE = 8
"""One in this many bytes of the sample is removed at once, so that most writers find room."""


class StoredFile(NamedTuple):
    """A stored file; sorts by age."""

    mtime_ns: int
    size: int
    path: str
    folder: int


class Store:
    """Entries by name, up to `most_bytes`; may be shared by threads and processes.

    An entry that is damaged, of another version or of another user counts as absent. Each user has a folder of 256
    subfolders, so that reading and writing cost the same however much is stored.
    """

    def __init__(self, folder: str, version: bytes, most_bytes: int) -> None:
        self._folder, self._most_bytes = os.path.join(folder, str(os.geteuid())), most_bytes
        self._head = MAGIC + version
        self._was_writable = False

    def get(self, name: bytes) -> bytes | None:
        """Returns the content of an entry; None where it is absent or its checksum is wrong."""
        try:
            with open(self._path(name), "rb", opener=_open_nonblocking) as file:
                status = os.fstat(file.fileno())
                if (
                    not _is_own_file(status)
                    or status.st_mode & (S_IWGRP | S_IWOTH)
                    or status.st_size > self._most_bytes
                ):
                    return None
                stored = file.read(status.st_size)
        except OSError:
            return None
        start = len(self._head) + CHECKSUM
        content = stored[start:]
        intact = stored[:start] == self._head + _checksum(name, content)
        return content if intact else None

    def put(self, name: bytes, content: bytes) -> None:
        """Stores an entry atomically, or not at all."""
        path = self._path(name)
        try:
            _make_folder(os.path.dirname(path))
            if self._make_room(int(_hex_digest(name)[:2], 16), len(self._head) + CHECKSUM + len(content)):
                _write(path, self._head + _checksum(name, content) + content)
            self._was_writable = True
        except OSError as error:
            self._warn_once(error)

    def lock(self, name: bytes) -> FileLock | None:
        """Takes the lock of a name, to be released by `remove`; None where it is held already.

        Where the folder cannot be locked, the lock that is returned locks nothing.
        """
        path = self._path(name) + ".lock"
        try:
            _make_folder(os.path.dirname(path))
            return FileLock.acquire(path)
        except OSError:
            return FileLock(-1, path)

    def _path(self, name: bytes) -> str:
        digits = _hex_digest(name)
        return os.path.join(self._folder, digits[:2], digits)

    def _make_room(self, folder: int, wanted: int) -> bool:
        """Reserves the wanted bytes, if need be after removing old entries; returns whether they fit."""
        with DiskUsage(os.path.join(self._folder, "usage"), self._bytes_in) as usage:
            if wanted > self._most_bytes:
                return False
            if usage.total + wanted > self._most_bytes:
                self._remove_oldest(usage, wanted)
            fits = usage.total + wanted <= self._most_bytes
            if fits:
                usage.folder_bytes[folder] += wanted
            return fits

    def _remove_oldest(self, usage: DiskUsage, wanted: int) -> None:
        """Removes the oldest entries of a few folders and corrects the recorded usage of these folders."""
        sample = sorted(self._sample_entries(usage, wanted))
        missing = usage.total + wanted - self._most_bytes
        left = max(missing, sum(entry.size for entry in sample) // REMOVED_SHARE) if missing > 0 else 0
        for entry in sample:
            if left <= 0:
                break
            if _remove_if_entry(entry.path):
                usage.folder_bytes[entry.folder] -= entry.size
                left -= entry.size

    def _sample_entries(self, usage: DiskUsage, wanted: int) -> list[StoredFile]:
        sample: list[StoredFile] = []
        first = os.urandom(1)[0]
        for folder in (*range(first, FOLDERS), *range(first)):
            entries = list(self._entries(folder))
            usage.folder_bytes[folder] = sum(entry.size for entry in entries)
            sample += entries
            if len(sample) >= SAMPLE and sum(entry.size for entry in sample) >= REMOVED_SHARE * wanted:
                break
        return sample

    def _bytes_in(self, folder: int) -> int:
        return sum(entry.size for entry in self._entries(folder))

    def _entries(self, folder: int) -> Iterator[StoredFile]:
        """Yields the files of this user in a folder that are named like entries."""
        with suppress(FileNotFoundError), os.scandir(os.path.join(self._folder, f"{folder:02x}")) as entries:
            for entry in entries:
                if re.fullmatch(ENTRY_NAME, entry.name):
                    with suppress(FileNotFoundError):
                        status = entry.stat(follow_symlinks=False)
                        if _is_own_file(status):
                            yield StoredFile(status.st_mtime_ns, status.st_size, entry.path, folder)

    def _warn_once(self, error: OSError) -> None:
        """Logs a warning when a folder that was writable no longer is."""
        if self._was_writable:
            import logging

            self._was_writable = False
            logging.getLogger("readwell").warning("the cache %s can no longer be written: %s", self._folder, error)


def _make_folder(path: str) -> None:
    """Makes a subfolder and the folders above it as far as they are missing, readable by this user only."""
    with suppress(FileExistsError):
        try:
            os.mkdir(path, 0o700)
        except FileNotFoundError:
            user = os.path.dirname(path)
            for folder in (os.path.dirname(user), user, path):
                os.makedirs(folder, 0o700, exist_ok=True)


def _write(path: str, entry: bytes) -> None:
    temporary = f"{path}.{os.getpid()}.{os.urandom(4).hex()}"
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with open(descriptor, "wb") as file:
            file.write(entry)
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _remove_if_entry(path: str) -> bool:
    """Removes a file if it begins like an entry, or is empty because its writer was killed."""
    with suppress(OSError):
        with open(path, "rb", opener=_open_nonblocking) as file:
            is_entry = file.read(len(MAGIC)) in (MAGIC, b"")
        if is_entry:
            os.unlink(path)
            return True
    return False


def _is_own_file(status: os.stat_result) -> bool:
    return S_ISREG(status.st_mode) and status.st_uid == os.geteuid()


def _open_nonblocking(path: str, flags: int) -> int:
    """Opens a file without blocking, in case someone has put a pipe there."""
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)


def _hex_digest(name: bytes) -> str:
    return _checksum(name, b"").hex()


def _checksum(name: bytes, content: bytes) -> bytes:
    return Sha256().update(name).update(content).digest()
