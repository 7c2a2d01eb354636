"""One line of an ignore file or deny list: parsed into a regular expression for each component of a path.

Names and patterns are compared folded: without case, composed, without invisible characters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ..named_tuple import NamedTuple

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


class Pattern(NamedTuple):
    """One line of an ignore file or a deny list."""

    text: str
    """The line as written."""
    parts: tuple[str | None, ...]
    """A regular expression for each component of a path; None: any number of directories."""
    negated: bool
    folders_only: bool

    def positions_after(self, reached: Sequence[int], name: str) -> list[int]:
        """Returns the positions in the pattern after a name has been matched from the positions `reached` before it."""
        onward: list[int] = []
        for at in reached:
            part = self.parts[at] if at < len(self.parts) else ""
            if part is None:
                onward.append(at)
            elif part and _compiled_component(part).fullmatch(name):
                onward.append(at + 1)
        return self.past_double_stars(onward)

    def past_double_stars(self, reached: list[int]) -> list[int]:
        """Adds the positions behind a `**`, which also matches no directory; drops those before the last `**`."""
        positions = sorted({*reached, *(at + 1 for at in reached if self.parts[at : at + 1] == (None,))})
        last = max((number for number, at in enumerate(positions) if self.parts[at : at + 1] == (None,)), default=0)
        return positions[last:]


def folded_path(path: str) -> str:
    """Returns a path without case, composed, and without invisible characters."""
    if path.isascii():
        return path.lower()
    from unicodedata import normalize

    return normalize("NFC", re.sub(IGNORABLE, "", normalize("NFC", path)).casefold())


def parse_pattern(line: str) -> Pattern | None:
    """Returns the pattern of a line, None for a blank or a comment; raises ValueError for an invalid line."""
    text = _without_trailing_spaces(line.rstrip("\r\n"))
    if not text or text.startswith("#"):
        return None
    negated = text.startswith("!")
    body = folded_path(text[negated:])
    folders_only = body.endswith("/")
    body = body.removesuffix("/")
    names = [name for name in body.split("/") if name]
    if not names:
        raise ValueError(f"no pattern: {line!r}")
    parts = [None if name == "**" else _component_expression(name, line) for name in names]
    if parts[-1] is None:
        parts.append(ANY)  # `a/**` matches what is in `a`, not `a` itself
    parts = parts if "/" in body else [None, *parts]
    once = (part for number, part in enumerate(parts) if part is not None or parts[number - 1 : number] != [None])
    return Pattern(text, tuple(once), negated, folders_only)


def _without_trailing_spaces(line: str) -> str:
    kept = line.rstrip(" ")
    escaped = (len(kept) - len(kept.rstrip("\\"))) % 2
    return kept + " " if escaped and len(kept) < len(line) else kept


def _component_expression(name: str, line: str) -> str:
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
        expression, at = _character_expression(name, at)
        if expression is None:
            raise ValueError(f"no pattern: {line!r}")
        runs[-1] += expression
    if len(runs) == 1:
        return runs[0]
    first, *between, last = runs
    return first + "".join(f"(?>{ANY}?{run})" for run in between) + ANY + last


def _character_expression(name: str, at: int) -> tuple[str | None, int]:
    """Returns the regular expression of one character and the offset of the next."""
    if name[at] == "?":
        return "[^/]", at + 1
    if name[at] == "\\":
        return (re.escape(name[at + 1]), at + 2) if at + 1 < len(name) else (None, at)
    if name[at] == "[":
        return _bracket_expression(name, at)
    return re.escape(name[at]), at + 1


def _bracket_expression(name: str, at: int) -> tuple[str | None, int]:
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
def _compiled_component(part: str) -> re.Pattern[str]:
    return re.compile(part)
