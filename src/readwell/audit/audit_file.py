"""`AuditFile`: appends records to a file as JSON lines; never delays or fails a read."""

import os
from _thread import allocate_lock
from collections.abc import Callable
from stat import S_ISREG
from time import sleep, time

from ..fork_locks import renew_after_fork
from .record import Record
from .record_json import json_fields_of

LINE_WRITTEN_S = 0.05
"""How long the writing of a line may take before it counts as cut."""
ROTATION_CHECK_S = 0.2
"""How long after a check for a rotation the next one is made, at the earliest."""


def open_to_append(path: str) -> int:
    """Opens an audit file for appending, and creates it if necessary; never blocks. Returns the descriptor."""
    return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC, 0o600)


class AuditFile:
    """Appends records to a file as JSON lines; several processes may share the file.

    A record that cannot be written is dropped; the next one that can be counts the dropped ones in `dropped`. At most
    `ROTATION_CHECK_S` after a log rotation the file is opened again by its name with `open_file`, which returns a
    descriptor. `caller` is recorded as the caller of every call; None: the name that the door knows. Raises
    ValueError if the file cannot be opened at the start.
    """

    _descriptor = -1

    def __init__(self, path: str, open_file: Callable[[str], int] = open_to_append, caller: str | None = None) -> None:
        self.caller = caller
        try:
            self._path, self._open_file = os.path.abspath(path), open_file
            self._descriptor = open_to_append(self._path)
        except (OSError, ValueError) as error:
            raise ValueError(f"the audit file cannot be opened: {path!r}: {error}") from error
        status = os.fstat(self._descriptor)
        self._is_regular, self._identity = S_ISREG(status.st_mode), (status.st_dev, status.st_ino)
        self._lock = allocate_lock()
        self._dropped = 0
        self._line_incomplete = self._is_regular and _ends_within_a_line(self._path)
        self._checked = 0.0
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Replaces the lock in a forked process."""
        self._lock = allocate_lock()

    def __call__(self, record: Record) -> None:
        """Writes one record."""
        self.append(json_fields_of(record._replace(caller=self.caller) if self.caller else record), time())

    def append(self, line: str, now: float) -> None:
        """Writes the fields of a record, as `json_fields_of` returns them, with a single `write`."""
        with self._lock:
            if abs(now - self._checked) > ROTATION_CHECK_S and self._is_regular:
                self._checked = now
                if self._was_rotated():
                    self._reopen()
            dropped = f', "dropped": {self._dropped}' if self._dropped else ""
            self._write_line(f"{{{line}{dropped}}}\n".encode())

    def __del__(self, close: Callable[[int], None] = os.close) -> None:
        if self._descriptor >= 0:
            close(self._descriptor)

    def _was_rotated(self) -> bool:
        """Returns whether the name now refers to another file, or to none."""
        try:
            named = os.stat(self._path)
        except FileNotFoundError:
            return True
        except OSError:
            return False
        return (named.st_dev, named.st_ino) != self._identity and S_ISREG(named.st_mode)

    def _reopen(self) -> None:
        try:
            reopened = self._open_file(self._path)
        except OSError:
            return  # go on with the old file
        os.close(self._descriptor)
        status = os.fstat(reopened)
        self._descriptor, self._identity = reopened, (status.st_dev, status.st_ino)
        self._line_incomplete = _ends_within_a_line(self._path)

    def _write_line(self, line: bytes) -> None:
        # A disk that fills up may take half a line, as may a process that dies; the next record starts on a new one.
        line = b"\n" + line if self._line_incomplete else line
        try:
            written = os.write(self._descriptor, line)
        except OSError:
            written = 0
        if written == len(line):
            self._line_incomplete, self._dropped = False, 0
            return
        self._line_incomplete, self._dropped = self._line_incomplete or written > 0, self._dropped + 1


def _ends_within_a_line(path: str) -> bool:
    """Says whether the last line of a file was cut; False where that cannot be seen, or another process writes it."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        size = os.fstat(descriptor).st_size
        if not size or os.pread(descriptor, 1, size - 1) == b"\n":
            return False
        sleep(LINE_WRITTEN_S)
        return os.fstat(descriptor).st_size == size
    except OSError:
        return False
    finally:
        os.close(descriptor)
