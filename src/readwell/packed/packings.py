"""Which files are packed, and how: known by their first bytes."""

from __future__ import annotations

import re
from typing import NamedTuple

MOST_UNPACKED = 4 << 30
RATIO_COUNTS_FROM = 64 << 20
MOST_RATIO = 1000
TAR_MAGIC, TAR_MAGIC_AT = b"ustar", 257
HEAD = 512
"""Bytes that tell a packing."""


class Packing(NamedTuple):
    """A way to compress one file."""

    name: str
    start: str
    """What a file begins with, as a regular expression."""
    extensions: tuple[str, ...]


COMPRESSED = (
    Packing("gzip", r"\x1f\x8b\x08", ("gz", "gzip", "svgz:svg", "tgz:tar")),
    Packing("bzip2", r"BZh[1-9](1AY&SY|\x17rE8P\x90)", ("bz2", "bz", "tbz2:tar", "tbz:tar")),
    Packing("xz", r"\xfd7zXZ\0", ("xz", "txz:tar")),
    Packing("zstd", r"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18", ("zst", "zstd", "tzst:tar")),
)
"""The ways to compress that are read; an extension is dropped from the name, or stands for the one behind the colon."""
STARTS = re.compile(b"|".join(b"(%s)" % each.start.encode("latin-1") for each in COMPRESSED), re.DOTALL)
ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06")


def compression_of(head: bytes) -> Packing | None:
    """Returns how a file is compressed; None where it is not."""
    found = re.match(STARTS, head)
    if found is None:
        return None
    return next(each for each in COMPRESSED if re.match(each.start.encode("latin-1"), head, re.DOTALL))


def archive_of(head: bytes) -> str:
    """Returns `zip` or `tar` by the first bytes of a file; empty for others."""
    if head.startswith(ZIP_STARTS):
        return "zip"
    return "tar" if head[TAR_MAGIC_AT:].startswith(TAR_MAGIC) else ""


def unpacked_name(name: str, packing: Packing) -> str:
    """Returns the name of what is compressed: `app.log` for `app.log.gz`."""
    stem, _, extension = name.rpartition(".")
    for known in packing.extensions:
        ending, _, instead = known.partition(":")
        if stem and extension.lower() == ending:
            return f"{stem}.{instead}" if instead else stem
    return name


def most_unpacked(packed: int) -> int:
    """Returns how many bytes a file of such a size may hold: what holds more is made to harm."""
    return min(MOST_UNPACKED, max(RATIO_COUNTS_FROM, MOST_RATIO * packed))
