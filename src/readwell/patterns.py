"""Patterns in gitignore's syntax: which names they mean, in whatever spelling, and never slowly.

Names and patterns are compared folded: without case, composed, without characters that cannot be seen.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

IGNORABLE = (
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Characters that Unicode calls ignorable by default: a name with and without them looks the same."""
CLASSES = {
    "alnum": "^\\W_", "alpha": "^\\W\\d_", "blank": " \\t", "cntrl": "\\x00-\\x1f\\x7f", "digit": "0-9", "graph": "!-~",
    "lower": "a-z", "print": " -~", "punct": "!-/:-@\\[-`{-~", "space": "\\s", "upper": "a-z", "xdigit": "0-9a-f",
}  # fmt: skip
ANY = "[^/]*"


class Pattern(NamedTuple):
    """One line: what was written, its parts as expressions (None: any number of folders), what it says."""

    text: str
    parts: tuple[str | None, ...]
    negated: bool
    folders_only: bool

    def means(self, path: Sequence[str]) -> bool:
        """Says whether this very path is meant, whatever its parents are."""
        at = here = 0
        again: tuple[int, int] | None = None
        while here < len(path):
            if at < len(self.parts) and self.parts[at] is None:
                again = (at + 1, here)
                at += 1
            elif at < len(self.parts) and _expression(self.parts[at] or "").fullmatch(path[here]):
                at, here = at + 1, here + 1
            elif again is not None:
                # The folders that `**` stands for grow by one; what was matched before them stands.
                again = (again[0], again[1] + 1)
                at, here = again
            else:
                return False
        return at == len(self.parts)


class Patterns(NamedTuple):
    """Lines of one file or list; the last that means a path decides, unless a parent is excluded."""

    rows: tuple[Pattern, ...]
    ends: re.Pattern[str]
    """What the last part of a path must be for any row to mean it: most names are passed over by this alone."""

    def last_word(self, path: Sequence[str], may_be_folder: bool) -> Pattern | None:
        """Returns the row that decides about this very path; `path` is folded and not empty."""
        if not self.ends.fullmatch(path[-1]):
            return None
        for row in reversed(self.rows):
            if (may_be_folder or not row.folders_only) and row.means(path):
                return row
        return None

    def excludes(self, path: Sequence[str], may_be_folder: bool = True) -> str | None:
        """Returns the line that excludes a path or a parent of it."""
        for count in range(1, len(path) + 1):
            row = self.last_word(path[:count], may_be_folder or count < len(path))
            if row and not row.negated:
                return row.text
        return None


def folded(path: str) -> str:
    """Returns a path without case, composed, and without what cannot be seen."""
    if path.isascii():
        return path.lower()
    from unicodedata import normalize

    return normalize("NFC", re.sub(IGNORABLE, "", normalize("NFC", path)).casefold())


def compiled(lines: Iterable[str]) -> Patterns:
    """Returns the patterns of gitignore lines; raises ValueError for a line that means nothing."""
    return together(row for row in map(row_of, lines) if row)


def together(rows: Iterable[Pattern]) -> Patterns:
    """Returns rows as one list."""
    rows = tuple(rows)
    ends = {row.parts[-1] or ANY for row in rows}
    return Patterns(rows, re.compile("|".join(sorted(ends)) or r"(?!)"))


def row_of(line: str) -> Pattern | None:
    """Returns the pattern of a line, None for a blank or a comment; raises ValueError for what means nothing."""
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
        parts.append(ANY)  # `a/**` means what is in `a`, not `a` itself
    return Pattern(text, tuple(parts if "/" in body else [None, *parts]), negated, folders_only)


def _without_trailing_spaces(line: str) -> str:
    kept = line.rstrip(" ")
    escaped = (len(kept) - len(kept.rstrip("\\"))) % 2
    return kept + " " if escaped and len(kept) < len(line) else kept


def _part(name: str, line: str) -> str:
    """Returns the expression of one part: runs between stars, each found where it is first possible.

    The first place is always as good as a later one, so there is no way back into a run, and no slow name.
    """
    runs: list[str] = [""]
    at = 0
    while at < len(name):
        if name[at] == "*":
            runs += [] if runs[-1] == "" and len(runs) > 1 else [""]
            at += 1
            continue
        found, at = _character(name, at)
        if found is None:
            raise ValueError(f"no pattern: {line!r}")
        runs[-1] += found
    if len(runs) == 1:
        return runs[0]
    first, *between, last = runs
    return first + "".join(f"(?>{ANY}?{run})" for run in between) + ANY + last


def _character(name: str, at: int) -> tuple[str | None, int]:
    """Returns the expression of one character and where the next begins."""
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


@cache
def _expression(part: str) -> re.Pattern[str]:
    return re.compile(part)
