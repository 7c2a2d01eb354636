"""Searching: a second road beside reading, over the same opener, texts and budget."""

from .road import search

__all__ = ["search"]
