"""Where a text does not parse: what its tree marks as an error, or takes for granted though it is not there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ast_grep_py import Pos, SgNode

Places = Sequence[tuple[int, int]]
"""Lines and columns, both from 0."""
MAX_ERRORS = 1000
EMPTY_IN_VALID = re.compile("content|text|body|comment")
"""Kinds of nodes that are empty in valid sources too: a heredoc without lines."""
OUTSIDE_FUNCTIONS = ("translation_unit", "declaration_list", "field_declaration_list", "preproc_if", "preproc_ifdef")
OUTSIDE: dict[str, Any] = {"any": [{"kind": kind} for kind in OUTSIDE_FUNCTIONS]}
MACRO_CALL: dict[str, Any] = {"any": [OUTSIDE, {"kind": "expression_statement", "inside": OUTSIDE}]}
"""What lacks its semicolon in C, but was meant as a macro that needs none."""
GUARD = r"[ \t]*#[ \t]*if(?:def[ \t]+|[ \t]+defined[ \t]*\(?[ \t]*)__cplusplus\b[^\n]*\n"
LINKAGE = re.compile(
    rf'^{GUARD}(?:[ \t]*\n)*(?:[ \t]*extern[ \t]+"C"\s*\{{|[ \t]*\}})[^\n]*\n(?:[ \t]*\n)*[ \t]*#[ \t]*endif[^\n]*$',
    re.M,
)
C_FAMILY = ("c", "cpp")


def blank_linkage_guards(text: str, language: str) -> str:
    """Returns a text as it is to be parsed, with every character at its place.

    In headers, `extern "C" {` and its end stand between `#ifdef` and `#endif`: no tree of brackets can hold that.
    """
    return LINKAGE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text) if language in C_FAMILY else text


def missing_places(root: SgNode, language: str, lines: Sequence[str]) -> Places:
    """Returns where the parser took something for granted that is not there, such as the end of a block."""
    found = root.find_all({"rule": {"regex": "^$"}})[:MAX_ERRORS]
    return [end_before(node.range().start, lines) for node in found if _is_missing(node, language)]


def _is_missing(node: SgNode, language: str) -> bool:
    """Whether a node without text should have some."""
    if node.children() or EMPTY_IN_VALID.search(node.kind()):
        return False
    return not (language in C_FAMILY and node.kind() == ";" and node.inside(**MACRO_CALL))


def end_before(place: Pos, lines: Sequence[str]) -> tuple[int, int]:
    """Returns line and column behind the last character before a place that is no space."""
    line, before = place.line, lines[place.line][: place.column].rstrip()
    while not before and line:
        line -= 1
        before = lines[line].rstrip()
    return line, len(before)


def first_error(root: SgNode, missing: Places = ()) -> int | None:
    """Returns the first line that does not parse; None: all do.

    An error may span what was understood so far: it begins at the first of its children that is a bare token.
    """
    errors = root.find_all({"rule": {"kind": "ERROR"}})[:MAX_ERRORS]
    starts = [node.range().start.line for node in errors]
    lines = [_error_line(node, starts[number + 1 :]) for number, node in enumerate(errors)]
    lines += [line + 1 for line, _ in missing]
    return min((line for line in lines if line), default=None)


def _error_line(node: SgNode, later: Sequence[int]) -> int | None:
    """Returns the line of an error; None if a later error lies inside it and is more precise."""
    token = next((child for child in node.children() if not child.is_named()), None)
    if token is None and later and later[0] <= node.range().end.line:
        return None
    return (token or node).range().start.line + 1
