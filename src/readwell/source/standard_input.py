"""Standard input as a file called `-`: copied once, bounded, into memory or a file without a name."""

import os
from typing import BinaryIO

from ..deadline import Deadline
from ..errors import NotFound, TooLarge
from ..model import LocatedPath, Root
from .contract import Target
from .disk_source import DiskSource
from .file_status import as_unreadable
from .nameless_file import open_nameless_file, write_at

STANDARD_INPUT = "-"
MAX_BYTES = 1 << 30
PIECE = 1 << 20


class StandardInput:
    """Opens what a stream held when this was made; raises TooLarge beyond 1 GiB."""

    cwd = ""
    roots: tuple[Root, ...] = ()

    def __init__(self, stream: BinaryIO) -> None:
        self._descriptor, self._size = open_nameless_file(), 0
        try:
            while piece := stream.read(PIECE):
                write_at(self._descriptor, piece, self._size)
                self._size += len(piece)
                if self._size > MAX_BYTES:
                    raise TooLarge(MAX_BYTES)
        except OSError as error:
            raise as_unreadable(error) from error

    def locate(self, path: str) -> LocatedPath:
        """Returns the name: there is only one."""
        return LocatedPath(path, path, None, path)

    def open(self, path: LocatedPath, deadline: Deadline) -> DiskSource:  # noqa: ARG002 - of the protocol
        """Opens what was read."""
        if path.asked != STANDARD_INPUT:
            raise NotFound
        return DiskSource(os.dup(self._descriptor), STANDARD_INPUT, STANDARD_INPUT, lambda _: None)

    def open_repaired(self, path: LocatedPath, deadline: Deadline) -> DiskSource:
        """Opens what was read."""
        return self.open(path, deadline)

    def target_of(self, path: LocatedPath, deadline: Deadline) -> Target | None:  # noqa: ARG002 - of the protocol
        """Returns that it is a file."""
        return Target("file", self._size) if path.asked == STANDARD_INPUT else None

    def close(self) -> None:
        """Gives back the memory."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def is_standard_input(path: str) -> bool:
    """Says whether a path means standard input, or leads into it."""
    return path == STANDARD_INPUT or path.startswith(f"{STANDARD_INPUT}/")
