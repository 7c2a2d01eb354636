"""JSON's keys and items with their lines, at the speed of Python's decoder.

A value is decoded only to learn where it ends and how much it contains. The values inside of it are visited in the same
way, level by level, as deep as rows are wanted. Whatever is not strict JSON is left to `json_tokens`, which is slower.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from json import JSONDecoder
from typing import Any

from ..named_tuple import NamedTuple
from .json_tokens import LONGEST_KEY, MAX_ITEMS, SCALARS, describe_container, json_part, json_token_parts
from .text_part import MAX_DEEP_ROWS, Part, shortened

DECODER = JSONDecoder(object_pairs_hook=len, parse_int=str, parse_float=str, parse_constant=str)
"""Decodes an object to the number of its keys: what is in it takes no memory."""
KEY = re.compile(r'[ \t\n\r]*("(?:[^"\\\n]|\\.)*")[ \t\n\r]*:[ \t\n\r]*')
SPACE = re.compile(r"[ \t\n\r]*()")
SEPARATOR = re.compile(r"[ \t\n\r]*([,}\]])")
MAX_PASSES = 8
"""How often all of a text may be decoded; where nesting is so deep that this is not enough, tokens are faster."""


class _Value(NamedTuple):
    """A value: where its first character is, where it ends, whether values inside of it may be parts."""

    at: int
    line: int
    end: int
    has_parts: bool
    part: Part


def json_parts(text: str, line: int | None = None, is_commented: bool = False) -> Iterator[Part]:
    """Yields the parts that fit into an outline, or those around a line; raises ParseStopped after the last."""
    try:
        parts = list(_ValueVisits(text).parts(line))
    except (ValueError, RecursionError, MemoryError):
        return json_token_parts(text, is_commented)
    return iter(parts)


class _ValueVisits:
    """Visits the values of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._left = MAX_PASSES * len(text)

    def parts(self, line: int | None) -> Iterator[Part]:
        """Yields the wanted parts; raises ValueError where the text is not strict JSON, or too deep."""
        at = _match_at(SPACE, self._text, 0).end()
        first = 1 + self._text.count("\n", 0, at)
        root = self._read_value("", first, at, first, depth=-1)
        if self._text[root.end :].strip(" \t\n\r"):
            raise ValueError("more than one value")
        if root.part.is_block:
            yield root.part
        yield from self._parts_by_level(root) if line is None else self._parts_around(root, line)

    def _parts_by_level(self, root: _Value) -> Iterator[Part]:
        """Yields level by level, up to the first row that an outline has no room for."""
        level, rows = [root], 0
        while level:
            inner: list[_Value] = []
            for value in level:
                for child in self._child_values(value, MAX_ITEMS):
                    yield child.part
                    rows += 1
                    if child.part.depth and rows > MAX_DEEP_ROWS:
                        return
                    inner.append(child)
            level = inner

    def _parts_around(self, root: _Value, line: int) -> Iterator[Part]:
        """Yields the objects and arrays that contain a line, from the outside in."""
        waiting = [root]
        while waiting:
            for child in self._child_values(waiting.pop()):
                if child.part.start > line:
                    break
                if child.part.is_block and child.part.end >= line:
                    yield child.part
                    if child.part.start == child.part.end:
                        return  # none is smaller than a line
                    waiting.append(child)

    def _child_values(self, value: _Value, most_items: int | None = None) -> Iterator[_Value]:
        """Yields the values of an object, or those of the first items of an array that contain others."""
        if not value.has_parts:
            return
        text, at, line, number = self._text, value.at + 1, value.line, 0
        is_array, depth = text[value.at] == "[", (value.part.depth or 0) + 1
        while most_items is None or not is_array or number < most_items:
            key_match = _match_at(SPACE if is_array else KEY, text, at)
            key = f"[{number}]" if is_array else shortened(key_match[1], LONGEST_KEY + 2)
            key_line = line + text.count("\n", at, key_match.start(1))
            child = self._read_value(
                key, key_line, key_match.end(), key_line + text.count("\n", key_match.start(1), key_match.end()), depth
            )
            if child.part.is_block or not is_array:
                yield child
            ended = _match_at(SEPARATOR, text, child.end)
            if ended[1] != ",":
                return
            at, line, number = ended.end(), child.part.end + text.count("\n", child.end, ended.end()), number + 1

    def _read_value(self, key: str, start: int, at: int, line: int, depth: int) -> _Value:
        """Returns the value at an offset; `start` is the line of its key."""
        content: Any
        content, end = DECODER.raw_decode(self._text, at)
        self._left -= end - at
        if self._left < 0:
            raise ValueError("nested too deep")
        sign, has_parts, hidden = self._text[at], False, 0
        if sign == "{":
            has_parts, holds = content > 0, describe_container(sign, content)
        elif sign == "[":
            has_parts, holds = _count_containers(content, 0) > 0, describe_container(sign, len(content))
            hidden = _count_containers(content, MAX_ITEMS)
        else:
            holds = SCALARS.get(sign, "number")
        last = line + self._text.count("\n", at, end)
        part = json_part(key, start, last, holds, depth)._replace(hidden_items=hidden, order=at)
        return _Value(at, line, end, has_parts, part)


def _count_containers(items: list[object], first: int) -> int:
    """Returns how many items from one on are objects, which are decoded to a number, or arrays."""
    return sum(type(item) in (int, list) for item in items[first:])


def _match_at(pattern: re.Pattern[str], text: str, at: int) -> re.Match[str]:
    """Returns the match at a position; raises ValueError where there is none."""
    match = pattern.match(text, at)
    if not match:
        raise ValueError("not strict JSON")
    return match
