"""The report as JSON, for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .build_report import Report, failure_counts
from .report_model import CallerView, FileReading


def json_chunks(report: Report) -> Iterator[str]:
    """Yields the report as one JSON document, in pieces."""
    yield from json.JSONEncoder(indent=1, ensure_ascii=True).iterencode(report_as_dict(report))
    yield "\n"


def report_as_dict(report: Report) -> dict[str, Any]:
    """Returns the report as a dictionary; `callers` only if there are several, `caller` if there is one with a name."""
    ledger, callers = report.ledger, report.views[1:]
    return {
        **({"caller": report.only_caller} if report.only_caller else {}),
        **_totals(report.view_of_all),
        **({"project": _project_fields(report)} if report.root else {}),
        "damaged_lines": ledger.damaged,
        "dropped_records": ledger.dropped,
        **({"further_calls": ledger.further_calls} if ledger.further_calls else {}),
        "by_file": file_rows(report, report.view_of_all),
        **({"callers": [_caller_fields(report, view) for view in callers]} if callers else {}),
    }


def _totals(view: CallerView) -> dict[str, Any]:
    """Returns the totals of a view."""
    return {
        "calls": view.calls,
        "files": len(view.readings),
        "tokens": view.tokens,
        "ms": round(view.ms, 3),
        "tools": dict(view.tools),
        "failures": failure_counts(view),
        "repeated": view.repeated._asdict(),
        "whole_for_one_match": view.whole_for_one_match._asdict(),
        "repeated_failures": view.repeated_failure_count,
    }


def _project_fields(report: Report) -> dict[str, Any]:
    """Returns the project and how much of it was read."""
    return {
        "root": report.root,
        **({"recorded_root": report.recorded_root} if report.recorded_root else {}),
        "files": report.project_files,
        "files_read": report.view_of_all.project_files_read,
        "bytes": report.project_size,
        "complete": report.whole_project,
        **_share_field(report.view_of_all),
    }


def _caller_fields(report: Report, view: CallerView) -> dict[str, Any]:
    """Returns the totals and files of one caller."""
    share = _share_field(view) if report.root else {}
    return {"caller": view.caller, **_totals(view), **share, "by_file": file_rows(report, view)}


def _share_field(view: CallerView) -> dict[str, Any]:
    """Returns how much of the project was read."""
    return {"share_read": view.share_read and round(view.share_read, 6)}


def file_rows(report: Report, view: CallerView) -> list[dict[str, Any]]:
    """Returns the files that were read, those with the most calls first."""
    ranked = sorted(view.readings.items(), key=lambda each: (-each[1].calls, -each[1].tokens, each[0]))
    return [_file_row(report, number, reading) for number, reading in ranked]


def _file_row(report: Report, number: int, reading: FileReading) -> dict[str, Any]:
    """Returns the row of a file."""
    file = report.files[number]
    row: dict[str, Any] = {
        "path": file.path,
        "calls": reading.calls,
        "lines_read": reading.lines_read,
        "lines": file.lines,
        "tokens": reading.tokens,
    }
    if reading.repeated.calls:
        row["repeated"] = reading.repeated._asdict()
    if reading.pages_read:
        row |= {"pages_read": reading.pages_read, "pages": file.page_total}
    return row
