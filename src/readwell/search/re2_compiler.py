"""Compiles a regular expression with RE2, which matches in linear time: patterns come from untrusted callers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class FoundMatch(Protocol):
    """A match."""

    start: Callable[[], int]
    end: Callable[[], int]


class Compiled(Protocol):
    """A compiled expression for bytes; matching releases the GIL."""

    def search(self, text: bytes | memoryview, pos: int = ..., endpos: int = ...) -> FoundMatch | None:
        """Returns the first match between two offsets; `^`, `$` and `\\b` see the bytes around them."""
        ...

    def fullmatch(self, text: bytes) -> FoundMatch | None:
        """Returns the match of the whole text, or None."""
        ...


def compile_expression(expression: str, *, ignore_case: bool = False, never_nl: bool = False) -> Compiled:
    """Compiles an expression; raises ValueError with the reason that RE2 gives."""
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
        re2.purge()  # its cache would keep 128 of them, up to 8 MiB each


def _reason(error: Exception) -> str:
    """Returns RE2's reason as text."""
    reason = error.args[0]
    return reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
