"""Bytes become lines: sniff, decode, split, index, draw; and a directory's names do too."""

from .held import HeldText
from .hidden import hidden_in
from .listing import list_directory
from .plain import PlainText
from .sniff import encoding_of
from .split import split_lines

__all__ = ["HeldText", "PlainText", "encoding_of", "hidden_in", "list_directory", "split_lines"]
