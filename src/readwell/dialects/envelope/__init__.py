"""The dialect `envelope`: Standard Envelope v1.0, a JSON object with a machine-readable status."""

from __future__ import annotations

from functools import partial
from json import dumps

from ...errors import AccessDenied, InvalidRequest, ReadError
from ...light_typing import cast
from ...model import Call, Limits, ReadRequest, ReadResult, Reply, Rules, Window
from ...path_names import normalised, path_below, printable
from ..dialect import Dialect, DialectTool, Setting, description_loader
from ..json_copy import copy_for_json
from ..params import LARGEST, as_mapping, check_path, path_as_written
from .error_messages import ErrorCode, describe_error

DEFAULT_LIMIT = 500
HARD_LIMIT = 2000
MAX_BYTES = 262144
SAMPLE_BYTES = 8192

PROPERTIES: dict[str, dict[str, object]] = {
    "path": {"type": "string", "description": "Path to the file (relative to project root). Required."},
    "start_line": {
        "type": "integer",
        "description": "The line number to start reading from (1-based). Default is 1.",
        "default": 1,
    },
    "limit": {
        "type": "integer",
        "description": "The maximum number of lines to read. Default is 500. Hard limit is 2000.",
        "default": DEFAULT_LIMIT,
    },
}


def dialect(documents: bool = False, max_bytes: int = MAX_BYTES, cwd: str | None = None) -> Dialect:
    """Returns the dialect.

    `documents` converts documents, `max_bytes` limits the file text of a reply, and `cwd` is shown in `context`
    instead of the directory where paths start.
    """
    return Dialect(
        name="envelope",
        summary="The Standard Envelope v1.0: a JSON object with status, numbered content and statistics.",
        tools=(_tool(documents, max_bytes, cwd),),
        settings=(
            Setting("max_bytes", "count", "bytes of file text in one reply"),
            Setting("documents", "switch", "yes or no: convert documents"),
        ),
        configured=dialect,
    )


def _tool(documents: bool, max_bytes: int, cwd: str | None) -> DialectTool:
    """Builds the tool `Read`."""
    return DialectTool(
        name="Read",
        template=description_loader("envelope/Read"),
        properties=PROPERTIES,
        rules=Rules(
            decoding="utf-8",
            sample_bytes=SAMPLE_BYTES,
            refuse_boms=True,
            documents="convert" if documents else "refuse",
            validate_whole_file=True,
            real_paths=True,
        ),
        parse=partial(_parse, max_bytes=max_bytes),
        render=partial(_render, cwd=cwd),
        render_error=partial(_render_error, cwd=cwd),
        render_defect=partial(_render_defect, cwd=cwd),
        brief=_brief_data,
    )


def _parse(params: object, max_bytes: int) -> ReadRequest:
    """Turns params into a request, strictly: no null, no number in a string."""
    given = as_mapping(params)
    if given.get("path", "") == "":
        raise InvalidRequest("path", wants="required")
    path = check_path(given["path"])
    start = _check_positive_int("start_line", given.get("start_line", 1), None, "an integer >= 1")
    count = given.get("limit", DEFAULT_LIMIT)
    limits = Limits(
        _check_positive_int("limit", count, HARD_LIMIT, f"an integer between 1 and {HARD_LIMIT}"), max_bytes
    )
    return ReadRequest(path, limits, min(LARGEST, start))


def _check_positive_int(name: str, value: object, maximum: int | None, wants: str) -> int:
    """Returns a number from 1 to the maximum; raises InvalidRequest for anything else."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1 or (maximum is not None and value > maximum):
        raise InvalidRequest(name, value, wants)
    return value


def _render(result: ReadResult, call: Call, cwd: str | None) -> Reply:
    """Writes the envelope of a window."""
    window = result.window
    replaced = result.traits.valid is False
    marks = {clip.line: f" … [line clipped: first {clip.shown} characters shown]" for clip in window.clipped}
    content = "".join(
        f"{number:4d} | {line}{marks.get(number, '')}\n" for number, line in enumerate(window.lines, window.start)
    )
    data: dict[str, object] = {"content": content, "truncated": window.next is not None}
    if replaced:
        data["fallback_encoding"] = "replace"
    stats: dict[str, object] = {
        "time_ms": call.elapsed_ms,
        "lines_read": len(window.lines),
        "chars_read": sum(map(len, window.lines)) + len(window.lines),
        "total_lines": window.total,
        "file_size_bytes": result.size,
        "file_mtime_ms": result.mtime_ms,
        "encoding": "utf-8 (replace)" if replaced else "utf-8",
    }
    path = _path_for_caller(result.opened, call)
    status = "partial" if window.next or window.clipped or replaced else "success"
    text = _summary_text(window, path, call.elapsed_ms, replaced)
    return _build_envelope(status, data, text, stats, _context(call, path, cwd))


def _summary_text(window: Window, path: str, elapsed_ms: int, replaced: bool) -> str:
    """Returns the envelope's text: what was read, how long it took, and what is missing."""
    shown = len(window.lines)
    if not shown:
        return f"Read 0 lines from '{path}' (file is empty)."
    lines = [f"Read {shown} lines from '{path}' (Lines {window.start}-{window.end}).", f"(Took {elapsed_ms}ms)"]
    if window.next:
        more = f"Showing first {shown} of {window.total} lines. Use start_line={window.next.line} to continue."
        lines.append(f"[Truncated: {more}]")
    for clip in window.clipped:
        rendering = f"first {clip.shown} characters shown; this is a partial rendering."
        lines.append(f"[Warning: line {clip.line} clipped: {rendering}]")
    if replaced:
        fallback = "some bytes are not valid UTF-8 and were replaced; this is a partial rendering."
        lines.append(f"[Warning: Encoding fallback: {fallback}]")
    return "\n".join(lines)


def _brief_data(envelope: dict[str, object]) -> dict[str, object]:
    """Returns the envelope without the content of the file, the summary and the params, which the reply's text has."""
    kept = {name: value for name, value in envelope.items() if name != "text"}
    for part, repeated in (("data", "content"), ("context", "params_input")):
        if part in envelope:
            fields = cast("dict[str, object]", envelope[part])
            kept[part] = {name: value for name, value in fields.items() if name != repeated}
    return kept


def _render_error(error: ReadError, call: Call, cwd: str | None) -> Reply:
    """Writes the envelope of a failure; a refused path is not resolved."""
    path = printable(path_as_written(call.params, "path"))
    code, message, guidance = describe_error(error, path)
    resolved = None
    if error.opened is not None:
        resolved = _path_for_caller(error.opened, call)
    elif not isinstance(error, (AccessDenied, InvalidRequest)):
        resolved = _path_for_caller(normalised(path, call.cwd), call)
    return _error_reply(code, message, guidance, _context(call, resolved, cwd), call.elapsed_ms)


def _render_defect(call: Call, cwd: str | None) -> Reply:
    """Writes the envelope of an unexpected exception, without its details."""
    message = f"Internal error while reading '{printable(path_as_written(call.params, 'path'))}'."
    return _error_reply(
        ErrorCode.INTERNAL_ERROR, message, "Try again, or try another file.", _context(call, None, cwd), call.elapsed_ms
    )


def _error_reply(code: ErrorCode, message: str, guidance: str, context: dict[str, object], elapsed_ms: int) -> Reply:
    """Builds an envelope with status `error`."""
    error = {"code": code.value, "message": message}
    return _build_envelope("error", {}, f"{message} {guidance}", {"time_ms": elapsed_ms}, context, error)


def _build_envelope(
    status: str,
    data: dict[str, object],
    text: str,
    stats: dict[str, object],
    context: dict[str, object],
    error: dict[str, str] | None = None,
) -> Reply:
    """Builds an envelope from its parts."""
    envelope: dict[str, object] = {"status": status, "data": data, "text": text, "stats": stats, "context": context}
    if error:
        envelope["error"] = error
    return Reply(dumps(envelope, ensure_ascii=False), envelope, is_error=error is not None)


def _context(call: Call, resolved: str | None, cwd: str | None) -> dict[str, object]:
    """Returns the `context` of a reply: working directory, params as sent, and the path if it may be revealed."""
    shown = _path_for_caller(call.cwd, call) if cwd is None else printable(cwd)
    context: dict[str, object] = {"cwd": shown, "params_input": copy_for_json(call.params)}
    if resolved is not None:
        context["path_resolved"] = resolved
    return context


def _path_for_caller(absolute: str, call: Call) -> str:
    """Returns a path that a caller can use again: relative to the first root, or to `cwd` without roots."""
    spellings = [spelling for root in call.roots[:1] for spelling in (root.real, root.absolute)] or [call.cwd]
    relative = (path_below(absolute, spelling) for spelling in spellings)
    return printable(next((path for path in relative if path is not None), absolute))
