"""Contents that a caller holds, opened under names of their own: bytes in memory, objects that were fetched."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from itertools import count

from ..deadline import Deadline
from ..errors import NotFound
from ..model import LocatedPath, Root
from .contract import Target
from .disk_source import DiskSource
from .nameless_file import open_nameless_file, write_at

SCHEME = "held://"


class HeldContents:
    """Opens contents for as long as they are held. Safe to share between threads."""

    cwd = ""
    roots: tuple[Root, ...] = ()

    def __init__(self) -> None:
        self._descriptors: dict[str, int] = {}
        self._numbers = count(1)

    def matches(self, path: str) -> bool:
        """Says whether a path is that of a held content."""
        return path.startswith(SCHEME)

    @contextmanager
    def holding(self, pieces: Iterable[bytes], name: str) -> Generator[str]:
        """Holds a content inside the block; gives the path that opens it."""
        path = f"{SCHEME}{next(self._numbers)}/{name.rpartition('/')[2] or 'content'}"
        descriptor = open_nameless_file()
        try:
            at = 0
            for piece in pieces:
                write_at(descriptor, piece, at)
                at += len(piece)
            self._descriptors[path] = descriptor
            yield path
        finally:
            self._descriptors.pop(path, None)
            os.close(descriptor)

    def locate(self, path: str) -> LocatedPath:
        """Returns the path: there are no roots."""
        return LocatedPath(path, path, None, path)

    def open(self, path: LocatedPath, deadline: Deadline) -> DiskSource:  # noqa: ARG002 - of the protocol
        """Opens a content."""
        descriptor = self._descriptors.get(path.asked)
        if descriptor is None:
            raise NotFound
        return DiskSource(os.dup(descriptor), path.asked, path.asked, lambda _: None)

    def open_repaired(self, path: LocatedPath, deadline: Deadline) -> DiskSource:
        """Opens a content."""
        return self.open(path, deadline)

    def target_of(self, path: LocatedPath, deadline: Deadline) -> Target | None:  # noqa: ARG002 - of the protocol
        """Returns that it is a file."""
        descriptor = self._descriptors.get(path.asked)
        return None if descriptor is None else Target("file", os.fstat(descriptor).st_size)

    def close(self) -> None:
        """Does nothing: each content is given back by who holds it."""
