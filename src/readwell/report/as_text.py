"""The report in a terminal: totals, and the files that were read most."""

from __future__ import annotations

from collections.abc import Iterator

from ..path_names import printable
from .as_json import by_file
from .build_report import Report, failures_of
from .report_model import View

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
    inside = report.all.in_project or 0
    outside = len(report.all.readings) - inside
    more = f"; {outside:,} that {'was' if outside == 1 else 'were'} read {'is' if outside == 1 else 'are'} not in it"
    cut = "" if report.whole_project else "; not all files were looked at"
    yield f"project: {share}, {inside:,} of {_many(report.project_files, 'file')}{more * bool(outside)}{cut}"
    if report.recorded_root:
        yield f"recorded below {printable(report.recorded_root)}, compared with {printable(report.root)}"


def _remarks(report: Report) -> Iterator[str]:
    """Yields what is missing from the record."""
    ledger = report.ledger
    if ledger.damaged:
        yield f"damaged lines of the record, left out: {ledger.damaged:,}"
    if ledger.dropped:
        yield f"records that could not be written at the time, missing here: {ledger.dropped:,}"
    if ledger.further_calls:
        told = f"only the first {_many(len(ledger.files), 'file')} are told one by one"
        yield f"{told}: {_many(ledger.further_calls, 'call')} that showed others are in the totals alone"


def _callers(report: Report) -> Iterator[str]:
    if report.only_caller:
        yield f"caller: {printable(report.only_caller)}"
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
