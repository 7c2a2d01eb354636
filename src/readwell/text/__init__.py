"""Turns bytes into lines: detects the encoding, decodes, splits, counts and indexes; also lists directories."""

from .file_text import open_as_text
from .invisible_lines import hidden_in
from .line_ends import split_lines
from .line_index_cache import IndexCache
from .lines_in_memory import InMemoryText, take_lines

__all__ = [
    "InMemoryText",
    "IndexCache",
    "hidden_in",
    "open_as_text",
    "split_lines",
    "take_lines",
]
