"""Audit log: one record for each read, without content, and a file of them that never delays or fails a read."""

from __future__ import annotations

import os
from _thread import allocate_lock
from collections.abc import Callable, Iterable
from stat import S_ISREG
from time import gmtime, strftime

from .errors import AccessDenied, ReadError
from .forking import renew_after_fork
from .matches import SearchResult
from .model import ReadResult
from .named_tuple import NamedTuple


class Record(NamedTuple):
    """The record of one read: when, what was asked for, and the result."""

    time: str
    """Start of the read, UTC, ISO 8601 with milliseconds."""
    dialect: str
    path: str | None
    """Path as the caller sent it; None if it was missing or not text."""
    opened: str | None = None
    """Real path of what was opened, links resolved; None if nothing was."""
    range: tuple[int, int] | None = None
    """First and last line shown."""
    bytes: int = 0
    """Size of the text shown, in UTF-8, without line ends."""
    verdict: str = "read"
    """`read`, `searched`, `denied`, or the name of the error. What was searched for is not recorded."""
    rule: str | None = None
    """The rule that denied the read, or `root`."""
    ms: float = 0.0
    """Duration in milliseconds."""


Audit = Callable[[Record], None]
"""Called with the record of each read; `AuditFile` is one."""


def record_of(at: float, dialect: str, path: str | None, outcome: object, seconds: float) -> Record:
    """Returns the record of one read; `outcome` is its result or its ReadError, `at` its start as Unix time."""
    time = f"{strftime('%Y-%m-%dT%H:%M:%S', gmtime(at))}.{int(at * 1000) % 1000:03d}Z"
    ms = round(seconds * 1000, 3)
    record = Record(time=time, dialect=dialect, path=path, ms=ms)
    if isinstance(outcome, AccessDenied):
        return record._replace(verdict="denied", rule=outcome.rule)
    if isinstance(outcome, ReadError):
        return record._replace(opened=outcome.opened, verdict=type(outcome).__name__)
    if isinstance(outcome, SearchResult):
        return record._replace(bytes=_size(row.text for each in outcome.files for row in each.rows), verdict="searched")
    if not isinstance(outcome, ReadResult):
        return record
    shown = outcome.window
    return record._replace(opened=outcome.real, range=(shown.start, shown.end), bytes=_size(shown.lines))


def _size(lines: Iterable[str]) -> int:
    return sum(len(line.encode(errors="surrogatepass")) for line in lines)


def open_to_append(path: str) -> int:
    """Opens an audit file for appending, and creates it if necessary; never blocks. Returns the descriptor."""
    return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC, 0o600)


class AuditFile:
    """Appends records to a file as JSON lines; several processes may share the file.

    A record that cannot be written is dropped; the next one that can be counts the dropped ones in `dropped`. After a
    log rotation the file is opened again by its name with `open_file`, which returns a descriptor. Raises ValueError if
    the file cannot be opened at the start.
    """

    _descriptor = -1

    def __init__(self, path: str, open_file: Callable[[str], int] = open_to_append) -> None:
        try:
            self._path, self._open_file = os.path.abspath(path), open_file
            self._descriptor = open_to_append(self._path)
        except (OSError, ValueError) as error:
            raise ValueError(f"the audit file cannot be opened: {path!r}: {error}") from error
        self._is_regular = S_ISREG(os.fstat(self._descriptor).st_mode)
        self._lock = allocate_lock()
        self._dropped = 0
        self._line_incomplete = False
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Replaces the lock in a forked process."""
        self._lock = allocate_lock()

    def __call__(self, record: Record) -> None:
        """Writes one record with a single `write`."""
        from json import dumps

        with self._lock:
            if self._is_regular and self._was_rotated():
                self._reopen()
            fields = {**record._asdict(), **({"dropped": self._dropped} if self._dropped else {})}
            self._append(f"{dumps(fields)}\n".encode())

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
        return S_ISREG(named.st_mode) and not os.path.samestat(named, os.fstat(self._descriptor))

    def _reopen(self) -> None:
        try:
            reopened = self._open_file(self._path)
        except OSError:
            return  # go on with the old file
        os.close(self._descriptor)
        self._descriptor, self._line_incomplete = reopened, False

    def _append(self, line: bytes) -> None:
        # A disk that fills up may take half a line; the next record then starts on a new line.
        line = b"\n" + line if self._line_incomplete else line
        try:
            written = os.write(self._descriptor, line)
        except OSError:
            written = 0
        if written == len(line):
            self._line_incomplete, self._dropped = False, 0
            return
        self._line_incomplete, self._dropped = self._line_incomplete or written > 0, self._dropped + 1
