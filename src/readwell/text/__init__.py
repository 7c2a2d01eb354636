"""Bytes become lines: sniff, decode, split, scan, index, draw; and a directory's names do too."""

from .held import HeldText, draw_held
from .hidden import hidden_in
from .listing import list_directory
from .memory import Memory
from .plain import PlainText, plain_text
from .split import split_lines

__all__ = ["HeldText", "Memory", "PlainText", "draw_held", "hidden_in", "list_directory", "plain_text", "split_lines"]
