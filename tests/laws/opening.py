"""New content, opened as a read would open it: as a file of the disk, or as bytes in memory."""

import tempfile
from contextlib import contextmanager

from memory_source import MemorySource
from readwell.deadline import Deadline
from readwell.source import DiskOpener

STANDING = Deadline(clock=lambda: 0.0, expires=0.0, seconds=0.0)


@contextmanager
def opened(content):
    """The source of a new file."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        opener = DiskOpener(())
        with opener.open(opener.locate(file.name), STANDING) as source:
            yield source


def in_memory(content):
    """The same content as a source that is no file."""
    return MemorySource("mem://file.txt", content)
