"""A stderr that never blocks: what its reader does not take in time is dropped."""

from __future__ import annotations

import io
import os
import select
import sys

PIECE = select.PIPE_BUF
"""A pipe that is writable at all takes so much at once."""


class _Dropping(io.TextIOBase):
    """Writes to a descriptor as long as it takes more, and drops the rest."""

    encoding = "utf-8"

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor

    def fileno(self) -> int:
        """Returns the descriptor that is written to."""
        return self._descriptor

    def isatty(self) -> bool:
        """Whether a person reads along."""
        return os.isatty(self._descriptor)

    def writable(self) -> bool:
        """Always: what cannot be written is dropped."""
        return True

    def write(self, text: str, /) -> int:
        """Writes as much as is taken at once, and says that it was all."""
        raw = text.encode(errors="backslashreplace")
        for at in range(0, len(raw), PIECE):
            if not self._took(raw[at : at + PIECE]):
                break
        return len(text)

    def _took(self, piece: bytes) -> bool:
        try:
            return bool(select.select([], [self._descriptor], [], 0)[1]) and bool(os.write(self._descriptor, piece))
        except (OSError, ValueError):
            return False


def make_stderr_nonblocking() -> None:
    """Makes all that this process says on stderr droppable.

    Python speaks through a descriptor of its own. Descriptor 2 itself, which libraries and children may write to
    without asking, leads nowhere from now on.
    """
    try:
        own = os.dup(2)
        nowhere = os.open(os.devnull, os.O_WRONLY)
    except OSError:
        return
    os.dup2(nowhere, 2)
    os.close(nowhere)
    sys.stderr = _Dropping(own)
