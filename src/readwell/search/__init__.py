"""Search: finds matching lines with the same opener, texts and budget as a read."""

from .run_search import search

__all__ = ["search"]
