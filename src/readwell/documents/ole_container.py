"""OLE containers, in which Office kept its files until 2003 and Outlook keeps messages: streams by their paths."""

from __future__ import annotations

import struct
from array import array

from ..errors import ConversionFailed

SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
HEADER, ENTRY = 512, 128
IN_HEADER = 109
"""Sectors of the allocation table that the header itself names."""
LAST_SECTOR = 0xFFFF_FFFA
MINI_SECTOR = 64
STORAGE, STREAM, ROOT = 1, 2, 5
MAX_ENTRIES = 100_000
DEEPEST = 16
Path = tuple[str, ...]


class OleContainer:
    """The streams of a container; names are compared without regard to case."""

    def __init__(self, format_name: str, content: bytes) -> None:
        self._format, self._content = format_name, content
        if len(content) < HEADER or not content.startswith(SIGNATURE) or content[30] not in (9, 12):
            raise self._damage_error("it has no header of an OLE container")
        self._sector = 1 << content[30]
        self._max_sectors = len(content) // self._sector + 1
        directory_at, self._mini_cutoff, mini_table_at = struct.unpack_from("<L4xLL", content, 48)
        self._table = self._allocation_table()
        self._directory = self._chain(directory_at)
        self._mini_table = _numbers(self._chain(mini_table_at)) if mini_table_at < LAST_SECTOR else array("I")
        self._streams: dict[Path, tuple[int, int]] = {}
        self._mini_stream = b""
        self._find_streams()

    def __contains__(self, path: Path) -> bool:
        return _folded(path) in self._streams

    @property
    def paths(self) -> list[Path]:
        """The paths of all streams, in small letters."""
        return list(self._streams)

    def size(self, path: Path) -> int:
        """Returns how long a stream says it is; 0 where there is none."""
        return self._streams.get(_folded(path), (0, 0))[1]

    def read(self, path: Path) -> bytes:
        """Returns a stream; nothing where there is none."""
        start, size = self._streams.get(_folded(path), (LAST_SECTOR, 0))
        if size >= self._mini_cutoff:
            return self._chain(start)[:size]
        return self._mini_chain(start)[:size]

    def _damage_error(self, reason: str) -> ConversionFailed:
        """Returns the failure for a damaged container."""
        return ConversionFailed(self._format, f"it is damaged: {reason}")

    def _sector_at(self, number: int) -> bytes:
        """Returns the bytes of a sector."""
        start = (number + 1) * self._sector
        return self._content[start : start + self._sector]

    def _allocation_table(self) -> array[int]:
        """Returns which sector follows each."""
        numbers = list(struct.unpack_from(f"<{IN_HEADER}L", self._content, 76))
        further, left = struct.unpack_from("<2L", self._content, 68)
        while further < LAST_SECTOR and left and len(numbers) < self._max_sectors + IN_HEADER:
            *more, further = _numbers(self._sector_at(further)) or [LAST_SECTOR]
            numbers += more
            left -= 1
        table = array("I")
        for number in numbers:
            if number < LAST_SECTOR:
                table += _numbers(self._sector_at(number))
        return table

    def _chain(self, number: int) -> bytes:
        """Returns the bytes of a chain of sectors; raises where they go in a circle."""
        sectors: list[bytes] = []
        while number < LAST_SECTOR and number < len(self._table):
            sectors.append(self._sector_at(number))
            if len(sectors) > self._max_sectors:
                raise self._damage_error("its sectors go in a circle")
            number = self._table[number]
        return b"".join(sectors)

    def _mini_chain(self, number: int) -> bytes:
        """Returns the bytes of a chain of mini sectors, which hold the short streams."""
        sectors: list[bytes] = []
        while number < LAST_SECTOR and number < len(self._mini_table):
            sectors.append(self._mini_stream[number * MINI_SECTOR : (number + 1) * MINI_SECTOR])
            if len(sectors) > len(self._mini_table):
                raise self._damage_error("its sectors go in a circle")
            number = self._mini_table[number]
        return b"".join(sectors)

    def _find_streams(self) -> None:
        """Finds all streams: the entries of a storage are a tree of siblings below it."""
        if not self._directory or self._directory[66] != ROOT:
            raise self._damage_error("it has no directory")
        child, start = struct.unpack_from("<L36xL", self._directory, 76)
        self._mini_stream = self._chain(start)
        waiting: list[tuple[int, Path]] = [(child, ())]
        seen: set[int] = set()
        while waiting:
            number, above = waiting.pop()
            at = number * ENTRY
            if number in seen or at + ENTRY > len(self._directory) or len(above) > DEEPEST:
                continue
            seen.add(number)
            if len(seen) > MAX_ENTRIES:
                raise self._damage_error(f"it has more than {MAX_ENTRIES:,} streams")
            length, kind = struct.unpack_from("<HB", self._directory, at + 64)
            name = self._directory[at : at + max(0, min(length, 64) - 2)].decode("utf-16-le", "replace")
            left, right, child = struct.unpack_from("<3L", self._directory, at + 68)
            path = (*above, name.lower())
            waiting += [(left, above), (right, above)]
            if kind == STORAGE:
                waiting.append((child, path))
            elif kind == STREAM:
                self._streams.setdefault(path, struct.unpack_from("<2L", self._directory, at + 116))


def _numbers(content: bytes) -> array[int]:
    """Returns bytes as 32-bit numbers."""
    return array("I", content[: len(content) // 4 * 4])


def _folded(path: Path) -> Path:
    """Returns a path as paths are compared."""
    return tuple(name.lower() for name in path)
