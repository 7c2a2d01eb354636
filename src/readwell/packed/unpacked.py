"""What is packed in a file, as bytes at any offset: unpacked as far as they are asked for, and once."""

from __future__ import annotations

from _thread import allocate_lock
from collections.abc import Callable

from ..documents.worker import Unpacking
from ..errors import ConversionFailed, DeadlineExceeded, TooLarge
from ..forking import renew_after_fork
from ..named_tuple import NamedTuple
from ..source import Source
from ..watch import Watch
from .piece_cache import End, PieceCache

PIECE = 1 << 20
NOWHERE = b""


class Streams:
    """The last file that was being unpacked, so that the next call can go on with it."""

    def __init__(self) -> None:
        self._key = NOWHERE
        self._stream: Stream | None = None
        self._lock = allocate_lock()
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Forgets a stream that belongs to another process."""
        self._lock, self._stream = allocate_lock(), None

    def take(self, key: bytes) -> Stream | None:
        """Returns the stream with such a key, which is the caller's from now on."""
        with self._lock:
            if self._stream is None or self._key != key:
                return None
            taken, self._stream = self._stream, None
            return taken

    def park(self, key: bytes, stream: Stream | None) -> None:
        """Keeps a stream for the next call; the one before is ended."""
        with self._lock:
            before, self._key, self._stream = self._stream, key, stream
        if before:
            before.pieces.close()

    def close(self) -> None:
        """Ends the stream that waits."""
        self.park(NOWHERE, None)


class Stream:
    """A file that is being unpacked, and how far it is."""

    def __init__(self, pieces: Unpacking) -> None:
        self.pieces, self.number = pieces, 0


class Packed(NamedTuple):
    """A packed thing: the file that holds it, how it is packed, what of it is meant."""

    source: Source
    packing: str
    asked: bytes
    key: bytes
    """Tells it from others, and one version of its file from another."""
    most: int
    """Bytes that it may hold."""


class UnpackingTools(NamedTuple):
    """What all unpacking of a tool shares."""

    unpack: Callable[[Source, str, bytes, Watch], Unpacking]
    """Begins to unpack a file: how it is packed, what is asked of it."""
    cache: PieceCache
    streams: Streams


class Unpacked:
    """The bytes of a packed thing. Not safe to share between threads: each opening has its own."""

    def __init__(self, packed: Packed, tools: UnpackingTools, watch: Watch) -> None:
        self._packed, self._tools, self._watch = packed, tools, watch
        self._stream: Stream | None = None
        self._number: int = -1
        self._piece = b""
        self.end: End | None = tools.cache.end(packed.key)

    def read_at(self, offset: int, count: int) -> bytes:
        """Returns bytes from an offset on, fewer only at the end; then `end` is known."""
        number, start = divmod(offset, PIECE)
        first = self._at(number)[start : start + count]
        if start + count < PIECE or not first:
            return first
        pieces = [first]
        # One byte more than asked for is looked at: whoever reads up to the end must know that it is the end.
        while (left := count - sum(map(len, pieces))) >= 0 and len(self._piece) == PIECE:
            number += 1
            piece = self._at(number)
            pieces.append(piece[:left])
            if len(piece) > left:
                break
        return b"".join(pieces)

    def close(self) -> None:
        """Leaves what is being unpacked to the next call."""
        if self._stream and self._stream.pieces.damage is None:
            self._tools.streams.park(self._packed.key, self._stream)
        self._stream = None

    def _at(self, number: int) -> bytes:
        """Returns a piece; empty behind the end."""
        if number != self._number:
            self._piece = self._found(number)
            self._number = number
        return self._piece

    def _found(self, number: int) -> bytes:
        """Returns a piece from the cache, or unpacks up to it."""
        if self.end and number * PIECE >= self.end.size:
            return b""
        kept = self._tools.cache.piece(self._packed.key, number)
        if kept is None or (len(kept) < PIECE and self.end is None):
            return self._streamed(number)
        return kept

    def _streamed(self, number: int) -> bytes:
        """Unpacks up to a piece; those before it are kept."""
        waiting = self._stream or self._tools.streams.take(self._packed.key)
        if waiting and waiting.number > number:
            waiting.pieces.close()
            waiting = None
        if waiting:
            try:
                return self._advanced(waiting, number)
            except ConversionFailed as error:
                if not error.from_outside:  # else it waited too long for this call, and another takes its place
                    raise
        return self._advanced(self._begun(), number)

    def _advanced(self, stream: Stream, number: int) -> bytes:
        """Goes on with a stream up to a piece; one that fails is not used again, unless only the time was up."""
        self._stream = stream
        try:
            while True:
                piece = self._next(stream)
                if stream.number > number or len(piece) < PIECE:
                    return piece if stream.number == number + 1 else b""
        except DeadlineExceeded:
            raise
        except BaseException:
            self._stream = None
            stream.pieces.close()
            raise

    def _begun(self) -> Stream:
        """Begins to unpack from the start."""
        packed = self._packed
        return Stream(self._tools.unpack(packed.source, packed.packing, packed.asked, self._watch))

    def _next(self, stream: Stream) -> bytes:
        """Returns the next piece of a stream; where it ends, so does what is packed."""
        packed, cache = self._packed, self._tools.cache
        self._watch.tick(stream.number * PIECE, 0, "unpack")
        piece = stream.pieces.next_piece(self._watch)
        if stream.number * PIECE + len(piece) > packed.most:
            stream.pieces.close()
            self._stream = None  # no later call goes on with it
            raise TooLarge(packed.most)
        # What fits into one piece is not worth a file on disk.
        lasting = packed.source.is_settled and packed.source.since_opened() == "steady"
        lasting = lasting and (stream.number > 0 or len(piece) == PIECE)
        if piece:
            cache.keep(packed.key, stream.number, piece, lasting)
            stream.number += 1
        if len(piece) < PIECE:
            self._note_end(stream, piece, lasting)
        return piece

    def _note_end(self, stream: Stream, last: bytes, lasting: bool) -> None:
        """Notes how long the content is, and whether it is damaged."""
        if last:
            stream.pieces.next_piece(self._watch)
        size = (stream.number - 1) * PIECE + len(last) if last else stream.number * PIECE
        self.end = End(size, stream.pieces.damage or "")
        self._tools.cache.keep_end(self._packed.key, self.end, lasting)
