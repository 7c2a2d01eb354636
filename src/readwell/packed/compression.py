"""Unpackers of compressed files: gzip, bzip2, xz, zstd. They run in the child, in the cage."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain

from ..documents.contract import Damaged, ReadAt, Unpacker
from ..errors import TooLarge
from .decompressors import (
    DAMAGE,
    DECOMPRESSORS,
    Decompressor,
    GzipDecompressor,
    is_checksum_verified,
    zstd_errors,
    zstd_module,
)
from .packing_detection import CUT_OFF, CUT_OFF_BEHIND, DAMAGED, DAMAGED_BEHIND, WRONG_CHECKSUM, most_unpacked_bytes

PIECE = 1 << 20
PACKED_AT_ONCE = 1 << 16
Reread = Callable[[int, int], Iterator[bytes]]
"""Reads packed bytes again, from an offset to another."""


def unpack_streams(
    make: Callable[[], Decompressor], packed: Iterator[bytes], most: int, reread: Reread | None = None
) -> Iterator[bytes]:
    """Yields what is packed, one stream after the other, in pieces of at most 1 MiB; Damaged where it breaks off.

    With `reread` all that can be unpacked before the damage is yielded.
    """
    done = 0
    for piece in _unpack_each_stream(make, _CountedPieces(packed), reread):
        done += len(piece)
        if done > most:
            raise TooLarge(most)
        yield piece


class _CountedPieces:
    """Packed bytes in pieces, with the offsets of the last piece."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self.start = self.end = 0

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        piece = next(self._pieces)
        self.start, self.end = self.end, self.end + len(piece)
        return piece


def _unpack_each_stream(
    make: Callable[[], Decompressor], packed: _CountedPieces, reread: Reread | None
) -> Iterator[bytes]:
    """Yields what one stream after the other holds; some writers fill up with zeros behind them."""
    ahead = next(packed, b"")
    is_wrong = is_unchecked = False
    while ahead:
        decompressor, start, done, damage = make(), packed.end - len(ahead), 0, None
        try:
            for piece in _unpack_stream(decompressor, ahead, packed):
                done += len(piece)
                yield piece
        except (*DAMAGE, *zstd_errors()) as error:
            damage = error
            if reread and not isinstance(decompressor, GzipDecompressor):
                faulty = max(start, packed.start)
                for piece in _rescue_before_damage(make, reread(start, faulty), reread(faulty, packed.end), done):
                    done += len(piece)
                    yield piece
        is_unchecked = is_unchecked or (done > 0 and not is_checksum_verified(decompressor))
        if damage:
            raise Damaged(DAMAGED if is_unchecked else DAMAGED_BEHIND) from damage
        if not decompressor.eof:
            raise Damaged(CUT_OFF if is_unchecked else CUT_OFF_BEHIND)
        is_wrong = is_wrong or getattr(decompressor, "has_wrong_checksum", False)
        ahead = decompressor.unused_data.lstrip(b"\0")
        while not ahead and (more := next(packed, b"")):
            ahead = more.lstrip(b"\0")
    if is_wrong:
        raise Damaged(WRONG_CHECKSUM)


def _rescue_before_damage(
    make: Callable[[], Decompressor], before: Iterator[bytes], faulty: Iterator[bytes], done: int
) -> Iterator[bytes]:
    """Yields what a stream holds behind `done` bytes and before its damage is noticed, which a decompressor forgets.

    It is unpacked again, where the damage is byte by byte.
    """
    decompressor, seen = make(), 0
    single = (piece[at : at + 1] for piece in faulty for at in range(len(piece)))
    try:
        for data in chain(before, single):
            ahead = data
            while ahead or not getattr(decompressor, "needs_input", True):
                piece, ahead = decompressor.decompress(ahead, PIECE), b""
                seen += len(piece)
                if seen > done:
                    yield piece[done - seen :]
                    done = seen
    except (*DAMAGE, *zstd_errors()):
        return


def _unpack_stream(decompressor: Decompressor, ahead: bytes, packed: Iterator[bytes]) -> Iterator[bytes]:
    """Yields what a decompressor makes of packed pieces, up to the end of the stream or of the pieces."""
    while True:
        if piece := decompressor.decompress(ahead, PIECE):
            yield piece
        if decompressor.eof:
            return
        ahead = next(packed, b"") if getattr(decompressor, "needs_input", True) else b""
        if not ahead and getattr(decompressor, "needs_input", True):
            return


def equal_pieces(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yields the same bytes in pieces of exactly 1 MiB, the last one shorter; also those before a damage."""
    held = bytearray()
    broken: Damaged | None = None
    try:
        for piece in pieces:
            held += piece
            while len(held) >= PIECE:
                yield bytes(held[:PIECE])
                del held[:PIECE]
    except Damaged as damaged:
        broken = damaged
    if held:
        yield bytes(held)
    if broken:
        raise broken


def packed_pieces(read_at: ReadAt, start: int, end: int) -> Iterator[bytes]:
    """Yields a part of a file as it is."""
    at = start
    while at < end and (piece := read_at(at, min(PACKED_AT_ONCE, end - at))):
        at += len(piece)
        yield piece


def unpack_file(packing: str, read_at: ReadAt, size: int) -> Iterator[bytes]:
    """Yields what a compressed file holds."""
    return unpack_streams(
        DECOMPRESSORS[packing],
        packed_pieces(read_at, 0, size),
        most_unpacked_bytes(size),
        partial(packed_pieces, read_at),
    )


def _unpacker(packing: str) -> Unpacker:
    """Returns the unpacker of a compressed file."""

    def run(read_at: ReadAt, size: int, _: bytes) -> Iterator[bytes]:
        return equal_pieces(unpack_file(packing, read_at, size))

    return Unpacker(packing, run, zstd_module)


GZIP, BZIP2, XZ, ZSTD = (_unpacker(packing) for packing in DECOMPRESSORS)
