"""A stderr that never blocks: output that the reader is too slow to take is dropped."""

from __future__ import annotations

import io
import os
import select
import sys

CHUNK = select.PIPE_BUF
"""Bytes that a writable pipe takes without blocking."""


class _DroppingWriter(io.TextIOBase):
    """Writes to a descriptor while it is writable, and drops the rest."""

    encoding = "utf-8"

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor

    def fileno(self) -> int:
        """Returns the descriptor."""
        return self._descriptor

    def isatty(self) -> bool:
        """Returns whether the descriptor is a terminal."""
        return os.isatty(self._descriptor)

    def writable(self) -> bool:
        """Returns True: what cannot be written is dropped."""
        return True

    def write(self, text: str, /) -> int:
        """Writes what the descriptor takes without blocking, and reports everything as written."""
        raw = text.encode(errors="backslashreplace")
        for at in range(0, len(raw), CHUNK):
            if not self._write_now(raw[at : at + CHUNK]):
                break
        return len(text)

    def _write_now(self, chunk: bytes) -> bool:
        try:
            return bool(select.select([], [self._descriptor], [], 0)[1]) and bool(os.write(self._descriptor, chunk))
        except (OSError, ValueError):
            return False


def make_stderr_nonblocking() -> None:
    """Replaces `sys.stderr` by a writer that drops what would block.

    Python writes to a duplicate of descriptor 2. Descriptor 2 itself, to which libraries and child processes may
    write directly, is redirected to /dev/null.
    """
    try:
        own = os.dup(2)
        nowhere = os.open(os.devnull, os.O_WRONLY)
    except OSError:
        return
    os.dup2(nowhere, 2)
    os.close(nowhere)
    sys.stderr = _DroppingWriter(own)
