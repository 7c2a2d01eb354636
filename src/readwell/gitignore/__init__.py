"""Patterns in the syntax of gitignore, matched in time linear in the length of a name."""

from .matching import Check, FolderMatchState, Patterns, combine_patterns, compile_patterns, no_check
from .syntax import Pattern, folded_path, parse_pattern

__all__ = [
    "Check",
    "FolderMatchState",
    "Pattern",
    "Patterns",
    "combine_patterns",
    "compile_patterns",
    "folded_path",
    "no_check",
    "parse_pattern",
]
