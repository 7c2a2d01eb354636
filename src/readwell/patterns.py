"""Patterns in the syntax of gitignore, matched in time linear in the length of a name.

Names and patterns are compared folded: without case, composed, without invisible characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from .named_tuple import NamedTuple

IGNORABLE = (
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Unicode's default ignorable characters: a name looks the same with and without them."""
CLASSES = {
    "alnum": "^\\W_", "alpha": "^\\W\\d_", "blank": " \\t", "cntrl": "\\x00-\\x1f\\x7f", "digit": "0-9", "graph": "!-~",
    "lower": "a-z", "print": " -~", "punct": "!-/:-@\\[-`{-~", "space": "\\s", "upper": "a-z", "xdigit": "0-9a-f",
}  # fmt: skip
ANY = "[^/]*"
ROWS_AT_ONCE = 64
"""Patterns that are compared with a name between two checks of the deadline."""

Check = Callable[[], None]
"""Checks a deadline; may raise."""


def no_check() -> None:
    """Sets no deadline."""


class Pattern(NamedTuple):
    """One line of an ignore file or a deny list."""

    text: str
    """The line as written."""
    parts: tuple[str | None, ...]
    """A regular expression for each component of a path; None: any number of directories."""
    negated: bool
    folders_only: bool

    def after(self, reached: Sequence[int], name: str) -> list[int]:
        """Returns the positions in the pattern after a name has been matched from the positions `reached` before it."""
        onward: list[int] = []
        for at in reached:
            part = self.parts[at] if at < len(self.parts) else ""
            if part is None:
                onward.append(at)
            elif part and _expression(part).fullmatch(name):
                onward.append(at + 1)
        return self.with_folders(onward)

    def with_folders(self, reached: list[int]) -> list[int]:
        """Adds the positions behind a `**`, which also matches no directory; drops those before the last `**`."""
        positions = sorted({*reached, *(at + 1 for at in reached if self.parts[at : at + 1] == (None,))})
        last = max((number for number, at in enumerate(positions) if self.parts[at : at + 1] == (None,)), default=0)
        return positions[last:]


class Patterns(NamedTuple):
    """The patterns of one file or list; the last that matches a path decides, unless a parent is excluded."""

    rows: tuple[Pattern, ...]
    ends: tuple[re.Pattern[str], ...]
    """Expressions of which one must match the last component of a path for any pattern to match: a quick first test."""

    def excludes(self, path: Sequence[str], may_be_folder: bool = True, check: Check = no_check) -> str | None:
        """Returns the line that excludes a path or a parent of it."""
        possible = self._possible(path, check)
        if not possible:
            return None
        passed: list[str] = []
        state = MatchState(self, passed)
        for number, name in enumerate(path, 1):
            if number % ROWS_AT_ONCE == 0:
                check()
            if name in possible:
                row = state.deciding_pattern(name, may_be_folder or number < len(path), check)
                if row and not row.negated:
                    return row.text
            passed.append(name)
        return None

    def _possible(self, names: Sequence[str], check: Check) -> set[str]:
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

    def within(self, folder: Sequence[str], check: Check, judged: bool = False) -> Callable[[str], str | None]:
        """Returns a function that gives the line which excludes a name in a directory, or None.

        `judged`: no line excludes the directory itself.
        """
        line = None if judged else self.excludes(folder, True, check)
        state = MatchState(self, folder)

        def excluding(name: str) -> str | None:
            row = state.deciding_pattern(name, True, check) if line is None else None
            return row.text if row and not row.negated else line

        return excluding


class MatchState:
    """How far each of some patterns has matched the directories of a path, which may grow.

    Computed only where a name may match, and once for each directory, however many names are asked for.
    """

    def __init__(self, patterns: Patterns, folders: Sequence[str], first: int = 0) -> None:
        self._patterns, self._folders, self._first = patterns, folders, first
        self.rewind()

    def along(self, folders: Sequence[str]) -> MatchState:
        """Returns the state of the same patterns for other directories."""
        return MatchState(self._patterns, folders, self._first)

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
            if at and (may_be_folder or not row.folders_only) and len(row.parts) in row.after(at, name):
                return row
        return None

    def _reached_by_rows(self, check: Check) -> list[list[int]]:
        rows = self._patterns.rows
        if self._reached is None:
            self._reached = [row.with_folders([0]) for row in rows]
        for name in self._folders[self._passed :]:
            for number, row in enumerate(rows):
                if number % ROWS_AT_ONCE == 0:
                    check()
                # A pattern of `**` and a name stays at the name, whatever directories come.
                if len(row.parts) > 2 or row.parts[:1] != (None,):
                    self._reached[number] = row.after(self._reached[number], name)
            self._passed += 1
        return self._reached


def folded(path: str) -> str:
    """Returns a path without case, composed, and without invisible characters."""
    if path.isascii():
        return path.lower()
    from unicodedata import normalize

    return normalize("NFC", re.sub(IGNORABLE, "", normalize("NFC", path)).casefold())


def compile_patterns(lines: Iterable[str]) -> Patterns:
    """Returns the patterns of gitignore lines; raises ValueError for an invalid line."""
    return combined(row for row in map(parse_pattern, lines) if row)


def combined(rows: Iterable[Pattern], check: Check = no_check) -> Patterns:
    """Returns patterns as one list."""
    rows = tuple(rows)
    ends = sorted({row.parts[-1] or ANY for row in rows})
    expressions: list[re.Pattern[str]] = []
    for first in range(0, len(ends), ROWS_AT_ONCE):
        check()
        expressions.append(re.compile("|".join(ends[first : first + ROWS_AT_ONCE])))
    return Patterns(rows, tuple(expressions))


def parse_pattern(line: str) -> Pattern | None:
    """Returns the pattern of a line, None for a blank or a comment; raises ValueError for an invalid line."""
    text = _without_trailing_spaces(line.rstrip("\r\n"))
    if not text or text.startswith("#"):
        return None
    negated = text.startswith("!")
    body = folded(text[negated:])
    folders_only = body.endswith("/")
    body = body.removesuffix("/")
    names = [name for name in body.split("/") if name]
    if not names:
        raise ValueError(f"no pattern: {line!r}")
    parts = [None if name == "**" else _part(name, line) for name in names]
    if parts[-1] is None:
        parts.append(ANY)  # `a/**` matches what is in `a`, not `a` itself
    parts = parts if "/" in body else [None, *parts]
    once = (part for number, part in enumerate(parts) if part is not None or parts[number - 1 : number] != [None])
    return Pattern(text, tuple(once), negated, folders_only)


def _without_trailing_spaces(line: str) -> str:
    kept = line.rstrip(" ")
    escaped = (len(kept) - len(kept.rstrip("\\"))) % 2
    return kept + " " if escaped and len(kept) < len(line) else kept


def _part(name: str, line: str) -> str:
    """Returns the regular expression of one component: the runs between stars, each matched at its first occurrence.

    The first occurrence is always as good as a later one, so nothing backtracks into a run, and no name is slow.
    """
    runs: list[str] = [""]
    at = 0
    while at < len(name):
        if name[at] == "*":
            runs += [] if runs[-1] == "" and len(runs) > 1 else [""]
            at += 1
            continue
        expression, at = _character(name, at)
        if expression is None:
            raise ValueError(f"no pattern: {line!r}")
        runs[-1] += expression
    if len(runs) == 1:
        return runs[0]
    first, *between, last = runs
    return first + "".join(f"(?>{ANY}?{run})" for run in between) + ANY + last


def _character(name: str, at: int) -> tuple[str | None, int]:
    """Returns the regular expression of one character and the offset of the next."""
    if name[at] == "?":
        return "[^/]", at + 1
    if name[at] == "\\":
        return (re.escape(name[at + 1]), at + 2) if at + 1 < len(name) else (None, at)
    if name[at] == "[":
        return _one_of(name, at)
    return re.escape(name[at]), at + 1


def _one_of(name: str, at: int) -> tuple[str | None, int]:
    negated = name[at + 1 : at + 2] in ("!", "^")
    here = at + 1 + negated
    choices: list[str] = []
    while here < len(name) and (name[here] != "]" or not choices):
        named = re.match(r"\[:(\w+):\]", name[here:])
        if named:
            choices.append(f"[{CLASSES[named[1]]}]" if named[1] in CLASSES else "(?!)")
            here += named.end()
            continue
        low, here = _literal(name, here)
        high = low
        if name[here : here + 1] == "-" and name[here + 1 : here + 2] not in ("", "]"):
            high, here = _literal(name, here + 1)
        choices.append(f"[{re.escape(low)}-{re.escape(high)}]" if low <= high else "(?!)")
    if here >= len(name):
        return None, at
    one = "|".join(choices)
    return (f"(?:(?!{one})[^/])" if negated else f"(?:{one})"), here + 1


def _literal(name: str, at: int) -> tuple[str, int]:
    at += name[at] == "\\" and at + 1 < len(name)
    return name[at], at + 1


@lru_cache(maxsize=4096)
def _expression(part: str) -> re.Pattern[str]:
    return re.compile(part)
