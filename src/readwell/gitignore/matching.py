"""Lists of patterns: which of them decides about a path, found in time linear in the length of its names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from ..named_tuple import NamedTuple
from .syntax import ANY, Pattern, parse_pattern

ROWS_AT_ONCE = 64
"""Patterns that are compared with a name between two checks of the deadline."""

Check = Callable[[], None]
"""Checks a deadline; may raise."""


def no_check() -> None:
    """Sets no deadline."""


class Patterns(NamedTuple):
    """The patterns of one file or list; the last that matches a path decides, unless a parent is excluded."""

    rows: tuple[Pattern, ...]
    ends: tuple[re.Pattern[str], ...]
    """Expressions of which one must match the last component of a path for any pattern to match: a quick first test."""

    def excluding_line(self, path: Sequence[str], may_be_folder: bool = True, check: Check = no_check) -> str | None:
        """Returns the line that excludes a path or a parent of it."""
        possible = self._possible_names(path, check)
        if not possible:
            return None
        passed: list[str] = []
        state = FolderMatchState(self, passed)
        for number, name in enumerate(path, 1):
            if number % ROWS_AT_ONCE == 0:
                check()
            if name in possible:
                row = state.deciding_pattern(name, may_be_folder or number < len(path), check)
                if row and not row.negated:
                    return row.text
            passed.append(name)
        return None

    def _possible_names(self, names: Sequence[str], check: Check) -> set[str]:
        """Returns those of some names that a pattern may match; in a deep tree, most names are there many times."""
        possible: set[str] = set()
        for number, name in enumerate(set(names), 1):
            if number % ROWS_AT_ONCE == 0:
                check()
            if self.may_match(name, check):
                possible.add(name)
        return possible

    def may_match(self, name: str, check: Check) -> bool:
        """Says whether a pattern may match a path that ends in a name."""
        for number, ends in enumerate(self.ends):
            if number:
                check()
            if ends.fullmatch(name):
                return True
        return False

    def excluder_in(self, folder: Sequence[str], check: Check, judged: bool = False) -> Callable[[str], str | None]:
        """Returns a function that gives the line which excludes a name in a directory, or None.

        `judged`: no line excludes the directory itself.
        """
        line = None if judged else self.excluding_line(folder, True, check)
        state = FolderMatchState(self, folder)

        def excluding(name: str) -> str | None:
            row = state.deciding_pattern(name, True, check) if line is None else None
            return row.text if row and not row.negated else line

        return excluding


class FolderMatchState:
    """How far each of some patterns has matched the directories of a path, which may grow.

    Computed only where a name may match, and once for each directory, however many names are asked for.
    """

    def __init__(self, patterns: Patterns, folders: Sequence[str], first: int = 0) -> None:
        self._patterns, self._folders, self._first = patterns, folders, first
        self.rewind()

    def for_folders(self, folders: Sequence[str]) -> FolderMatchState:
        """Returns the state of the same patterns for other directories."""
        return FolderMatchState(self._patterns, folders, self._first)

    def rewind(self) -> None:
        """Starts again at the first directory, because the others have changed."""
        self._passed = self._first
        self._reached: list[list[int]] | None = None

    def deciding_pattern(self, name: str, may_be_folder: bool, check: Check) -> Pattern | None:
        """Returns the pattern that decides about a name in the last directory; all names are folded."""
        if not self._patterns.may_match(name, check):
            return None
        reached, rows = self._reached_by_rows(check), self._patterns.rows
        for number in range(len(rows) - 1, -1, -1):
            if number % ROWS_AT_ONCE == 0:
                check()
            row, at = rows[number], reached[number]
            if at and (may_be_folder or not row.folders_only) and len(row.parts) in row.positions_after(at, name):
                return row
        return None

    def _reached_by_rows(self, check: Check) -> list[list[int]]:
        rows = self._patterns.rows
        if self._reached is None:
            self._reached = [row.past_double_stars([0]) for row in rows]
        for name in self._folders[self._passed :]:
            for number, row in enumerate(rows):
                if number % ROWS_AT_ONCE == 0:
                    check()
                # A pattern of `**` and a name stays at the name, whatever directories come.
                if len(row.parts) > 2 or row.parts[:1] != (None,):
                    self._reached[number] = row.positions_after(self._reached[number], name)
            self._passed += 1
        return self._reached


def compile_patterns(lines: Iterable[str]) -> Patterns:
    """Returns the patterns of gitignore lines; raises ValueError for an invalid line."""
    return combine_patterns(row for row in map(parse_pattern, lines) if row)


def combine_patterns(rows: Iterable[Pattern], check: Check = no_check) -> Patterns:
    """Returns patterns as one list."""
    rows = tuple(rows)
    ends = sorted({row.parts[-1] or ANY for row in rows})
    expressions: list[re.Pattern[str]] = []
    for first in range(0, len(ends), ROWS_AT_ONCE):
        check()
        expressions.append(re.compile("|".join(ends[first : first + ROWS_AT_ONCE])))
    return Patterns(rows, tuple(expressions))
