"""Conversion in a process of its own: the caller, a warm parent with the parsers loaded, a caged child a document."""

from .conversion import Conversion
from .frames import Head
from .worker import Worker

__all__ = ["Conversion", "Head", "Worker"]
