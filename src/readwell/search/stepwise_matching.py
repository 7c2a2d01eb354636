"""Matches in steps: RE2 is linear in time, but a call of it ends only with its text, which can take minutes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from stringzilla import find, rfind

from ..text.line_ends import LF

if TYPE_CHECKING:
    from .re2_compiler import Compiled, FoundMatch

LARGEST_PROGRAM = 15_000
"""Instructions of a compiled pattern; each byte of a text may pass all of them."""
WORK = 40_000_000
"""Bytes times instructions of a step: a third of a second at worst."""
SHORTEST_STEP = 1 << 13
OVERLAP = 1 << 12
"""Bytes of a line that are searched again with the next part of it, for a match that lies in both."""


class StepwiseExpression:
    """A compiled expression that looks at the clock between the steps of a search.

    Steps end with lines, if these are not longer than a step. `over_lines`: a match may lie in several.
    """

    def __init__(self, compiled: Compiled, check: Callable[[], None], over_lines: bool = False) -> None:
        self._compiled, self._check, self._over_lines = compiled, check, over_lines
        size = cast("int", cast("Any", compiled).programsize)
        if size > LARGEST_PROGRAM:
            raise ValueError("pattern too large")
        self._step = max(SHORTEST_STEP, WORK // max(1, size))
        self._since_check = 0
        """Bytes searched since the clock was looked at."""
        self.mid_line_cuts: list[int] = []
        """Offsets at which a step ended inside of a line, so that a match of all of it may be missing."""
        self.fullmatch = compiled.fullmatch

    def search(self, text: bytes | memoryview, pos: int = 0, endpos: int | None = None) -> FoundMatch | None:
        """Returns the first match between two offsets; raises DeadlineExceeded between two steps."""
        end = len(text) if endpos is None else endpos
        self._check_after_step(min(self._step, end - pos))
        at = pos
        while end - at > self._step:
            stop = self._end_of_step(text, at, end)
            if stop == end:
                break
            if match := self._compiled.search(text, at, stop):
                return match
            is_end_of_line = text[stop - 1] == LF[0]
            if not is_end_of_line:
                self.mid_line_cuts.append(stop)
            goes_on = self._over_lines or not is_end_of_line
            at = max(at + 1, self._start_of_character(text, stop - OVERLAP)) if goes_on else stop
            self._check_after_step(self._step)
        return self._compiled.search(text, at, end)

    def _check_after_step(self, count: int) -> None:
        """Adds the bytes that are searched next, and checks the deadline once they are a step together."""
        self._since_check += count
        if self._since_check >= self._step:
            self._since_check = 0
            self._check()

    def _end_of_step(self, text: bytes | memoryview, at: int, end: int) -> int:
        """Returns where a step ends: behind a line, or inside of one that is longer than a step."""
        most = at + self._step
        behind_line = rfind(text, LF, at, most) + 1
        if behind_line > at:
            return behind_line
        following = find(text, LF, most, min(end, most + OVERLAP)) + 1
        return following or min(end, self._start_of_character(text, most))

    def _start_of_character(self, text: bytes | memoryview, at: int) -> int:
        """Returns the offset, moved behind the rest of a UTF-8 character that it lies in."""
        last = min(len(text), at + 3)
        while at < last and text[at] & 0xC0 == 0x80:
            at += 1
        return at


def take_mid_line_cuts(compiled: Compiled) -> list[int]:
    """Returns and forgets the offsets inside of lines at which steps have ended."""
    if not isinstance(compiled, StepwiseExpression):
        return []
    cuts, compiled.mid_line_cuts = compiled.mid_line_cuts, []
    return cuts
