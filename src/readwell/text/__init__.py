"""Turns bytes into lines: detects the encoding, decodes, splits, counts and indexes; also lists directories."""

from .hidden import hidden_in
from .in_memory import InMemoryText, take_lines
from .index_cache import IndexCache
from .listing import Selection, list_directory
from .plain import PlainText, plain_text
from .split import split_lines

__all__ = [
    "InMemoryText",
    "IndexCache",
    "PlainText",
    "Selection",
    "hidden_in",
    "list_directory",
    "plain_text",
    "split_lines",
    "take_lines",
]
