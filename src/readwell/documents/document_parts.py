"""Long documents cut into parts by size, and those that can be read only from the first part to the last."""

from abc import ABC, abstractmethod

PART_BYTES = 1 << 18
"""Bytes of a part."""
MAX_WHOLE = 4 << 20
"""A document, or a member of one, is not cut up to this many bytes."""


def part_count(size: int) -> int:
    """Returns the number of parts of so many bytes: it follows from the size, so nothing need be read to know it."""
    return 1 if size <= MAX_WHOLE else -(-size // PART_BYTES)


class ForwardParts(ABC):
    """A document whose parts come from one stream: going back means to read it again from the start."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._next = 1
        """The number of the part that the stream has come to."""
        self._restart()

    def prepared(self) -> bytes:
        """Returns nothing: the size alone says how many parts there are."""
        return b""

    def markdown(self, number: int) -> str:
        """Returns one part; the parts before it are passed over."""
        if number < self._next:
            self._restart()
            self._next = 1
        for passed in range(self._next, number):
            self._skip(passed)
        self._next = number + 1
        return self._convert(number)

    @abstractmethod
    def _restart(self) -> None:
        """Opens the stream at its start."""

    @abstractmethod
    def _skip(self, number: int) -> None:
        """Reads a part only for what later parts need of it."""

    @abstractmethod
    def _convert(self, number: int) -> str:
        """Reads a part and returns its Markdown."""
