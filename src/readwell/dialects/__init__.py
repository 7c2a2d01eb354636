"""Dialects: wire formats of the read tool over one engine, loaded by name."""

from __future__ import annotations

from importlib import import_module

from .dialect import Dialect, DialectTool, Setting

NAMES = ("native", "qq", "envelope", "opencode")
DEFAULT = NAMES[0]
"""The dialect that doors use unless told otherwise."""


def dialect_named(name: str) -> Dialect:
    """Returns a dialect with its default settings."""
    return import_module(f".{name.replace('-', '_')}", __name__).dialect()


__all__ = ["DEFAULT", "NAMES", "Dialect", "DialectTool", "Setting", "dialect_named"]
