"""JSON's keys and items with their lines, token by token: also with comments, and as far as it parses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .text_part import ParseStopped, Part

TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"?|[{}\[\]:,]|\n|//[^\n]*|/\*.*?(?:\*/|\Z)|[^\s{}\[\]:,"/]+|/', re.S)
CLOSED_BY = {"{": "}", "[": "]"}
SCALARS = {'"': "string", "t": "boolean", "f": "boolean", "n": "null"}
LONGEST_KEY = 60
MAX_ITEMS = 100
"""Items of one array that are rows."""


class _Open:
    """An object or array that is being read."""

    __slots__ = ("count", "hidden", "key", "sign", "start")

    def __init__(self, sign: str, key: str, start: int) -> None:
        self.sign, self.key, self.start = sign, key, start
        self.count = self.hidden = 0
        """Keys or items so far; objects and arrays that are not among the first items."""


def size_of(sign: str, count: int) -> str:
    """Returns what an object or array is, and how much is in it."""
    word, kind = ("key", "object") if sign == "{" else ("item", "array")
    return f"{kind}, {count} {word}{'s' * (count != 1)}"


def json_part(key: str, start: int, end: int, holds: str, depth: int) -> Part:
    """Returns the part of a key, which is written as it is in the text, or of an item `[0]`."""
    kind = holds.partition(",")[0]
    title = f"item {key[1:-1]}" if key.startswith("[") else f"{kind} {key}".rstrip()
    return Part(
        start=start,
        end=end,
        kind=kind,
        label=f"{key}: {holds}",
        title=title,
        depth=depth,
        shown=key != "" and not (key.startswith("[") and int(key[1:-1]) >= MAX_ITEMS),
        is_block=kind in ("object", "array"),
    )


def json_token_parts(text: str) -> Iterator[Part]:
    """Yields a part for each key, and for each item with others inside; raises ParseStopped after the last of them."""
    return _Reading().parts(text)


class _Reading:
    """Where a reading stands: in which objects and arrays, at which line, behind which key."""

    def __init__(self) -> None:
        self._around: list[_Open] = []
        self._line, self._roots = 1, 0
        self._key, self._key_line = "", 1
        self._awaits_key = self._behind_colon = False

    def parts(self, text: str) -> Iterator[Part]:
        """Yields the parts in the order of their ends."""
        for match in TOKEN.finditer(text):
            token = match[0]
            first = token[0]
            if first == "\n":
                self._line += 1
            elif first == "/":
                self._pass_comment(token)
            elif first in ",:":
                self._pass_sign(first)
            elif first in "}]":
                yield from self._close(first)
            elif self._awaits_key:
                self._take_key(token)
            else:
                yield from self._take_value(first)
        if self._around or not self._roots:
            raise ParseStopped(self._line)

    def _pass_comment(self, token: str) -> None:
        """Counts the lines of a comment; stops at one without an end."""
        if len(token) == 1:
            raise ParseStopped(self._line)
        self._line += token.count("\n")

    def _pass_sign(self, sign: str) -> None:
        """Takes a colon or comma; stops where none may be."""
        if not self._around or (sign == ":" and not self._key):
            raise ParseStopped(self._line)
        self._behind_colon = sign == ":"
        if sign == ",":
            self._awaits_key, self._key = self._around[-1].sign == "{", ""

    def _close(self, sign: str) -> Iterator[Part]:
        """Ends the innermost object or array, and yields it."""
        if not self._around or CLOSED_BY[self._around[-1].sign] != sign:
            raise ParseStopped(self._line)
        closed = self._around.pop()
        self._awaits_key, self._key = False, ""
        part = self._part(closed.key, closed.start, size_of(closed.sign, closed.count))
        yield part._replace(hidden_items=closed.hidden)

    def _take_key(self, token: str) -> None:
        """Takes the key of the next value; stops at what cannot be one."""
        if token[0] != '"' and not token[0].isidentifier():
            raise ParseStopped(self._line)
        self._key, self._key_line, self._awaits_key = token[: LONGEST_KEY + 1], self._line, False
        self._around[-1].count += 1

    def _take_value(self, first: str) -> Iterator[Part]:
        """Takes a value; yields it unless it is an object or array, which has only begun."""
        key, start = self._name()
        if first in CLOSED_BY:
            if self._around and self._around[-1].count > MAX_ITEMS and self._around[-1].sign == "[":
                self._around[-1].hidden += 1
            self._around.append(_Open(first, key, start))
            self._awaits_key = first == "{"
        elif key and not key.startswith("["):
            yield self._part(key, start, SCALARS.get(first, "number"))
        self._key = ""

    def _name(self) -> tuple[str, int]:
        """Returns what a value is called, and the line of that name."""
        if not self._around:
            self._roots += 1
            if self._roots > 1:
                raise ParseStopped(self._line)
            return "", self._line
        inside = self._around[-1]
        if inside.sign == "{":
            if not self._key or not self._behind_colon:
                raise ParseStopped(self._line)
            self._behind_colon = False
            return self._key, self._key_line
        inside.count += 1
        return f"[{inside.count - 1}]", self._line

    def _part(self, key: str, start: int, holds: str) -> Part:
        """Returns a key or item as part of the text."""
        return json_part(key, start, self._line, holds, depth=len(self._around) - 1)
