r"""The content of a file in pieces: whole lines in UTF-8, each ended by `\n`, whatever the file has.

So a search of a piece does not deal with encodings or line ends. Memory holds one piece: a longer line comes in parts.
"""

from __future__ import annotations

import codecs
import mmap
from collections.abc import Iterator

from stringzilla import find, rfind

from ..deadline import Deadline
from ..named_tuple import NamedTuple
from ..source import Source
from ..text.decode import MARK, Encoding, decoded_text, marking_handler
from ..text.line_ends import CR, LF, last_end, one_byte_per_unit

PIECE = 1 << 20
READ_AT_ONCE = 1 << 20
"""Few enough bytes to stay in the processor's cache between reading and searching."""
ALIGNED = 1 << 12
"""The size of a page: aligned reads are twice as fast."""

Body = bytes | memoryview


class Piece(NamedTuple):
    """Lines of a file, or a part of one line that is longer than a piece. Valid until the next one is taken."""

    body: Body
    offset: int
    """Its offset in the file."""
    is_part: bool = False
    """Whether it is part of one line."""
    goes_on: bool = False
    """Whether the next piece is part of the same line."""
    is_replaced: bool = False
    """Whether bytes of another encoding than UTF-8 could not be decoded."""


def pieces_of(source: Source, encoding: Encoding, deadline: Deadline, start: int = 0) -> Iterator[Piece]:
    """Yields the pieces of a file, starting at an offset where a line begins."""
    start = max(start, encoding.bom)
    if source.size - start > PIECE:
        yield from _large_file_pieces(source, encoding, deadline, start)
        return
    deadline.tick(start, source.size, "search")
    raw = source.read_at(start, PIECE)
    if raw:
        yield _utf8_piece(raw, encoding, start)


class UndecodableBytes:
    """Looks whether all bytes of the pieces that pass could be decoded."""

    def __init__(self) -> None:
        self.is_any = False

    def watch(self, pieces: Iterator[Piece]) -> Iterator[Piece]:
        """Yields the pieces."""
        for piece in pieces:
            self.is_any = self.is_any or piece.is_replaced or not self._is_utf8(piece.body)
            yield piece

    def _is_utf8(self, body: Body) -> bool:
        """Whether no byte of a piece will be replaced when it is shown."""
        try:
            codecs.utf_8_decode(body, "strict", True)
        except UnicodeDecodeError:
            return False
        return True


def _large_file_pieces(source: Source, encoding: Encoding, deadline: Deadline, start: int) -> Iterator[Piece]:
    """Yields a large file in pieces of whole lines; a longer line in several."""
    # An anonymous map is page aligned, which a bytearray is not. It is freed with its last view.
    view = memoryview(mmap.mmap(-1, PIECE + READ_AT_ONCE))
    held, in_line = _read_to_alignment(source, start, view), False
    while start + held < source.size:
        deadline.tick(start, source.size, "search")
        # The rest of the last piece is right before the bytes read now, which are aligned in the file and in memory.
        filled = source.read_into(view[PIECE:], start + held)
        raw = view[PIECE - held : PIECE + filled]
        ended = start + len(raw) >= source.size
        lines = len(raw) if ended else _end_of_last_line(raw, encoding)
        used = 0
        if in_line and lines:
            used, in_line = _end_of_first_line(raw[:lines], encoding), False
            yield _utf8_piece(raw[:used], encoding, start, is_part=True)
        if lines > used:
            yield _utf8_piece(raw[used:lines], encoding, start + used)
            used = lines
        if in_line or len(raw) - used >= PIECE:  # no more than a piece can be held before the next bytes
            part, in_line = used + _length_of_whole_characters(raw[used:], encoding), True
            yield _utf8_piece(raw[used:part], encoding, start + used, is_part=True, goes_on=True)
            used = part
        held, start = len(raw) - used, start + used
        view[PIECE - held : PIECE] = raw[used:]
    if held:
        yield _utf8_piece(view[PIECE - held : PIECE], encoding, start, is_part=in_line)


def _read_to_alignment(source: Source, start: int, view: memoryview) -> int:
    """Reads up to the next aligned offset, so that all other reads are aligned."""
    first = source.read_at(start, -start % ALIGNED)
    view[PIECE - len(first) : PIECE] = first
    return len(first)


def _utf8_piece(raw: Body, encoding: Encoding, offset: int, is_part: bool = False, goes_on: bool = False) -> Piece:
    """Returns a piece in UTF-8, with `\\n` for every line end."""
    if encoding.codec != "utf-8":
        text = decoded_text(bytes(raw), encoding.codec)
        body = text.replace(MARK, "\ufffd").encode()
        return Piece(body, offset, is_part, goes_on=goes_on, is_replaced=MARK in text)
    body = raw if find(raw, CR) < 0 else bytes(raw).replace(b"\r\n", LF).replace(CR, LF)
    return Piece(body, offset, is_part, goes_on=goes_on)


def _end_of_last_line(raw: memoryview, encoding: Encoding) -> int:
    """Returns the offset after the last complete line; 0: there is none."""
    if encoding.unit > 1:
        return last_end(one_byte_per_unit(bytes(raw), encoding.unit, encoding.is_big_endian)) * encoding.unit
    feed = rfind(raw, LF)
    if feed < 0 or find(raw, CR, feed) >= 0:
        return last_end(bytes(raw))
    return feed + 1


def _end_of_first_line(raw: memoryview, encoding: Encoding) -> int:
    """Returns the offset after the first line end."""
    units = one_byte_per_unit(bytes(raw), encoding.unit, encoding.is_big_endian)
    ends = [at for at in (units.find(LF), units.find(CR)) if at >= 0]
    if not ends:
        return len(raw)
    at = min(ends)
    pair = units[at : at + 2] == b"\r\n"
    return (at + 1 + pair) * encoding.unit


def _length_of_whole_characters(raw: memoryview, encoding: Encoding) -> int:
    """Returns the length of the longest prefix of whole characters; a `\\r` at its end may be half a pair and waits."""
    decoder = codecs.getincrementaldecoder(encoding.codec)(marking_handler())
    text = decoder.decode(bytes(raw))
    return len(raw) - len(decoder.getstate()[0]) - encoding.unit * text.endswith("\r")
