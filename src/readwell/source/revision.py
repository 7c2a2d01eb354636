"""Revisions: short hashes by which a caller can ask whether a file has changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import time_ns

import stringzilla

from .contract import Source, exact_size

HASHED_UP_TO = 8 << 20
DIGITS = 12
PIECE = 1 << 20

sha256: Callable[[bytes], bytes] = stringzilla.sha256  # pyright: ignore - its types do not name it


def revision_of(source: Source) -> str:
    """Returns a hash of the content up to 8 MiB; of identity, size and times above.

    A larger file that has just changed may change again and keep its timestamps: its revision is never repeated.
    """
    if source.size > HASHED_UP_TO:
        return revision_of_identity(source)
    return content_hash(source).hex()[:DIGITS]


def revision_of_identity(source: Source) -> str:
    """Returns a hash of identity, size and times; never the same twice for a source that has not settled."""
    moment = () if source.identity_shows_changes else (time_ns(),)
    return sha256(repr((*source.identity, *moment)).encode()).hex()[:DIGITS]


def hash_of_identity(source: Source) -> bytes:
    """Returns what stands for the hash of a content whose server vouches for its version."""
    return sha256(repr(tuple(source.identity)).encode())


def revision_of_names(names: Sequence[str]) -> str:
    """Returns a hash of a directory listing."""
    return sha256("\n".join(names).encode(errors="surrogatepass")).hex()[:DIGITS]


def content_hash(source: Source, check: Callable[[], None] | None = None) -> bytes:
    """Returns the SHA-256 of the content, computed once for an open file; `check` is called meanwhile and may raise."""
    if source.content_hash is None:
        exact_size(source)
        in_pieces = source.size > PIECE
        source.content_hash = _hash_of_pieces(source, check) if in_pieces else sha256(source.read_at(0, PIECE))
    return source.content_hash


def _hash_of_pieces(source: Source, check: Callable[[], None] | None) -> bytes:
    """Returns the hash of a whole source, read piece by piece."""
    digest = stringzilla.Sha256()
    for offset in range(0, source.size, PIECE):
        if check:
            check()
        digest.update(source.read_at(offset, PIECE))
    return digest.digest()
