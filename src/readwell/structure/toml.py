"""TOML's tables and keys with their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .part import ParseStopped, Part

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
    found = list(_keys_and_tables(text))
    tables = [number for number, part in enumerate(found) if part.kind == "head"]
    bad = next((part.start for part in found if part.kind == "bad"), None)
    for number, following in zip(tables, [*tables[1:], len(found)], strict=True):
        keys = [part for part in found[number + 1 : following] if part.kind != "bad"]
        yield _table(found[number], keys)
    first = tables[0] if tables else len(found)
    for number, part in enumerate(found):
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
        if found := TABLE.match(line):
            label = f"{found[1]}{found[2]}{']' * len(found[1])}"
            yield Part(start, start, "head", label=label, title=f"table {found[2]}", depth=0)
        elif found := KEY.match(line):
            number = _end_of_value(lines, number, found.start(2))
            yield _key(start, number + 1, found[1], found[2])
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
    for found in TOKEN.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        ended = not found[0].startswith(('"""', "'''")) or (len(found[0]) > 5 and found[0].endswith(found[0][:3]))
        if depth <= 0 and ended and not found[0].startswith("#"):
            return found.end()
    return 0
