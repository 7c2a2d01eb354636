"""Rendering of failures: a code, what happened, and the next step, in one line."""

from __future__ import annotations

from collections.abc import Mapping
from errno import ESTALE

from ...errors import (
    AccessDenied,
    BinaryFile,
    ChangedWhileReading,
    ColumnPastEnd,
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
from ...light_typing import cast
from ...model import Call, Reply
from ...path_names import printable
from ..params import as_mapping
from .binary_files import NEXT_STEPS, TEXT_ALL_THE_SAME, describe_binary_file, next_step_for_binary
from .missing_paths import describe_missing_path
from .request import known_params, token_budget
from .settings import Settings
from .shortening import Failure, shorten_failure

LOOK = 'Look at its pages with view="image" pages="1".'
LOOK_OR_RECOGNISE = LOOK.replace(".", ", or install readwell[ocr] to have them read.")
OTHER_VIEWS = {
    "markdown": "Leave out view to read it as Markdown.",
    "image": "Leave out view to look at it.",
    "unpacked": "Leave out view to read what it holds.",
}


NEWER = {"doc": ".docx", "ppt": ".pptx", "msg": ".eml"}
"""What a file of an old format can be saved as."""
UNREAD_METHOD = "which is not read"
"""How the reason ends where a member is packed by a method that is not known here."""
PACKINGS = frozenset(["gzip", "bzip2", "xz", "zstd", "zip", "tar", "7z"])


def render_error(error: ReadError, call: Call, settings: Settings) -> Reply:
    """Returns the reply to a failed read; its text is one line."""
    given = known_params(as_mapping(call.params))[0]
    path = given.get("path") or ("paths" if "paths" in given else None)
    return _reply_of_failure(
        error, _failure_within_budget(error, printable(path) if isinstance(path, str) else "", given, settings)
    )


def render_search_error(error: ReadError, call: Call, settings: Settings) -> Reply:
    """Returns the reply to a failed search."""
    given = as_mapping(call.params)
    paths = given.get("paths")
    named = (
        cast("list[object]", paths)[0] if isinstance(paths, list) and len(cast("list[object]", paths)) == 1 else "./"
    )
    path = error.asked or given.get("path") or named
    shown = printable(path) if isinstance(path, str) else ""
    failure = _failure_within_budget(error, shown, given, settings)
    if failure.hint == TEXT_ALL_THE_SAME:  # a search has no encoding
        failure = failure._replace(hint="If it is text all the same, read it: encoding=utf-8, utf-16-le, …")
    if isinstance(error, DeadlineExceeded):
        what = f"Searching '{shown}' took longer than {error.seconds:g} s."
        again = "Send it again: lines of a large file are counted once. Or search a smaller path."
        failure = Failure(
            "TIMEOUT", what, again if given.get("after") else "Search a smaller path, or name files by glob."
        )
    return _reply_of_failure(error, failure)


def _reply_of_failure(error: ReadError, failure: Failure) -> Reply:
    """Writes the reply to a failure."""
    data: dict[str, object] = {
        "error": {
            "code": failure.code,
            "message": failure.message,
            "hint": failure.hint,
            "retryable": error.retryable,
        }
    }
    return Reply(failure.text, data, is_error=True, exception=error)


def _failure_within_budget(error: ReadError, path: str, given: Mapping[str, object], settings: Settings) -> Failure:
    """Returns code, message and hint of an error, within the token budget of its call."""
    forms = [_describe_error(error, path)]
    nearest = ""
    if isinstance(error, NotFound):
        nearest = printable(error.nearest).rstrip("/")
        forms += [_describe_error(error, path, most) for most in range(len(error.lookalikes) - 1, -1, -1)]
    return shorten_failure(forms, path, nearest, token_budget(given, settings), settings)


def _describe_error(error: ReadError, path: str, lookalikes: int | None = None) -> Failure:
    """Returns code, message and hint of an error, with so many look-alikes at most."""
    match error:
        case InvalidRequest():
            return _describe_invalid_param(error, path)
        case NotFound():
            return Failure("NOT_FOUND", *describe_missing_path(error, path, lookalikes))
        case AccessDenied(rule="root"):
            return Failure("ACCESS_DENIED", "Path must be within the root.", "Use a path inside it.")
        case AccessDenied():
            return Failure("ACCESS_DENIED", "Path is excluded by policy.", "Read another file.")
        case IsDirectory():
            return Failure("IS_DIRECTORY", f"'{path}' is a directory.", "Read it without view to list it.")
        case NotRegularFile():
            return Failure("NOT_REGULAR", *_describe_irregular_file(error, path))
        case BinaryFile():
            return Failure(
                "BINARY_FILE",
                describe_binary_file(error, path),
                OTHER_VIEWS.get(error.otherwise) or next_step_for_binary(error),
            )
        case ConversionFailed() | TooLarge():
            return _describe_unconverted(error, path)
        case ChangedWhileReading():
            return Failure("CHANGED", f"'{path}' changed while it was read.", "Read it again.")
        case DeadlineExceeded():
            what = f"Reading '{path}' took longer than {error.seconds:g} s."
            return Failure("TIMEOUT", what, 'Try total="lazy" or a smaller offset.')
        case TooManyCalls():
            what = f"This client has too many {error.limit}."
            return Failure("TOO_MANY_CALLS", what, f"Call again in {error.seconds} s.")
        case Unreadable(no_permission=True):
            return Failure("PERMISSION_DENIED", f"Permission denied: '{path}'.", "Ask for read permission.")
        case Unreadable():
            hint = "Start the reader again." if error.errno == ESTALE else "Read another file."
            return Failure("IO_ERROR", f"Could not read '{path}': {error.reason}.", hint)
        case _:
            return Failure("IO_ERROR", f"'{path}' cannot be read this way.", "Read another file.")


def _describe_invalid_param(error: InvalidRequest, path: str) -> Failure:
    """Returns code, message and hint of a param that cannot be used."""
    match error:
        case StartPastEnd(total=0, in_outline=True):
            what = f"Offset {error.start} is past the end: the outline of '{path}' has no rows."
            return Failure("OUT_OF_RANGE", what, "Use offset=1.")
        case StartPastEnd(total=0):
            return Failure("OUT_OF_RANGE", f"Offset {error.start} is past the end: '{path}' is empty.", "Use offset=1.")
        case StartPastEnd():
            what = f"Offset {error.start} is past the end of {_describe_length(error, path)}."
            return Failure("OUT_OF_RANGE", what, _describe_offsets(error.total))
        case ColumnPastEnd():
            what = f"Column {error.column} is past the end of line {error.line} ({error.length} characters)."
            return Failure("OUT_OF_RANGE", what, f"Use a column from 1 to {max(1, error.length)}.")
        case _:
            return Failure("INVALID_PARAM", f"Invalid {error.param}.", f"It must be {error.wants}.")


def _describe_irregular_file(error: NotRegularFile, path: str) -> tuple[str, str]:
    """Returns what a path leads to that is no regular file, and the next step."""
    if error.is_link:
        what = f"'{path}' is a link in an archive, which leads nowhere."
        return what, "List the archive, and read the member that it means."
    if error.made_up:
        what = f"'{path}' leads into what the kernel makes up, such as /proc and /sys."
        return what, "Copy it to a file on a disk, and read that."
    return f"'{path}' is a pipe, socket or device.", "Read a regular file instead."


def _describe_length(error: StartPastEnd, path: str) -> str:
    """Returns what an offset is past the end of, and how long that is."""
    if error.in_outline:
        return f"the outline of '{path}' ({error.total} row{'s' * (error.total != 1)})"
    one, many = ("entry", "entries") if error.in_directory else ("line", "lines")
    counted = f"{error.total} {one if error.total == 1 else many}"
    return f"'{path}' ({'; '.join([counted, *error.remarks])})"


def _describe_offsets(total: int) -> str:
    """Returns which offsets lead to lines."""
    return "Use offset=1." if total == 1 else f"Use an offset from 1 to {total}."


def _describe_textless_pages(error: DocumentEmpty) -> str:
    """Returns how many pages are images, and how many are blank."""
    images = error.pages - error.blank
    blank = f", {error.blank} blank" if error.blank else ""
    return f"{images} page{'s' if images > 1 else ''} of images{blank}"


def _describe_unconverted(error: ConversionFailed | TooLarge, path: str) -> Failure:
    """Returns code, message and hint of a document that could not be converted."""
    match error:
        case TooLarge():
            return Failure("TOO_LARGE", f"'{path}' is too large: more than {error.limit} bytes.", "Read another file.")
        case ConverterMissing():
            return Failure("CONVERTER_MISSING", f"Reading '{path}' needs an extra.", f"Run: {error.install}")
        case DocumentLocked():
            return Failure("DOCUMENT_LOCKED", f"'{path}' is password-protected.", _how_to_unlock(error))
        case DocumentEmpty(pages=0):
            return Failure("DOCUMENT_EMPTY", f"'{path}' holds no text.", "Read another file.")
        case DocumentEmpty() if error.holds_nothing:
            blank = f"all of its {error.pages} pages are" if error.pages > 1 else "its only page is"
            return Failure("DOCUMENT_EMPTY", f"'{path}' holds no text: {blank} blank.", "Read another file.")
        case DocumentEmpty():
            what = f"'{path}' has no text layer ({_describe_textless_pages(error)})."
            return Failure("DOCUMENT_EMPTY", what, LOOK if error.with_ocr else LOOK_OR_RECOGNISE)
        case _:
            done = "unpacked" if error.converter in PACKINGS else "converted"
            what = f"'{path}' could not be {done}: {printable(error.reason)}."
            return Failure("CONVERSION_FAILED", what, _next_step_without_conversion(error))


def _how_to_unlock(error: DocumentLocked) -> str:
    """Returns what opens a locked document; a member of an archive is not opened by any password."""
    if error.converter in PACKINGS:
        return "Unpack it with its password, and read what comes out."
    if error.converter in NEWER:
        return f"Save it as {NEWER[error.converter]} without its password, and read that."
    return "The right password goes into the setting password, or --password-env."


def _next_step_without_conversion(error: ConversionFailed) -> str:
    """Returns the next step after a failed conversion."""
    if error.from_outside:
        return "Read it again."
    if error.converter in NEWER:
        return f"Save it as {NEWER[error.converter]}, and read that."
    if error.converter in PACKINGS and error.reason.endswith(UNREAD_METHOD):
        return NEXT_STEPS["archive"]
    return 'Read it with view="source".' if error.converter in ("ipynb", "rtf") else "Read another file."
