"""The report in a terminal: totals, and the files that were read most."""

from __future__ import annotations

from collections.abc import Iterator

from ..path_names import printable
from .as_json import file_rows
from .build_report import Report, failure_counts
from .report_model import CallerView

MAX_READ = 10


def text_report(report: Report) -> str:
    """Returns a summary in lines, names with control characters escaped."""
    view = report.view_of_all
    calls, files = _with_noun(view.calls, "call"), _with_noun(len(view.readings), "file")
    lines = [
        f"{calls}, {files}, {_with_noun(view.tokens, 'token')}",
        f"repeated reads: {_with_noun(view.repeated.calls, 'call')}, {_with_noun(view.repeated.tokens, 'token')}",
        f"failures: {_failure_list(view)}",
        *_project_lines(report),
        *_gaps_in_record(report),
        *_caller_lines(report),
        *_most_read_table(report, view),
    ]
    return "\n".join(lines)


def _with_noun(number: int, noun: str) -> str:
    """Returns a number with its noun."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _failure_list(view: CallerView) -> str:
    """Returns failures by code."""
    return ", ".join(f"{times:,} {printable(name)}" for name, times in failure_counts(view).items()) or "none"


def _project_lines(report: Report) -> Iterator[str]:
    """Yields how much of the project was read."""
    if report.project_files is None:
        return
    share = (
        "nothing to read"
        if report.view_of_all.share_read is None
        else f"{100 * report.view_of_all.share_read:.1f} % read"
    )
    inside = report.view_of_all.project_files_read or 0
    outside = len(report.view_of_all.readings) - inside
    more = f"; {outside:,} that {'was' if outside == 1 else 'were'} read {'is' if outside == 1 else 'are'} not in it"
    cut = "" if report.whole_project else "; not all files were looked at"
    yield f"project: {share}, {inside:,} of {_with_noun(report.project_files, 'file')}{more * bool(outside)}{cut}"
    if report.recorded_root:
        yield f"recorded below {printable(report.recorded_root)}, compared with {printable(report.root)}"


def _gaps_in_record(report: Report) -> Iterator[str]:
    """Yields what is missing from the record."""
    ledger = report.ledger
    if ledger.damaged:
        yield f"damaged lines of the record, left out: {ledger.damaged:,}"
    if ledger.dropped:
        yield f"records that could not be written at the time, missing here: {ledger.dropped:,}"
    if ledger.further_calls:
        told = f"only the first {_with_noun(len(ledger.files), 'file')} are told one by one"
        yield f"{told}: {_with_noun(ledger.further_calls, 'call')} that showed others are in the totals alone"


def _caller_lines(report: Report) -> Iterator[str]:
    if report.only_caller:
        yield f"caller: {printable(report.only_caller)}"
    for view in report.views[1:]:
        name = printable(view.caller or "") or "(no name)"
        files, repeated = _with_noun(len(view.readings), "file"), _with_noun(view.repeated.calls, "repeated read")
        yield f"  {name}: {_with_noun(view.calls, 'call')}, {files}, {_with_noun(view.tokens, 'token')}, {repeated}"


def _most_read_table(report: Report, view: CallerView) -> Iterator[str]:
    rows = file_rows(report, view)[:MAX_READ]
    if not rows:
        return
    yield ""
    yield f"{'calls':>7}  {'lines read':>19}  {'tokens':>10}  path"
    for row in rows:
        lines = "?" if row["lines"] is None else f"{row['lines']:,}"
        read = f"{row['lines_read']:,} of {lines}"
        yield f"{row['calls']:>7,}  {read:>19}  {row['tokens']:>10,}  {printable(row['path'])}"
