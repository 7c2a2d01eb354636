"""Conversion in separate processes: a caller's `Worker`, a fork server, and a caged child for each document.

A fork server keeps the parsers loaded; for each document it forks a child, which enters the cage and converts.
"""

from .running_conversion import Conversion, Unpacking
from .wire_frames import Head
from .worker import Worker

__all__ = ["Conversion", "Head", "Unpacking", "Worker"]
