"""Expressions given to RE2, whose time is linear: what is looked for comes from outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Found(Protocol):
    """A match."""

    start: Callable[[], int]
    end: Callable[[], int]


class Compiled(Protocol):
    """An expression; it is asked of bytes, and lets other threads run meanwhile."""

    def search(self, text: bytes | memoryview, pos: int = ..., endpos: int = ...) -> Found | None:
        """Returns the first match between two offsets; what stands around them is looked at."""
        ...

    def fullmatch(self, text: bytes) -> Found | None:
        """Returns whether all of a text matches."""
        ...


def compiled(expression: str, *, ignore_case: bool = False, never_nl: bool = False) -> Compiled:
    """Returns an expression; raises ValueError with the reason of RE2 for what is none."""
    import re2

    options = re2.Options()
    options.log_errors, options.never_capture = False, True
    options.case_sensitive, options.never_nl = not ignore_case, never_nl
    try:
        return re2.compile(expression.encode(), options)
    except UnicodeEncodeError:
        raise ValueError("it is no text") from None
    except re2.error as error:
        raise ValueError(_reason(error)) from None
    finally:
        re2.purge()  # it would keep 128 of them, each of up to 8 MiB


def _reason(error: Exception) -> str:
    reason = error.args[0]
    return reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
