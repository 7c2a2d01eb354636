"""A new file, opened as a read would open it."""

import tempfile
from contextlib import contextmanager

from readwell.source import DiskOpener
from readwell.watch import Watch

STANDING = Watch(clock=lambda: 0.0, expires=0.0, seconds=0.0)


@contextmanager
def opened(content):
    """The source of a new file."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        opener = DiskOpener(())
        with opener.open(opener.admit(file.name), STANDING) as source:
            yield source
