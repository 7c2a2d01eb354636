"""The error codes of the envelope, and what it says about each failure."""

from __future__ import annotations

from enum import Enum

from ...errors import (
    AccessDenied,
    BinaryFile,
    ChangedWhileReading,
    ConversionFailed,
    ConverterMissing,
    DeadlineExceeded,
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
from ...path_names import printable, quoted


class ErrorCode(str, Enum):
    """All error codes of the envelope, for other tools to share."""

    NOT_FOUND = "NOT_FOUND"
    ACCESS_DENIED = "ACCESS_DENIED"
    IS_DIRECTORY = "IS_DIRECTORY"
    BINARY_FILE = "BINARY_FILE"
    INVALID_PARAM = "INVALID_PARAM"
    PERMISSION_DENIED = "PERMISSION_DENIED"
    TIMEOUT = "TIMEOUT"
    CONFLICT = "CONFLICT"
    EXECUTION_ERROR = "EXECUTION_ERROR"
    INTERNAL_ERROR = "INTERNAL_ERROR"


def describe_error(error: ReadError, path: str) -> tuple[ErrorCode, str, str]:
    """Returns the code, the message, and a sentence of guidance for the text."""
    match error:
        case InvalidRequest():
            return ErrorCode.INVALID_PARAM, *_describe_invalid_param(error)
        case AccessDenied(rule="root"):
            words = "Access denied. Path must be within project root."
            return ErrorCode.ACCESS_DENIED, words, "Use a path inside the project."
        case AccessDenied():
            return ErrorCode.ACCESS_DENIED, "Access denied. Path is excluded by policy.", "Try another file."
        case NotFound():
            return ErrorCode.NOT_FOUND, f"File '{path}' does not exist.", _did_you_mean(error)
        case IsDirectory():
            words = f"Path '{path}' is a directory. Use LS to explore it."
            return ErrorCode.IS_DIRECTORY, words, "Try a file inside it."
        case NotRegularFile():
            words = f"Path '{path}' is not a regular file."
            return ErrorCode.INVALID_PARAM, words, "Use the path of a regular file."
        case BinaryFile():
            return ErrorCode.BINARY_FILE, f"File '{path}' appears to be binary.", _binary_guidance(error)
        case DeadlineExceeded():
            return ErrorCode.TIMEOUT, f"Reading '{path}' took too long.", "Try again, or try a smaller file."
        case ChangedWhileReading():
            return ErrorCode.CONFLICT, f"File '{path}' changed while it was being read.", "Try again."
        case TooManyCalls():
            return ErrorCode.CONFLICT, f"Too many {error.limit}.", f"Try again in {error.seconds} s."
        case Unreadable(no_permission=True):
            return ErrorCode.PERMISSION_DENIED, f"Permission denied: '{path}'.", "Check the permissions of the file."
        case _:
            return ErrorCode.EXECUTION_ERROR, f"Could not read '{path}': {_reason(error)}.", _conversion_guidance(error)


def _describe_invalid_param(error: InvalidRequest) -> tuple[str, str]:
    """Returns message and guidance for a param that cannot be used."""
    match error:
        case StartPastEnd(total=0):
            return "Invalid start_line: file is empty. Valid start_line is 1.", "Use start_line=1."
        case StartPastEnd():
            words = f"{error.start} exceeds file length ({error.total} lines). Valid range: 1 to {error.total}."
            return f"Invalid start_line: {words}", f"Use a start_line between 1 and {error.total}."
        case InvalidRequest(param="path", wants="required"):
            return "Parameter 'path' is required.", "Use the path of a file, relative to the project root."
        case InvalidRequest(param="path"):
            return "Invalid path.", "Check the path: text without NUL, at most 4096 bytes, 255 in each part."
        case _:
            return f"Invalid {error.param}: must be {error.wants}.", f"Use a valid {error.param}, or leave it out."


def _did_you_mean(error: NotFound) -> str:
    """Returns the guidance for a missing path, with similar names."""
    if not error.lookalikes:
        return "Check the path."
    return f"Check the path; did you mean: {', '.join(map(quoted, error.lookalikes))}?"


def _binary_guidance(error: BinaryFile) -> str:
    """Returns the guidance for a binary file, by what it looks like."""
    if error.looks_like:
        return f"Try another tool: it looks like this: {error.looks_like}."
    return "Try another tool for binary files."


def _reason(error: ReadError) -> str:
    """Returns why a read failed, as part of a sentence."""
    match error:
        case Unreadable() | ConversionFailed():
            return printable(error.reason)
        case TooLarge():
            return f"it is larger than {error.limit} bytes"
        case _:
            return "it cannot be read this way"


def _conversion_guidance(error: ReadError) -> str:
    """Returns the guidance for a conversion that failed."""
    return f"Try: {error.install}." if isinstance(error, ConverterMissing) else "Check the file, or try another one."
