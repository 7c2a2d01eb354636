"""TOML's tables and keys with their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .text_part import ParseStopped, Part

TABLE = re.compile(r"\s*(\[\[?)\s*([^\[\]\n]+?)\s*\]\]?\s*(?:#.*)?$")
NAME = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
KEY = re.compile(rf"\s*({NAME}(?:\s*\.\s*{NAME})*)\s*=\s*(.*)$")
TOKEN = re.compile(r"\"\"\".*?(?:\"\"\"|\Z)|'''.*?(?:'''|\Z)|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|#[^\n]*|[\[\]{}]", re.S)
LONG = re.compile(r"\[|\{|\"\"\"|'''")
"""Starts of values that may span lines."""
KINDS = {"[": "array", "{": "table", '"': "string", "'": "string", "t": "boolean", "f": "boolean"}
LOOKED_AHEAD = (64, 1024, 16384)
"""Numbers of lines in which the end of a value is looked for, tried in order."""
DATE = re.compile(r"\d{4}-\d\d-\d\d|\d\d:\d\d")


def toml_parts(text: str) -> Iterator[Part]:
    """Yields a part for each table and for its keys; raises ParseStopped after the last one."""
    parts = list(_keys_and_tables(text))
    tables = [number for number, part in enumerate(parts) if part.kind == "head"]
    bad = next((part.start for part in parts if part.kind == "bad"), None)
    for number, following in zip(tables, [*tables[1:], len(parts)], strict=True):
        keys = [part for part in parts[number + 1 : following] if part.kind != "bad"]
        yield _table(parts[number], keys)
    first = tables[0] if tables else len(parts)
    for number, part in enumerate(parts):
        if part.kind not in ("head", "bad"):
            yield part._replace(depth=int(number > first))
    if bad:
        raise ParseStopped(bad)


def _table(head: Part, keys: list[Part]) -> Part:
    """Returns a table with the lines up to its last key."""
    count = f"{len(keys)} key{'s' * (len(keys) != 1)}"
    end = max([head.end, *(key.end for key in keys)])
    return head._replace(end=end, kind="table", label=f"{head.label}: table, {count}")


def _keys_and_tables(text: str) -> Iterator[Part]:
    """Yields keys, the heads of tables, and lines that are neither."""
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        line, start = lines[number], number + 1
        if match := TABLE.match(line):
            label = f"{match[1]}{match[2]}{']' * len(match[1])}"
            yield Part(start, start, "head", label=label, title=f"table {match[2]}", depth=0)
        elif match := KEY.match(line):
            number = _end_of_value(lines, number, match.start(2))
            yield _key(start, number + 1, match[1], match[2])
        elif line.strip() and not line.lstrip().startswith("#"):
            yield Part(start, start, "bad", label="")
        number += 1


def _key(start: int, end: int, name: str, value: str) -> Part:
    """Returns a key with the type of its value."""
    kind = KINDS.get(value[:1]) or ("date" if DATE.match(value) else "number")
    return Part(start, end, kind, label=f"{name}: {kind}", title=f"{kind} {name}", is_block=end > start)


def _end_of_value(lines: list[str], number: int, column: int) -> int:
    """Returns the index of the line in which a value ends: brackets and long strings span lines."""
    first = lines[number][column:]
    if not LONG.match(first) or _closes(first):
        return number
    for ahead in LOOKED_AHEAD:
        text = "\n".join([first, *lines[number + 1 : number + ahead]])
        if end := _closes(text):
            return number + text.count("\n", 0, end)
    return number


def _closes(text: str) -> int:
    """Returns where the first value of a text ends; 0: nowhere in it."""
    depth = 0
    for match in TOKEN.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(match[0], 0)
        ended = not match[0].startswith(('"""', "'''")) or (len(match[0]) > 5 and match[0].endswith(match[0][:3]))
        if depth <= 0 and ended and not match[0].startswith("#"):
            return match.end()
    return 0
