"""The methods of 7z, on Python's own decoders: what a block holds, step by step. They run in the child."""

from __future__ import annotations

import bz2
import lzma
import struct
from collections.abc import Callable, Iterator

from ..documents.contract import Damaged, ReadAt
from ..errors import ConversionFailed, DocumentLocked
from .compression import PIECE, packed_pieces
from .decompressors import DAMAGE, MAX_MEMORY, Decompressor, deflate_decompressor, zstd_decompressor, zstd_errors
from .packing_detection import CUT_OFF, DAMAGED
from .seven_zip_header import Block, Coder

COPY, LZMA, LZMA2, DELTA = b"\0", b"\3\1\1", b"\x21", b"\3"
DEFLATE, BZIP2, ZSTD, AES = b"\4\1\x08", b"\4\2\2", b"\4\xf7\x11\1", b"\6\xf1\7\1"
BCJ_FILTERS = {
    b"\4": lzma.FILTER_X86, b"\3\3\1\3": lzma.FILTER_X86,
    b"\5": lzma.FILTER_POWERPC, b"\3\3\2\5": lzma.FILTER_POWERPC,
    b"\6": lzma.FILTER_IA64, b"\3\3\4\1": lzma.FILTER_IA64,
    b"\7": lzma.FILTER_ARM, b"\3\3\5\1": lzma.FILTER_ARM,
    b"\x08": lzma.FILTER_ARMTHUMB, b"\3\3\7\1": lzma.FILTER_ARMTHUMB,
    b"\x09": lzma.FILTER_SPARC, b"\3\3\x08\5": lzma.FILTER_SPARC,
}  # fmt: skip
"""Filters that make machine code compress better: branch, call and jump."""
UNSUPPORTED = {b"\3\4\1": "PPMd", b"\3\3\1\x1b": "BCJ2", b"\4\1\x09": "Deflate64", b"\x0a": "ARM64", b"\x0b": "RISC-V"}
AT_ONCE = 1 << 16


def unpack_block(block: Block, read_at: ReadAt) -> Iterator[bytes]:
    """Yields what a block holds; one step of unpacking takes what the one before gives."""
    if AES in block.methods:
        raise DocumentLocked("7z")
    if block.coders is None:
        raise _unsupported_method(next((method for method in block.methods if method in UNSUPPORTED), block.methods[0]))
    pieces = packed_pieces(read_at, block.at, block.at + block.packed)
    for coder in block.coders:
        pieces = _unpack_step(coder, pieces)
    return pieces


def _unsupported_method(method: bytes) -> ConversionFailed:
    name = UNSUPPORTED.get(method, f"method {method.hex()}")
    return ConversionFailed("7z", f"it is packed by {name}, which is not read")


def _unpack_step(coder: Coder, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Returns an iterator over what one step gives."""
    if coder.method == COPY:
        return _copy_exactly(pieces, coder.size)
    if coder.method in BCJ_FILTERS or coder.method == DELTA:
        pieces = _framed_as_lzma2(pieces)
    return _decode_exactly(_decompressor(coder), pieces, coder.size)


def _decompressor(coder: Coder) -> Callable[[], Decompressor]:
    method, properties = coder.method, coder.properties
    simple: dict[bytes, Callable[[], Decompressor]] = {
        DEFLATE: deflate_decompressor,
        BZIP2: bz2.BZ2Decompressor,
        ZSTD: zstd_decompressor,
    }
    if method in simple:
        return simple[method]
    frame = {"id": lzma.FILTER_LZMA2, "dict_size": AT_ONCE}
    if method == DELTA and len(properties) == 1:
        filters = [{"id": lzma.FILTER_DELTA, "dist": properties[0] + 1}, frame]
    elif method in BCJ_FILTERS:
        filters = [{"id": BCJ_FILTERS[method], "start_offset": int.from_bytes(properties, "little")}, frame]
    elif method == LZMA and len(properties) == 5:
        filters = [_lzma_filter(properties, coder.size)]
    elif method == LZMA2 and len(properties) == 1 and properties[0] <= 40:
        claimed = (2 | properties[0] & 1) << (properties[0] // 2 + 11)
        filters = [{"id": lzma.FILTER_LZMA2, "dict_size": _dictionary_size(claimed, coder.size)}]
    else:
        raise _unsupported_method(method)
    return lambda: lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=filters)


def _lzma_filter(properties: bytes, size: int) -> dict[str, int]:
    first, dictionary = struct.unpack("<BL", properties)
    return {
        "id": lzma.FILTER_LZMA1,
        "dict_size": _dictionary_size(dictionary, size),
        "lc": first % 9,
        "lp": first // 9 % 5,
        "pb": first // 45,
    }


def _dictionary_size(claimed: int, size: int) -> int:
    """Returns how much of what was unpacked is needed again; never more than there is."""
    needed = max(1 << 12, min(claimed, size))
    if needed > MAX_MEMORY:
        raise ConversionFailed("7z", f"more than {MAX_MEMORY >> 20} MiB of memory would be needed")
    return needed


def _framed_as_lzma2(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yields data as LZMA2 without compression: Python has filters for programs only before LZMA."""
    control = 1
    for piece in pieces:
        for start in range(0, len(piece), AT_ONCE):
            part = piece[start : start + AT_ONCE]
            yield bytes([control]) + (len(part) - 1).to_bytes(2, "big") + part
            control = 2
    yield b"\0"


def _copy_exactly(pieces: Iterator[bytes], size: int) -> Iterator[bytes]:
    for piece in pieces:
        yield piece[:size]
        size -= len(piece)
        if size <= 0:
            return
    if size:
        raise Damaged(CUT_OFF)


def _decode_exactly(make: Callable[[], Decompressor], packed: Iterator[bytes], size: int) -> Iterator[bytes]:
    """Yields exactly as many bytes as a step gives: what is packed by LZMA need not say where it ends."""
    ahead = b""
    try:
        decompressor = make()
        while size and not decompressor.eof:
            piece = decompressor.decompress(ahead, min(PIECE, size))
            size -= len(piece)
            if piece:
                yield piece
            ahead = next(packed, b"") if getattr(decompressor, "needs_input", True) else b""
            if not (piece or ahead) and getattr(decompressor, "needs_input", True):
                raise Damaged(CUT_OFF)
    except (*DAMAGE, *zstd_errors()) as error:
        raise Damaged(DAMAGED) from error
    if size:
        raise Damaged("it is shorter than the archive says")
