r"""Decides what ends a line: `\n`, `\r\n` or a lone `\r`, and nothing else; splits texts, finds ends among bytes.

A final terminator opens no new line: `a\nb\n` and `a\nb` both have two, nothing has none.
The functions on bytes take a block with one byte a unit; `one_byte_per_unit` makes one of wider encodings.
"""

from __future__ import annotations

import stringzilla

from ..light_typing import Self
from ..model import Newline
from ..named_tuple import NamedTuple

LF, CR, CRLF = b"\n", b"\r", b"\r\n"
END = b"\r\n?|\n"
FEW = 16
FEED_MARKS = bytes(0x80 if byte == 0x0A else 0 for byte in range(256))
"""`utf8_count` does not count the bytes that become 0x80: they look like those that continue a character."""


class Tally(NamedTuple):
    """Terminators counted: all line feeds, all carriage returns, and the pairs among them."""

    lf: int = 0
    cr: int = 0
    pairs: int = 0

    @property
    def ends(self) -> int:
        """How many lines they end."""
        return self.lf + self.cr - self.pairs

    def plus(self, other: Self) -> Self:
        """Returns both added up."""
        return type(self)(self.lf + other.lf, self.cr + other.cr, self.pairs + other.pairs)

    @property
    def newline(self) -> Newline:
        """The convention they follow."""
        if not self.cr:
            return "lf" if self.lf else "none"
        if not self.lf:
            return "cr"
        return "crlf" if self.lf == self.cr == self.pairs else "mixed"


def with_line_feeds(text: str) -> str:
    """Returns the text with line feeds as its only terminators."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def split_lines(text: str) -> list[str]:
    """Returns the lines without their terminators."""
    lines = with_line_feeds(text).split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def has_longer_line(text: str, length: int) -> bool:
    """Whether some line of a text with line feeds has more characters than that."""
    start = 0
    while len(text) - start > length:
        start = text.rfind("\n", start, start + length + 1) + 1
        if not start:
            return True
    return False


def count_terminators(block: bytes | memoryview, after_cr: bool) -> Tally:
    """Counts the terminators of a block; a pair belongs to the block with its line feed."""
    lf = count_feeds(block)
    pairs = int(after_cr and bytes(block[:1]) == LF)
    if stringzilla.find(block, CR) < 0:
        return Tally(lf, 0, pairs)
    return Tally(lf, stringzilla.count(block, CR), pairs + stringzilla.count(block, CRLF))


def count_feeds(block: bytes | memoryview) -> int:
    """Counts line feeds; where there are many, marking them all first takes a third of the time."""
    return len(block) - stringzilla.utf8_count(stringzilla.translate(block, FEED_MARKS))


def nth_end(block: bytes, number: int, after_cr: bool, near: int) -> int:
    """Returns the offset just after the block's terminator of that number, from 1; `near` is where it may be."""
    skip = int(after_cr and block.startswith(LF))
    if CR not in block:
        return nth_feed(block, number + skip, near)
    import re

    for count, terminator in enumerate(re.finditer(END, block[skip:]), 1):
        if count == number:
            return skip + terminator.end()
    return len(block)


def nth_feed(block: bytes, number: int, near: int) -> int:
    """Returns the offset just after the line feed of that number, 0 if there are fewer; `near` is where it may be.

    Counts up to there, or to a place made nearer by halves, and goes the few lines that are missing.
    """
    start, at, stop = 0, near, len(block)
    passed, before = 0, count_feeds(block[:at])
    while abs(number - before) > FEW and stop - start > FEW:
        if before < number:
            start, passed = at, before
        else:
            stop = at
        at = (start + stop) // 2
        before = passed + count_feeds(block[start:at])
    for _ in range(before, number):
        at = block.find(LF, at) + 1
        if not at:
            return 0
    for _ in range(number, before + 1):
        at = block.rfind(LF, 0, at)
    return at if before < number else at + 1


def find_end(block: bytes) -> tuple[int, int] | None:
    """Returns where the first terminator starts and ends."""
    feed = block.find(LF)
    returned = block.find(CR, 0, feed if feed >= 0 else len(block))
    if returned >= 0:
        return returned, returned + 2 if returned + 1 == feed else returned + 1
    return (feed, feed + 1) if feed >= 0 else None


def last_end(block: bytes) -> int:
    """Returns the offset just after the last terminator that cannot be half of a pair; 0: none."""
    if block.endswith(CR):
        block = block[:-1]
    feed = block.rfind(LF)
    return max(feed, block.rfind(CR, feed + 1)) + 1


def one_byte_per_unit(block: bytes, unit: int, big_endian: bool) -> bytes:
    """Returns one byte for each unit of a wide encoding, so that only terminators look like ones."""
    if unit == 1:
        return block
    import re

    whole = len(block) - len(block) % unit
    codec = f"utf-{unit * 8}-{'be' if big_endian else 'le'}"
    text = block[:whole].decode(codec, "surrogatepass" if unit == 2 else "replace")
    if len(text) * unit < whole:
        text = re.sub("[\U00010000-\U0010ffff]", "??", text)
    return text.encode("latin-1", "replace") + b"?" * (whole < len(block))
