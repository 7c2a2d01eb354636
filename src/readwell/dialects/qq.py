"""The dialect `qq`: a sliding window of 200 lines under a plain-text header."""

from __future__ import annotations

from functools import partial

from ..errors import (
    AccessDenied,
    BinaryFile,
    ChangedWhileReading,
    ConversionFailed,
    ConverterMissing,
    DeadlineExceeded,
    DocumentEmpty,
    DocumentLocked,
    InvalidRequest,
    IsDirectory,
    NotFound,
    NotRegularFile,
    ReadError,
    StartPastEnd,
    TooLarge,
    TooManyCalls,
    Unreadable,
)
from ..model import Call, Limits, ReadRequest, ReadResult, Reply, Rules
from ..path_names import printable, quoted
from .dialect import Dialect, DialectTool, Setting, description_loader
from .params import as_mapping, check_path, number_or_default, path_as_written

MAX_LINES_PER_READ = 200
MAX_BYTES = 262144
RULE = "-" * 40

PROPERTIES: dict[str, dict[str, object]] = {
    "path": {"type": "string", "description": "Path of the file."},
    "start_line": {"type": "integer", "description": "First line, from 1.", "default": 1},
    "num_lines": {"type": "integer", "description": "Number of lines, at most 200.", "default": MAX_LINES_PER_READ},
}


def dialect(max_bytes: int = MAX_BYTES) -> Dialect:
    """Returns the dialect; `max_bytes` limits the file text of a reply."""
    return Dialect(
        name="qq",
        summary="A sliding window of 200 lines under a plain-text header, documents as Markdown.",
        tools=(_tool(max_bytes),),
        settings=(Setting("max_bytes", "count", "bytes of file text in one reply"),),
        configured=dialect,
    )


def _tool(max_bytes: int) -> DialectTool:
    """Builds the tool `read_file`."""
    return DialectTool(
        name="read_file",
        template=description_loader("qq/read_file"),
        properties=PROPERTIES,
        rules=Rules(documents="convert"),
        parse=partial(_parse, max_bytes=max_bytes),
        render=partial(_render, max_bytes=max_bytes),
        render_error=_render_error,
        placeholders=(("lines", MAX_LINES_PER_READ),),
        brief=_brief_data,
    )


def _parse(params: object, max_bytes: int) -> ReadRequest:
    """Turns params into a request."""
    given = as_mapping(params)
    start = number_or_default(given, "start_line", 1)
    count = number_or_default(given, "num_lines", MAX_LINES_PER_READ)
    if count < 1:
        raise InvalidRequest("num_lines", count, "at least 1")
    path = check_path(given.get("path"))
    if not path:
        raise InvalidRequest("path", path)
    return ReadRequest(path, Limits(min(count, MAX_LINES_PER_READ), max_bytes), start)


def _render(result: ReadResult, call: Call, max_bytes: int) -> Reply:
    """Writes the reply: header, note, rule, and the bare lines."""
    window = result.window
    if not window.lines:
        return _render_error(StartPastEnd(1, 0), call)._replace(is_error=False)
    header = f"[File: {_asked_file_name(call)} | Lines {window.start}-{window.end} of {window.total}]"
    note = "Output limited to 200 lines max per request."
    if encoding := _unusual_encoding(result):
        note += f" Decoded as {encoding}."
    if window.clipped or window.reason == "bytes":
        note += f" Stopped at {max_bytes} bytes."
    lines = list(window.lines)
    for clip in window.clipped:
        lines[clip.line - window.start] += f" … [line clipped: first {clip.shown} characters shown]"
    text = "\n".join((header, f"[Note: {note}]", RULE, *lines))
    return Reply(text, {"text": text})


def _brief_data(data: dict[str, object]) -> dict[str, object]:
    """Returns the data without the text of the reply."""
    return {name: value for name, value in data.items() if name != "text"}


def _unusual_encoding(result: ReadResult) -> str:
    """Returns the encoding to mention in the note; empty for plain UTF-8 and for documents."""
    traits = result.traits
    if result.kind != "file" or traits.encoding is None:
        return ""
    if result.window.replaced or traits.guess == "damaged":
        return f"{traits.encoding} (replace)"
    return "" if traits.encoding == "utf-8" else traits.encoding


def _render_error(error: ReadError, call: Call) -> Reply:
    """Writes the reply to a failure: its sentence."""
    text = _error_sentence(error, printable(path_as_written(call.params, "path")), _asked_file_name(call))
    return Reply(text, {"text": text}, is_error=True)


def _error_sentence(error: ReadError, path: str, name: str) -> str:
    """Returns the sentence for an error."""
    match error:
        case StartPastEnd():
            return f"Start line {error.start} is out of bounds. Total lines: {error.total}."
        case InvalidRequest(param="path"):
            return "Error: Invalid path."
        case InvalidRequest():
            return f"Error: {error.param} must be {error.wants}."
        case AccessDenied(rule="root"):
            return "Error: Access denied. Path must be within the root."
        case AccessDenied():
            return "Error: Access denied. Path is excluded by policy."
        case NotFound():
            return f"Error: File '{path}' does not exist." + _did_you_mean(error)
        case IsDirectory():
            return f"Error: '{path}' is a directory, not a file."
        case NotRegularFile():
            return f"Error: '{path}' is not a regular file."
        case BinaryFile():
            return f"Error: File '{path}' appears to be binary."
        case ConversionFailed():
            return _conversion_sentence(error, name)
        case TooLarge():
            return f"Error: Could not convert '{name}' to Markdown: it is larger than {error.limit} bytes."
        case ChangedWhileReading():
            return f"Error: '{path}' changed while it was being read."
        case DeadlineExceeded():
            return f"Error: Reading '{path}' took too long."
        case TooManyCalls():
            return f"Error: Too many {error.limit}. Call again in {error.seconds} s."
        case Unreadable(no_permission=True):
            return f"Error: Permission denied: '{path}'."
        case Unreadable():
            return f"Error: Could not read '{path}': {error.reason}."
        case _:
            return f"Error: Could not read '{path}': it cannot be read this way."


def _conversion_sentence(error: ConversionFailed, name: str) -> str:
    """Returns the sentence for a document that could not be converted."""
    match error:
        case ConverterMissing():
            return f"Error: Reading '{name}' needs an extra: {error.install}."
        case DocumentLocked():
            return f"Error: '{name}' is password-protected."
        case DocumentEmpty() if error.holds_nothing:
            return f"Error: '{name}' holds no text."
        case DocumentEmpty():
            return f"Error: '{name}' has no text layer ({error.pages} pages of images)."
        case _:
            return f"Error: Could not convert '{name}' to Markdown: {printable(error.reason)}."


def _did_you_mean(error: NotFound) -> str:
    """Returns a line with similar names; empty where there are none."""
    return f"\nDid you mean: {', '.join(map(quoted, error.lookalikes))}?" if error.lookalikes else ""


def _asked_file_name(call: Call) -> str:
    """Returns the last part of the asked path."""
    path = path_as_written(call.params, "path")
    return printable(path.rstrip("/").rpartition("/")[2] or path)
