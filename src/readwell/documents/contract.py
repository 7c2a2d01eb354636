"""What a converter is: content in, units of Markdown out, the same bytes every time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from signal import SIGALRM
from typing import Protocol

from ..named_tuple import NamedTuple

NEEDS_RECOGNITION = "its text must be recognised"
"""The reason of a conversion that ended at a page whose text an engine must read from its image."""

WORKING = SIGALRM
"""The signal that a child ignores while it runs code that waits for nobody: one that sleeps then is ended."""


class Document(Protocol):
    """An opened document: `count` units, each of which becomes Markdown by itself.

    A unit's Markdown never depends on which other units were asked for.
    """

    unit: str
    """What a unit is called: `page`, `slide`, `sheet`, `chapter`, `part`, or a word of the converter's own in ASCII
    letters; empty where there is only the whole."""
    count: int

    def prepared(self) -> bytes:
        """Returns what the next opening of the same content need not find out again."""
        ...

    def markdown(self, number: int) -> str:
        """Returns one unit, counted from 1, without its anchor."""
        ...


Open = Callable[[bytes, str | None, bytes], Document]
"""(content, password, argument) -> document; raises a ReadError.

The argument is what an earlier opening prepared, or nothing. Converters of ours that answer a question, such as which
part of an image is wanted, get that question instead.
"""


ReadAt = Callable[[int, int], bytes]
"""(offset, count) -> bytes of the packed file, fewer only at its end."""


class Unpacker(NamedTuple):
    """A way to unpack: bytes in, bytes out, piece by piece."""

    name: str
    """The packing: `gzip`, `zip`, …"""
    run: Callable[[ReadAt, int, bytes], Iterator[bytes]]
    """(how to read the packed file, its size, what is asked of it) -> the pieces; raises a ReadError, or Damaged."""
    prepare: Callable[[], object] = bytes
    """Loads what it needs, before the cage shuts."""


class Damaged(Exception):
    """What is packed ends here: the rest is cut off or damaged. What came before is read."""


class Converter(NamedTuple):
    """A way to read one format."""

    name: str
    """The format: `pdf`, `docx`, …"""
    version: str
    """Changes whenever the same content may give other Markdown: engines and our own rules."""
    open: Open
    sample: Callable[[], bytes] = bytes
    """Makes a small document: converting it loads all that a real one may need, before the cage shuts."""
