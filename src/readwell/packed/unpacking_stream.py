"""Bytes of a packed thing at any offset: from `piece_cache`, or from a child that unpacks on and may be asked again."""

from __future__ import annotations

from _thread import allocate_lock
from collections.abc import Callable

from ..deadline import Deadline
from ..documents.worker import Unpacking
from ..errors import ConversionFailed, DeadlineExceeded, TooLarge
from ..fork_locks import renew_after_fork
from ..named_tuple import NamedTuple
from ..source import Source
from .piece_cache import ContentEnd, PieceCache

PIECE = 1 << 20


class UnpackingStream:
    """A child that unpacks a file, what of the file it was asked for last, and how far it is."""

    def __init__(self, pieces: Unpacking, file: bytes, key: bytes) -> None:
        self.pieces, self.file, self.key, self.number = pieces, file, key, 0

    @property
    def is_idle(self) -> bool:
        """Whether all that was asked for is unpacked."""
        return self.pieces.damage is not None

    def unpack_another(self, packed: PackedContent, deadline: Deadline) -> None:
        """Asks the child for something else of the same file."""
        self.pieces.unpack_another(packed.asked, deadline)
        self.key, self.number = packed.key, 0


class ParkedStream:
    """The last child that unpacked a file, so that the next call can go on with it."""

    def __init__(self) -> None:
        self._stream: UnpackingStream | None = None
        self._lock = allocate_lock()
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Forgets a stream that belongs to another process."""
        self._lock, self._stream = allocate_lock(), None

    def take(self, file: bytes, key: bytes) -> UnpackingStream | None:
        """Returns the stream that is at this, or free for it; it is the caller's from now on."""
        with self._lock:
            waiting = self._stream
            if waiting is None or waiting.file != file or not (waiting.is_idle or waiting.key == key):
                return None
            self._stream = None
            return waiting

    def park(self, stream: UnpackingStream | None) -> None:
        """Keeps a stream for the next call; the one before is ended."""
        with self._lock:
            before, self._stream = self._stream, stream
        if before:
            before.pieces.close()

    def close(self) -> None:
        """Ends the stream that waits."""
        self.park(None)


class PackedContent(NamedTuple):
    """A packed thing: the file that holds it, how it is packed, what of it is meant."""

    source: Source
    packing: str
    asked: bytes
    """What of the file; empty: what it holds."""
    file: bytes
    """Tells one version of the file from another."""
    key: bytes
    """The same of the thing."""
    most: int
    """Bytes that it may hold."""


class UnpackingTools(NamedTuple):
    """What all unpacking of a tool shares."""

    unpack: Callable[[Source, str, bytes, Deadline], Unpacking]
    """Begins to unpack a file: how it is packed, what is asked of it."""
    cache: PieceCache
    streams: ParkedStream


class UnpackedContent:
    """The bytes of a packed thing. Not safe to share between threads: each opening has its own."""

    def __init__(self, packed: PackedContent, tools: UnpackingTools, deadline: Deadline) -> None:
        self._packed, self._tools, self._deadline = packed, tools, deadline
        self._stream: UnpackingStream | None = None
        self._number: int = -1
        self._piece = b""
        self.end: ContentEnd | None = tools.cache.end(packed.key)

    def read_at(self, offset: int, count: int) -> bytes:
        """Returns bytes from an offset on, fewer only at the end; then `end` is known."""
        number, start = divmod(offset, PIECE)
        first = self._piece_at(number)[start : start + count]
        if start + count < PIECE or not first:
            return first
        pieces = [first]
        # One byte more than asked for is looked at: whoever reads up to the end must know that it is the end.
        while (left := count - sum(map(len, pieces))) >= 0 and len(self._piece) == PIECE:
            number += 1
            piece = self._piece_at(number)
            pieces.append(piece[:left])
            if len(piece) > left:
                break
        return b"".join(pieces)

    def close(self) -> None:
        """Leaves what is being unpacked to the next call, and of an archive the child that may be asked for more."""
        stream, self._stream = self._stream, None
        if stream and (self._packed.asked or not stream.is_idle):
            self._tools.streams.park(stream)

    def _piece_at(self, number: int) -> bytes:
        """Returns a piece; empty behind the end."""
        if number != self._number:
            self._piece = self._find_or_unpack(number)
            self._number = number
        return self._piece

    def _find_or_unpack(self, number: int) -> bytes:
        """Returns a piece from the cache, or unpacks up to it."""
        if self.end and number * PIECE >= self.end.size:
            return b""
        kept = self._tools.cache.piece(self._packed.key, number)
        if kept is None or (len(kept) < PIECE and self.end is None):
            return self._unpack_up_to(number)
        return kept

    def _unpack_up_to(self, number: int) -> bytes:
        """Unpacks up to a piece; those before it are kept."""
        packed = self._packed
        waiting = self._stream or self._tools.streams.take(packed.file, packed.key)
        if waiting and not waiting.is_idle and waiting.number > number:
            waiting.pieces.close()
            waiting = None
        if waiting:
            try:
                if waiting.is_idle:
                    waiting.unpack_another(packed, self._deadline)
                return self._advance_to(waiting, number)
            except ConversionFailed as error:
                if not error.from_outside:  # else it waited too long for this call, and another takes its place
                    raise
        return self._advance_to(self._begin_stream(), number)

    def _advance_to(self, stream: UnpackingStream, number: int) -> bytes:
        """Goes on with a stream up to a piece; one that fails is not used again, unless only the time was up."""
        self._stream = stream
        try:
            while True:
                piece = self._next_piece(stream)
                if stream.number > number or len(piece) < PIECE:
                    return piece if stream.number == number + 1 else b""
        except DeadlineExceeded:
            raise
        except BaseException:
            self._stream = None
            stream.pieces.close()
            raise

    def _begin_stream(self) -> UnpackingStream:
        """Begins to unpack from the start."""
        packed = self._packed
        pieces = self._tools.unpack(packed.source, packed.packing, packed.asked, self._deadline)
        return UnpackingStream(pieces, packed.file, packed.key)

    def _next_piece(self, stream: UnpackingStream) -> bytes:
        """Returns the next piece of a stream; where it ends, so does what is packed."""
        packed, cache = self._packed, self._tools.cache
        self._deadline.tick(stream.number * PIECE, 0, "unpack")
        piece = stream.pieces.next_piece(self._deadline)
        if stream.number * PIECE + len(piece) > packed.most:
            stream.pieces.close()
            self._stream = None  # no later call goes on with it
            raise TooLarge(packed.most)
        # What fits into one piece is not worth a file on disk.
        lasting = packed.source.identity_shows_changes and packed.source.change_since_opened() == "steady"
        lasting = lasting and (stream.number > 0 or len(piece) == PIECE)
        if piece:
            cache.keep(packed.key, stream.number, piece, lasting)
            stream.number += 1
        if len(piece) < PIECE:
            self._note_end(stream, piece, lasting)
        return piece

    def _note_end(self, stream: UnpackingStream, last: bytes, lasting: bool) -> None:
        """Notes how long the content is, and whether it is damaged."""
        if last:
            stream.pieces.next_piece(self._deadline)
        if not self._packed.asked:  # there is no more to ask for
            stream.pieces.close()
            self._stream = None
        size = (stream.number - 1) * PIECE + len(last) if last else stream.number * PIECE
        self.end = ContentEnd(size, stream.pieces.damage or "")
        self._tools.cache.keep_end(self._packed.key, self.end, lasting)
