"""YAML's keys and items with their lines, by ast-grep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ast_grep_py import SgNode, SgRoot

from .parse_errors import first_error, missing_places
from .text_part import ParseStopped, Part, shortened

PAIRS = ("block_mapping_pair", "flow_pair")
ITEMS = "block_sequence_item"
CONTAINERS = {
    "block_mapping": ("mapping", "key"),
    "flow_mapping": ("mapping", "key"),
    "block_sequence": ("sequence", "item"),
    "flow_sequence": ("sequence", "item"),
}
SCALARS = {"integer_scalar": "number", "float_scalar": "number", "boolean_scalar": "boolean", "null_scalar": "null"}
LONGEST_KEY = 60
MAX_LEFT_OUT = 8
"""Lines at which the parser may give up before the rest of a file is left out; each is a parse of the whole."""
INDENTED = ("block_node", "flow_node", "plain_scalar")


def yaml_parts(text: str) -> Iterator[Part]:
    """Yields a part for each key and each item with keys; raises ParseStopped after the last one."""
    root, stuck = _parse_past_errors(text)
    around: list[tuple[int, int]] = []
    for node in root.find_all({"rule": {"any": [{"kind": kind} for kind in (*PAIRS, ITEMS)]}}):
        extent = node.range()
        start, end = (extent.start.line, extent.start.column), (extent.end.line, extent.end.column)
        while around and around[-1] <= start:
            around.pop()
        yield _part(node, len(around))
        around.append(end)
    if root.kind() != "ERROR" or not stuck:
        bad = first_error(root, missing_places(root, "yaml", text.split("\n")))
        stuck += [bad] if bad else []
    if stuck:
        raise ParseStopped(min(stuck))


def _parse_past_errors(text: str) -> tuple[SgNode, list[int]]:
    """Returns the tree of a text, and the lines left out of it because the parser came no further than there."""
    lines = text.split("\n")
    stuck: list[int] = []
    while True:
        root = SgRoot("\n".join(lines), "yaml").root()
        bad = _stuck_line(root, lines)
        if bad is None or len(stuck) == MAX_LEFT_OUT:
            return root, stuck
        stuck.append(bad + 1)
        lines[bad] = ""


def _stuck_line(root: SgNode, lines: Sequence[str]) -> int | None:
    """Returns the index of the line at which the parser gave up: the first with text behind what it understood."""
    if root.kind() != "ERROR":
        return None
    end = root.range().end
    if lines[end.line][end.column :].strip():
        return end.line
    return next((number for number in range(end.line + 1, len(lines)) if lines[number].strip()), None)


def _part(node: SgNode, depth: int) -> Part:
    """Returns a key or item as part of the text."""
    kind, holds = _kind_and_size(node.field("value") if node.kind() != ITEMS else _first_child(node))
    if node.kind() == ITEMS:
        key = "-"
    else:
        name = node.field("key")
        key = shortened(name.text(), LONGEST_KEY) if name else "?"
    extent = node.range()
    start, end = extent.start.line + 1, extent.end.line + (extent.end.column > 0)
    title = f"{kind} {key}" if key != "-" else "item"
    contains = kind in ("mapping", "sequence") or end > start
    shown = key != "-" or kind == "mapping"
    return Part(
        start=start,
        end=max(start, end),
        kind=kind,
        label=f"{key}: {holds}",
        title=title,
        depth=depth,
        shown=shown,
        is_block=contains,
        order=extent.start.index,
    )


def _first_child(node: SgNode) -> SgNode | None:
    """Returns the first child that is neither punctuation nor a comment."""
    return next((child for child in node.children() if child.is_named() and child.kind() != "comment"), None)


def _kind_and_size(value: SgNode | None) -> tuple[str, str]:
    """Returns the kind of a value, and the kind with its size."""
    while value and value.kind() in INDENTED:
        value = next(
            (child for child in value.children() if child.is_named() and child.kind() not in ("anchor", "tag")), None
        )
    if value is None:
        return "null", "null"
    kind, word = CONTAINERS.get(value.kind(), ("", ""))
    if not kind:
        scalar = SCALARS.get(value.kind(), "string")
        return scalar, scalar
    count = sum(child.is_named() and child.kind() != "comment" for child in value.children())
    return kind, f"{kind}, {count} {word}{'s' * (count != 1)}"
