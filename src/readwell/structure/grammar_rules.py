"""Rules that find definitions by the node kinds of a grammar: how they are made, and those of JavaScript and C."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..named_tuple import NamedTuple

Rule = dict[str, Any]
"""A rule of ast-grep."""


class Grammar(NamedTuple):
    """The nodes of a language that are parts of an outline."""

    containers: tuple[Rule, ...] = ()
    """Definitions that contain others: classes, modules."""
    functions: tuple[Rule, ...] = ()
    """Definitions whose inner definitions are not shown."""
    constants: tuple[Rule, ...] = ()
    """Definitions that are shown outside functions only."""
    above: tuple[Rule, ...] = ()
    """Nodes that belong to the definition below them: comments, decorators."""
    wrappers: tuple[Rule, ...] = ()
    """Nodes around a definition: that begin it (`export`, `template`) or contain its decorators."""
    decorator_wrappers: frozenset[str] = frozenset()
    """Those of them that only add decorators."""


def rules_for_kinds(names: str) -> tuple[Rule, ...]:
    """Returns a rule for each kind of node."""
    return tuple({"kind": name} for name in names.split())


def having(kind: str, *inner: str) -> Rule:
    """Returns a rule for nodes that directly hold one of other kinds."""
    return {"kind": kind, "has": {"any": [{"kind": name} for name in inner]}}


def directly_below(kind: str, *parents: str) -> Rule:
    """Returns a rule for nodes directly below one of other kinds."""
    return {"kind": kind, "inside": {"any": [{"kind": name} for name in parents]}}


def rule_for_text(kind: str, regex: str) -> Rule:
    """Returns a rule for nodes whose text matches."""
    return {"kind": kind, "regex": regex}


def grammar(
    containers: str = "",
    functions: str = "",
    above: str = "comment",
    wrappers: str = "",
    decorator_wrappers: str = "",
    more_containers: Sequence[Rule] = (),
    more_functions: Sequence[Rule] = (),
    constants: Sequence[Rule] = (),
) -> Grammar:
    """Returns a grammar from node kinds, and from rules where a kind is not enough."""
    return Grammar(
        containers=(*rules_for_kinds(containers), *more_containers),
        functions=(*rules_for_kinds(functions), *more_functions),
        constants=tuple(constants),
        above=rules_for_kinds(above),
        wrappers=rules_for_kinds(f"{wrappers} {decorator_wrappers}"),
        decorator_wrappers=frozenset(decorator_wrappers.split()),
    )


FUNCTION_VALUES = ("arrow_function", "function_expression", "generator_function")
JS_FUNCTIONS: tuple[Rule, ...] = (
    having("variable_declarator", *FUNCTION_VALUES),
    {
        "kind": "assignment_expression",
        "has": {"field": "right", "any": [{"kind": name} for name in FUNCTION_VALUES]},
        "inside": {"kind": "expression_statement"},
    },
    {
        "kind": "function_expression",
        "inside": {"kind": "expression_statement"},
    },
)
JS_CLASSES: tuple[Rule, ...] = (
    having("variable_declarator", "class"),
    {
        "kind": "assignment_expression",
        "has": {"field": "right", "kind": "class"},
        "inside": {"kind": "expression_statement"},
    },
)
JS_TOP: Rule = {"any": [{"kind": "program"}, {"kind": "export_statement"}]}
JS_PAIR: Rule = {"kind": "pair", "has": {"field": "value", "any": [{"kind": name} for name in FUNCTION_VALUES]}}
JS_METHODS: Rule = {"kind": "object", "has": {"any": [{"kind": "method_definition"}, JS_PAIR]}}
JS_NAMED_METHODS: Rule = JS_PAIR | {
    "inside": {
        "kind": "object",
        "inside": {"any": [{"kind": "variable_declarator"}, {"kind": "assignment_expression"}]},
    }
}
"""A function under a key of an object that has a name; those of options in a call have none."""
JS_CONSTANTS: tuple[Rule, ...] = (
    {
        "kind": "lexical_declaration",
        "regex": "^const ",
        "inside": JS_TOP,
        "not": {"has": having("variable_declarator", *FUNCTION_VALUES, "class")},
    },
    {
        "any": rules_for_kinds("lexical_declaration variable_declaration"),
        "has": {"kind": "variable_declarator", "has": JS_METHODS},
    },
    {
        "kind": "assignment_expression",
        "has": {"field": "right"} | JS_METHODS,
        "inside": {"kind": "expression_statement"},
    },
)
JS_WRAPPERS = "export_statement lexical_declaration variable_declaration"

C_FUNCTION: Rule = {
    "kind": "function_declarator",
    "not": {"has": {"kind": "parenthesized_declarator", "has": {"kind": "pointer_declarator"}}},
}
"""A function, but not a pointer to one."""
C_PLACES = (
    "translation_unit declaration_list field_declaration_list linkage_specification "
    "preproc_if preproc_ifdef preproc_else preproc_elif"
)
"""Where functions are declared: not inside of others, where `T a(b);` may be a variable."""


def function_declarator(returned: str) -> Rule:
    """Returns a rule for what declares a function that returns a value, a kind of pointer, or a pointer to one."""
    pointer = {"kind": "pointer_declarator", "has": C_FUNCTION}
    return {"any": [C_FUNCTION, *({"any": rules_for_kinds(returned), "has": inner} for inner in (C_FUNCTION, pointer))]}


def prototype(declared: Rule, places: str) -> Rule:
    """Returns a rule for functions without a body."""
    return {
        "any": rules_for_kinds("declaration field_declaration"),
        "has": declared,
        "inside": {"any": rules_for_kinds(places)},
    }


C_DECLARED = function_declarator("pointer_declarator")
CPP_DECLARED = function_declarator("pointer_declarator reference_declarator")
