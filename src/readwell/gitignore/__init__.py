"""Patterns in the syntax of gitignore, matched in time linear in the length of a name."""

from .matching import Check, MatchState, Patterns, combined, compile_patterns, no_check
from .syntax import Pattern, folded, parse_pattern

__all__ = [
    "Check",
    "MatchState",
    "Pattern",
    "Patterns",
    "combined",
    "compile_patterns",
    "folded",
    "no_check",
    "parse_pattern",
]
