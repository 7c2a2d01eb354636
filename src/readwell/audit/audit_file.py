"""A file of records as JSON lines, which never delays or fails a read."""

import os
from _thread import allocate_lock
from collections.abc import Callable
from json.encoder import encode_basestring_ascii as _quoted  # pyright: ignore - in C, where there is one
from stat import S_ISREG

from ..forking import renew_after_fork
from .record import Found, Record


def open_to_append(path: str) -> int:
    """Opens an audit file for appending, and creates it if necessary; never blocks. Returns the descriptor."""
    return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC, 0o600)


class AuditFile:
    """Appends records to a file as JSON lines; several processes may share the file.

    A record that cannot be written is dropped; the next one that can be counts the dropped ones in `dropped`. After a
    log rotation the file is opened again by its name with `open_file`, which returns a descriptor. `caller` is recorded
    as the caller of every call; None: the name that the door knows. Raises ValueError if the file cannot be opened at
    the start.
    """

    _descriptor = -1

    def __init__(self, path: str, open_file: Callable[[str], int] = open_to_append, caller: str | None = None) -> None:
        self._caller = caller
        try:
            self._path, self._open_file = os.path.abspath(path), open_file
            self._descriptor = open_to_append(self._path)
        except (OSError, ValueError) as error:
            raise ValueError(f"the audit file cannot be opened: {path!r}: {error}") from error
        status = os.fstat(self._descriptor)
        self._is_regular, self._identity = S_ISREG(status.st_mode), (status.st_dev, status.st_ino)
        self._lock = allocate_lock()
        self._dropped = 0
        self._line_incomplete = False
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Replaces the lock in a forked process."""
        self._lock = allocate_lock()

    def __call__(self, record: Record) -> None:
        """Writes one record with a single `write`."""
        line = line_of(record._replace(caller=self._caller) if self._caller else record)
        with self._lock:
            if self._is_regular and self._was_rotated():
                self._reopen()
            dropped = f', "dropped": {self._dropped}' if self._dropped else ""
            self._append(f"{{{line}{dropped}}}\n".encode())

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
        self._descriptor, self._identity, self._line_incomplete = reopened, (status.st_dev, status.st_ino), False

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


def line_of(record: Record) -> str:
    """Returns the fields of a record as JSON, without braces; those that came later only where they have a value.

    Written out by hand: a JSON encoder takes three times as long, and a record is written with every read.
    """
    time, dialect, path, opened, lines, size, verdict, rule, ms, *_ = record
    _, tool, caller, kind, view, total, pages, page_total, revision, tokens, column, found = record[8:]
    shown = f"[{lines[0]}, {lines[1]}]" if lines else "null"
    line = (
        f'"time": "{time}", "dialect": "{dialect}", "path": {"null" if path is None else _quoted(path)}, '
        f'"opened": {"null" if opened is None else _quoted(opened)}, "range": {shown}, "bytes": {size}, '
        f'"verdict": "{verdict}", "rule": {"null" if rule is None else _quoted(rule)}, "ms": {ms}, "tokens": {tokens}'
    )
    if tool is not None:
        line += f', "tool": "{tool}"'
    if caller is not None:
        line += f', "caller": {_quoted(caller)}'
    if kind is not None:
        line += f', "kind": "{kind}"'
    if revision is not None:
        line += f', "revision": {_quoted(revision)}'
    if total is not None:
        line += f', "total": {total}'
    if view is None and column is None and pages is None and found is None:
        return line
    return line + _rare_fields(view, column, pages, page_total, found)


def _rare_fields(
    view: str | None,
    column: int | None,
    pages: tuple[int, int] | None,
    page_total: int | None,
    found: tuple[Found, ...] | None,
) -> str:
    parts: list[str] = []
    if view is not None:
        parts.append(f', "view": "{view}"')
    if column is not None:
        parts.append(f', "column": {column}')
    if pages is not None and page_total is not None:
        parts.append(f', "pages": [{pages[0]}, {pages[1]}], "page_total": {page_total}')
    if found is not None:
        parts.append(_found(found))
    return "".join(parts)


def _found(files: tuple[Found, ...]) -> str:
    from json import dumps

    return (
        f', "found": {dumps([{"path": each.path, "matches": each.matches, "ranges": each.ranges} for each in files])}'
    )
