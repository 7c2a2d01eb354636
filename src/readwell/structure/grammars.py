"""The definitions of each language, by the node kinds of its grammar."""

from __future__ import annotations

from collections.abc import Mapping

from .grammar_rules import (
    C_DECLARED,
    C_PLACES,
    CPP_DECLARED,
    FUNCTION_VALUES,
    JS_CLASSES,
    JS_CONSTANTS,
    JS_FUNCTIONS,
    JS_NAMED_METHODS,
    JS_WRAPPERS,
    Grammar,
    directly_below,
    grammar,
    having,
    prototype,
    rule_for_text,
    rules_for_kinds,
)

CONSTANT_NAME = "^(?:pub |export |local )?[A-Z][A-Z0-9_]*\\b"
TYPESCRIPT = grammar(
    "class_declaration abstract_class_declaration internal_module module",
    "function_declaration generator_function_declaration function_signature method_definition "
    "abstract_method_signature interface_declaration type_alias_declaration enum_declaration",
    "comment decorator",
    JS_WRAPPERS + " ambient_declaration",
    more_containers=JS_CLASSES,
    more_functions=(*JS_FUNCTIONS, JS_NAMED_METHODS, having("public_field_definition", *FUNCTION_VALUES)),
    constants=JS_CONSTANTS,
)
ELIXIR_MODULES = "^(?:defmodule|defprotocol|defimpl)\\b"
ELIXIR_FUNCTIONS = "^(?:def|defp|defmacro|defmacrop|defguard|defdelegate|defstruct|defexception)\\b"
HASKELL_PLACES = ("declarations", "class_declarations", "instance_declarations")

GRAMMARS: Mapping[str, Grammar] = {
    "bash": grammar(
        functions="function_definition",
        constants=(rule_for_text("declaration_command", "^(?:readonly|declare -r)\\b"),),
    ),
    "c": grammar(
        functions="function_definition type_definition preproc_function_def",
        more_functions=(
            *(
                {"kind": kind, "has": {"field": "body", "regex": "."}, "not": {"inside": {"kind": "type_definition"}}}
                for kind in ("struct_specifier", "enum_specifier", "union_specifier")
            ),
            prototype(C_DECLARED, C_PLACES),
        ),
        constants=(
            {"kind": "preproc_def"},
            directly_below("declaration", "translation_unit")
            | {"regex": "^(?:static )?const\\b", "not": {"has": C_DECLARED}},
        ),
    ),
    "cpp": grammar(
        "namespace_definition",
        "function_definition type_definition alias_declaration concept_definition preproc_function_def",
        wrappers="template_declaration",
        more_containers=tuple(
            {"kind": kind, "has": {"field": "body", "regex": "."}, "not": {"inside": {"kind": "type_definition"}}}
            for kind in ("class_specifier", "struct_specifier", "union_specifier")
        ),
        more_functions=(
            {"kind": "enum_specifier", "has": {"field": "body", "regex": "."}},
            prototype(CPP_DECLARED, f"{C_PLACES} template_declaration"),
        ),
        constants=(
            {"kind": "preproc_def"},
            {
                "kind": "declaration",
                "regex": "^(?:static |inline )*const(?:expr)?\\b",
                "not": {"has": CPP_DECLARED},
                "inside": {"any": [{"kind": "translation_unit"}, {"kind": "declaration_list"}]},
            },
        ),
    ),
    "csharp": grammar(
        "namespace_declaration file_scoped_namespace_declaration class_declaration struct_declaration "
        "record_declaration interface_declaration",
        "method_declaration constructor_declaration destructor_declaration property_declaration indexer_declaration "
        "operator_declaration event_declaration enum_declaration delegate_declaration local_function_statement",
        constants=(rule_for_text("field_declaration", "^(?:\\w+ )*const "),),
    ),
    "css": grammar("media_statement supports_statement", "rule_set keyframes_statement at_rule"),
    "dart": grammar(
        "class_declaration mixin_declaration extension_declaration",
        "function_declaration method_declaration enum_declaration type_alias",
        "comment documentation_block_comment annotation",
        constants=rules_for_kinds("top_level_variable_declaration"),
    ),
    "elixir": grammar(
        above="comment unary_operator",
        more_containers=(rule_for_text("call", ELIXIR_MODULES),),
        more_functions=(rule_for_text("call", ELIXIR_FUNCTIONS),),
    ),
    "go": grammar(
        functions="function_declaration method_declaration type_declaration",
        constants=(
            directly_below("const_declaration", "source_file"),
            directly_below("var_declaration", "source_file"),
        ),
    ),
    "haskell": grammar(
        functions="data_type newtype type_synonym",
        containers="class instance",
        above="comment haddock",
        more_functions=tuple(directly_below(kind, *HASKELL_PLACES) for kind in ("signature", "function", "bind")),
    ),
    "hcl": grammar("block"),
    "java": grammar(
        "class_declaration interface_declaration record_declaration annotation_type_declaration",
        "method_declaration constructor_declaration compact_constructor_declaration enum_declaration",
        "line_comment block_comment",
        constants=(rule_for_text("field_declaration", "static final|final static"),),
    ),
    "javascript": grammar(
        "class_declaration",
        "function_declaration generator_function_declaration method_definition",
        "comment decorator",
        JS_WRAPPERS,
        more_containers=JS_CLASSES,
        more_functions=(*JS_FUNCTIONS, JS_NAMED_METHODS, having("field_definition", *FUNCTION_VALUES)),
        constants=JS_CONSTANTS,
    ),
    "kotlin": grammar(
        "class_declaration object_declaration companion_object",
        "function_declaration secondary_constructor type_alias",
        "line_comment multiline_comment",
        constants=(directly_below("property_declaration", "source_file"),),
    ),
    "lua": grammar(
        functions="function_declaration",
        wrappers="variable_declaration",
        more_functions=(
            having("assignment_statement", "expression_list")
            | {"has": {"kind": "expression_list", "has": {"kind": "function_definition"}}},
        ),
        constants=(directly_below("variable_declaration", "chunk") | {"regex": CONSTANT_NAME},),
    ),
    "nix": grammar(functions="binding"),
    "php": grammar(
        "class_declaration interface_declaration trait_declaration",
        "function_definition method_declaration enum_declaration",
        "comment attribute_list",
        constants=rules_for_kinds("const_declaration"),
    ),
    "python": grammar(
        "class_definition",
        "function_definition",
        "comment decorator",
        decorator_wrappers="decorated_definition",
        constants=(
            {
                "kind": "assignment",
                "regex": "^[A-Z_][A-Za-z0-9_]*\\s*[:=]",
                "inside": {"kind": "expression_statement", "inside": {"kind": "module"}},
            },
            *rules_for_kinds("type_alias_statement"),
        ),
    ),
    "ruby": grammar(
        "class module singleton_class",
        "method singleton_method",
        constants=({"kind": "assignment", "regex": CONSTANT_NAME},),
    ),
    "rust": grammar(
        "impl_item trait_item mod_item foreign_mod_item",
        "function_item function_signature_item struct_item enum_item union_item type_item macro_definition",
        "line_comment block_comment attribute_item",
        constants=rules_for_kinds("const_item static_item"),
    ),
    "scala": grammar(
        "class_definition object_definition trait_definition enum_definition",
        "function_definition function_declaration type_definition given_definition",
        "comment block_comment annotation",
        constants=({"kind": "val_definition", "regex": "^(?:\\w+ )*val [A-Z]"},),
    ),
    "solidity": grammar(
        "contract_declaration interface_declaration library_declaration",
        "function_definition constructor_definition modifier_definition event_definition error_declaration "
        "struct_declaration enum_declaration",
        constants=(rule_for_text("state_variable_declaration", "\\bconstant\\b"),),
    ),
    "swift": grammar(
        "class_declaration protocol_declaration",
        "function_declaration protocol_function_declaration init_declaration deinit_declaration "
        "subscript_declaration typealias_declaration",
        "comment multiline_comment",
        constants=(directly_below("property_declaration", "source_file") | {"regex": "\\blet\\b"},),
    ),
    "tsx": TYPESCRIPT,
    "typescript": TYPESCRIPT,
    "zig": grammar(
        functions="function_declaration test_declaration",
        more_containers=(having("variable_declaration", "struct_declaration", "union_declaration"),),
        constants=(
            directly_below("variable_declaration", "source_file")
            | {
                "regex": "^(?:pub )?const\\b",
                "not": {
                    "any": [
                        having("variable_declaration", "struct_declaration", "union_declaration"),
                        rule_for_text("variable_declaration", "@import"),
                    ]
                },
            },
        ),
    ),
}
