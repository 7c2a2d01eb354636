"""JSON with comments and trailing commas: a parser that keeps positions, and edits that keep everything else."""

from __future__ import annotations

import json
import re
from typing import Any

from ...named_tuple import NamedTuple
from .errors import NotEditable

BLANK = re.compile(r"(?:[\s\ufeff]|//[^\n]*|/\*.*?\*/)*", re.S)
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
SCALAR = re.compile(r"[\w.+-]+")
DEFAULT_INDENT = "  "


class Node(NamedTuple):
    """A value of the file with its position; `members` is set for objects only."""

    value: Any
    start: int
    end: int
    members: list[Member] | None = None


class Member(NamedTuple):
    """A key of an object with its value; `comma` is the position of the comma after it, or -1."""

    key: str
    start: int
    node: Node
    comma: int


def parse(text: str) -> Node:
    """Parses a file; raises NotEditable if it is not JSON, with or without comments."""
    try:
        node = _parse_value(text, _skip_blanks_and_comments(text, 0))
    except (IndexError, ValueError, RecursionError):
        raise NotEditable("it is not valid JSON") from None
    if _skip_blanks_and_comments(text, node.end) != len(text):
        raise NotEditable("there is something after the end of its JSON value")
    return node


def with_entry(text: str, path: list[str], entry: dict[str, object]) -> str:
    """Returns the text with the entry at the path of keys; what else the entry had before is kept."""
    if not text.strip("\ufeff \t\r\n"):
        text = "{}\n"
    node = parse(text)
    for depth, key in enumerate(path):
        member = _find_member(node, path[:depth], key)
        if member is None:
            return _insert_member(text, node, key, _nested(entry, path[depth + 1 :]))
        node = member.node
    for key, value in entry.items():
        text = _with_value(text, path, key, value)
    return text


def _nested(value: object, path: list[str]) -> object:
    """Returns a value inside objects, one for each key."""
    for key in reversed(path):
        value = {key: value}
    return value


def _with_value(text: str, path: list[str], key: str, value: object) -> str:
    """Returns the text with a key of the object at the path set to a value."""
    node = parse(text)
    for depth, name in enumerate(path):
        node = next(each for each in _members(node, path[:depth]) if each.key == name).node
    member = _find_member(node, path, key)
    return _replace_value(text, member.node, value) if member else _insert_member(text, node, key, value)


def without_entry(text: str, path: list[str]) -> str:
    """Returns the text without the entry at the path; unchanged if there is none."""
    node = parse(text)
    for depth, key in enumerate(path):
        members = _members(node, path[:depth])
        index = next((index for index, each in enumerate(members) if each.key == key), None)
        if index is None:
            return text
        if depth == len(path) - 1:
            return _cut_member(text, members, index)
        node = members[index].node
    return text


def _members(node: Node, path: list[str]) -> list[Member]:
    """Returns the members of an object; raises NotEditable for what is none."""
    if node.members is None:
        raise NotEditable(f"{'.'.join(path) or 'its content'} is not an object")
    keys = [member.key for member in node.members]
    if len(keys) != len(set(keys)):
        raise NotEditable(f"{'.'.join(path) or 'its content'} has a key twice")
    return node.members


def _find_member(node: Node, path: list[str], key: str) -> Member | None:
    """Returns the member of a key; None where there is none."""
    return next((each for each in _members(node, path) if each.key == key), None)


def _skip_blanks_and_comments(text: str, at: int) -> int:
    """Returns the position after blanks and comments."""
    match = BLANK.match(text, at)
    return match.end() if match else at


def _parse_value(text: str, at: int) -> Node:
    """Parses the value at a position."""
    if text[at] == "{":
        return _parse_object(text, at)
    if text[at] == "[":
        return _parse_array(text, at)
    match = (STRING if text[at] == '"' else SCALAR).match(text, at)
    if not match:
        raise ValueError(at)
    return Node(json.loads(match[0]), at, match.end())


def _parse_object(text: str, start: int) -> Node:
    """Parses the object at a position."""
    members: list[Member] = []
    at = _skip_blanks_and_comments(text, start + 1)
    while text[at] != "}":
        key = STRING.match(text, at)
        colon = _skip_blanks_and_comments(text, key.end()) if key else at
        if not key or text[colon] != ":":
            raise ValueError(at)
        node = _parse_value(text, _skip_blanks_and_comments(text, colon + 1))
        after = _skip_blanks_and_comments(text, node.end)
        has_comma = text[after] == ","
        members.append(Member(json.loads(key[0]), at, node, after if has_comma else -1))
        at = _skip_blanks_and_comments(text, after + has_comma)
        if not has_comma and text[at] != "}":
            raise ValueError(at)
    return Node({each.key: each.node.value for each in members}, start, at + 1, members)


def _parse_array(text: str, start: int) -> Node:
    """Parses the array at a position."""
    values: list[object] = []
    at = _skip_blanks_and_comments(text, start + 1)
    while text[at] != "]":
        node = _parse_value(text, at)
        values.append(node.value)
        at = _skip_blanks_and_comments(text, node.end)
        if text[at] == ",":
            at = _skip_blanks_and_comments(text, at + 1)
        elif text[at] != "]":
            raise ValueError(at)
    return Node(values, start, at + 1)


def _insert_member(text: str, node: Node, key: str, value: object) -> str:
    """Adds a member at the end of an object, behind the comments there."""
    outer = _line_indent(text, node.start)
    inner = _member_indent(text, node, outer)
    unit = inner.removeprefix(outer) or DEFAULT_INDENT
    added = f"{inner}{json.dumps(key, ensure_ascii=False)}: {_indented_json(value, unit, inner)}"
    brace, last = node.end - 1, node.members[-1] if node.members else None
    before = text[:brace].rstrip(" \t\r\n")
    if last and last.comma < 0:
        before = f"{text[: last.node.end]},{before[last.node.end :]}"
    trailing = "," if last and last.comma >= 0 else ""
    return f"{before}\n{added}{trailing}\n{outer}{text[brace:]}"


def _replace_value(text: str, node: Node, value: object) -> str:
    """Returns the text with another value, indented as the old one."""
    if value == node.value:
        return text
    indent = _line_indent(text, node.start)
    unit = _member_indent(text, node, indent).removeprefix(indent) or DEFAULT_INDENT
    return text[: node.start] + _indented_json(value, unit, indent) + text[node.end :]


def _cut_member(text: str, members: list[Member], index: int) -> str:
    """Removes a member with the line break before it; the one before it loses its comma if it is the last now."""
    member = members[index]
    end = member.comma + 1 if member.comma >= 0 else member.node.end
    before = text[: member.start].rstrip(" \t\r\n")
    rest = text[end:]
    if member.comma < 0 and index and members[index - 1].comma >= 0:
        comma = members[index - 1].comma
        before = before[:comma] + before[comma + 1 :]
    if len(members) == 1 and before.endswith("{") and rest.lstrip(" \t\r\n").startswith("}"):
        return before + rest.lstrip(" \t\r\n")
    may_end_in_comment = "//" in before.rpartition("\n")[2]
    return before + ("\n" if may_end_in_comment and not rest.startswith("\n") else "") + rest


def _indented_json(value: object, unit: str, indent: str) -> str:
    """Returns a value as JSON, indented."""
    return json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", f"\n{indent}")


def _member_indent(text: str, node: Node, outer: str) -> str:
    """Returns the indentation of the members of an object: that of the first one on its own line, or one step more."""
    for member in node.members or []:
        if text[: member.start].rpartition("\n")[2].isspace():
            return _line_indent(text, member.start)
    return outer + DEFAULT_INDENT


def _line_indent(text: str, at: int) -> str:
    """Returns how the line at a position is indented."""
    line = text[:at].rpartition("\n")[2].lstrip("\ufeff")
    return line[: len(line) - len(line.lstrip(" \t"))]
