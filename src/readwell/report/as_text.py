"""The report in a terminal: totals, and the files that were read most."""

from __future__ import annotations

from collections.abc import Iterator

from ..names import printable
from .as_json import by_file
from .report import Report, View, failures_of

MAX_READ = 10


def text_report(report: Report) -> str:
    """Returns a summary in lines, names with control characters escaped."""
    view = report.all
    lines = [
        f"{_many(view.calls, 'call')}, {_many(len(view.readings), 'file')}, {_many(view.tokens, 'token')}",
        f"repeated reads: {_many(view.repeated.calls, 'call')}, {_many(view.repeated.tokens, 'token')}",
        f"failures: {_failures(view)}",
        *_project(report),
        *_remarks(report),
        *_callers(report),
        *_most_read(report, view),
    ]
    return "\n".join(lines)


def _many(number: int, noun: str) -> str:
    """Returns a number with its noun."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _failures(view: View) -> str:
    """Returns failures by code."""
    return ", ".join(f"{times:,} {printable(name)}" for name, times in failures_of(view).items()) or "none"


def _project(report: Report) -> Iterator[str]:
    """Yields how much of the project was read."""
    if report.project_files is None:
        return
    share = "nothing to read" if report.all.share is None else f"{100 * report.all.share:.1f} % read"
    cut = "" if report.whole_project else ", as far as there was time to look"
    yield f"project: {share}, {len(report.all.readings):,} of {_many(report.project_files, 'file')}{cut}"
    if report.recorded_root:
        yield f"recorded below {printable(report.recorded_root)}, compared with {printable(report.root)}"


def _remarks(report: Report) -> Iterator[str]:
    """Yields what is missing from the record."""
    ledger = report.ledger
    if ledger.damaged:
        yield f"damaged lines of the record, left out: {ledger.damaged:,}"
    if ledger.dropped:
        yield f"records that could not be written at the time, missing here: {ledger.dropped:,}"


def _callers(report: Report) -> Iterator[str]:
    for view in report.views[1:]:
        name = printable(view.caller or "") or "(no name)"
        files, repeated = _many(len(view.readings), "file"), _many(view.repeated.calls, "repeated read")
        yield f"  {name}: {_many(view.calls, 'call')}, {files}, {_many(view.tokens, 'token')}, {repeated}"


def _most_read(report: Report, view: View) -> Iterator[str]:
    rows = by_file(report, view)[:MAX_READ]
    if not rows:
        return
    yield ""
    yield f"{'calls':>7}  {'lines read':>19}  {'tokens':>10}  path"
    for row in rows:
        lines = "?" if row["lines"] is None else f"{row['lines']:,}"
        read = f"{row['lines_read']:,} of {lines}"
        yield f"{row['calls']:>7,}  {read:>19}  {row['tokens']:>10,}  {printable(row['path'])}"
