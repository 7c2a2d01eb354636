"""The converter behind the views `outline` and `block`: runs `structure/` in the child, sends its parts as JSON.

It runs there because it uses third-party parsers; what it sends is validated on arrival.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ..errors import ConversionFailed
from ..model import OutlineRow
from ..named_tuple import NamedTuple
from ..structure import NEEDS_AST_GREP
from ..structure.text_part import (
    LONGEST,
    MAX_DEEP_ROWS,
    MAX_DEPTH,
    Block,
    ParseStopped,
    Part,
    block_at,
    outline_parts,
    shortened,
)
from ..text.decode import MARK, decoded_text
from .contract import Converter
from .single_unit import SingleUnit

VERSION = "8"
DEEP = frozenset(["json", "toml", "xml", "yaml"])
"""Languages of nested data, whose deepest levels are left out if they do not fit."""
LONGEST_TOLD = 1500
LONGEST_LINE = 10_000
"""Code with longer lines is not parsed: finding columns in them is slow, and all rows would be on one line."""


class StructureQuery(NamedTuple):
    """What is asked of a file; the `argument` of the converter, as JSON."""

    language: str
    codec: str
    bom: bool
    line: int | None = None
    """The line whose block is wanted; None: the outline is wanted."""
    is_commented: bool = False
    """Whether its name says that it is JSON with comments."""


class Structure(NamedTuple):
    """The structure of a file: rows or a block, and how far it could be parsed."""

    rows: list[OutlineRow]
    block: Block | None = None
    bad_line: int | None = None
    """The first line that does not parse."""
    left_out: int = 0
    depth: int | None = None
    """The deepest level shown, if deeper ones are left out."""
    longest_line: int = 0
    """Characters of a line that is too long for a file to be parsed; 0: there is none."""
    hidden_items: int = 0
    """Items of long arrays that are left out."""


NOTHING = Structure([])


def open_data(content: bytes, password: str | None, question: bytes) -> SingleUnit:  # noqa: ARG001
    """Finds the structure of data files, without third-party parsers."""
    return _structure_as_json(content, question)


def open_code(content: bytes, password: str | None, question: bytes) -> SingleUnit:  # noqa: ARG001
    """Finds the structure of source code."""
    return _structure_as_json(content, question)


def _structure_as_json(content: bytes, question: bytes) -> SingleUnit:
    """Returns the structure of a text as the JSON of a single unit."""
    query = StructureQuery(*json.loads(question)) if question else StructureQuery("json", "utf-8", False)
    text = decoded_text(content, query.codec).replace(MARK, "\ufffd")
    structure = find_structure(text.removeprefix("\ufeff") if query.bom else text, query)
    return SingleUnit(json.dumps([[row[:5] for row in structure.rows], *structure[1:]]))


def find_structure(text: str, query: StructureQuery) -> Structure:
    """Returns the rows or the block that a query asks for."""
    if query.language in NEEDS_AST_GREP:
        longest = max(map(len, text.split("\n")))
        if longest > LONGEST_LINE:
            return Structure([], longest_line=longest)
    if query.line is None and not text.strip():
        return NOTHING
    total = text.count("\n") + (not text.endswith("\n"))
    return structure_of(_parts(text, query), total, query.line, query.language in DEEP)


def structure_of(parts: Iterator[Part], total: int, line: int | None, deep: bool = False) -> Structure:
    """Returns the block around a line, or without a line the rows; `deep`: only the levels that fit."""
    counted = _PartsUntilStop(parts)
    if line is not None:
        return Structure([], block_at(counted, line, total), counted.bad_line)
    shown = outline_parts(counted, MAX_DEEP_ROWS if deep else None)
    rows = [
        OutlineRow(part.start, part.end, depth, kind=part.kind, label=_short_label(part)) for part, depth in shown.rows
    ]
    return Structure(
        rows, bad_line=counted.bad_line, left_out=shown.left_out, depth=shown.depth, hidden_items=shown.hidden_items
    )


class _PartsUntilStop:
    """An iterable of parts that ends where parsing stops, and notes that line."""

    def __init__(self, parts: Iterator[Part]) -> None:
        self._parts = parts
        self.bad_line: int | None = None

    def __iter__(self) -> Iterator[Part]:
        try:
            yield from self._parts
        except ParseStopped as end:
            self.bad_line = end.line


def _parts(text: str, query: StructureQuery) -> Iterator[Part]:
    """Finds the parts of a text; its imports were loaded before the cage was entered."""
    match query.language:
        case "json":
            from ..structure.json import json_parts

            return json_parts(text, query.line, query.is_commented)
        case "jsonl":
            from ..structure.json_lines import json_line_parts

            return json_line_parts(text, query.line)
        case "toml":
            from ..structure.toml import toml_parts as find
        case "xml":
            from ..structure.xml import xml_parts as find
        case "html":
            from ..structure.html import html_parts as find
        case "csv":
            from ..structure.delimited_table import delimited_parts as find
        case "yaml":
            from ..structure.yaml import yaml_parts as find
        case _:
            from ..structure.code import code_parts

            return code_parts(text, query.language)
    return find(text)


def _short_label(part: Part) -> str:
    """Returns the label of a part in one line, cut where it is too long."""
    longest = LONGEST_TOLD if part.kind == "table" else LONGEST
    return shortened(" ".join(part.label.split()), longest)


def decode_structure(answer: Iterable[str]) -> Structure:
    """Decodes and validates what a child sent; raises ConversionFailed if it is invalid."""
    try:
        sent: Any = json.loads("".join(answer))
        rows, block, bad_line, left_out, depth, longest, hidden = sent
        structure = Structure(
            rows=[_checked_row(*row) for row in rows],
            block=block and _checked_block(*block),
            bad_line=bad_line,
            left_out=int(left_out),
            depth=depth,
            longest_line=int(longest),
            hidden_items=int(hidden),
        )
    except (TypeError, ValueError, RecursionError) as error:
        raise ConversionFailed("outline", "the parser sent what is no outline") from error
    if not all(number is None or type(number) is int for number in (bad_line, depth)):
        raise ConversionFailed("outline", "the parser sent what is no outline")
    return structure


def _checked_row(start: int, end: int, depth: int, kind: str, label: str) -> OutlineRow:
    """Returns a row that a child sent; raises an error for what cannot be one."""
    if not (type(start) is type(end) is type(depth) is int and type(kind) is type(label) is str):
        raise TypeError("no row")
    if not 1 <= start <= end or not 0 <= depth <= MAX_DEPTH:
        raise ValueError("no row")
    return OutlineRow(start, end, depth, kind=kind[:LONGEST], label=label[:LONGEST_TOLD])


def _checked_block(start: int, end: int, title: str) -> Block:
    """Returns a block that a child sent; raises ValueError for what cannot be one."""
    if [type(each) for each in (start, end, title)] != [int, int, str] or not 1 <= start <= end:
        raise ValueError("no block")
    return Block(start, end, title[:LONGEST_TOLD])


def _sample() -> bytes:
    """Returns sample JSON, after loading the other parsers of this package."""
    from ..structure import delimited_table, html, json_lines, toml, xml

    for find, text in (
        (json_lines.json_line_parts, "1"),
        (html.html_parts, "<h1>a</h1>"),
        (delimited_table.delimited_parts, "a,b\n1,2\n"),
        (toml.toml_parts, "[a]\nb = 1\n"),
        (xml.xml_parts, "<a/>"),
    ):
        list(find(text))
    return b'{"a": 1}'


def _code_sample() -> bytes:
    """Parses a little of each, so that grammars are loaded before the cage shuts."""
    from ..structure import code, yaml

    list(code.code_parts("class A:\n    pass\n", "python"))
    list(yaml.yaml_parts("a: 1\n"))
    return b"{}"


DATA = Converter("outline", VERSION, open_data, _sample)
CODE = Converter("outline", VERSION, open_code, _code_sample)
