"""`LiveReport`, the report of a running server (`--ledger`): keeps its records in a file, counts the new ones."""

from __future__ import annotations

import os
from collections.abc import Sequence
from threading import Lock
from time import gmtime, monotonic, strftime

from ... import __version__
from ...audit import Audit, AuditFile, Record
from ...policy import Denials
from ...report import Ledger, Project, Report, parse_logged_call, report_of
from ...report.html_page import ReportPage

CHUNK = 1 << 20
REST = 10
"""How many times longer than making a report took the next one waits, so that calls are served meanwhile."""


class LiveReport:
    """Keeps the record of a server process in a directory, and reports on it when asked. Safe to share between threads.

    Made before the process restricts itself: the record is written and read by descriptors. Nothing is counted while
    calls are served, only when somebody looks. Raises ValueError if the directory cannot be used.
    """

    def __init__(self, folder: str, caller: str | None = None) -> None:
        name = f"readwell-{strftime('%Y%m%dT%H%M%SZ', gmtime())}-{os.getpid()}.jsonl"
        self.path = os.path.join(os.path.abspath(folder), name)
        try:
            os.makedirs(folder, mode=0o700, exist_ok=True)
            self.audit = AuditFile(self.path, caller=caller)
            self._record = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise ValueError(f"the ledger cannot be kept in {folder!r}: {error}") from error
        self._project: Project | None = None
        self._ledger, self._offset, self._rest = Ledger(), 0, b""
        self._lock = Lock()
        self._report: Report | None = None
        self._made_for, self._next = -1, 0.0

    def set_project(self, roots: Sequence[str], denials: Denials) -> None:
        """Says which project is read; of several roots the first on this disk, and none where there is none."""
        local = [root for root in roots if os.path.isdir(root)]
        self._project = Project(local[0], denials) if local else None

    def page(self, app: bool = False) -> str:
        """Returns the page: kept fresh by the server, or for an MCP client that shows it."""
        with self._lock:
            return "".join(self._page(app).chunks(self._fresh_report(), self._project))

    def page_data(self) -> str:
        """Returns the data of the page as JSON."""
        with self._lock:
            return "".join(self._page(app=False).data_chunks(self._fresh_report(), self._project))

    @property
    def data_mark(self) -> str:
        """A number that changes with the data; it is never ahead of it."""
        with self._lock:
            return str(self._fresh_report().ledger.calls)

    def close(self) -> None:
        """Closes the record."""
        os.close(self._record)
        if self._project:
            self._project.close()

    def _page(self, app: bool) -> ReportPage:
        return ReportPage(__version__, "" if app else "ledger/data", app)

    def _fresh_report(self) -> Report:
        """Returns the report; a new one only if there were calls since, and not all the time."""
        if self._report is None or monotonic() > self._next:
            started = monotonic()
            self._count_new_calls()
            if self._report is None or self._ledger.calls != self._made_for:
                self._report, self._made_for = report_of(self._ledger, self._project), self._ledger.calls
            self._next = monotonic() + REST * (monotonic() - started)
        return self._report

    def _count_new_calls(self) -> None:
        while chunk := os.pread(self._record, CHUNK, self._offset):
            self._offset += len(chunk)
            *lines, self._rest = (self._rest + chunk).split(b"\n")
            for line in lines:
                if line and not line.isspace():
                    self._ledger.add(parse_logged_call(line))


def audit_to_both(one: Audit, other: Audit) -> Audit:
    """Returns an audit function that tells two."""

    def audit(record: Record) -> None:
        one(record)
        other(record)

    return audit
