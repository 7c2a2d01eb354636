"""readwell reads files for AI agents: any file, a window at a time, inside a root it cannot leave."""

from __future__ import annotations

import os

if os.name != "posix":
    raise ImportError("readwell runs on Linux and macOS: it needs POSIX descriptors to confine what it opens")

from .errors import (
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
    WrongKind,
)
from .model import FsspecRoot, ReadResult, Reply, Window
from .model.search import SearchResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .reader import Reader

__version__ = "0.1.0"

__all__ = [
    "AccessDenied",
    "BinaryFile",
    "ChangedWhileReading",
    "ColumnPastEnd",
    "ConversionFailed",
    "ConverterMissing",
    "DeadlineExceeded",
    "DocumentEmpty",
    "DocumentLocked",
    "FsspecRoot",
    "InvalidRequest",
    "IsDirectory",
    "NotFound",
    "NotRegularFile",
    "ReadError",
    "ReadResult",
    "Reader",
    "Reply",
    "SearchResult",
    "StartPastEnd",
    "TooLarge",
    "TooManyCalls",
    "Unreadable",
    "Window",
    "WrongKind",
    "__version__",
]


def __getattr__(name: str) -> object:
    """Loads `Reader` when it is asked for: the command line does without it."""
    if name != "Reader":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .reader import Reader

    globals()[name] = Reader
    return Reader
