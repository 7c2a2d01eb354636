"""TOML's tables and keys with their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .text_part import ParseStopped, Part

QUOTED = r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
TABLE = re.compile(rf"""\s*(\[(\[)?)((?:[^\[\]"'\n]|{QUOTED})+)\](?(2)\])\s*(?:#.*)?$""")
NAME = rf"(?:[\w-]+|{QUOTED})"
KEY = re.compile(rf"\s*({NAME}(?:\s*\.\s*{NAME})*)\s*=\s*(.*)$")
LONG_STRING = r"""\"{3}(?:[^\\]|\\.)*?(?:(\"{3,5})|\\?\Z)|'{3}.*?(?:('{3,5})|\Z)"""
"""Its ends are groups, which an unfinished one lacks."""
TOKEN = re.compile(rf"{LONG_STRING}|{QUOTED}|#[^\n]*|[\[\]{{}}]", re.S)
ITEM = re.compile(rf"{TOKEN.pattern}|,|[^\s,\[\]{{}}\"'#]+", re.S)
DEPTHS = {"[": 1, "{": 1, "]": -1, "}": -1}
LONG = re.compile(r"\[|\{|\"\"\"|'''")
"""Starts of values that may span lines."""
KINDS = {"[": "array", "{": "table", '"': "string", "'": "string", "t": "boolean", "f": "boolean"}
LOOKED_AHEAD = (64, 1024, 16384)
"""Numbers of lines in which the end of a value is looked for, tried in order."""
DATE = re.compile(r"\d{4}-\d\d-\d\d|\d\d:\d\d")
TIME = r"\d\d:\d\d(?::\d\d(?:\.\d+)?)?"
NUMBER = r"[+-]?(?:inf|nan|[\d_]+(?:\.[\d_]+)?(?:[eE][+-]?[\d_]+)?)|0x[\da-fA-F_]+|0o[0-7_]+|0b[01_]+"
SCALAR = re.compile(
    rf"({QUOTED}|true|false|\d{{4}}-\d\d-\d\d(?:[Tt ]{TIME}(?:[Zz]|[+-]\d\d:\d\d)?)?|{TIME}|{NUMBER})\s*(?:#|$)"
)
REST = re.compile(r"[^\S\n]*(?:#|\n|\Z)")
"""What may be behind a value in its line."""
SIZED = {"array": "item", "table": "key"}


def toml_parts(text: str) -> Iterator[Part]:
    """Yields a part for each table and for its keys; raises ParseStopped after the last one."""
    parts = list(_keys_and_tables(text))
    tables = [number for number, part in enumerate(parts) if part.kind == "head"]
    bad = next((part.start for part in parts if part.kind == "bad"), None)
    for number, following in zip(tables, [*tables, len(parts)][1:], strict=True):
        keys = [part for part in parts[number + 1 : following] if part.kind != "bad"]
        yield _table_part(parts[number], keys)
    first = tables[0] if tables else len(parts)
    for number, part in enumerate(parts):
        if part.kind not in ("head", "bad"):
            yield part._replace(depth=int(number > first))
    if bad:
        raise ParseStopped(bad)


def _table_part(head: Part, keys: list[Part]) -> Part:
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
        if (match := TABLE.match(line)) and (name := match[3].strip()):
            label = f"{match[1]}{name}{']' * len(match[1])}"
            yield Part(start, start, "head", label=label, title=f"table {name}", depth=0)
        elif (match := KEY.match(line)) and (value := _value_at(lines, number, match.start(2))):
            number += value.count("\n")
            yield _key_part(start, number + 1, match[1], value)
        elif line.strip() and not line.lstrip().startswith("#"):
            yield Part(start, start, "bad", label="")
        number += 1


def _key_part(start: int, end: int, name: str, value: str) -> Part:
    """Returns a key with the type of its value, and the size of an array or table."""
    kind = KINDS.get(value[:1]) or ("date" if DATE.match(value) else "number")
    size = f", {_item_count_text(value, SIZED[kind])}" if kind in SIZED else ""
    return Part(start, end, kind, label=f"{name}: {kind}{size}", title=f"{kind} {name}", is_block=end > start)


def _item_count_text(value: str, word: str) -> str:
    """Returns how many items or keys are directly inside of a value, with the word for them."""
    depth = count = 0
    is_filled = False
    for match in ITEM.finditer(value):
        sign = match[0]
        if depth == 1 and sign in (",", "]", "}"):
            count, is_filled = count + is_filled, False
        elif depth and not sign.startswith("#"):
            is_filled = True
        depth += DEPTHS.get(sign, 0)
    return f"{count} {word}{'s' * (count != 1)}"


def _value_at(lines: list[str], number: int, column: int) -> str:
    """Returns the value from a column on, which may span lines; empty if there is none, or something behind it."""
    first = lines[number][column:]
    if not LONG.match(first):
        found = SCALAR.match(first)
        return found[1] if found else ""
    for ahead in (1, *LOOKED_AHEAD):
        text = "\n".join([first, *lines[number + 1 : number + ahead]])
        if end := _end_of_value(text):
            return text[:end] if REST.match(text, end) else ""
    return ""


def _end_of_value(text: str) -> int:
    """Returns where the first value of a text ends; 0: nowhere in it."""
    depth = 0
    for match in TOKEN.finditer(text):
        depth += DEPTHS.get(match[0], 0)
        ended = not match[0].startswith(('"""', "'''")) or match[1] or match[2]
        if depth <= 0 and ended and not match[0].startswith("#"):
            return match.end()
    return 0
