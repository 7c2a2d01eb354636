"""A bounded folder of checksummed entries on disk; where it fails, nothing is stored and nothing breaks."""

import os
import re
from contextlib import suppress
from stat import S_ISREG, S_IWGRP, S_IWOTH

from stringzilla import Sha256

MAGIC = b"readwell"
CHECKSUM = 32
OURS = r"[0-9a-f]{64}(\.[0-9]+\.[0-9a-f]{8})?"
"""Names of entries, and of what a writer left behind that was killed; nothing else is touched."""


class Store:
    """Entries by name. What is damaged, of another version or not ours is as good as absent."""

    def __init__(self, folder: str, version: bytes, most_bytes: int) -> None:
        self._folder, self._most_bytes = folder, most_bytes
        self._head = MAGIC + version

    def get(self, name: bytes) -> bytes | None:
        """Returns the content of an entry; None where there is none that can be trusted."""
        try:
            with open(self._path(name), "rb", opener=_without_waiting) as file:
                found = os.fstat(file.fileno())
                ours = S_ISREG(found.st_mode) and found.st_uid == os.geteuid()
                if not ours or found.st_mode & (S_IWGRP | S_IWOTH):
                    return None
                stored = file.read(self._most_bytes)
        except OSError:
            return None
        start = len(self._head) + CHECKSUM
        content = stored[start:]
        intact = stored[:start] == self._head + _checksum(name, content)
        return content if intact else None

    def put(self, name: bytes, content: bytes) -> None:
        """Stores an entry whole or not at all."""
        temporary = f"{self._path(name)}.{os.getpid()}.{os.urandom(4).hex()}"
        try:
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            self._make_room(len(self._head) + CHECKSUM + len(content))
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with open(descriptor, "wb") as file:
                file.write(self._head + _checksum(name, content) + content)
            os.replace(temporary, self._path(name))
        except OSError:
            with suppress(OSError):
                os.unlink(temporary)

    def _path(self, name: bytes) -> str:
        return os.path.join(self._folder, _checksum(name, b"").hex())

    def _make_room(self, wanted: int) -> None:
        """Removes the oldest entries until the wanted bytes fit."""
        with os.scandir(self._folder) as entries:
            ours = [entry for entry in entries if re.fullmatch(OURS, entry.name)]
        found = sorted((entry.stat().st_mtime_ns, entry.stat().st_size, entry.path) for entry in ours)
        held = sum(size for _, size, _ in found)
        for _, size, path in found:
            if held + wanted <= self._most_bytes:
                break
            with suppress(OSError):
                os.unlink(path)
            held -= size


def _without_waiting(path: str, flags: int) -> int:
    """Opens what may be a pipe that somebody put there."""
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)


def _checksum(name: bytes, content: bytes) -> bytes:
    return Sha256().update(name).update(content).digest()
