r"""The content of a file in pieces: whole lines in UTF-8, each ended by `\n`, whatever the file has.

So whoever searches a piece need not know encodings or line ends. Nothing larger than a piece is held: a line that is
longer comes in parts.
"""

from __future__ import annotations

import codecs
import mmap
from collections.abc import Iterator

from stringzilla import find, rfind

from ..named_tuple import NamedTuple
from ..source import Source
from ..text.decode import MARK, Encoding, decoded_text, marking
from ..text.split import CR, LF, last_end, narrow
from ..watch import Watch

PIECE = 1 << 20
READ_AT_ONCE = 1 << 20
"""Few enough bytes to be in the processor's cache still when they are looked at again."""
ALIGNED = 1 << 12
"""Pages: reading is twice as fast from one to the next."""

Body = bytes | memoryview


class Piece(NamedTuple):
    """Lines of a file, or a part of one line that is longer than a piece. It holds until the next is asked for."""

    body: Body
    offset: int
    """Where it begins in the file."""
    is_part: bool = False
    """It is a part of one line."""
    goes_on: bool = False
    """The next piece is a part of the same line."""


def pieces_of(source: Source, encoding: Encoding, watch: Watch, start: int = 0) -> Iterator[Piece]:
    """Yields the pieces of a file from an offset on, at which a line begins."""
    start = max(start, encoding.bom)
    if source.size - start > PIECE:
        yield from _large(source, encoding, watch, start)
        return
    watch.tick(start, source.size, "search")
    raw = source.read_at(start, PIECE)
    if raw:
        yield Piece(_in_utf8(raw, encoding), start)


def _large(source: Source, encoding: Encoding, watch: Watch, start: int) -> Iterator[Piece]:
    # An anonymous map is page aligned, which a bytearray is not. It goes when nobody looks at it any more.
    view = memoryview(mmap.mmap(-1, PIECE + READ_AT_ONCE))
    held, in_line = _first_bytes(source, start, view), False
    while start + held < source.size:
        watch.tick(start, source.size, "search")
        # What is left of the piece before stands right before what is read, which is aligned in the file and here.
        filled = source.read_into(view[PIECE:], start + held)
        raw = view[PIECE - held : PIECE + filled]
        ended = start + len(raw) >= source.size
        lines = len(raw) if ended else _behind_lines(raw, encoding)
        used = 0
        if in_line or (not lines and len(raw) >= PIECE):
            used = _behind_first_line(raw[:lines], encoding) if lines else _whole_characters(raw, encoding)
            yield Piece(_in_utf8(raw[:used], encoding), start, is_part=True, goes_on=not lines)
            in_line = not lines
        if lines > used:
            yield Piece(_in_utf8(raw[used:lines], encoding), start + used)
        used = max(used, lines)
        held, start = len(raw) - used, start + used
        view[PIECE - held : PIECE] = raw[used:]
    if held:
        yield Piece(_in_utf8(view[PIECE - held : PIECE], encoding), start, is_part=in_line)


def _first_bytes(source: Source, start: int, view: memoryview) -> int:
    """Reads what lies before the next aligned offset, so that all else is read aligned."""
    first = source.read_at(start, -start % ALIGNED)
    view[PIECE - len(first) : PIECE] = first
    return len(first)


def _in_utf8(raw: Body, encoding: Encoding) -> Body:
    if encoding.codec != "utf-8":
        return decoded_text(bytes(raw), encoding.codec).replace(MARK, "\ufffd").encode()
    if find(raw, CR) < 0:
        return raw
    return bytes(raw).replace(b"\r\n", LF).replace(CR, LF)


def _behind_lines(raw: memoryview, encoding: Encoding) -> int:
    """Returns the offset behind the last line that certainly ends there; 0: none does."""
    if encoding.unit > 1:
        return last_end(narrow(bytes(raw), encoding.unit, encoding.big)) * encoding.unit
    feed = rfind(raw, LF)
    if feed < 0 or find(raw, CR, feed) >= 0:
        return last_end(bytes(raw))
    return feed + 1


def _behind_first_line(raw: memoryview, encoding: Encoding) -> int:
    """Returns the offset behind the first line end."""
    units = narrow(bytes(raw), encoding.unit, encoding.big)
    ends = [at for at in (units.find(LF), units.find(CR)) if at >= 0]
    if not ends:
        return len(raw)
    at = min(ends)
    pair = units[at : at + 2] == b"\r\n"
    return (at + 1 + pair) * encoding.unit


def _whole_characters(raw: memoryview, encoding: Encoding) -> int:
    """Returns how many bytes at the beginning are whole characters."""
    decoder = codecs.getincrementaldecoder(encoding.codec)(marking())
    decoder.decode(bytes(raw))
    return len(raw) - len(decoder.getstate()[0])
