"""Conversion of documents in separate processes.

A fork server keeps the parsers loaded; for each document it forks a child, which enters the cage and converts.
"""

from .conversion import Conversion, Unpacking
from .wire_frames import Head
from .worker import Worker

__all__ = ["Conversion", "Head", "Unpacking", "Worker"]
