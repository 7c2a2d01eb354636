"""Definitions in source code, found by ast-grep, with their lines and signatures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, cast

from ast_grep_py import Pos, SgNode, SgRoot

from ..named_tuple import NamedTuple
from .grammar_rules import Grammar, Rule
from .grammars import GRAMMARS
from .parse_errors import Places, blank_linkage_guards, end_before, first_error, missing_places
from .text_part import LONGEST_TITLE, ParseStopped, Part, shortened

MAX_SIGNATURE = 2000
BODY = re.compile(r"(?:^|_)(?:body|block|(?<!final_)declaration_list|compound_statement|statements)$")
ANNOTATION = re.compile(r"annotation|attribute|decorator|comment")
HOLDERS = frozenset(["modifiers", "class_member", "method_declaration", "class_declaration"])
"""Nodes whose own first children may be annotations."""
SPLIT = frozenset(["haskell"])
"""Languages that define one function by several nodes."""
PROTOTYPES = frozenset(["declaration", "field_declaration"])
"""Functions of C without a body: what is below their first line belongs to their signature."""
CALLED = re.compile(r"((?:[\w~]+::)*(?:operator\s*\W+?|[\w~]+))\s*\(")
WORDS = "constructor interface struct enum trait module namespace record method type class function".split()
ENDS = re.compile(r"(?:\s|\{|\(|=>|=|:|;|\bdo|,|\bthen)+$")


def code_parts(text: str, language: str) -> Iterator[Part]:
    """Yields the definitions of a source; raises ParseStopped after the last one if it does not parse."""
    root = SgRoot(blank_linkage_guards(text, language), language).root()
    grammar = GRAMMARS[language]
    lines = text.split("\n")
    missing = missing_places(root, language, lines)
    parts = _DefinitionFinder(root, grammar, lines, missing).parts()
    yield from _join_clauses(parts) if language in SPLIT else parts
    if bad := first_error(root, missing):
        raise ParseStopped(bad)


class _FoundDefinition(NamedTuple):
    """A definition as it was found, before its lines and signature are known."""

    node: SgNode
    kind: str
    holds: str
    """The kind that says whether definitions inside of it are shown."""
    start: int
    end: int
    """Where it begins and ends, in characters of the text."""


class _DefinitionFinder:
    """Finds the definitions of one source."""

    def __init__(self, root: SgNode, grammar: Grammar, lines: Sequence[str], missing: Places) -> None:
        self._root, self._grammar, self._lines, self._missing = root, grammar, lines, frozenset(missing)
        self._above = {
            last: first
            for node in self._nodes_matching(grammar.above)
            for first, last in self._lines_of_own_comment(node)
        }
        # A node is asked for its children and never for its parent, which is looked for from the root on.
        self._wrapper_of = {
            _node_key(child): node
            for node in self._nodes_matching(grammar.wrappers)
            for child in _first_children_by_kind(node)
        }

    def parts(self) -> list[Part]:
        """Returns the definitions; those inside functions are not shown in outlines.

        A function without its end may have swallowed what follows it: what is inside of it is shown.
        """
        found = [
            self._measure_definition(node, kind)
            for kind, rules in self._rules_by_kind()
            for node in self._nodes_matching(rules)
        ]
        found.sort(key=lambda each: (each.start, -each.end))
        kept: list[tuple[Part, str]] = []
        around: list[_FoundDefinition] = []
        """The definitions around the next one that are rows, from the outside in."""
        for each in found:
            while around and around[-1].end <= each.start:
                around.pop()
            hidden = bool(around) and around[-1].holds == "function"
            if hidden and each.kind == "constant":
                continue
            part = self._part_of_definition(each.node, each.kind)
            kept.append((part._replace(shown=not hidden, depth=len(around), order=each.start), each.node.kind()))
            if not hidden:
                around.append(each)
        return _without_prototypes(kept)

    def _measure_definition(self, node: SgNode, kind: str) -> _FoundDefinition:
        """Returns a definition with its place; one that lacks its end holds others like a class."""
        extent = node.range()
        lacks_end = self._missing and end_before(extent.end, self._lines) in self._missing
        return _FoundDefinition(node, kind, "class" if lacks_end else kind, extent.start.index, extent.end.index)

    def _rules_by_kind(self) -> Iterator[tuple[str, Sequence[Rule]]]:
        """Yields each kind of definition with the rules that find it."""
        yield "class", self._grammar.containers
        yield "function", self._grammar.functions
        yield "constant", self._grammar.constants

    def _nodes_matching(self, rules: Sequence[Rule]) -> list[SgNode]:
        """Returns the nodes that match any of the rules."""
        return self._root.find_all(cast(Any, {"rule": {"any": list(rules)}})) if rules else []

    def _lines_of_own_comment(self, node: SgNode) -> Iterator[tuple[int, int]]:
        """Yields the first and last line of a comment with nothing before it on its line."""
        extent = node.range()
        if not self._lines[extent.start.line][: extent.start.column].strip():
            yield extent.start.line + 1, _last_line(node)

    def _part_of_definition(self, node: SgNode, kind: str) -> Part:
        """Returns a definition with its lines; its decorators and the comments above belong to its block."""
        outer = node
        while (
            wrapper := self._wrapper_of.get(_node_key(outer))
        ) and wrapper.kind() not in self._grammar.decorator_wrappers:
            outer = wrapper
        decorated = self._wrapper_of.get(_node_key(outer), outer)
        start, above = _first_behind_annotations(outer).range().start, decorated.range().start.line + 1
        while above - 1 in self._above:
            above = self._above[above - 1]
        end = node.range().end
        if kind == "function" and node.kind() in PROTOTYPES:
            signature = _one_line(self._text_between(start.line, start.column, end.line, end.column))
        else:
            signature = self._signature(node, start.line, start.column)
        return Part(
            start=start.line + 1,
            end=max(start.line + 1, _last_line(outer)),
            kind=_kind_word(node, kind),
            label=signature,
            title=self._start_to_name(node, start.line, start.column) or _without_parameters(signature),
            above=above,
        )

    def _signature(self, node: SgNode, line: int, column: int) -> str:
        """Returns the text before the body, on one line."""
        body, end = _body(node), node.range().end
        last = end.column if end.line == line else None
        first = _one_line(self._lines[line][column:last][:MAX_SIGNATURE])
        if body is None:
            return first if re.search(r"\W", first) else " ".join(node.text()[:MAX_SIGNATURE].split())
        end = _end_of_head(node, body)
        text = _one_line(self._text_between(line, column, end.line, end.column)) or first
        name = node.field("declarator") if node.kind() == "type_definition" else None
        return f"{text} {{…}} {name.text()}" if name else text

    def _start_to_name(self, node: SgNode, line: int, column: int) -> str:
        """Returns a definition from its start to the end of the name that it defines; empty if it has none there."""
        name = node.field("name")
        if name is None or (name.range().start.line, name.range().start.column) < (line, column):
            return ""
        end = name.range().end
        return shortened(_one_line(self._text_between(line, column, end.line, end.column)), LONGEST_TITLE)

    def _text_between(self, line: int, column: int, last: int, last_column: int) -> str:
        """Returns the text between two positions, as far as a signature can reach."""
        if line == last:
            return self._lines[line][column:last_column][:MAX_SIGNATURE]
        middle = self._lines[line + 1 : min(last, line + 50)]
        return "\n".join([self._lines[line][column:], *middle, self._lines[last][:last_column]])[:MAX_SIGNATURE]


def _without_prototypes(found: Sequence[tuple[Part, str]]) -> list[Part]:
    """Returns definitions with the kinds of their nodes; prototypes of what the file also defines are not shown."""
    defined = {_prototype_key(part) for part, kind in found if kind == "function_definition"}
    return [
        part._replace(shown=False) if kind == "declaration" and _prototype_key(part) in defined else part
        for part, kind in found
    ]


def _prototype_key(part: Part) -> tuple[str, int, int | None]:
    """Returns what a prototype and its definition have in common: name, number of parameters, place."""
    match = CALLED.search(part.label)
    return match[1] if match else part.label, part.label.count(","), part.depth


def _node_key(node: SgNode) -> tuple[int, int, int, int, str]:
    """Returns a key that identifies a node."""
    extent = node.range()
    return extent.start.line, extent.start.column, extent.end.line, extent.end.column, node.kind()


def _first_children_by_kind(wrapper: SgNode) -> Iterator[SgNode]:
    """Yields what a node around definitions begins: of several declared after one `const` the first."""
    kinds: set[str] = set()
    for child in wrapper.children():
        if child.is_named() and child.kind() not in kinds:
            kinds.add(child.kind())
            yield child


def _last_line(node: SgNode) -> int:
    """Returns the last line on which a node has characters."""
    end = node.range().end
    return end.line + (end.column > 0)


def _first_behind_annotations(node: SgNode) -> SgNode:
    """Returns the first node of a definition that is not an annotation."""
    for child in node.children():
        if ANNOTATION.search(child.kind()):
            continue
        if child.kind() in HOLDERS:
            inner = _first_behind_annotations(child)
            if ANNOTATION.search(inner.kind()) or not child.children():
                continue
            return inner
        return child
    return node


def _body(node: SgNode) -> SgNode | None:
    """Returns the body of a definition; None if its grammar names none."""
    for holder in (node, node.field("value"), node.field("right"), node.field("type")):
        if holder and (body := holder.field("body")):
            return body
    return next((child for child in node.children() if BODY.search(child.kind())), None)


def _end_of_head(node: SgNode, body: SgNode) -> Pos:
    """Returns where a definition's head ends: before its body, and before comments above that."""
    start = body.range().start
    before = [child for child in node.children() if (end := child.range().end) and end.index <= start.index]
    while before and "comment" in before[-1].kind():
        before.pop()
        if before:
            start = before[-1].range().end
    return start


def _one_line(text: str) -> str:
    """Returns a signature in one line, without what opens its body."""
    joined = " ".join(text.split())
    if "\n" in text:
        joined = re.sub(r"([(\[]) ", r"\1", re.sub(r",? ([)\]])", r"\1", joined))
    return ENDS.sub("", joined)


def _without_parameters(signature: str) -> str:
    """Returns a signature without its parameters or value."""
    name = re.split(r"[(=:]| where ", signature, maxsplit=1)[0].strip()
    return shortened(name or signature, LONGEST_TITLE)


def _kind_word(node: SgNode, kind: str) -> str:
    """Returns the kind of a definition in one word."""
    name = node.kind()
    return next((word for word in WORDS if word in name), kind) if kind != "constant" else kind


def _join_clauses(parts: Sequence[Part]) -> Iterator[Part]:
    """Yields a signature and the clauses below it as one part."""
    held: Part | None = None
    for part in parts:
        same = held and part.shown and held.label.partition(" ")[0] == part.label.partition(" ")[0]
        if held and same and part.start <= held.end + 2 and held.kind == part.kind:
            held = held._replace(end=max(held.end, part.end))
            continue
        if held:
            yield held
        held = part
    if held:
        yield held
