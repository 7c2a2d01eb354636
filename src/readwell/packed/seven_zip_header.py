"""The header of a 7z archive: its blocks, how each is packed, and the members in them. Parsed in the child."""

from __future__ import annotations

from itertools import accumulate

from ..named_tuple import NamedTuple
from .seven_zip_numbers import MAX_MEMBERS, HeaderReader, damaged_header, too_many_members

END, PROPERTIES, MORE_STREAMS, STREAMS, FILES = 0, 2, 3, 4, 5
PACKED, BLOCKS, MEMBERS = 6, 7, 8
SIZES, CHECKSUMS, BLOCK, BLOCK_SIZES, COUNTS = 9, 10, 11, 12, 13
EMPTY, EMPTY_FILES, NAMES, ATTRIBUTES = 14, 15, 17, 21
START = 32
"""Bytes before the first block."""
MAX_CODERS = 32
HAS_ATTRIBUTES, IS_COMPLEX, ID_SIZE = 0x20, 0x10, 0xF


class Coder(NamedTuple):
    """One step of packing: the method, what sets it up, how long its unpacked data are."""

    method: bytes
    properties: bytes
    size: int


class Block(NamedTuple):
    """Data that are packed together: the steps that unpack them in their order; None: not one after the other."""

    coders: tuple[Coder, ...] | None
    methods: tuple[bytes, ...]
    at: int
    packed: int
    size: int
    checksum: int | None
    sizes: list[int]
    """Of the members, one behind the other."""
    checksums: list[int | None]


class _UnplacedBlock(NamedTuple):
    """A block before its sizes and its offset are known."""

    methods: tuple[bytes, ...]
    properties: tuple[bytes, ...]
    order: list[int] | None
    outputs: int
    last: int
    """The output that is the block's."""
    streams: int
    """Packed streams that it takes."""


class MemberTable(NamedTuple):
    """All members, by number: names, whether they have data, whether those without are files, attributes."""

    names: list[str]
    has_data: list[bool]
    are_empty_files: list[bool]
    attributes: list[int]


def read_blocks(reader: HeaderReader) -> list[Block]:
    """Returns the blocks of an archive, without what is not needed to unpack them."""
    at, packed, shapes = 0, list[int](), list[_UnplacedBlock]()
    sizes, checksums = list[list[int]](), list[int | None]()
    kind = reader.byte()
    if kind == PACKED:
        at, packed = reader.number(), _read_packed_sizes(reader)
        kind = reader.byte()
    if kind == BLOCKS:
        shapes, sizes, checksums = _read_unplaced_blocks(reader)
        kind = reader.byte()
    last = [each[shape.last] for each, shape in zip(sizes, shapes, strict=True)]
    members = [[size] for size in last]
    known = [[checksum] for checksum in checksums]
    if kind == MEMBERS:
        members, known = _read_member_sizes_and_checksums(reader, last, checksums)
        kind = reader.byte()
    if kind != END or sum(shape.streams for shape in shapes) > len(packed):
        raise damaged_header()
    return [
        Block(
            _ordered_coders(shape, sizes[number]),
            shape.methods,
            START + at + offset,
            packed=sum(packed[first : first + shape.streams]),
            size=last[number],
            checksum=checksums[number],
            sizes=members[number],
            checksums=known[number],
        )
        for number, (shape, first, offset) in enumerate(_with_first_stream_and_offset(shapes, packed))
    ]


def _with_first_stream_and_offset(
    shapes: list[_UnplacedBlock], packed: list[int]
) -> list[tuple[_UnplacedBlock, int, int]]:
    """Returns each block with the number of its first packed stream, and where that begins."""
    firsts = [0, *accumulate(shape.streams for shape in shapes)]
    offsets = [0, *accumulate(packed)]
    return [(shape, first, offsets[first]) for shape, first in zip(shapes, firsts, strict=False)]


def _read_packed_sizes(reader: HeaderReader) -> list[int]:
    count = reader.next_count()
    sizes: list[int] = []
    while (kind := reader.byte()) != END:
        if kind == SIZES:
            sizes = [reader.number() for _ in range(count)]
        elif kind == CHECKSUMS:
            reader.checksums(count)
        else:
            raise damaged_header()
    return sizes


def _read_unplaced_blocks(reader: HeaderReader) -> tuple[list[_UnplacedBlock], list[list[int]], list[int | None]]:
    """Returns the blocks, the sizes of all that each of their steps gives, and their checksums."""
    reader.expect(BLOCK)
    count = reader.next_count()
    if reader.byte():
        raise damaged_header("its blocks stand elsewhere")
    shapes = [_read_unplaced_block(reader) for _ in range(count)]
    reader.expect(BLOCK_SIZES)
    sizes = [[reader.number() for _ in range(shape.outputs)] for shape in shapes]
    checksums: list[int | None] = [None] * count
    while (kind := reader.byte()) != END:
        if kind != CHECKSUMS:
            raise damaged_header()
        checksums = reader.checksums(count)
    return shapes, sizes, checksums


def _read_unplaced_block(reader: HeaderReader) -> _UnplacedBlock:
    methods, properties, inputs, outputs = list[bytes](), list[bytes](), 0, 0
    is_simple = True
    for _ in range(reader.next_count(MAX_CODERS)):
        flags = reader.byte()
        methods.append(reader.take(flags & ID_SIZE))
        more_in, more_out = (
            (reader.next_count(MAX_CODERS), reader.next_count(MAX_CODERS)) if flags & IS_COMPLEX else (1, 1)
        )
        inputs, outputs = inputs + more_in, outputs + more_out
        is_simple = is_simple and more_in == more_out == 1
        properties.append(reader.take(reader.number()) if flags & HAS_ATTRIBUTES else b"")
    bound = {reader.number(): reader.number() for _ in range(max(0, outputs - 1))}
    streams = inputs - len(bound)
    packed = [reader.number() for _ in range(streams)] if streams > 1 else []
    free = set(range(outputs)) - set(bound.values())
    if not methods or len(free) != 1 or streams < 1 or max([*bound, *packed, 0]) >= inputs:
        raise damaged_header()
    last = free.pop()
    order = _unpacking_order(last, bound, outputs) if is_simple else None
    return _UnplacedBlock(tuple(methods), tuple(properties), order, outputs=outputs, last=last, streams=streams)


def _unpacking_order(last: int, bound: dict[int, int], count: int) -> list[int]:
    """Returns the steps in the order of unpacking: each takes what the one before gives."""
    order = [last]
    while order[-1] in bound and len(order) <= count:
        order.append(bound[order[-1]])
    if len(order) != count:
        raise damaged_header()
    return order[::-1]


def _ordered_coders(shape: _UnplacedBlock, sizes: list[int]) -> tuple[Coder, ...] | None:
    if shape.order is None:
        return None
    return tuple(Coder(shape.methods[each], shape.properties[each], sizes[each]) for each in shape.order)


def _read_member_sizes_and_checksums(
    reader: HeaderReader, blocks: list[int], checksums: list[int | None]
) -> tuple[list[list[int]], list[list[int | None]]]:
    """Returns the sizes and checksums of the members of each block."""
    kind = reader.byte()
    counts = [1] * len(blocks)
    if kind == COUNTS:
        counts = [reader.next_count() for _ in blocks]
        kind = reader.byte()
    if sum(counts) > MAX_MEMBERS:
        raise too_many_members()
    sizes: list[list[int]] = []
    for count, block in zip(counts, blocks, strict=True):
        listed = [reader.number() for _ in range(count - 1)] if kind == SIZES else []
        sizes.append([*listed, block - sum(listed)] if count else [])
        if len(sizes[-1]) != count or (count and sizes[-1][-1] < 0):
            raise damaged_header("its members do not fit into their block")
    if kind == SIZES:
        kind = reader.byte()
    known: list[list[int | None]] = []
    for count, checksum in zip(counts, checksums, strict=True):
        known.append([checksum] if count == 1 else [None] * count)
    if kind == CHECKSUMS:
        missing = [(those, at) for those in known for at, each in enumerate(those) if each is None]
        for (those, at), checksum in zip(missing, reader.checksums(len(missing)), strict=True):
            those[at] = checksum
        kind = reader.byte()
    if kind != END:
        raise damaged_header()
    return sizes, known


def read_member_table(reader: HeaderReader) -> MemberTable:
    """Returns the members, without those of their facts that are not needed."""
    count = reader.next_count()
    has_data, empty_files = [True] * count, list[bool]()
    names, attributes = list[str](), [0] * count
    while kind := reader.number():
        part = HeaderReader(reader.take(reader.number()))
        if kind == EMPTY:
            has_data = [not each for each in part.bits(count)]
        elif kind == EMPTY_FILES:
            empty_files = part.bits(has_data.count(False))
        elif kind == NAMES:
            names = _read_names(part, count)
        elif kind == ATTRIBUTES:
            attributes = _read_attributes(part, count)
    if len(names) != count:
        raise damaged_header("its members have no names")
    empty_files += [False] * (has_data.count(False) - len(empty_files))
    return MemberTable(names, has_data, empty_files, attributes)


def _read_names(part: HeaderReader, count: int) -> list[str]:
    if part.byte():
        raise damaged_header("its names stand elsewhere")
    *names, last = part.rest().decode("utf-16-le", "replace").split("\0")
    if len(names) != count or last:
        raise damaged_header("it has not as many names as members")
    return names


def _read_attributes(part: HeaderReader, count: int) -> list[int]:
    known = part.bits_unless_all_set(count)
    if part.byte():
        return [0] * count
    return [int.from_bytes(part.take(4), "little") if each else 0 for each in known]
