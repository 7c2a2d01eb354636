"""Turns bytes into lines: detects the encoding, decodes, splits, counts and indexes; also lists directories."""

from .file_text import plain_text
from .hidden import hidden_in
from .in_memory import InMemoryText, take_lines
from .index_cache import IndexCache
from .split import split_lines

__all__ = [
    "InMemoryText",
    "IndexCache",
    "hidden_in",
    "plain_text",
    "split_lines",
    "take_lines",
]
