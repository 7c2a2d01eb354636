"""`Expression`, the pattern of one search: plain text or compiled, for a line, many lines and documents; its needle."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from stringzilla import find

from ..errors import InvalidRequest
from .re2_compiler import Compiled, compile_expression
from .regex_tokens import (
    Token,
    expression_for_documents,
    expression_for_many_lines,
    has_line_end,
    ignores_case,
    longest_run,
    needle_with_next_class,
    needs_each_line,
    required_literal,
    tokens_of,
)
from .stepwise_matching import StepwiseExpression, take_mid_line_cuts

if TYPE_CHECKING:
    from ..model.search import SearchRequest

LowerCase = Callable[[bytes], bytes | memoryview]
LONGEST_REASON = 80
LONGEST = 20_000
"""Characters of a pattern."""
MOST_CLASSES = 200
"""Classes of Unicode in a pattern: RE2 takes each apart into hundreds of ranges, and nothing interrupts it."""
SHORT_NEEDLE = 3
PLAIN = re.compile(r"[^\\.+*?()|\[\]{}^$]*")
"""Matches patterns without special characters."""
BEYOND_ASCII = re.compile(r"\\[pPx]")
INSTEAD = "to search for it as it is, send literal=true"
OTHER_SPELLINGS = {"k": "\u212a".encode(), "s": "\u017f".encode()}
"""ASCII letters with a non-ASCII variant that matches them where case is ignored."""


class Expression:
    """A pattern, compiled by RE2 where it has special characters; raises InvalidRequest if it is invalid."""

    def __init__(self, pattern: str, literal: bool, ignore_case: bool, check: Callable[[], None]) -> None:
        _refuse_excess(pattern, literal)
        self._check = check
        self.pattern, self.ignore_case, encoded = pattern, ignore_case, _encode_pattern(pattern)
        self.is_plain = literal or PLAIN.fullmatch(pattern) is not None
        """Whether the pattern is matched as plain text."""
        self._written = _escape_pattern(pattern) if self.is_plain else pattern
        self._in_line: Compiled | None = None
        self._many_lines: Compiled | None = None
        self._in_document: Compiled | None = None
        if self.is_plain:
            self.folded, needle = ignore_case, longest_run([pattern], ascii_only=ignore_case)
        else:
            self._in_line = self._compile(pattern)
            self.folded = ignore_case or ignores_case(self._tokens)
            needle = required_literal(self._tokens, ascii_only=self.folded)
        if "\n" in pattern or "\r" in pattern or (not self.is_plain and has_line_end(self._tokens)):
            raise InvalidRequest("pattern", wants="without a line end: it is matched line by line")
        self.needle = _encode_pattern(needle.lower() if self.folded else needle)
        """Text that every match contains; in lower case where case is ignored. Empty: none is known."""
        self.needle_is_ascii = self.needle.isascii()
        self._needle_and_next = self._compile_needle_with_next_class(needle)
        self.is_needle = self.is_plain and not self.folded and needle == pattern
        """Whether the needle is the whole pattern."""
        self.other_spellings = [
            OTHER_SPELLINGS[each] for each in OTHER_SPELLINGS if self.folded and each in needle.lower()
        ]
        self.is_beyond_ascii = not encoded.isascii() or (not self.is_plain and BEYOND_ASCII.search(pattern) is not None)
        """Whether a match may need characters beyond ASCII, which are not found where bytes cannot be decoded."""
        self._literal = b"" if self.is_plain else encoded
        self.occurs_as_literal = False
        """Whether a text that was searched contains the pattern as plain text."""

    @cached_property
    def _tokens(self) -> list[Token]:
        return tokens_of(self._written)

    @property
    def in_line(self) -> Compiled:
        """The expression for one line."""
        if self._in_line is None:
            self._in_line = self._compile(self._written)
        return self._in_line

    @property
    def many_lines(self) -> Compiled | None:
        """The expression for a text of many lines; None: each line must be matched by itself."""
        if self._many_lines is None and not needs_each_line(self._tokens):
            self._many_lines = self._compile(f"(?m){expression_for_many_lines(self._tokens)}", never_nl=True)
        return self._many_lines

    def is_surely_absent_from(self, raw: bytes, is_ascii: bool, lower_case: LowerCase) -> bool:
        """Whether a text has no match in any encoding that contains ASCII unchanged; False: not sure."""
        if self.needle and not self.needle_is_ascii:
            return is_ascii and b"+" not in raw  # UTF-7 writes other letters with it
        if not is_ascii and (self.other_spellings or not self.needle):
            return False
        if self.needle:
            return self.find_needle(lower_case(raw) if self.folded else raw) < 0
        scan = self.many_lines
        return scan is not None and b"\r" not in raw and scan.search(raw) is None and not take_mid_line_cuts(scan)

    def find_needle(self, haystack: bytes | memoryview, at: int = 0) -> int:
        """Returns the offset of the next needle that a match may contain; -1: there is none."""
        first = find(haystack, self.needle, at)
        if first < 0 or self._needle_and_next is None:
            return first
        match = self._needle_and_next.search(haystack, first)
        return match.start() if match else -1

    def _compile_needle_with_next_class(self, needle: str) -> Compiled | None:
        """Compiles a short needle with the class after it, since a letter or two are in too many lines."""
        if self.is_plain or self.folded or not 0 < len(needle) <= SHORT_NEEDLE:
            return None
        written = needle_with_next_class(self._tokens, needle)
        return compile_expression(written, ignore_case=self.ignore_case) if written else None

    def in_document(self) -> Compiled:
        """Returns the expression for documents, where a match may span lines."""
        if self._in_document is None:
            self._in_document = self._compile_for_documents()
        return self._in_document

    def _compile_for_documents(self) -> Compiled:
        """Returns the pattern in the form that matches across printed lines."""
        with suppress(InvalidRequest):
            return self._compile(f"(?m){expression_for_documents(self._tokens)}", over_lines=True)
        return self._compile(
            f"(?m){expression_for_many_lines(self._tokens)}", never_nl=True
        )  # the other one became too large

    def as_literal(self) -> Expression:
        """Returns the same pattern as plain text."""
        return Expression(self.pattern, True, self.ignore_case, self._check)

    def check_for_literal(self, body: bytes | memoryview) -> None:
        """Looks whether a text contains the pattern literally, where the pattern means something else."""
        if self._literal and not self.occurs_as_literal:
            self.occurs_as_literal = find(body, self._literal) >= 0

    def stop_checking_for_literal(self) -> None:
        """Makes `check_for_literal` do nothing: a match was found, so the expression is what was meant."""
        self._literal = b""

    def _compile(self, written: str, never_nl: bool = False, over_lines: bool = False) -> Compiled:
        """Compiles a pattern; raises InvalidRequest with RE2's reason."""
        try:
            compiled = compile_expression(written, ignore_case=self.ignore_case, never_nl=never_nl)
            return compiled if self.is_plain else StepwiseExpression(compiled, self._check, over_lines)
        except ValueError as error:
            raise InvalidRequest("pattern", wants=_describe_invalid_pattern(str(error))) from None


def expression_of(request: SearchRequest, check: Callable[[], None]) -> Expression:
    """Returns the compiled pattern of a request; `check` raises DeadlineExceeded when time is up."""
    return Expression(request.pattern, request.literal, request.ignore_case, check)


def _refuse_excess(pattern: str, literal: bool) -> None:
    """Raises InvalidRequest for a pattern that takes long to compile."""
    if len(pattern) > LONGEST:
        raise InvalidRequest("pattern", wants=f"at most {LONGEST} characters")
    if not literal and pattern.count(r"\p") + pattern.count(r"\P") > MOST_CLASSES:
        raise InvalidRequest("pattern", wants=rf"with at most {MOST_CLASSES} classes such as \pL")


def _encode_pattern(text: str) -> bytes:
    """Returns a pattern in UTF-8; raises InvalidRequest for what is no text, which literal=true would not mend."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise InvalidRequest("pattern", wants="text: it contains half of a character, a lone surrogate") from None


def _escape_pattern(pattern: str) -> str:
    """Returns a text as a pattern that matches just it."""
    return "".join(
        f"\\{each}" if each.isascii() and not each.isalnum() and each not in "\r\n" else each for each in pattern
    )


def _describe_invalid_pattern(reason: str) -> str:
    """Returns what a message says about a pattern that does not compile."""
    said = reason if len(reason) <= LONGEST_REASON else f"{reason[:LONGEST_REASON]}…"
    return f"a regular expression of RE2 (no lookahead, no backreferences), which says: {said}; {INSTEAD}"
