"""Entries by name in a bounded folder; where the disk fails, nothing is stored and nothing breaks."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from stat import S_ISREG, S_IWGRP, S_IWOTH
from typing import NamedTuple

from stringzilla import Sha256

from .account import FOLDERS, Account
from .file_lock import FileLock

MAGIC = b"readwell"
CHECKSUM = 32
OURS = r"[0-9a-f]{64}(\.lock|\.[0-9]+\.[0-9a-f]{8})?"
"""Names of entries, and of what is left behind by those who were killed."""
SAMPLE = 64
"""Entries among which the oldest are removed."""
REMOVED = 8
"""One in so many bytes of the sample is removed at once, so that most writers need not look."""


class Entry(NamedTuple):
    """A stored file, by its age."""

    mtime_ns: int
    size: int
    path: str
    folder: int


class Store:
    """Entries by name, up to `most_bytes`; may be shared by threads and processes.

    What is damaged, of another version, or of another user is as good as absent. Each user has a folder in it, divided
    into 256, so that reading and writing cost the same however much is stored.
    """

    def __init__(self, folder: str, version: bytes, most_bytes: int) -> None:
        self._folder, self._most_bytes = os.path.join(folder, str(os.geteuid())), most_bytes
        self._head = MAGIC + version
        self._has_worked = False

    def get(self, name: bytes) -> bytes | None:
        """Returns the content of an entry; None where there is none that can be trusted."""
        try:
            with open(self._path(name), "rb", opener=_without_waiting) as file:
                found = os.fstat(file.fileno())
                if not _is_ours(found) or found.st_mode & (S_IWGRP | S_IWOTH) or found.st_size > self._most_bytes:
                    return None
                stored = file.read(found.st_size)
        except OSError:
            return None
        start = len(self._head) + CHECKSUM
        content = stored[start:]
        intact = stored[:start] == self._head + _checksum(name, content)
        return content if intact else None

    def put(self, name: bytes, content: bytes) -> None:
        """Stores an entry whole or not at all."""
        path = self._path(name)
        try:
            _make_folder(os.path.dirname(path))
            if self._make_room(int(_hex(name)[:2], 16), len(self._head) + CHECKSUM + len(content)):
                _write(path, self._head + _checksum(name, content) + content)
            self._has_worked = True
        except OSError as error:
            self._tell(error)

    def lock(self, name: bytes) -> FileLock | None:
        """Takes the lock of a name, to be given back by `remove`; None where somebody holds it.

        Where nothing can be locked, everybody is given a lock.
        """
        path = self._path(name) + ".lock"
        try:
            _make_folder(os.path.dirname(path))
            return FileLock.acquire(path)
        except OSError:
            return FileLock(-1, path)

    def _path(self, name: bytes) -> str:
        digits = _hex(name)
        return os.path.join(self._folder, digits[:2], digits)

    def _make_room(self, folder: int, wanted: int) -> bool:
        """Enters the wanted bytes into the account, if need be after removing old entries."""
        with Account(os.path.join(self._folder, "account"), self._count) as account:
            if wanted > self._most_bytes:
                return False
            if account.total + wanted > self._most_bytes:
                self._remove_oldest(account, wanted)
            fits = account.total + wanted <= self._most_bytes
            if fits:
                account.held[folder] += wanted
            return fits

    def _remove_oldest(self, account: Account, wanted: int) -> None:
        """Removes the oldest entries of a few folders, whose account is put right on the way."""
        sample = sorted(self._sample(account, wanted))
        missing = account.total + wanted - self._most_bytes
        left = max(missing, sum(entry.size for entry in sample) // REMOVED) if missing > 0 else 0
        for entry in sample:
            if left <= 0:
                break
            if _remove(entry.path):
                account.held[entry.folder] -= entry.size
                left -= entry.size

    def _sample(self, account: Account, wanted: int) -> list[Entry]:
        found: list[Entry] = []
        first = os.urandom(1)[0]
        for folder in (*range(first, FOLDERS), *range(first)):
            entries = list(self._entries(folder))
            account.held[folder] = sum(entry.size for entry in entries)
            found += entries
            if len(found) >= SAMPLE and sum(entry.size for entry in found) >= REMOVED * wanted:
                break
        return found

    def _count(self, folder: int) -> int:
        return sum(entry.size for entry in self._entries(folder))

    def _entries(self, folder: int) -> Iterator[Entry]:
        """Yields what this user stored in a folder, as far as names tell."""
        with suppress(FileNotFoundError), os.scandir(os.path.join(self._folder, f"{folder:02x}")) as entries:
            for entry in entries:
                if re.fullmatch(OURS, entry.name):
                    with suppress(FileNotFoundError):
                        found = entry.stat(follow_symlinks=False)
                        if _is_ours(found):
                            yield Entry(found.st_mtime_ns, found.st_size, entry.path, folder)

    def _tell(self, error: OSError) -> None:
        """Warns once when a folder that could be written no longer can."""
        if self._has_worked:
            import logging

            self._has_worked = False
            logging.getLogger("readwell").warning("the cache %s can no longer be written: %s", self._folder, error)


def _make_folder(path: str) -> None:
    """Makes a folder of a store, of a user in it and of a part of that, for nobody else to read."""
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


def _remove(path: str) -> bool:
    """Removes a file if its first bytes say that it is an entry, or if a writer was killed before it wrote any."""
    with suppress(OSError):
        with open(path, "rb", opener=_without_waiting) as file:
            is_entry = file.read(len(MAGIC)) in (MAGIC, b"")
        if is_entry:
            os.unlink(path)
            return True
    return False


def _is_ours(found: os.stat_result) -> bool:
    return S_ISREG(found.st_mode) and found.st_uid == os.geteuid()


def _without_waiting(path: str, flags: int) -> int:
    """Opens what may be a pipe that somebody put there."""
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)


def _hex(name: bytes) -> str:
    return _checksum(name, b"").hex()


def _checksum(name: bytes, content: bytes) -> bytes:
    return Sha256().update(name).update(content).digest()
