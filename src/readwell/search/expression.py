"""What is looked for, compiled: for one line, for many lines at once, for documents; and what every match contains."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from stringzilla import find

from ..errors import InvalidRequest
from .compiling import Compiled, compiled
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
        self._scan: Compiled | None = None
        self._in_document: Compiled | None = None
        is_plain = literal or all(token.kind == "plain" for token in self._tokens)
        self._plain = b"" if is_plain else pattern.encode()
        self.seen_plain = False
        """Whether a text that was searched holds the pattern as plain text."""

    @property
    def scan(self) -> Compiled | None:
        """The expression for a text of many lines; None: it must be asked of each line."""
        if self._scan is None and not needs_each_line(self._tokens):
            self._scan = self._compiled(f"(?m){for_many_lines(self._tokens)}", never_nl=True)
        return self._scan

    def is_absent_from(self, raw: bytes) -> bool:
        """Whether a text of ASCII surely holds no match."""
        if self.needle:
            return find(raw.lower() if self.folded else raw, self.needle) < 0
        return self.scan is not None and b"\r" not in raw and self.scan.search(raw) is None

    def in_document(self) -> Compiled:
        """Returns the expression for printed lines, of which a match may take several."""
        if self._in_document is None:
            self._in_document = self._for_documents()
        return self._in_document

    def _for_documents(self) -> Compiled:
        with suppress(InvalidRequest):
            return self._compiled(f"(?m){for_documents(self._tokens)}")
        return self._compiled(f"(?m){for_many_lines(self._tokens)}", never_nl=True)  # the other has grown too large

    def as_literal(self) -> Expression:
        """Returns the same pattern as plain text."""
        return Expression(self.pattern, True, self.ignore_case)

    def note_plain(self, body: bytes | memoryview) -> None:
        """Takes note of a text that holds the pattern as plain text, where that is something else."""
        if self._plain and not self.seen_plain:
            self.seen_plain = find(body, self._plain) >= 0

    def _compiled(self, written: str, never_nl: bool = False) -> Compiled:
        try:
            return compiled(written, ignore_case=self.ignore_case, never_nl=never_nl)
        except ValueError as error:
            raise InvalidRequest("pattern", wants=_wanted(str(error))) from None


def expression_of(request: SearchRequest) -> Expression:
    """Returns what a request looks for."""
    return Expression(request.pattern, request.literal, request.ignore_case)


def _quoted(pattern: str) -> str:
    return "".join(
        f"\\{each}" if each.isascii() and not each.isalnum() and each not in "\r\n" else each for each in pattern
    )


def _wanted(reason: str) -> str:
    said = reason if len(reason) <= LONGEST_REASON else f"{reason[:LONGEST_REASON]}…"
    return f"a regular expression of RE2 (no lookahead, no backreferences), which says: {said}; {INSTEAD}"
