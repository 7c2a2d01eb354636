"""Writes 7z archives by hand: methods, blocks and every number of the header can be chosen, also false ones."""

import bz2
import lzma
import struct
import zlib
from typing import NamedTuple

COPY, LZMA, LZMA2, BZIP2, DEFLATE = b"\0", b"\3\1\1", b"\x21", b"\4\2\2", b"\4\1\x08"
AES, PPMD, X86 = b"\6\xf1\7\1", b"\3\4\1", b"\3\3\1\3"
DICTIONARY = 1 << 20
LZMA2_FILTER = {"id": lzma.FILTER_LZMA2, "dict_size": DICTIONARY}
LZMA_FILTER = {"id": lzma.FILTER_LZMA1, "dict_size": DICTIONARY, "lc": 3, "lp": 0, "pb": 2}


def number(value):
    """A number as 7z writes it: the first byte tells how many follow."""
    for extra in range(9):
        if value < 1 << 7 * (extra + 1) or extra == 8:
            mask = 0xFF00 >> extra & 0xFF
            high = value >> 8 * extra if extra < 8 else 0
            return bytes([mask | high]) + (value & (1 << 8 * extra) - 1).to_bytes(extra, "little")
    raise ValueError(value)


def bits(flags):
    """Flags, eight a byte, the first at the top."""
    padded = [*flags, *[False] * (-len(flags) % 8)]
    return bytes(sum(padded[at + each] << 7 - each for each in range(8)) for at in range(0, len(padded), 8))


class Block(NamedTuple):
    """A packed block: its coders as (method, properties), its packed bytes, and the sizes and checksums of its members."""

    coders: list
    packed: bytes
    size: int
    sizes: list
    checksums: list


def block_of(contents, method=LZMA2):
    """A block of contents packed by one method."""
    whole = b"".join(contents)
    packed, properties = {
        COPY: lambda: (whole, b""),
        LZMA2: lambda: (lzma.compress(whole, lzma.FORMAT_RAW, filters=[LZMA2_FILTER]), b"\x10"),
        LZMA: lambda: (
            lzma.compress(whole, lzma.FORMAT_RAW, filters=[LZMA_FILTER]),
            struct.pack("<BL", 3 + 9 * (0 + 5 * 2), DICTIONARY),
        ),
        BZIP2: lambda: (bz2.compress(whole), b""),
        DEFLATE: lambda: (zlib.compress(whole)[2:-4], b""),
        AES: lambda: (whole, b"\x13\0"),
        PPMD: lambda: (whole, b"\x06\0\0\0\1"),
    }[method]()
    sizes, checksums = [len(each) for each in contents], [zlib.crc32(each) for each in contents]
    return Block([(method, properties)], packed, len(whole), sizes, checksums)


def _folder(block):
    coders = b"".join(
        bytes([len(method) | (0x20 if properties else 0)])
        + method
        + (number(len(properties)) + properties if properties else b"")
        for method, properties in block.coders
    )
    bound = b"".join(number(at) + number(at + 1) for at in range(len(block.coders) - 1))
    return number(len(block.coders)) + coders + bound


def _streams(blocks, at=0):
    checks = [check for block in blocks for check in block.checksums]
    return b"".join(
        [
            b"\6", number(at), number(len(blocks)), b"\x09", *(number(len(block.packed)) for block in blocks), b"\0",
            b"\7\x0b", number(len(blocks)), b"\0", *map(_folder, blocks),
            b"\x0c", *(number(block.size) for block in blocks for _ in block.coders), b"\0",
            b"\x08\x0d", *(number(len(block.sizes)) for block in blocks),
            b"\x09", *(number(size) for block in blocks for size in block.sizes[:-1]),
            b"\x0a\1", *(check.to_bytes(4, "little") for check in checks), b"\0\0",
        ]
    )  # fmt: skip


def _property(kind, body):
    return bytes([kind]) + number(len(body)) + body


def archive(names, blocks, empty=(), folders=(), attributes=None, header=None):
    """An archive of members in blocks, then empty files and folders; `header` replaces the whole header."""
    everything = [*names, *empty, *folders]
    has_no_data = [False] * len(names) + [True] * (len(empty) + len(folders))
    files = [number(len(everything))]
    if any(has_no_data):
        files += [_property(14, bits(has_no_data)), _property(15, bits([True] * len(empty) + [False] * len(folders)))]
    files.append(
        _property(17, b"\0" + "".join(f"{name}\0" for name in everything).encode("utf-16-le", "surrogatepass"))
    )
    if attributes:
        files.append(_property(21, b"\1\0" + b"".join(each.to_bytes(4, "little") for each in attributes)))
    streams = b"\4" + _streams(blocks) if blocks else b""
    made = b"\1" + streams + b"\5" + b"".join(files) + b"\0\0" if header is None else header
    return with_signature_header(b"".join(block.packed for block in blocks), made)


def with_signature_header(packed, header):
    """A file of packed data and a header, with their checksums."""
    start = struct.pack("<QQL", len(packed), len(header), zlib.crc32(header))
    return b"7z\xbc\xaf\x27\x1c\0\4" + struct.pack("<L", zlib.crc32(start)) + start + packed + header


def with_packed_header(whole):
    """The same archive, its header packed as another block."""
    offset, length = struct.unpack_from("<QQ", whole, 12)
    data, header = whole[32 : 32 + offset], whole[32 + offset : 32 + offset + length]
    block = block_of([header], LZMA)
    streams = _streams([block], len(data)).partition(b"\x08\x0d")[0] + b"\0"
    return with_signature_header(data + block.packed, b"\x17" + streams)


def seven_zip_of(files, method=LZMA2, solid=True):
    """An archive of files by name."""
    names = [name for name, content in files.items() if content]
    contents = [files[name] for name in names]
    blocks = [block_of(contents, method)] if solid else [block_of([each], method) for each in contents]
    return archive(names, blocks, [name for name, content in files.items() if not content])
