"""The definitions of each language, by the node kinds of its grammar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    around: tuple[Rule, ...] = ()
    """Nodes around a definition: that begin it (`export`, `template`) or contain its decorators."""
    decorated: frozenset[str] = frozenset()
    """Those of them that only add decorators."""


def _kinds(names: str) -> tuple[Rule, ...]:
    """Returns a rule for each kind of node."""
    return tuple({"kind": name} for name in names.split())


def _having(kind: str, *inner: str) -> Rule:
    """Returns a rule for nodes that directly hold one of other kinds."""
    return {"kind": kind, "has": {"any": [{"kind": name} for name in inner]}}


def _at_top(kind: str, *parents: str) -> Rule:
    """Returns a rule for nodes directly below one of other kinds."""
    return {"kind": kind, "inside": {"any": [{"kind": name} for name in parents]}}


def _spelled(kind: str, regex: str) -> Rule:
    """Returns a rule for nodes whose text matches."""
    return {"kind": kind, "regex": regex}


def _grammar(
    containers: str = "",
    functions: str = "",
    above: str = "comment",
    wrappers: str = "",
    decorated: str = "",
    more_containers: Sequence[Rule] = (),
    more_functions: Sequence[Rule] = (),
    constants: Sequence[Rule] = (),
) -> Grammar:
    """Returns a grammar from node kinds, and from rules where a kind is not enough."""
    return Grammar(
        containers=(*_kinds(containers), *more_containers),
        functions=(*_kinds(functions), *more_functions),
        constants=tuple(constants),
        above=_kinds(above),
        around=_kinds(f"{wrappers} {decorated}"),
        decorated=frozenset(decorated.split()),
    )


CONSTANT_NAME = "^(?:pub |export |local )?[A-Z][A-Z0-9_]*\\b"
FUNCTION_VALUES = ("arrow_function", "function_expression", "generator_function")
JS_FUNCTIONS: tuple[Rule, ...] = (
    _having("variable_declarator", *FUNCTION_VALUES),
    {
        "kind": "assignment_expression",
        "has": {"field": "right", "any": [{"kind": name} for name in FUNCTION_VALUES]},
        "inside": {"kind": "expression_statement", "inside": {"kind": "program"}},
    },
    {
        "kind": "function_expression",
        "inside": {"kind": "expression_statement"},
    },
)
JS_CONSTANTS: tuple[Rule, ...] = (
    {
        "kind": "lexical_declaration",
        "regex": "^const ",
        "inside": {"any": [{"kind": "program"}, {"kind": "export_statement"}]},
        "not": {"has": _having("variable_declarator", *FUNCTION_VALUES)},
    },
)
JS_WRAPPERS = "export_statement lexical_declaration variable_declaration"
TYPESCRIPT = _grammar(
    "class_declaration abstract_class_declaration internal_module module",
    "function_declaration generator_function_declaration function_signature method_definition "
    "abstract_method_signature interface_declaration type_alias_declaration enum_declaration",
    "comment decorator",
    JS_WRAPPERS + " ambient_declaration",
    more_functions=(*JS_FUNCTIONS, _having("public_field_definition", *FUNCTION_VALUES)),
    constants=JS_CONSTANTS,
)
ELIXIR_MODULES = "^(?:defmodule|defprotocol|defimpl)\\b"
ELIXIR_FUNCTIONS = "^(?:def|defp|defmacro|defmacrop|defguard|defdelegate|defstruct|defexception)\\b"
HASKELL_PLACES = ("declarations", "class_declarations", "instance_declarations")

GRAMMARS: Mapping[str, Grammar] = {
    "bash": _grammar(
        functions="function_definition",
        constants=(_spelled("declaration_command", "^(?:readonly|declare -r)\\b"),),
    ),
    "c": _grammar(
        functions="function_definition type_definition preproc_function_def",
        more_functions=tuple(
            {"kind": kind, "has": {"field": "body", "regex": "."}, "not": {"inside": {"kind": "type_definition"}}}
            for kind in ("struct_specifier", "enum_specifier", "union_specifier")
        ),
        constants=(
            {"kind": "preproc_def"},
            {"kind": "declaration", "regex": "^(?:static )?const\\b", "inside": {"kind": "translation_unit"}},
        ),
    ),
    "cpp": _grammar(
        "namespace_definition",
        "function_definition type_definition alias_declaration concept_definition preproc_function_def",
        wrappers="template_declaration",
        more_containers=tuple(
            {"kind": kind, "has": {"field": "body", "regex": "."}, "not": {"inside": {"kind": "type_definition"}}}
            for kind in ("class_specifier", "struct_specifier", "union_specifier")
        ),
        more_functions=(
            {"kind": "enum_specifier", "has": {"field": "body", "regex": "."}},
            _having("field_declaration", "function_declarator"),
        ),
        constants=(
            {"kind": "preproc_def"},
            {
                "kind": "declaration",
                "regex": "^(?:static |inline )*const(?:expr)?\\b",
                "inside": {"any": [{"kind": "translation_unit"}, {"kind": "declaration_list"}]},
            },
        ),
    ),
    "csharp": _grammar(
        "namespace_declaration file_scoped_namespace_declaration class_declaration struct_declaration "
        "record_declaration interface_declaration",
        "method_declaration constructor_declaration destructor_declaration property_declaration indexer_declaration "
        "operator_declaration event_declaration enum_declaration delegate_declaration local_function_statement",
        constants=(_spelled("field_declaration", "^(?:\\w+ )*const "),),
    ),
    "css": _grammar("media_statement supports_statement", "rule_set keyframes_statement at_rule"),
    "dart": _grammar(
        "class_declaration mixin_declaration extension_declaration",
        "function_declaration method_declaration enum_declaration type_alias",
        "comment documentation_block_comment annotation",
        constants=_kinds("top_level_variable_declaration"),
    ),
    "elixir": _grammar(
        above="comment unary_operator",
        more_containers=(_spelled("call", ELIXIR_MODULES),),
        more_functions=(_spelled("call", ELIXIR_FUNCTIONS),),
    ),
    "go": _grammar(
        functions="function_declaration method_declaration type_declaration",
        constants=(_at_top("const_declaration", "source_file"), _at_top("var_declaration", "source_file")),
    ),
    "haskell": _grammar(
        functions="data_type newtype type_synonym",
        containers="class instance",
        above="comment haddock",
        more_functions=tuple(_at_top(kind, *HASKELL_PLACES) for kind in ("signature", "function", "bind")),
    ),
    "hcl": _grammar("block"),
    "java": _grammar(
        "class_declaration interface_declaration record_declaration annotation_type_declaration",
        "method_declaration constructor_declaration compact_constructor_declaration enum_declaration",
        "line_comment block_comment",
        constants=(_spelled("field_declaration", "static final|final static"),),
    ),
    "javascript": _grammar(
        "class_declaration",
        "function_declaration generator_function_declaration method_definition",
        "comment decorator",
        JS_WRAPPERS,
        more_functions=(*JS_FUNCTIONS, _having("field_definition", *FUNCTION_VALUES)),
        constants=JS_CONSTANTS,
    ),
    "kotlin": _grammar(
        "class_declaration object_declaration companion_object",
        "function_declaration secondary_constructor type_alias",
        "line_comment multiline_comment",
        constants=(_at_top("property_declaration", "source_file"),),
    ),
    "lua": _grammar(
        functions="function_declaration",
        wrappers="variable_declaration",
        more_functions=(
            _having("assignment_statement", "expression_list")
            | {"has": {"kind": "expression_list", "has": {"kind": "function_definition"}}},
        ),
        constants=(_at_top("variable_declaration", "chunk") | {"regex": CONSTANT_NAME},),
    ),
    "nix": _grammar(functions="binding"),
    "php": _grammar(
        "class_declaration interface_declaration trait_declaration",
        "function_definition method_declaration enum_declaration",
        "comment attribute_list",
        constants=_kinds("const_declaration"),
    ),
    "python": _grammar(
        "class_definition",
        "function_definition",
        "comment decorator",
        decorated="decorated_definition",
        constants=(
            {
                "kind": "assignment",
                "regex": "^[A-Z_][A-Za-z0-9_]*\\s*[:=]",
                "inside": {"kind": "expression_statement", "inside": {"kind": "module"}},
            },
            *_kinds("type_alias_statement"),
        ),
    ),
    "ruby": _grammar(
        "class module singleton_class",
        "method singleton_method",
        constants=({"kind": "assignment", "regex": CONSTANT_NAME},),
    ),
    "rust": _grammar(
        "impl_item trait_item mod_item foreign_mod_item",
        "function_item function_signature_item struct_item enum_item union_item type_item macro_definition",
        "line_comment block_comment attribute_item",
        constants=_kinds("const_item static_item"),
    ),
    "scala": _grammar(
        "class_definition object_definition trait_definition enum_definition",
        "function_definition function_declaration type_definition given_definition",
        "comment block_comment annotation",
        constants=({"kind": "val_definition", "regex": "^(?:\\w+ )*val [A-Z]"},),
    ),
    "solidity": _grammar(
        "contract_declaration interface_declaration library_declaration",
        "function_definition constructor_definition modifier_definition event_definition error_declaration "
        "struct_declaration enum_declaration",
        constants=(_spelled("state_variable_declaration", "\\bconstant\\b"),),
    ),
    "swift": _grammar(
        "class_declaration protocol_declaration",
        "function_declaration protocol_function_declaration init_declaration deinit_declaration "
        "subscript_declaration typealias_declaration",
        "comment multiline_comment",
        constants=(_at_top("property_declaration", "source_file") | {"regex": "\\blet\\b"},),
    ),
    "tsx": TYPESCRIPT,
    "typescript": TYPESCRIPT,
    "zig": _grammar(
        functions="function_declaration test_declaration",
        more_containers=(_having("variable_declaration", "struct_declaration", "union_declaration"),),
        constants=(
            _at_top("variable_declaration", "source_file")
            | {
                "regex": "^(?:pub )?const\\b",
                "not": {
                    "any": [
                        _having("variable_declaration", "struct_declaration", "union_declaration"),
                        _spelled("variable_declaration", "@import"),
                    ]
                },
            },
        ),
    ),
}
