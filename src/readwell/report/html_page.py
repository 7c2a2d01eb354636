"""The report as an HTML page: one file that works offline, with its data inside; nothing in the data can run."""

from __future__ import annotations

import os
import pkgutil
from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from json import dumps
from typing import Any

from .build_report import Report, failure_counts
from .line_set import EquallyShownRun
from .project_files import Project
from .recent_calls import NumberedNames
from .report_model import CallerView, File, FileReading

MAX_TEXT = 4 << 20
"""Characters of all texts that a page shows beside their strips."""
LONGEST_TEXT = 400 << 10
"""Bytes of a file whose text is shown."""
MAX_TEXTS = 400
AGAIN = 20
"""Repeated failures that are named."""


class ReportPage:
    """What a page is for: a file, a server that keeps it fresh, or an MCP client that shows it."""

    def __init__(self, version: str, live: str = "", app: bool = False) -> None:
        self.version, self.live, self.app = version, live, app

    def chunks(self, report: Report, project: Project | None) -> Iterator[str]:
        """Yields the page in pieces."""
        frame = _asset("page.html")
        style, script = _asset("page.css"), _asset("page.js")
        parts = {"policy": _content_security_policy(style, script, self.live), "style": style, "script": script}
        before, after = frame.split("{data}")
        yield _fill_template(before, parts)
        yield from self.data_chunks(report, project)
        yield _fill_template(after, parts)

    def data_chunks(self, report: Report, project: Project | None) -> Iterator[str]:
        """Yields the data of a report as JSON that is safe inside the page, in pieces."""
        yield _embeddable_json(self._summary_data(report))[:-1]
        yield f',"files":{_embeddable_json(_file_columns(report.files))},"views":['
        for number, view in enumerate(report.views):
            yield "," * (number > 0)
            yield _embeddable_json(_view_data(view))
        yield f'],"calls":{_embeddable_json(_call_columns(report))},'
        yield _embeddable_json(_texts_or_states(report, project))[1:]

    def _summary_data(self, report: Report) -> dict[str, Any]:
        ledger = report.ledger
        return {
            "version": self.version,
            "mark": str(ledger.calls),
            "root": report.root or None,
            "rootName": os.path.basename(report.root) or report.root or None,
            "recordedRoot": report.recorded_root or None,
            "span": [ledger.first, ledger.last],
            "damaged": ledger.damaged,
            "dropped": ledger.dropped,
            "further": ledger.further_calls,
            "project": _project_data(report),
            **({"live": self.live} if self.live else {}),
            **({"app": True} if self.app else {}),
        }


def _embeddable_json(value: object) -> str:
    """Returns JSON without characters by which a text could end the element that it stands in."""
    text = dumps(value, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _asset(name: str) -> str:
    """Returns a file of the page."""
    return (pkgutil.get_data(__package__ or "", f"assets/{name}") or b"").decode()


def _fill_template(frame: str, parts: dict[str, str]) -> str:
    """Returns a template with its parts."""
    for name, text in parts.items():
        frame = frame.replace(f"{{{name}}}", text)
    return frame


def _content_security_policy(style: str, script: str, live: str) -> str:
    """Returns the Content-Security-Policy: this script, this style, and no other resource from anywhere."""
    connect = "connect-src 'self'; " if live else ""
    return (
        f"default-src 'none'; script-src '{_policy_hash(script)}'; style-src '{_policy_hash(style)}'; "
        f"img-src data:; {connect}"
        f"base-uri 'none'; form-action 'none'"
    )


def _policy_hash(text: str) -> str:
    """Returns the hash by which a policy allows a script."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _project_data(report: Report) -> dict[str, Any] | None:
    """Returns the project as data of the page."""
    if report.project_files is None:
        return None
    return {"files": report.project_files, "size": report.project_size, "complete": report.whole_project}


def _file_columns(files: Sequence[File]) -> dict[str, list[Any]]:
    """Returns the files as columns."""
    return {
        "path": [file.path for file in files],
        "kind": [file.kind for file in files],
        "lines": [file.lines for file in files],
        "pages": [file.page_total for file in files],
        "size": [file.size for file in files],
        "revisions": [file.revisions for file in files],
    }


def _view_data(view: CallerView) -> dict[str, Any]:
    """Returns the totals of a caller, or of all."""
    return {
        "caller": view.caller,
        "calls": view.calls,
        "files": len(view.readings),
        "tokens": view.tokens,
        "tools": dict(view.tools),
        "failures": failure_counts(view),
        "repeated": view.repeated._asdict(),
        "whole": view.whole_for_one_match._asdict(),
        "repeatedFailures": view.repeated_failure_count,
        "again": [list(each) for each in view.repeated_failures[:AGAIN]],
        "share": view.share_read,
        "inProject": view.project_files_read,
        "readings": _reading_columns(view),
    }


def _reading_columns(view: CallerView) -> dict[str, list[Any]]:
    """Returns what was read of each file, as columns."""
    readings: Sequence[FileReading] = list(view.readings.values())
    return {
        "file": list(view.readings),
        "calls": [each.calls for each in readings],
        "tokens": [each.tokens for each in readings],
        "lines": [each.lines_read for each in readings],
        "pages": [each.pages_read for each in readings],
        "repeatedCalls": [each.repeated.calls for each in readings],
        "repeatedTokens": [each.repeated.tokens for each in readings],
        "wholeCalls": [each.whole_for_one_match.calls for each in readings],
        "wholeTokens": [each.whole_for_one_match.tokens for each in readings],
        "runs": [encode_runs(each.equally_shown_runs()) for each in readings],
    }


def encode_runs(runs: Sequence[EquallyShownRun]) -> str:
    """Returns runs as `gap,length,times;…`, where a gap is the number of lines left out; once is not written."""
    parts: list[str] = []
    line = 0
    for first, last, times in runs:
        parts.append(f"{first - line - 1},{last - first + 1}{f',{times}' if times > 1 else ''}")
        line = last
    return ";".join(parts)


def _call_columns(report: Report) -> dict[str, Any]:
    """Returns the calls of the timeline, as columns."""
    callers, tools, outcomes, paths = NumberedNames(), NumberedNames(), NumberedNames(), NumberedNames()
    columns = dict(report.ledger.recent.columns(callers, tools, outcomes, paths))
    names = {"callers": callers.all, "tools": tools.all, "outcomes": outcomes.all, "paths": paths.all}
    return {**columns, **names}


def _texts_or_states(report: Report, project: Project | None) -> dict[str, dict[int, str]]:
    """Returns the text of the files with the most calls where it is still what was read, else why it is left out."""
    texts: dict[int, str] = {}
    states: dict[int, str] = {}
    room, looks = MAX_TEXT, MAX_TEXTS
    ranked = sorted(report.view_of_all.readings.items(), key=lambda each: -each[1].calls) if project else []
    for number, _ in ranked:
        file = report.files[number]
        if file.size is None:
            states[number] = "elsewhere" if file.path.startswith("/") or "://" in file.path else "missing"
        elif not file.revision or file.kind != "file":
            states[number] = "unknown" if file.kind in ("", "file") else "binary"
        elif file.size > LONGEST_TEXT:
            states[number] = "large"
        elif file.size > room or not looks:
            states[number] = "full"
        elif project:
            looks -= 1
            states[number], text = _text_or_state(project, file)
            if text is not None:
                texts[number] = text
                room -= len(text)
    return {"texts": texts, "states": {number: state for number, state in states.items() if state}}


def _text_or_state(project: Project, file: File) -> tuple[str, str | None]:
    """Returns the text of a file, or why it is not shown."""
    now = project.current_text(file.path, LONGEST_TEXT)
    if now is None:
        return "missing", None
    if now.revision != file.revision:
        return "changed", None
    return ("binary", None) if now.lines is None else ("", "\n".join(now.lines))
