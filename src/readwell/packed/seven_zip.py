"""The unpacker of 7z: its members as a listing, and its blocks, on Python's own decoders. It runs in the child."""

from __future__ import annotations

import struct
import zlib
from array import array
from collections.abc import Iterator
from itertools import accumulate

from ..documents.contract import Damaged, ReadAt, Unpacker
from ..errors import ConversionFailed, TooLarge
from .archive_listing import encode_listing
from .compression import equal_pieces, packed_pieces
from .decompressors import zstd_module
from .packing_detection import WRONG_CHECKSUM, most_unpacked_bytes
from .seven_zip_header import (
    FILES,
    MORE_STREAMS,
    PROPERTIES,
    START,
    STREAMS,
    Block,
    MemberTable,
    read_blocks,
    read_member_table,
)
from .seven_zip_methods import AES, unpack_block
from .seven_zip_numbers import HeaderReader, damaged_header, is_whole

HEADER, PACKED_HEADER, NO_MORE = 1, 23, 0
MAX_HEADER = 256 << 20
MAX_NESTED = 4
"""How often a header may itself be packed."""
ENCRYPTED = 0x1
FOLDER, HAS_MODE = 0x10, 0x8000
KIND_BITS, LINK, PLAIN, DIRECTORY = 0o170000, 0o120000, 0o100000, 0o040000
NO_FILES = MemberTable([], [], [], [])


def _block_or_listing(read_at: ReadAt, size: int, asked: bytes) -> Iterator[bytes]:
    """Yields what a block holds, or where none is asked for, the listing of all members."""
    header = _read_header(read_at, size)
    blocks, has_files = _read_streams_info(header)
    if any(block.at + block.packed > size for block in blocks):
        raise damaged_header("a block ends behind the end of the file")
    if asked:
        return equal_pieces(_unpack_checked(blocks[int(asked)], read_at))
    return _encoded_listing(blocks, read_member_table(header) if has_files else NO_FILES)


def _read_header(read_at: ReadAt, size: int) -> HeaderReader:
    """Returns the header, unpacked."""
    start = read_at(0, START)
    if len(start) < START:
        raise ConversionFailed("7z", "it is cut off")
    offset, length, checksum = struct.unpack_from("<QQL", start, 12)
    if length > MAX_HEADER:
        raise TooLarge(MAX_HEADER)
    if START + offset + length > size:
        raise ConversionFailed("7z", "it is cut off, or the first of several parts: the list of its members is missing")
    raw = b"".join(packed_pieces(read_at, START + offset, START + offset + length))
    if not is_whole(raw, checksum):
        raise damaged_header("the checksum of its header is wrong")
    for _ in range(MAX_NESTED):
        reader = HeaderReader(raw or bytes([HEADER, NO_MORE]))
        kind = reader.byte()
        if kind == HEADER:
            return reader
        if kind != PACKED_HEADER:
            break
        raw = _unpack_header(read_blocks(reader), read_at)
    raise damaged_header()


def _unpack_header(blocks: list[Block], read_at: ReadAt) -> bytes:
    if not blocks or blocks[0].size > min(MAX_HEADER, most_unpacked_bytes(blocks[0].packed)):
        raise damaged_header()
    try:
        return b"".join(_unpack_checked(blocks[0], read_at))
    except Damaged as error:
        raise damaged_header() from error


def _read_streams_info(header: HeaderReader) -> tuple[list[Block], bool]:
    """Returns the blocks, and whether members follow."""
    kind, blocks = header.byte(), list[Block]()
    if kind == PROPERTIES:
        while header.number():
            header.take(header.number())
        kind = header.byte()
    for streams in (MORE_STREAMS, STREAMS):
        if kind == streams:
            blocks, kind = read_blocks(header), header.byte()
    if kind not in (FILES, NO_MORE):
        raise damaged_header()
    return blocks, kind == FILES


def _encoded_listing(blocks: list[Block], files: MemberTable) -> Iterator[bytes]:
    """Yields the listing; its columns are the sizes, and where each is: block, offset, flags, sizes of the block."""
    kinds = bytearray()
    columns = [array("Q") for _ in range(6)]
    rows = _member_rows(blocks)
    are_empty_files = iter(files.are_empty_files)
    for has_data, attributes in zip(files.has_data, files.attributes, strict=True):
        row = next(rows, None) if has_data else (0,) * 6
        if row is None:
            raise damaged_header("it has more members than data")
        kinds.append(_member_kind(attributes, has_data or next(are_empty_files)))
        for column, number in zip(columns, row, strict=True):
            column.append(number)
    yield from encode_listing(files.names, bytes(kinds), columns)


def _member_rows(blocks: list[Block]) -> Iterator[tuple[int, ...]]:
    for number, block in enumerate(blocks):
        flags = ENCRYPTED if AES in block.methods else 0
        for size, end in zip(block.sizes, accumulate(block.sizes), strict=True):
            yield size, number, end - size, flags, block.size, block.packed


def _member_kind(attributes: int, is_file: bool) -> int:
    mode = attributes >> 16 & KIND_BITS if attributes & HAS_MODE else 0
    if mode == DIRECTORY or attributes & FOLDER or not is_file:
        return ord("d")
    return ord("f" if mode in (0, PLAIN) else "l" if mode == LINK else "o")


def _unpack_checked(block: Block, read_at: ReadAt) -> Iterator[bytes]:
    """Yields what a block holds; Damaged behind the first member whose checksum is wrong."""
    ends = iter(zip(accumulate(block.sizes), block.checksums, strict=True))
    end, checksum = next(ends, (block.size, None))
    done = computed = 0
    for piece in unpack_block(block, read_at):
        left = memoryview(piece)
        while left:
            part = left[: end - done]
            computed = zlib.crc32(part, computed)
            done += len(part)
            if part:
                yield bytes(part)
            left = left[len(part) :]
            while done == end:
                if checksum is not None and computed != checksum:
                    raise Damaged(WRONG_CHECKSUM)
                computed = 0
                end, checksum = next(ends, (block.size + 1, None))


SEVEN_ZIP = Unpacker("7z", _block_or_listing, zstd_module)
"""Lists the members where no block is asked for."""
