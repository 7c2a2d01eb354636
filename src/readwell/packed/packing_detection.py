"""Detects by its first bytes whether a file is packed, and how; bounds how much may be unpacked."""

from __future__ import annotations

import sys

from ..named_tuple import NamedTuple

MAX_UNPACKED = 4 << 30
RATIO_COUNTS_FROM = 64 << 20
MAX_RATIO = 1000
TAR_MAGIC, TAR_MAGIC_AT = b"ustar", 257
ZSTD_MODULE = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
"""Packs and unpacks zstd; Python has its own since 3.14."""
SEVEN_ZIP_START = b"7z\xbc\xaf\x27\x1c"
WRONG_CHECKSUM = "its checksum is wrong"
DAMAGED, CUT_OFF = "it is damaged", "it is cut off or damaged"
DAMAGED_BEHIND = "it is damaged, or followed by something else"
CUT_OFF_BEHIND = "it is cut off, or the rest of it is damaged"
"""These two where all that precedes agrees with its checksums."""
HEAD = 512
"""Bytes that tell a packing."""


class Packing(NamedTuple):
    """A way to compress one file."""

    name: str
    extensions: tuple[str, ...]
    """They are dropped from the name, or stand for the one behind a colon."""


GZIP = Packing("gzip", ("gz", "gzip", "svgz:svg", "tgz:tar"))
BZIP2 = Packing("bzip2", ("bz2", "bz", "tbz2:tar", "tbz:tar"))
XZ = Packing("xz", ("xz", "txz:tar"))
ZSTD = Packing("zstd", ("zst", "zstd", "tzst:tar"))
BZIP2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")
ZSTD_START, SKIPPABLE = b"\x28\xb5\x2f\xfd", b"\x2a\x4d\x18"
ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06")


STARTS = (b"\x1f\x8b\x08", b"BZh", b"\xfd7zXZ\0", ZSTD_START, SEVEN_ZIP_START, *ZIP_STARTS)


def may_be_packed(head: bytes, name: str) -> bool:
    """Says whether a file may be compressed or an archive: a quick first test, for most files are neither."""
    if head.startswith(STARTS) or head.startswith(TAR_MAGIC, TAR_MAGIC_AT) or head[1:4] == SKIPPABLE:
        return True
    return head.startswith(b"\0") and _is_empty_tar(head, name)


def compression_of(head: bytes) -> Packing | None:
    """Returns how a file is compressed; None where it is not."""
    if head.startswith(b"\x1f\x8b\x08"):
        return GZIP
    if head.startswith(b"BZh") and head[4:10] in BZIP2_BLOCKS:
        return BZIP2
    if head.startswith(b"\xfd7zXZ\0"):
        return XZ
    is_skippable = head[1:4] == SKIPPABLE and head[0] >> 4 == 5
    return ZSTD if head.startswith(ZSTD_START) or is_skippable else None


def _is_empty_tar(head: bytes, name: str) -> bool:
    """Says whether a file called TAR begins with the block of zeros that ends one."""
    return name.lower().endswith(".tar") and len(head) >= HEAD and not head[:HEAD].strip(b"\0")


def archive_format_of(head: bytes, name: str) -> str:
    """Returns `zip`, `7z` or `tar` by the first bytes of a file, of an empty TAR by its name, too; empty for others."""
    if head.startswith(ZIP_STARTS):
        return "zip"
    if head.startswith(SEVEN_ZIP_START):
        return "7z"
    return "tar" if head.startswith(TAR_MAGIC, TAR_MAGIC_AT) or _is_empty_tar(head, name) else ""


def unpacked_name(name: str, packing: Packing) -> str:
    """Returns the name of what is compressed: `app.log` for `app.log.gz`."""
    stem, _, extension = name.rpartition(".")
    for known in packing.extensions:
        ending, _, instead = known.partition(":")
        if stem and extension.lower() == ending:
            return f"{stem}.{instead}" if instead else stem
    return name


def is_packed_tar(name: str, packing: Packing) -> bool:
    """Says by the name of a compressed file whether it holds a TAR."""
    return unpacked_name(name, packing).lower().endswith(".tar")


def most_unpacked_bytes(packed: int) -> int:
    """Returns how many bytes a file of such a size may hold: what holds more is made to harm."""
    return min(MAX_UNPACKED, max(RATIO_COUNTS_FROM, MAX_RATIO * packed))
