"""Unpackers of ZIP: its directory as a listing, and one member. They run in the child, in the cage."""

from __future__ import annotations

import lzma
import struct
import sys
import zlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from operator import ge, sub

from ..documents.contract import Damaged, ReadAt, Unpacker
from ..errors import ConversionFailed
from ..named_tuple import NamedTuple
from .archive_listing import encode_listing
from .compression import PIECE, Reread, equal_pieces, packed_pieces, unpack_streams
from .decompressors import (
    Decompressor,
    bzip2_decompressor,
    deflate_decompressor,
    xz_decompressor,
    zstd_decompressor,
    zstd_module,
)
from .packing_detection import WRONG_CHECKSUM

END, END_64, LOCATOR_64 = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"
END_SIZE, TAIL = 22, 65_557
ENTRY_START, ENTRY = b"PK\x01\x02", 46
"""How an entry of the directory begins, and how long it is without its name."""
FLAGS, METHOD, CHECKSUM, PACKED, SIZE, PLACE = (8, 2), (10, 2), (16, 4), (20, 4), (24, 4), (42, 4)
"""Where numbers stand in it, and how many bytes they have."""
SYSTEM_AT, LENGTHS_AT, MODE_AT = 5, 28, 41
LENGTHS = struct.Struct("<3H")
FILE, FOLDER = b"fd"
KIND_OF_MODE = bytes(ord({0x0: "f", 0x8: "f", 0xA: "l"}.get(byte >> 4, "o")) for byte in range(256))
LOCAL = struct.Struct("<4s2B4HL2L2H")
MAX_DIRECTORY = 256 << 20
MAX_MEMBERS = 1_000_000
FULL = 0xFFFF_FFFF
UTF8_NAME, ENCRYPTED = 0x800, 0x1
UNIX = 3
STORED, DEFLATED, BZIP2, LZMA, ZSTD, XZ = 0, 8, 12, 14, 93, 95


class MemberLocation(NamedTuple):
    """Where a member is and how it is packed."""

    at: int
    packed: int
    method: int
    flags: int
    checksum: int


def _encoded_listing(read_at: ReadAt, size: int) -> Iterator[bytes]:
    """Yields the listing; its columns are the sizes, and those of `MemberLocation`.

    Whole columns are made at once: one member after the other, 100,000 take twice as long.
    """
    directory, shift = _read_directory(read_at, size)
    entries, raw_names, at = _split_entries(directory)
    if directory and not raw_names:
        raise ConversionFailed("zip", "it is damaged: its directory cannot be read")
    columns = [_entry_column(entries, *field) for field in (SIZE, PLACE, PACKED, METHOD, FLAGS, CHECKSUM)]
    if any(FULL in column for column in columns[:3]):
        columns[:3] = _columns_beyond_32_bits(directory, entries, columns[:3])
    if shift:
        columns[1] = array("Q", [max(0, offset + shift) for offset in columns[1]])
    _refuse_overlaps(columns[1], columns[2], size)
    names, kinds = _decode_names(raw_names, columns[4]), _member_kinds(raw_names, entries)
    yield from encode_listing(names, kinds, columns)
    if at < len(directory):
        raise Damaged("its directory is damaged")


def _split_entries(directory: bytes) -> tuple[bytes, list[bytes], int]:
    """Returns the fixed parts of all entries, one behind the other, their names, and where the last one ends."""
    parts: list[bytes] = []
    names: list[bytes] = []
    at, end, lengths, behind = 0, len(directory) - ENTRY, LENGTHS.unpack_from, ENTRY
    while at <= end and directory.startswith(ENTRY_START, at):
        name, extra, note = lengths(directory, at + LENGTHS_AT)
        parts.append(directory[at:behind])
        names.append(directory[behind : behind + name])
        at = behind + name + extra + note
        behind = at + ENTRY
        if len(names) == MAX_MEMBERS:
            raise ConversionFailed("zip", f"it has more than {MAX_MEMBERS:,} members")
    return b"".join(parts), names, at


def _entry_column(entries: bytes, at: int, width: int) -> array[int]:
    """Returns one number of each entry: bytes at the same place of all of them, side by side."""
    raw = bytearray(8 * (len(entries) // ENTRY))
    for byte in range(width):
        raw[byte::8] = entries[at + byte :: ENTRY]
    column = array("Q")
    column.frombytes(raw)
    if sys.byteorder == "big":
        column.byteswap()
    return column


def _columns_beyond_32_bits(directory: bytes, entries: bytes, columns: list[array[int]]) -> list[array[int]]:
    """Returns sizes, offsets and packed sizes of an archive that has larger ones than an entry has room for."""
    large = [array("Q") for _ in columns]
    at = 0
    for number, (size, offset, packed) in enumerate(zip(*columns, strict=True)):
        name, extra, note = LENGTHS.unpack_from(entries, number * ENTRY + LENGTHS_AT)
        at += ENTRY + name
        size, packed, offset = _numbers_beyond_32_bits(directory[at : at + extra], size, packed, offset)
        for column, value in zip(large, (size, offset, packed), strict=True):
            column.append(value)
        at += extra + note
    return large


def _member_kinds(names: list[bytes], entries: bytes) -> bytes:
    """Returns the kinds of members, a byte each: by their modes, where the system that packed them has modes."""
    kinds = bytearray(entries[MODE_AT::ENTRY].translate(KIND_OF_MODE))
    for number, (system, name) in enumerate(zip(entries[SYSTEM_AT::ENTRY], names, strict=True)):
        if name[-1:] == b"/":
            kinds[number] = FOLDER
        elif system != UNIX:
            kinds[number] = FILE
    return bytes(kinds)


def _read_directory(read_at: ReadAt, size: int) -> tuple[bytes, int]:
    """Returns the central directory, and how far all offsets lie behind where they say."""
    start = max(0, size - TAIL)
    tail = read_at(start, TAIL)
    end_at = tail.rfind(END)
    if end_at < 0 or len(tail) < end_at + END_SIZE:
        raise ConversionFailed("zip", "it is cut off or damaged: it has no directory of its members")
    length, offset = struct.unpack_from("<2L", tail, end_at + 12)
    end = start + end_at
    if end_at >= 20 and tail[end_at - 20 : end_at - 16] == LOCATOR_64:
        end = struct.unpack_from("<Q", tail, end_at - 12)[0]
        record = read_at(end, 56)
        if len(record) < 56 or record[:4] != END_64:
            raise ConversionFailed("zip", "it is damaged: it has no directory of its members")
        length, offset = struct.unpack_from("<2Q", record, 40)
    if length > MAX_DIRECTORY or length > end:
        raise ConversionFailed("zip", "it is damaged: its directory is larger than it can be")
    directory = read_at(end - length, length)
    while len(directory) < length and (more := read_at(end - length + len(directory), length - len(directory))):
        directory += more
    return directory, end - length - offset


def _numbers_beyond_32_bits(extra: bytes, size: int, packed: int, offset: int) -> tuple[int, int, int]:
    """Returns sizes and offset from the extra field of a large archive."""
    numbers = [size, packed, offset]
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, at)
        if kind == 1:
            field = extra[at + 4 : at + 4 + length]
            for which in (which for which in range(3) if numbers[which] == FULL):
                if len(field) >= 8:
                    numbers[which], field = int.from_bytes(field[:8], "little"), field[8:]
        at += 4 + length
    return numbers[0], numbers[1], numbers[2]


def _decode_names(raw: list[bytes], flags: Sequence[int]) -> list[str]:
    """Returns the names; most archives have such that all can be decoded at once."""
    together = b"\0".join(raw)
    if together.isascii() and together.count(b"\0") == len(raw) - 1 and b"\\" not in together:
        return together.decode().split("\0")
    return [_decode_name(*each) for each in zip(raw, flags, strict=True)]


def _decode_name(raw: bytes, flags: int) -> str:
    """Returns a name; where it is not said to be UTF-8, it may be all the same."""
    try:
        name = raw.decode()
    except UnicodeDecodeError:
        name = raw.decode("utf-8" if flags & UTF8_NAME else "cp437", "replace")
    return name if "/" in name else name.replace("\\", "/")


def _refuse_overlaps(offsets: array[int], packed: array[int], size: int) -> None:
    """Refuses members that share bytes: a few bytes could stand for any number of members."""
    needed = map(LOCAL.size.__add__, packed)
    end = offsets[-1] + LOCAL.size + packed[-1] if offsets else 0
    if not all(map(ge, map(sub, offsets[1:], offsets), needed)):  # not in their order
        end = 0
        for offset, length in sorted(zip(offsets, packed, strict=True)):
            if offset < end:
                raise ConversionFailed("zip", "its members overlap")
            end = offset + LOCAL.size + length
    if end > size:
        raise ConversionFailed("zip", "it is damaged: a member ends behind the end of the file")


def _unpack_member(read_at: ReadAt, size: int, asked: bytes) -> Iterator[bytes]:
    """Yields a member; what is asked is its size and its place."""
    length, *location = map(int, asked.split())
    where = MemberLocation(*location)
    header = read_at(where.at, LOCAL.size)
    if len(header) < LOCAL.size or not header.startswith(b"PK\x03\x04"):
        raise ConversionFailed("zip", "it is damaged: the member is not where the directory says")
    name_size, extra_size = struct.unpack_from("<2H", header, 26)
    start = where.at + LOCAL.size + name_size + extra_size
    packed = packed_pieces(read_at, start, min(start + where.packed, size))

    def reread(first: int, last: int) -> Iterator[bytes]:
        return packed_pieces(read_at, start + first, start + last)

    return equal_pieces(
        _check_while_unpacking(_unpack_by_method(where.method, packed, length, reread), length, where.checksum)
    )


def _unpack_by_method(method: int, packed: Iterator[bytes], most: int, reread: Reread | None) -> Iterator[bytes]:
    """Returns the content of a member, by its method of packing."""
    if method == STORED:
        return packed
    decompressors: dict[int, Callable[[], Decompressor]] = {
        DEFLATED: deflate_decompressor,
        BZIP2: bzip2_decompressor,
        ZSTD: zstd_decompressor,
        XZ: xz_decompressor,
    }
    if method == LZMA:
        reread = None
        whole = b"".join(packed)
        start = 4 + int.from_bytes(whole[2:4], "little")
        filters = [_lzma_filter(whole[4:start])]
        packed = iter([whole[start:]])
        decompressors[LZMA] = lambda: lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=filters)
    if method not in decompressors:
        raise ConversionFailed("zip", f"the member is packed by method {method}, which is not read")
    return unpack_streams(decompressors[method], packed, most + PIECE, reread)


def _lzma_filter(properties: bytes) -> dict[str, int]:
    """Returns the settings of LZMA from a member's own header."""
    first = properties[0] if len(properties) == 5 else 255
    if first >= 9 * 5 * 5 or first % 9 + first // 9 % 5 > 4:
        raise ConversionFailed("zip", "it is damaged: the member does not begin as LZMA")
    return {
        "id": lzma.FILTER_LZMA1,
        "dict_size": min(int.from_bytes(properties[1:], "little"), 256 << 20),
        "lc": first % 9,
        "lp": first // 9 % 5,
        "pb": first // 45,
    }


def _check_while_unpacking(pieces: Iterator[bytes], length: int, checksum: int) -> Iterator[bytes]:
    """Yields no more than the length that the directory says; Damaged where it is not true, or the checksum is not."""
    done = computed = 0
    for piece in pieces:
        kept = piece[: length - done]
        computed = zlib.crc32(kept, computed)
        done += len(kept)
        if kept:
            yield kept
        if len(kept) < len(piece):
            raise Damaged("it is longer than the archive says")
    if done < length:
        raise Damaged("it is shorter than the archive says")
    if computed != checksum:
        raise Damaged(WRONG_CHECKSUM)


def _member_or_listing(read_at: ReadAt, size: int, asked: bytes) -> Iterator[bytes]:
    return _unpack_member(read_at, size, asked) if asked else _encoded_listing(read_at, size)


ZIP = Unpacker("zip", _member_or_listing, zstd_module)
"""Lists the members where nothing is asked for."""
