"""A mark of a file's content, so that a caller can ask whether what it holds still stands."""

from __future__ import annotations

from stringzilla import Sha256

from .source import Source

HASHED_UP_TO = 8 << 20
DIGITS = 12
PIECE = 1 << 20


def revision_of(source: Source) -> str:
    """Returns a hash of the content up to 8 MiB; of identity, size and times above."""
    digest = Sha256()
    if source.size <= HASHED_UP_TO:
        for offset in range(0, source.size, PIECE):
            digest.update(source.read_at(offset, PIECE))
    else:
        found = source.stat
        digest.update(repr((found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)).encode())
    return digest.hexdigest()[:DIGITS]
