"""Ways of asking and answering over one engine: values, found by name when asked for."""

from __future__ import annotations

from importlib import import_module

from .dialect import Dialect, DialectTool, Setting

NAMES = ("native", "qq", "envelope", "opencode")
DEFAULT = NAMES[0]
"""Spoken where no other is asked for."""


def dialect_named(name: str) -> Dialect:
    """Returns a dialect with its default settings."""
    return import_module(f".{name.replace('-', '_')}", __name__).dialect()


__all__ = ["DEFAULT", "NAMES", "Dialect", "DialectTool", "Setting", "dialect_named"]
