"""Decompressors of one stream, with the interface of Python's own: deflate, gzip, bzip2, xz, zstd."""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Protocol

from ..errors import ConverterMissing
from .packing_detection import ZSTD_MODULE

MAX_MEMORY = 256 << 20
"""Of the dictionaries of xz and zstd."""
LARGEST_WINDOW = 27
LESS_THAN_A_BLOCK = 16
"""Bytes in which no two blocks of bzip2 end."""
INSTALL = 'pip install "readwell[archives]"'


class Decompressor(Protocol):
    """What Python's decompressors have in common."""

    @property
    def eof(self) -> bool:
        """Whether the stream has ended."""
        ...

    @property
    def unused_data(self) -> bytes:
        """What follows the stream."""
        ...

    def decompress(self, data: bytes, max_length: int = ...) -> bytes:
        """Unpacks some bytes, at most so many."""
        ...


TRAILER_FAULTS = {"incorrect data check": 4, "incorrect length check": 0}
"""What zlib says where only the trailer of a gzip member is wrong, and how many bytes of that are left."""
DAMAGE = (zlib.error, OSError, EOFError, lzma.LZMAError, ValueError)


@cache
def zstd_module() -> Any:
    """Returns the module that unpacks zstd; None where it is not installed."""
    try:
        return import_module(ZSTD_MODULE)
    except ImportError:
        return None


class _DeflateDecompressor:
    """zlib's decompressor with the interface of the others: what it did not take yet is kept."""

    def __init__(self, bits: int) -> None:
        self._zlib = zlib.decompressobj(bits)

    @property
    def eof(self) -> bool:
        """Whether the stream has ended."""
        return self._zlib.eof

    @property
    def unused_data(self) -> bytes:
        """What follows the stream."""
        return self._zlib.unused_data

    @property
    def needs_input(self) -> bool:
        """Whether all that it was given is unpacked."""
        return not self._zlib.unconsumed_tail

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        """Unpacks some bytes, at most so many."""
        kept = self._zlib.unconsumed_tail
        return self._zlib.decompress(kept + data if kept else data, max(0, max_length))


class GzipDecompressor(_DeflateDecompressor):
    """One member of a gzip file. zlib forgets what it unpacked before a fault, so it is asked again, byte by byte."""

    def __init__(self) -> None:
        super().__init__(16 + zlib.MAX_WBITS)
        self._fault: zlib.error | None = None
        self._behind: bytes | None = None
        self._trailer = 0

    @property
    def has_wrong_checksum(self) -> bool:
        """Whether all of it could be unpacked, and only its checksum or its length is not what it says."""
        return self._behind is not None

    @property
    def eof(self) -> bool:
        """Whether the stream has ended."""
        return super().eof if self._behind is None else len(self._behind) >= self._trailer

    @property
    def unused_data(self) -> bytes:
        """What follows the stream."""
        return super().unused_data if self._behind is None else self._behind[self._trailer :]

    @property
    def needs_input(self) -> bool:
        """Whether all that it was given is unpacked, and no fault is left to be told."""
        return self._fault is None and (self.has_wrong_checksum or super().needs_input)

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        """Unpacks some bytes, at most so many; a fault is told once all before it was returned."""
        if self._fault:
            raise self._fault
        if self._behind is not None:
            self._behind += data
            return b""
        data = self._zlib.unconsumed_tail + data
        before = self._zlib.copy()
        try:
            return self._zlib.decompress(data, max(0, max_length))
        except zlib.error:
            return self._up_to_the_fault(before, data)

    def _up_to_the_fault(self, before: Any, data: bytes) -> bytes:
        """Returns what was unpacked before a fault, and notes whether that is only in the trailer."""
        content = bytearray()
        for at in range(len(data)):
            try:
                content += before.decompress(data[at : at + 1])
            except zlib.error as error:
                left = next((left for words, left in TRAILER_FAULTS.items() if words in str(error)), None)
                if left is None:
                    self._fault = error
                else:
                    self._trailer, self._behind = left, data[at + 1 :]
                break
        return bytes(content)


class Bzip2Decompressor:
    """One stream of bzip2. Python hands out a block before its checksum is compared; this one does so afterwards."""

    def __init__(self) -> None:
        self._bz2 = bz2.BZ2Decompressor()
        self._packed = self._blocks = memoryview(b"")

    @property
    def eof(self) -> bool:
        """Whether the stream has ended."""
        return self._bz2.eof and not self._blocks

    @property
    def unused_data(self) -> bytes:
        """What follows the stream."""
        return self._bz2.unused_data + self._packed

    @property
    def needs_input(self) -> bool:
        """Whether all that it was given is unpacked."""
        return not (self._packed or self._blocks)

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        """Unpacks some bytes, at most so many."""
        packed = bytes(self._packed) + data
        at = 0
        while at < len(packed) and not (self._blocks or self._bz2.eof):
            self._blocks = memoryview(self._complete_block(packed[at : at + LESS_THAN_A_BLOCK]))
            at += LESS_THAN_A_BLOCK
        self._packed = memoryview(packed)[at:]
        end = max_length if max_length >= 0 else len(self._blocks)
        piece, self._blocks = bytes(self._blocks[:end]), self._blocks[end:]
        return piece

    def _complete_block(self, packed: bytes) -> bytes:
        """Returns the block that some packed bytes complete; once nothing more comes of it, its checksum was right."""
        pieces = [self._bz2.decompress(packed, 1)]  # a larger buffer for each would be slower
        while pieces[-1] and not self._bz2.eof:
            pieces.append(self._bz2.decompress(b""))
        return b"".join(pieces)


def deflate_decompressor() -> Decompressor:
    """Unpacks deflated data without a header, as ZIP holds it."""
    return _DeflateDecompressor(-zlib.MAX_WBITS)


def gzip_decompressor() -> Decompressor:
    """Unpacks one member of a gzip file."""
    return GzipDecompressor()


def bzip2_decompressor() -> Decompressor:
    """Unpacks one stream of bzip2."""
    return Bzip2Decompressor()


def xz_decompressor() -> Decompressor:
    """Unpacks one stream of xz."""
    return lzma.LZMADecompressor(memlimit=MAX_MEMORY)


def zstd_decompressor() -> Decompressor:
    """Unpacks one frame of zstd."""
    zstd = zstd_module()
    if zstd is None:
        raise ConverterMissing("zstd", INSTALL)
    return zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: LARGEST_WINDOW})


def is_checksum_verified(decompressor: Decompressor) -> bool:
    """Says whether all that it handed out agrees with a checksum; of deflate and zstd that is not known."""
    if isinstance(decompressor, GzipDecompressor):
        return decompressor.eof and not decompressor.has_wrong_checksum
    has_checksum = getattr(decompressor, "check", lzma.CHECK_NONE) != lzma.CHECK_NONE
    return isinstance(decompressor, Bzip2Decompressor) or (decompressor.eof and has_checksum)


def zstd_errors() -> tuple[type[Exception], ...]:
    """Returns what zstd raises where data are damaged."""
    zstd = zstd_module()
    return () if zstd is None else (zstd.ZstdError,)


DECOMPRESSORS: dict[str, Callable[[], Decompressor]] = {
    "gzip": gzip_decompressor,
    "bzip2": bzip2_decompressor,
    "xz": xz_decompressor,
    "zstd": zstd_decompressor,
}
