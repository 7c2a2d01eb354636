"""Encodes and decodes the listing of an archive between child and caller: numbers in columns, names between NULs.


It is made to be quick for very many members, and so that nothing in it need be checked one by one on arrival.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator, Sequence

from ..named_tuple import NamedTuple

PIECE = 1 << 20
COLUMNS = struct.Struct("<2Q")
ENCODING, ERRORS = "utf-8", "surrogatepass"


class ArchiveListing(NamedTuple):
    """Members: their names, kinds (`f` file, `s` sparse file, `d` folder, `l` link, `o` other), columns of numbers."""

    names: list[str]
    kinds: bytes
    columns: Sequence[array[int]]
    """The sizes first, then what the unpacker needs to find each."""


def encode_listing(names: list[str], kinds: bytes, columns: Sequence[array[int]]) -> Iterator[bytes]:
    """Yields a listing in pieces; a name with a NUL in it becomes one that leads nowhere."""
    joined = "\0".join(names)
    if joined.count("\0") != max(0, len(names) - 1):
        joined = "\0".join("" if "\0" in name else name for name in names)
    head = COLUMNS.pack(len(names), len(columns))
    encoded = b"".join([head, kinds, *(column.tobytes() for column in columns), joined.encode(ENCODING, ERRORS)])
    for start in range(0, len(encoded), PIECE):
        yield encoded[start : start + PIECE]


def decode_listing(encoded: bytes) -> ArchiveListing:
    """Returns a listing; raises ValueError where it is none."""
    if len(encoded) < COLUMNS.size:
        raise ValueError("no listing")
    count, width = COLUMNS.unpack_from(encoded)
    at = COLUMNS.size + count
    if width > 16 or len(encoded) < at + 8 * count * width:
        raise ValueError("no listing")
    kinds = encoded[COLUMNS.size : at]
    columns: list[array[int]] = []
    for _ in range(width):
        column = array("Q")
        column.frombytes(encoded[at : at + 8 * count])
        columns.append(column)
        at += 8 * count
    names = encoded[at:].decode(ENCODING, ERRORS).split("\0") if count else []
    if len(names) != count or kinds.strip(b"fsdlo"):
        raise ValueError("no listing")
    return ArchiveListing(names, kinds, columns)
