"""Lists of patterns: which of them decides about a path, found in time linear in the length of its names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from ..named_tuple import NamedTuple
from .syntax import ANY, Pattern, parse_pattern

PATTERNS_A_CHECK = 64
"""Patterns that are compared with a name between two checks of the deadline."""

Check = Callable[[], None]
"""Checks a deadline; may raise."""


def no_check() -> None:
    """Does nothing: there is no deadline to check."""


class Patterns(NamedTuple):
    """The patterns of one file or list; the last that matches a path decides, unless a parent is excluded."""

    in_order: tuple[Pattern, ...]
    last_component_tests: tuple[re.Pattern[str], ...]
    """Expressions of which one must match the last component of a path for any pattern to match: a quick first test."""

    def excluding_line(self, path: Sequence[str], may_be_folder: bool = True, check: Check = no_check) -> str | None:
        """Returns the line that excludes a path or a parent of it."""
        candidates = self._names_that_may_match(path, check)
        if not candidates:
            return None
        passed: list[str] = []
        state = FolderMatchState(self, passed)
        for number, name in enumerate(path, 1):
            if number % PATTERNS_A_CHECK == 0:
                check()
            if name in candidates:
                pattern = state.deciding_pattern(name, may_be_folder or number < len(path), check)
                if pattern and not pattern.negated:
                    return pattern.text
            passed.append(name)
        return None

    def _names_that_may_match(self, names: Sequence[str], check: Check) -> set[str]:
        """Returns those of some names that a pattern may match; in a deep tree, most names are there many times."""
        candidates: set[str] = set()
        for number, name in enumerate(set(names), 1):
            if number % PATTERNS_A_CHECK == 0:
                check()
            if self.may_match(name, check):
                candidates.add(name)
        return candidates

    def may_match(self, name: str, check: Check) -> bool:
        """Says whether a pattern may match a path that ends in a name."""
        for number, test in enumerate(self.last_component_tests):
            if number:
                check()
            if test.fullmatch(name):
                return True
        return False

    def excluder_in(
        self, folder: Sequence[str], check: Check, folder_allowed: bool = False
    ) -> Callable[[str], str | None]:
        """Returns a function that gives the line which excludes a name in a directory, or None.

        `folder_allowed`: no line excludes the directory itself.
        """
        line = None if folder_allowed else self.excluding_line(folder, True, check)
        state = FolderMatchState(self, folder)

        def excluding(name: str) -> str | None:
            pattern = state.deciding_pattern(name, True, check) if line is None else None
            return pattern.text if pattern and not pattern.negated else line

        return excluding


class FolderMatchState:
    """How far each of some patterns has matched the directories of a path, which may grow.

    The patterns are relative to the directory `base_depth` levels down. Computed only where a name may match, and once
    for each directory, however many names are asked for.
    """

    def __init__(self, patterns: Patterns, folders: Sequence[str], base_depth: int = 0) -> None:
        self._patterns, self._folders, self._base_depth = patterns, folders, base_depth
        self.reset()

    def for_folders(self, folders: Sequence[str]) -> FolderMatchState:
        """Returns the state of the same patterns for other directories."""
        return FolderMatchState(self._patterns, folders, self._base_depth)

    def reset(self) -> None:
        """Starts again at the first directory, because the others have changed."""
        self._passed = self._base_depth
        self._reached: list[list[int]] | None = None

    def deciding_pattern(self, name: str, may_be_folder: bool, check: Check) -> Pattern | None:
        """Returns the pattern that decides about a name in the last directory; all names are folded."""
        if not self._patterns.may_match(name, check):
            return None
        reached, patterns = self._positions_reached(check), self._patterns.in_order
        for number in range(len(patterns) - 1, -1, -1):
            if number % PATTERNS_A_CHECK == 0:
                check()
            each, at = patterns[number], reached[number]
            if at and (may_be_folder or not each.folders_only) and len(each.parts) in each.positions_after(at, name):
                return each
        return None

    def _positions_reached(self, check: Check) -> list[list[int]]:
        """Returns for each pattern the positions in it that the directories have reached."""
        patterns = self._patterns.in_order
        if self._reached is None:
            self._reached = [pattern.past_double_stars([0]) for pattern in patterns]
        for name in self._folders[self._passed :]:
            for number, pattern in enumerate(patterns):
                if number % PATTERNS_A_CHECK == 0:
                    check()
                # A pattern of `**` and a name stays at the name, whatever directories come.
                if len(pattern.parts) > 2 or pattern.parts[:1] != (None,):
                    self._reached[number] = pattern.positions_after(self._reached[number], name)
            self._passed += 1
        return self._reached


def compile_patterns(lines: Iterable[str]) -> Patterns:
    """Returns the patterns of gitignore lines; raises ValueError for an invalid line."""
    return combine_patterns(pattern for pattern in map(parse_pattern, lines) if pattern)


def combine_patterns(patterns: Iterable[Pattern], check: Check = no_check) -> Patterns:
    """Returns patterns as one list, the tests of the last component compiled."""
    in_order = tuple(patterns)
    components = sorted({pattern.parts[-1] or ANY for pattern in in_order})
    tests: list[re.Pattern[str]] = []
    for first in range(0, len(components), PATTERNS_A_CHECK):
        check()
        tests.append(re.compile("|".join(components[first : first + PATTERNS_A_CHECK])))
    return Patterns(in_order, tuple(tests))
