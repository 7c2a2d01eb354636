r"""What ends a line: `\n`, `\r\n` or a lone `\r`, and nothing else.

A final terminator opens no new line: `a\nb\n` and `a\nb` both have two, nothing has none.
The functions on bytes take a block with one byte a unit; `narrow` makes one of wider encodings.
"""

import re
from typing import NamedTuple, Self

import stringzilla

from ..model import Newline

LF, CR, CRLF = b"\n", b"\r", b"\r\n"
END = b"\r\n?|\n"
FEW = 16


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
        if not self.ends:
            return "none"
        if not self.cr:
            return "lf"
        if not self.lf:
            return "cr"
        return "crlf" if self.lf == self.cr == self.pairs else "mixed"


def split_lines(text: str) -> list[str]:
    """Returns the lines without their terminators."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def tally(block: bytes | memoryview, after_cr: bool) -> Tally:
    """Counts the terminators of a block; a pair belongs to the block with its line feed."""
    lf = stringzilla.count(block, LF)
    pairs = int(after_cr and bytes(block[:1]) == LF)
    if stringzilla.find(block, CR) < 0:
        return Tally(lf, 0, pairs)
    return Tally(lf, stringzilla.count(block, CR), pairs + stringzilla.count(block, CRLF))


def nth_end(block: bytes, number: int, after_cr: bool) -> int:
    """Returns the offset just after the block's terminator of that number, from 1."""
    skip = int(after_cr and block.startswith(LF))
    if CR not in block:
        return _nth_feed(block, number + skip)
    for count, found in enumerate(re.finditer(END, block[skip:]), 1):
        if count == number:
            return skip + found.end()
    return len(block)


def _nth_feed(block: bytes, number: int) -> int:
    """Finds the half that holds it until few are left: counting is quicker than cutting."""
    start, stop = 0, len(block)
    while number > FEW and stop - start > FEW:
        middle = (start + stop) // 2
        before = stringzilla.count(memoryview(block)[start:middle], LF)
        if before >= number:
            stop = middle
        else:
            start, number = middle, number - before
    return stop - len(block[start:stop].split(LF, number)[-1])


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
    return max(block.rfind(LF), block.rfind(CR)) + 1


def narrow(block: bytes, unit: int, big: bool) -> bytes:
    """Returns one byte for each unit of a wide encoding, so that only terminators look like ones."""
    if unit == 1:
        return block
    whole = len(block) - len(block) % unit
    codec = f"utf-{unit * 8}-{'be' if big else 'le'}"
    text = block[:whole].decode(codec, "surrogatepass" if unit == 2 else "replace")
    if len(text) * unit < whole:
        text = re.sub("[\U00010000-\U0010ffff]", "??", text)
    return text.encode("latin-1", "replace") + b"?" * (whole < len(block))
