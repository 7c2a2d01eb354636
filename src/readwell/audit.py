"""Account of what was read: one record a read, without content, and a file of them that never hinders a read."""

import os
from _thread import allocate_lock
from collections.abc import Callable, Iterable
from stat import S_ISREG
from time import gmtime, strftime
from typing import NamedTuple

from .errors import AccessDenied, ReadError
from .forking import renew_after_fork
from .matches import SearchResult
from .model import ReadResult


class Record(NamedTuple):
    """One call: when, who asked for what, what came of it."""

    time: str
    """UTC, in milliseconds."""
    dialect: str
    path: str | None
    """As asked; None where the caller gave none that is text."""
    opened: str | None = None
    """Where what was opened really is; None where nothing was."""
    range: tuple[int, int] | None = None
    """The first and the last line shown."""
    bytes: int = 0
    """Of text shown, in UTF-8, without line ends."""
    verdict: str = "read"
    """`read`, `searched`, `denied`, or the name of the error. What was searched for is not recorded."""
    rule: str | None = None
    """What denied it: `root`, or the rule."""
    ms: float = 0.0


Audit = Callable[[Record], None]


def record_of(at: float, dialect: str, asked: str | None, found: object, seconds: float) -> Record:
    """Returns the record of one call: of what it found, or of how it failed."""
    time = f"{strftime('%Y-%m-%dT%H:%M:%S', gmtime(at))}.{int(at * 1000) % 1000:03d}Z"
    ms = round(seconds * 1000, 3)
    record = Record(time=time, dialect=dialect, path=asked, ms=ms)
    if isinstance(found, AccessDenied):
        return record._replace(verdict="denied", rule=found.rule)
    if isinstance(found, ReadError):
        return record._replace(opened=found.opened, verdict=type(found).__name__)
    if isinstance(found, SearchResult):
        return record._replace(bytes=_size(row.text for each in found.files for row in each.rows), verdict="searched")
    if not isinstance(found, ReadResult):
        return record
    shown = found.window
    return record._replace(opened=found.real, range=(shown.start, shown.end), bytes=_size(shown.lines))


def _size(lines: Iterable[str]) -> int:
    return sum(len(line.encode(errors="surrogatepass")) for line in lines)


def open_to_append(path: str) -> int:
    """Opens a file of records, which is made where there is none; never waits."""
    return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC, 0o600)


class AuditFile:
    """Appends records to a file as JSON lines; several processes may share it.

    What cannot be written is dropped; the next record that can be says how many were. After a rotation the next record
    goes to the file that has the name then, or to a new one. `open_file` is how it is opened then.
    """

    _descriptor = -1

    def __init__(self, path: str, open_file: Callable[[str], int] = open_to_append) -> None:
        try:
            self._path, self._open_file = os.path.abspath(path), open_file
            self._descriptor = open_to_append(self._path)
        except (OSError, ValueError) as error:
            raise ValueError(f"the audit file cannot be opened: {path!r}: {error}") from error
        self._is_plain = S_ISREG(os.fstat(self._descriptor).st_mode)
        self._lock = allocate_lock()
        self._dropped = 0
        self._torn = False
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Makes the lock new."""
        self._lock = allocate_lock()

    def __call__(self, record: Record) -> None:
        """Writes one record in one piece."""
        from json import dumps

        with self._lock:
            if self._is_plain and self._was_rotated():
                self._follow()
            fields = {**record._asdict(), **({"dropped": self._dropped} if self._dropped else {})}
            self._append(f"{dumps(fields)}\n".encode())

    def __del__(self, close: Callable[[int], None] = os.close) -> None:
        if self._descriptor >= 0:
            close(self._descriptor)

    def _was_rotated(self) -> bool:
        """Whether another file has the name now, or none."""
        try:
            named = os.stat(self._path)
        except FileNotFoundError:
            return True
        except OSError:
            return False
        return S_ISREG(named.st_mode) and not os.path.samestat(named, os.fstat(self._descriptor))

    def _follow(self) -> None:
        try:
            anew = self._open_file(self._path)
        except OSError:
            return  # the old file is still better than none
        os.close(self._descriptor)
        self._descriptor, self._torn = anew, False

    def _append(self, line: bytes) -> None:
        # A disk that fills up may take half a line: the next begins on a line of its own.
        line = b"\n" + line if self._torn else line
        try:
            written = os.write(self._descriptor, line)
        except OSError:
            written = 0
        if written == len(line):
            self._torn, self._dropped = False, 0
            return
        self._torn, self._dropped = self._torn or written > 0, self._dropped + 1
