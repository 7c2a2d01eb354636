"""A trial conversion: shows that parsers can be started, caged and run on this machine now."""

from __future__ import annotations

import os
from tempfile import TemporaryFile

from ...deadline import Deadline
from .worker import Worker

TABLE = b"works\n"


def try_conversion(worker: Worker, deadline: Deadline) -> None:
    """Converts a table of one cell; raises a ReadError where no document can be converted."""
    descriptor = _unnamed_file()
    try:
        os.write(descriptor, TABLE)
        with worker.convert(descriptor, "csv", deadline) as conversion:
            next(conversion)
    finally:
        os.close(descriptor)


def _unnamed_file() -> int:
    """Returns the descriptor of an empty file without a name; in memory where the system can."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("readwell")
    with TemporaryFile() as file:
        return os.dup(file.fileno())
