"""How many rows a Parquet file has: the third field of its footer, in Thrift's compact form."""

from __future__ import annotations

from ..errors import ConversionFailed

ROWS = 3
STOP = 0
DEEPEST = 16


def row_count_in_footer(content: bytes) -> int:
    """Returns the number of rows; raises ConversionFailed where the footer is damaged."""
    length = int.from_bytes(content[-8:-4], "little")
    footer = content[-8 - length : -8] if 0 < length <= len(content) - 12 else b""
    try:
        return _Footer(footer).row_count()
    except (IndexError, ValueError) as error:
        raise ConversionFailed("parquet", "it is damaged: its footer cannot be read") from error


class _Footer:
    """A reader that passes over everything but numbers."""

    def __init__(self, raw: bytes) -> None:
        self._raw, self._at = raw, 0

    def row_count(self) -> int:
        """Returns the field with the number of rows."""
        field = 0
        while (head := self._byte()) != STOP:
            field = field + (head >> 4) if head >> 4 else self._zigzag()
            if field == ROWS:
                return self._zigzag()
            self._skip(head & 15, 0)
        raise ValueError("no number of rows")

    def _byte(self) -> int:
        """Returns the next byte."""
        self._at += 1
        return self._raw[self._at - 1]

    def _varint(self) -> int:
        """Returns the next number of variable length."""
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value
            if shift > 63:
                raise ValueError("no number")

    def _zigzag(self) -> int:
        """Returns the next signed number, which is kept as a zigzag varint."""
        value = self._varint()
        return value >> 1 ^ -(value & 1)

    def _skip(self, kind: int, depth: int) -> None:
        """Passes over a value of a kind."""
        if depth > DEEPEST:
            raise ValueError("too deep")
        match kind:
            case 1 | 2:  # true and false stand in the kind itself
                return
            case 3:
                self._at += 1
            case 4 | 5 | 6:
                self._varint()
            case 7:
                self._at += 8
            case 8:
                length = self._varint()
                self._at += length
            case 9 | 10:
                self._skip_list(depth)
            case 12:
                while (head := self._byte()) != STOP:
                    if not head >> 4:
                        self._zigzag()
                    self._skip(head & 15, depth + 1)
            case _:
                raise ValueError("no field")
        if self._at > len(self._raw):
            raise ValueError("cut off")

    def _skip_list(self, depth: int) -> None:
        """Passes over a list."""
        head = self._byte()
        count, kind = head >> 4, head & 15
        count = self._varint() if count == 15 else count
        for _ in range(min(count, len(self._raw))):
            if kind in (1, 2):
                self._at += 1
            else:
                self._skip(kind, depth + 1)
