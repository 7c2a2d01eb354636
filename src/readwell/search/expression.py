"""What is looked for, compiled: for one line, for many lines at once, for documents; and what every match contains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import InvalidRequest
from .tokens import (
    for_documents,
    for_many_lines,
    has_line_end,
    ignores_case,
    needs_each_line,
    required_literal,
    tokens_of,
)

if TYPE_CHECKING:
    from ..matches import SearchRequest

LONGEST_REASON = 80
INSTEAD = "to search for it as it is, send literal=true"
NOT_IN_RE2 = ("(?=", "(?!", "(?<=", "(?<!", "(?>", *(f"\\{digit}" for digit in range(1, 10)))
FOLDED_ELSEWHERE = {"k": "\u212a".encode(), "s": "\u017f".encode()}
"""Letters that are the same as characters beyond ASCII where case is ignored."""


class Expression:
    """A pattern, compiled by RE2. Raises InvalidRequest for one that is none."""

    def __init__(self, pattern: str, literal: bool, ignore_case: bool) -> None:
        self.pattern, self.literal, self.ignore_case = pattern, literal, ignore_case
        written = _quoted(pattern) if literal else pattern
        self.in_line = self._compiled(written)
        self._tokens = tokens_of(written)
        if has_line_end(self._tokens):
            raise InvalidRequest("pattern", wants="without a line end: it is matched line by line")
        self.folded = ignore_case or ignores_case(self._tokens)
        needle = required_literal(self._tokens, ascii_only=self.folded)
        self.needle = (needle.lower() if self.folded else needle).encode()
        """What stands in every match; where case is ignored, in small letters. Empty: nothing is known."""
        self.is_needle = literal and not self.folded and needle == pattern
        """Nothing but the needle is looked for."""
        self.elsewhere = [FOLDED_ELSEWHERE[each] for each in FOLDED_ELSEWHERE if self.folded and each in needle.lower()]
        self._scan: Any = None

    @property
    def scan(self) -> Any:
        """The expression for a text of many lines; None: it must be asked of each line."""
        if self._scan is None and not needs_each_line(self._tokens):
            self._scan = self._compiled(f"(?m){for_many_lines(self._tokens)}", never_nl=True)
        return self._scan

    def in_document(self) -> Any:
        """Returns the expression for printed lines, of which a match may take several."""
        return self._compiled(f"(?m){for_documents(self._tokens)}")

    def as_literal(self) -> Expression | None:
        """Returns the same pattern as plain text, where that is something else."""
        plain = not any(token.kind not in ("plain",) for token in self._tokens)
        return None if self.literal or plain else Expression(self.pattern, True, self.ignore_case)

    def _compiled(self, written: str, never_nl: bool = False) -> Any:
        import re2

        options = re2.Options()
        options.log_errors, options.never_capture = False, True
        options.case_sensitive, options.never_nl = not self.ignore_case, never_nl
        try:
            return re2.compile(written.encode(), options)
        except UnicodeEncodeError:
            raise InvalidRequest("pattern", wants="text that UTF-8 can carry") from None
        except re2.error as error:
            raise InvalidRequest("pattern", wants=_wanted(written, error.args[0])) from None
        finally:
            re2.purge()  # it would keep 128 of them, each of up to 8 MiB


def expression_of(request: SearchRequest) -> Expression:
    """Returns what a request looks for."""
    return Expression(request.pattern, request.literal, request.ignore_case)


def _quoted(pattern: str) -> str:
    return "".join(
        f"\\{each}" if each.isascii() and not each.isalnum() and each not in "\r\n" else each for each in pattern
    )


def _wanted(written: str, reason: object) -> str:
    said = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
    said = said if len(said) <= LONGEST_REASON else f"{said[:LONGEST_REASON]}…"
    missing = (
        " (RE2 has no lookahead, lookbehind or backreferences)" if any(each in written for each in NOT_IN_RE2) else ""
    )
    return f"a regular expression of RE2, which says: {said}{missing}; {INSTEAD}"
