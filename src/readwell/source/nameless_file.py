"""Content without a file, in a file without a name: for a process that may open no files."""

import os
import sys
import tempfile

from .contract import Source
from .file_status import as_unreadable

PIECE = 1 << 20


class SpooledCopy:
    """The content of a source, copied when its descriptor is asked for: into memory, or where Linux is not, to disk."""

    def __init__(self) -> None:
        self._descriptor = -1

    def descriptor_of(self, source: Source) -> int:
        """Returns a descriptor with the content of a source."""
        if self._descriptor < 0:
            self._descriptor = open_nameless_file()
            try:
                self._copy(source)
            except BaseException:
                self.close()  # a part of the content is not to be taken for the whole
                raise
        return self._descriptor

    def close(self) -> None:
        """Gives back the memory."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _copy(self, source: Source) -> None:
        """Copies a source, piece by piece."""
        at = 0
        while piece := source.read_at(at, PIECE):
            write_at(self._descriptor, piece, at)
            at += len(piece)


def open_nameless_file() -> int:
    """Returns a descriptor of an empty file without a name."""
    try:
        if sys.platform == "linux":
            return os.memfd_create("readwell")
        with tempfile.TemporaryFile() as file:
            return os.dup(file.fileno())
    except OSError as error:
        raise as_unreadable(error) from error


def write_at(descriptor: int, content: bytes, offset: int) -> None:
    """Writes all of a content at an offset, for which one `pwrite` may not be enough; raises Unreadable."""
    view = memoryview(content)
    try:
        while len(view):
            written = os.pwrite(descriptor, view, offset)
            view, offset = view[written:], offset + written
    except OSError as error:
        raise as_unreadable(error) from error
