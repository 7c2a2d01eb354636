"""Numbers, flags and checksums as a 7z header has them. Parsed in the child."""

from __future__ import annotations

import zlib

from ..errors import ConversionFailed

MAX_MEMBERS = 1_000_000


def damaged_header(what: str = "its header cannot be read") -> ConversionFailed:
    """Returns the error for a header that no program writes."""
    return ConversionFailed("7z", f"it is damaged: {what}")


def too_many_members() -> ConversionFailed:
    """Returns the error for an archive of too many members."""
    return ConversionFailed("7z", f"it has more than {MAX_MEMBERS:,} members")


class HeaderReader:
    """Reads a header from its start to its end; raises ConversionFailed where it ends too early."""

    def __init__(self, raw: bytes) -> None:
        self._raw, self._at = raw, 0

    def take(self, count: int) -> bytes:
        """Returns the next bytes."""
        if count > len(self._raw) - self._at:
            raise damaged_header()
        self._at += count
        return self._raw[self._at - count : self._at]

    def rest(self) -> bytes:
        """Returns all that is left."""
        return self.take(len(self._raw) - self._at)

    def byte(self) -> int:
        """Returns the next byte."""
        return self.take(1)[0]

    def number(self) -> int:
        """Returns the next number: the ones at the top of its first byte count the bytes that follow."""
        first = self.byte()
        mask, value = 0x80, 0
        for shift in range(0, 64, 8):
            if not first & mask:
                return value | (first & (mask - 1)) << shift
            value |= self.byte() << shift
            mask >>= 1
        return value

    def next_count(self, most: int = MAX_MEMBERS) -> int:
        """Returns the next number, which counts things."""
        counted = self.number()
        if counted > most:
            raise damaged_header("it counts more than there can be") if most < MAX_MEMBERS else too_many_members()
        return counted

    def bits(self, count: int) -> list[bool]:
        """Returns so many bits."""
        raw = self.take((count + 7) // 8)
        return [bool(raw[number >> 3] & 0x80 >> (number & 7)) for number in range(count)]

    def bits_unless_all_set(self, count: int) -> list[bool]:
        """Returns so many bits, which stand there only if some of them are not set."""
        return [True] * count if self.byte() else self.bits(count)

    def checksums(self, count: int) -> list[int | None]:
        """Returns so many checksums; None where there is none."""
        known = self.bits_unless_all_set(count)
        return [int.from_bytes(self.take(4), "little") if each else None for each in known]

    def expect(self, kind: int) -> None:
        """Raises where something else follows."""
        if self.byte() != kind:
            raise damaged_header()


def is_whole(raw: bytes, checksum: int | None) -> bool:
    """Whether bytes have a checksum, if there is one."""
    return checksum is None or zlib.crc32(raw) == checksum
