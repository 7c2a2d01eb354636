"""The unpacker of TAR, compressed or not: its members as a listing. It runs in the child, in the cage."""

from __future__ import annotations

import io
import tarfile
from array import array
from collections.abc import Iterator
from typing import Any

from ..documents.contract import Damaged, ReadAt, Unpacker
from ..errors import ConversionFailed
from .archive_listing import encode_listing
from .compression import unpack_file
from .decompressors import zstd_module

MAX_MEMBERS = 1_000_000


def _encoded_listing(read_at: ReadAt, size: int, asked: bytes) -> Iterator[bytes]:
    """Yields the listing; its columns are sizes and offsets. What is asked is how it is compressed."""
    file: Any = _UnpackedStream(unpack_file(asked.decode(), read_at, size)) if asked else _SeekableFile(read_at, size)
    names: list[str] = []
    kinds = bytearray()
    sizes, offsets = array("Q"), array("Q")
    broken = ""
    try:
        with tarfile.TarFile.open(fileobj=file, mode="r|" if asked else "r:") as archive:
            while member := archive.next():
                names.append(member.name + "/" * member.isdir())
                kinds.append(_member_kind(member))
                sizes.append(member.size if member.isreg() else 0)
                offsets.append(member.offset_data)
                archive.members = []  # pyright: ignore - else it keeps them all
                if len(names) > MAX_MEMBERS:
                    raise ConversionFailed("tar", f"it has more than {MAX_MEMBERS:,} members")
            if not asked and read_at(archive.offset, tarfile.BLOCKSIZE).strip(b"\0"):  # pyright: ignore
                broken = "it is damaged"
    except (tarfile.TarError, Damaged, EOFError, ValueError) as error:
        broken = "it is cut off or damaged"
        if not names:
            raise ConversionFailed("tar", broken) from error
    yield from encode_listing(names, bytes(kinds), [sizes, offsets])
    if broken:
        raise Damaged(broken)


def _member_kind(member: tarfile.TarInfo) -> int:
    """Returns the kind of a member as one byte."""
    if member.isdir():
        return ord("d")
    if member.issym() or member.islnk():
        return ord("l")
    return ord("s" if member.issparse() else "f" if member.isreg() else "o")


class _SeekableFile(io.RawIOBase):
    """A file that is read where it is."""

    def __init__(self, read_at: ReadAt, size: int) -> None:
        self._read_at, self._size, self._at = read_at, size, 0

    def seek(self, offset: int, whence: int = 0) -> int:
        """Goes to an offset."""
        self._at = offset + {0: 0, 1: self._at, 2: self._size}[whence]
        return self._at

    def tell(self) -> int:
        """Returns the offset."""
        return self._at

    def read(self, count: int = -1) -> bytes:
        """Returns the next bytes."""
        left = max(0, self._size - self._at)
        content = self._read_at(self._at, min(left, count) if count >= 0 else left)
        self._at += len(content)
        return content


class _UnpackedStream:
    """What is being unpacked, read from its beginning to its end."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._held, self._at = pieces, b"", 0

    def read(self, count: int) -> bytes:
        """Returns the next bytes."""
        content: list[bytes] = []
        while count > 0:
            if self._at == len(self._held):
                self._held, self._at = next(self._pieces, b""), 0
                if not self._held:
                    break
            part = self._held[self._at : self._at + count]
            self._at += len(part)
            count -= len(part)
            content.append(part)
        return b"".join(content)


TAR = Unpacker("tar", _encoded_listing, zstd_module)
