"""JSON's keys and items with their lines, token by token: also with comments, and as far as it parses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

from .text_part import ParseStopped, Part, shortened

TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"?|[{}\[\]:,]|\n|//[^\n]*|/\*.*?(?:\*/|\Z)|[^\s{}\[\]:,"/]+|/', re.S)
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"', re.S)
WORD = re.compile(r"true|false|null|[+-]?(?:Infinity|NaN|\.?\d[\w.+-]*)")
VALUE, KEY, END = "value", "key", "end"
"""What a reading may await, beside a colon or comma."""
OPENS = {"{": KEY, "[": VALUE}
CLOSED_BY = {"{": "}", "[": "]"}
SCALARS = {'"': "string", "t": "boolean", "f": "boolean", "n": "null"}
LONGEST_KEY = 60
MAX_ITEMS = 100
"""Items of one array that are rows."""


class _OpenContainer:
    """An object or array that is being read."""

    __slots__ = ("comma", "count", "hidden", "key", "order", "sign", "start")

    def __init__(self, sign: str, key: str, start: int, order: int) -> None:
        self.sign, self.key, self.start, self.order = sign, key, start, order
        self.count = self.hidden = self.comma = 0
        """Keys or items so far; objects and arrays that are not among the first items; the line of the last comma."""


def describe_container(sign: str, count: int) -> str:
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


def json_token_parts(text: str, is_commented: bool = False) -> Iterator[Part]:
    """Yields a part for each key, and for each item with others inside; raises ParseStopped after the last of them.

    `is_commented`: it is JSON with comments, in which a comma may also stand before a closing bracket.
    """
    return _TokenScan(is_commented).parts(text)


class _TokenScan:
    """Where a scan stands: in which objects and arrays, at which line, behind which key, and what may follow."""

    def __init__(self, is_commented: bool) -> None:
        self._opened: list[_OpenContainer] = []
        self._line, self._values = 1, 0
        self._key, self._key_line = "", 1
        self._awaits = VALUE
        self._may_close, self._has_comments = False, is_commented
        self._trailing: int | None = None
        """The first line with a comma that nothing follows."""

    def parts(self, text: str) -> Iterator[Part]:
        """Yields the parts in the order of their ends; at the end of what parses, those that are still open."""
        try:
            yield from self._closed_parts(text)
        except ParseStopped:
            yield from self._open_parts()
            raise

    def _open_parts(self) -> Iterator[Part]:
        """Yields the objects and arrays that have begun, with what was found in them so far."""
        while len(self._opened) > 1:
            opened = self._opened.pop()
            part = self._part(opened.key, opened.start, describe_container(opened.sign, opened.count), opened.order)
            yield part._replace(hidden_items=opened.hidden)

    def _closed_parts(self, text: str) -> Iterator[Part]:
        """Yields the parts that end."""
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
            elif self._awaits == KEY:
                self._take_key(token)
            else:
                yield from self._take_value(token)
        if self._awaits != END:
            self._raise_stopped()
        if self._trailing and not self._has_comments:
            raise ParseStopped(self._trailing)

    def _raise_stopped(self) -> NoReturn:
        """Ends the scan at the first line that is not JSON."""
        raise ParseStopped(self._line if self._has_comments else self._trailing or self._line)

    def _pass_comment(self, token: str) -> None:
        """Counts the lines of a comment; stops at one without an end."""
        if len(token) == 1:
            self._raise_stopped()
        self._has_comments = True
        self._line += token.count("\n")

    def _pass_sign(self, sign: str) -> None:
        """Takes a colon or comma; stops where none may be."""
        if self._awaits != sign:
            self._raise_stopped()
        self._may_close = False
        self._awaits = VALUE if sign == ":" else OPENS[self._opened[-1].sign]
        if sign == ",":
            self._opened[-1].comma = self._line

    def _close(self, sign: str) -> Iterator[Part]:
        """Ends the innermost object or array, and yields it."""
        if not self._opened or CLOSED_BY[self._opened[-1].sign] != sign or not self._can_end():
            self._raise_stopped()
        closed = self._opened.pop()
        part = self._part(closed.key, closed.start, describe_container(closed.sign, closed.count), closed.order)
        self._after_value()
        yield part._replace(hidden_items=closed.hidden)

    def _can_end(self) -> bool:
        """Whether an object or array may end here; notes a comma before its end, which JSON with comments allows."""
        inside = self._opened[-1]
        if not self._may_close and inside.comma and self._awaits == OPENS[inside.sign]:
            self._trailing = self._trailing or inside.comma
            return True
        return self._may_close

    def _after_value(self) -> None:
        """Notes that a value has ended."""
        self._key, self._awaits, self._may_close = "", "," if self._opened else END, True

    def _take_key(self, token: str) -> None:
        """Takes the key of the next value; stops at what cannot be one."""
        if not (STRING.fullmatch(token) if token[0] == '"' else token[0].isidentifier()):
            self._raise_stopped()
        self._key, self._key_line = shortened(token, LONGEST_KEY + 2), self._line
        self._awaits, self._may_close = ":", False
        self._opened[-1].count += 1

    def _take_value(self, token: str) -> Iterator[Part]:
        """Takes a value; yields it unless it is an object or array, which has only begun."""
        if self._awaits != VALUE or not (token in CLOSED_BY or STRING.fullmatch(token) or WORD.fullmatch(token)):
            self._raise_stopped()
        key, start = self._take_name()
        self._values += 1
        if token in CLOSED_BY:
            if self._opened and self._opened[-1].count > MAX_ITEMS and self._opened[-1].sign == "[":
                self._opened[-1].hidden += 1
            self._opened.append(_OpenContainer(token, key, start, self._values))
            self._key, self._awaits, self._may_close = "", OPENS[token], True
            return
        if key and not key.startswith("["):
            yield self._part(key, start, SCALARS.get(token[0], "number"), self._values)
        self._after_value()

    def _take_name(self) -> tuple[str, int]:
        """Returns what a value is called, and the line of that name."""
        if not self._opened:
            return "", self._line
        inside = self._opened[-1]
        if inside.sign == "{":
            return self._key, self._key_line
        inside.count += 1
        return f"[{inside.count - 1}]", self._line

    def _part(self, key: str, start: int, holds: str, order: int) -> Part:
        """Returns a key or item as part of the text; `order`: which value it is."""
        return json_part(key, start, self._line, holds, depth=len(self._opened) - 1)._replace(order=order)
