"""The dialect `opencode`: tags around numbered lines; failures are exceptions."""

from __future__ import annotations

from ..errors import (
    AccessDenied,
    BinaryFile,
    ChangedWhileReading,
    ConversionFailed,
    ConverterMissing,
    DeadlineExceeded,
    InvalidRequest,
    NotFound,
    NotRegularFile,
    ReadError,
    StartPastEnd,
    TooLarge,
    TooManyCalls,
    Unreadable,
)
from ..light_typing import cast
from ..model import Call, Limits, ReadRequest, ReadResult, Reply, Rules, Window
from ..path_names import normalised, path_below, printable
from .dialect import Dialect, DialectTool, Setting, description_loader
from .params import as_mapping, check_path, number_or_default, path_as_written

DEFAULT_READ_LIMIT = 2000
MAX_LINE_LENGTH = 2000
MAX_BYTES = 51200
CLIP_MARK = f"... (line truncated to {MAX_LINE_LENGTH} chars)"
PREVIEW_LINES = 20
SAMPLE_BYTES = 4096
CONTROL_PERCENT = 30

BINARY_EXTENSIONS = frozenset(
    (
        "zip tar gz tgz bz2 xz zst 7z rar exe dll so dylib class jar war pyc pyo bin obj o a lib wasm doc docx xls xlsx"
        " ppt pptx odt ods odp pdf png jpg jpeg gif bmp ico webp mp3 mp4 avi mov mkv wav flac ttf otf woff woff2 sqlite"
        " db"
    ).split()
)

BINARY_REFUSED = "Binary files are refused."
DOCUMENTS_CONVERTED = "Documents such as PDF and DOCX are converted to Markdown; other binary files are refused."
"""Sentences about binary files in the description for the model, without and with documents."""

PROPERTIES: dict[str, dict[str, object]] = {
    "filePath": {"type": "string", "description": "The path to the file or directory to read"},
    "offset": {"type": "integer", "description": "The line or entry to start from (1-based)", "default": 1},
    "limit": {
        "type": "integer",
        "description": "The maximum number of lines or entries to read",
        "default": DEFAULT_READ_LIMIT,
    },
}


def dialect(documents: bool = False) -> Dialect:
    """Returns the dialect; `documents` converts documents instead of refusing them."""
    return Dialect(
        name="opencode",
        summary="Tags around numbered lines, directories too; failures are exceptions.",
        tools=(_tool(documents),),
        settings=(Setting("documents", "switch", "yes or no: convert documents"),),
        configured=dialect,
    )


def _tool(documents: bool) -> DialectTool:
    """Builds the tool `read`."""
    return DialectTool(
        name="read",
        template=description_loader("opencode/read"),
        properties=PROPERTIES,
        rules=Rules(
            decoding="utf-8",
            sample_bytes=SAMPLE_BYTES,
            control_percent=CONTROL_PERCENT,
            refused_extensions=BINARY_EXTENSIONS,
            documents="convert" if documents else "ignore",
            directories="names",
        ),
        parse=_parse,
        render=_render,
        render_error=_render_error,
        required=("filePath",),
        brief=_brief_data,
        placeholders=(("binary", DOCUMENTS_CONVERTED if documents else BINARY_REFUSED),),
    )


def _parse(params: object) -> ReadRequest:
    """Turns params into a request."""
    given = as_mapping(params)
    start = number_or_default(given, "offset", 1)
    if start < 1:
        raise InvalidRequest("offset", start, ">= 1")
    count = number_or_default(given, "limit", DEFAULT_READ_LIMIT)
    if count < 1:
        raise InvalidRequest("limit", count, ">= 1")
    if given.get("filePath") is None:
        raise InvalidRequest("filePath", None, "the path of a file or directory")
    path = check_path(given["filePath"]) or "."
    limits = Limits(count, MAX_BYTES, MAX_LINE_LENGTH, clip_bytes=len(CLIP_MARK))
    return ReadRequest(path, limits, start, exact_up_to=0)


def _render(result: ReadResult, call: Call) -> Reply:
    """Writes the reply to a file or directory, with title and preview as data."""
    window = result.window
    path = _absolute_path(call)
    lines = list(window.lines)
    for clip in window.clipped:
        lines[clip.line - window.start] += CLIP_MARK
    output = _directory_text(path, lines, window) if result.kind == "directory" else _file_text(path, lines, window)
    title = path_below(path, normalised(call.cwd, "/"))
    data: dict[str, object] = {
        "title": printable(path if title is None else title),
        "output": output,
        "metadata": {"preview": "\n".join(lines[:PREVIEW_LINES]), "truncated": window.next is not None},
    }
    return Reply(output, data)


def _brief_data(data: dict[str, object]) -> dict[str, object]:
    """Returns the data without the text of the reply, whole or in part."""
    kept = {name: value for name, value in data.items() if name != "output"}
    if "metadata" in data:
        metadata = cast("dict[str, object]", data["metadata"])
        kept["metadata"] = {name: value for name, value in metadata.items() if name != "preview"}
    return kept


def _file_text(path: str, lines: list[str], window: Window) -> str:
    """Returns numbered lines between tags, and how to continue."""
    if not window.next:
        remark = f"(End of file - total {window.total} lines)"
    elif window.reason == "bytes":
        remark = f"(Output truncated at {MAX_BYTES} bytes. Use 'offset' parameter to read beyond line {window.end})"
    else:
        remark = f"(File has more lines. Use 'offset' parameter to read beyond line {window.end})"
    numbered = [f"{number}: {line}" for number, line in enumerate(lines, window.start)]
    head = (f"<path>{printable(path)}</path>", "<type>file</type>", "<content>")
    return "\n".join((*head, *numbered, "", remark, "</content>"))


def _directory_text(path: str, entries: list[str], window: Window) -> str:
    """Returns entries between tags, and how to continue."""
    remark = f"({window.total} entries)"
    if window.next:
        showing = f"Showing {len(entries)} of {window.total} entries."
        remark = f"({showing} Use 'offset' parameter to read beyond entry {window.end})"
    head = (f"<path>{printable(path)}</path>", "<type>directory</type>", "<entries>")
    return "\n".join((*head, *entries, "", remark, "</entries>"))


def _render_error(error: ReadError, call: Call) -> Reply:
    """Writes a failure, with the exception that the design names for it."""
    kind, message = _exception_and_message(error, printable(_absolute_path(call)), call)
    data: dict[str, object] = {"error": {"type": kind.__name__, "message": message}}
    return Reply(message, data, is_error=True, exception=kind(message))


def _exception_and_message(error: ReadError, path: str, call: Call) -> tuple[type[Exception], str]:
    """Returns the type of exception that a failure becomes, and its message."""
    match error:
        case StartPastEnd():
            what = f"directory ({error.total} entries)" if error.in_directory else f"file ({error.total} lines)"
            return ValueError, f"Offset {error.start} is out of range for this {what}"
        case InvalidRequest(param="path"):
            return ValueError, "Invalid path"
        case InvalidRequest():
            return ValueError, f"{error.param} must be {error.wants}"
        case AccessDenied(rule="root"):
            roots = ", ".join(printable(root.given) for root in call.roots)
            return PermissionError, f"Access denied: path must be within {roots}"
        case AccessDenied():
            return PermissionError, "Access denied: path is excluded by policy"
        case NotFound():
            return FileNotFoundError, f"File not found: {path}" + _did_you_mean(error, path)
        case BinaryFile():
            return ValueError, f"Cannot read binary file: {path}"
        case NotRegularFile():
            return ValueError, f"Cannot read special file: {path}"
        case ConversionFailed():
            return ValueError, f"Cannot convert {path}: {_conversion_failure(error)}"
        case TooLarge():
            return ValueError, f"Cannot convert {path}: it is larger than {error.limit} bytes"
        case ChangedWhileReading():
            return OSError, f"Cannot read {path}: it changed while it was being read"
        case DeadlineExceeded():
            return TimeoutError, f"Cannot read {path}: it took longer than {error.seconds:g} s"
        case TooManyCalls():
            return OSError, f"Too many {error.limit}: call again in {error.seconds} s"
        case Unreadable(no_permission=True):
            return PermissionError, f"Permission denied: {path}"
        case Unreadable():
            return OSError, f"Cannot read {path}: {error.reason}"
        case _:
            return OSError, f"Cannot read {path}: it cannot be read this way"


def _conversion_failure(error: ConversionFailed) -> str:
    """Returns why a document could not be converted, and the command that installs what is missing."""
    return f"{error.reason}: {error.install}" if isinstance(error, ConverterMissing) else printable(error.reason)


def _did_you_mean(error: NotFound, path: str) -> str:
    """Returns similar names, a line each; empty where there are none."""
    if not error.lookalikes:
        return ""
    folder = path.rpartition("/")[0]
    return "\n\nDid you mean one of these?\n" + "\n".join(f"{folder}/{printable(name)}" for name in error.lookalikes)


def _absolute_path(call: Call) -> str:
    """Returns the asked path, absolute and without `..`."""
    return normalised(path_as_written(call.params, "filePath"), call.cwd)
