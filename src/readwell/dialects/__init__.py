"""Ways of asking and answering over one engine: values, found by name when asked for."""

from __future__ import annotations

from importlib import import_module

from .dialect import Dialect

NAMES = ("native", "qq", "envelope", "opencode")


def dialect_named(name: str) -> Dialect:
    """Returns a dialect with its default settings."""
    return import_module(f".{name}", __name__).dialect()


__all__ = ["NAMES", "Dialect", "dialect_named"]
