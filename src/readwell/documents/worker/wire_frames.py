"""The protocol between a caller and a child: frames of `kind, length, body`, bounded in size, that carry no code.

The caller sends a request and its argument: what an earlier opening prepared, or a question. The child answers with a
head, the bytes prepared for the next opening, and the wanted units one by one; an error may replace any of these. An
attacker may control the child, so everything it sends is checked on arrival.
"""

from __future__ import annotations

import json
import os
import signal
import struct
from typing import cast

from ...errors import TooLarge
from ...named_tuple import NamedTuple
from ..clean_markdown import FORBIDDEN

HEADER = struct.Struct("!cI")
STATUS = struct.Struct("!i")
"""A wait status, as the fork server writes it to the leash when the child has ended."""
OUT_OF_MEMORY = 70
"""Exit code of a child that had too little memory left to report an error."""
OVERSLEPT = signal.SIGUSR2
"""The signal by which the fork server ends a child that sleeps where it should work."""
REQUEST, ARGUMENT, HEAD, PREPARED, UNIT, ERROR = b"o", b"a", b"h", b"p", b"u", b"e"
PIECE, LAST = b"b", b"z"
"""What an unpacker sends: pieces of bytes, and after the last one nothing, or what is damaged."""

MAX_CONTENT = 256 << 20
MAX_PIECE = 1 << 20
MAX_OUTPUT = 64 << 20
MAX_PREPARED = 16 << 20
MAX_WORDS = 64 << 10
MAX_UNITS = 10_000_000
PAST_ALL_UNITS = MAX_UNITS + 1
"""Where the units of every document have ended."""
LONGEST_NAME = 32
MAX_BODY = {
    REQUEST: MAX_WORDS,
    ARGUMENT: MAX_PREPARED,
    PREPARED: MAX_PREPARED,
    HEAD: 1024,
    UNIT: MAX_OUTPUT,
    ERROR: MAX_WORDS,
    PIECE: MAX_PIECE,
    LAST: 1024,
}
"""The longest body of each kind."""


class InvalidFrame(Exception):
    """A frame that our own code cannot have sent."""


class Head(NamedTuple):
    """What a child reports of a document as soon as it is open."""

    unit: str
    """The name of a unit, such as `page`; empty for a document that is not divided."""
    total: int
    """The number of units."""
    prepared: bytes
    """Bytes that make the next opening of the same content cheaper; no more trusted than the content."""


class JobRequest(NamedTuple):
    """What a child is asked to convert: the units from `first` up to, but without, `end`."""

    format: str
    first: int
    end: int
    size: int | None
    """Size of the document in bytes; None reads to its end."""
    digest: str | None
    """The SHA-256 that the content must have; None accepts any."""
    password: str | None
    memory: int
    landlock: bool
    seccomp: bool


def frame(kind: bytes, body: bytes) -> bytes:
    """Returns one frame; raises TooLarge where the body is longer than the other side accepts."""
    if len(body) > MAX_BODY[kind]:
        raise TooLarge(MAX_BODY[kind])
    return HEADER.pack(kind, len(body)) + body


def encode_request(request: JobRequest) -> bytes:
    """Returns the body of a request."""
    return json.dumps(request._asdict()).encode()


def decode_request(body: bytes) -> JobRequest:
    """Returns a request from its body, unchecked: the caller is trusted."""
    return JobRequest(**json.loads(body))


def encode_head(unit: str, count: int) -> bytes:
    """Returns the body of a head."""
    return json.dumps([unit, count]).encode()


def decode_head(body: bytes, prepared: bytes) -> Head:
    """Returns a head from its body; raises InvalidFrame where it is not one."""
    match decode_json(body):
        case [str(unit), int(count)] if 0 <= count <= MAX_UNITS and len(unit) <= LONGEST_NAME:
            if (unit.isascii() and unit.isalpha()) or not unit:
                return Head(unit, count, prepared)
        case _:
            pass
    raise InvalidFrame


def decode_unit(body: bytes) -> str:
    """Returns the Markdown of a unit; raises InvalidFrame where it is not tidy UTF-8."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise InvalidFrame from None
    if FORBIDDEN.search(text):
        raise InvalidFrame
    return text


def decode_json(body: bytes) -> object:
    """Returns the JSON value of a body, of any shape; raises InvalidFrame."""
    try:
        return cast(object, json.loads(body))
    except (ValueError, RecursionError):
        raise InvalidFrame from None


def read_exactly(descriptor: int, count: int) -> bytes:
    """Reads exactly `count` bytes, blocking; raises EOFError where the other side has closed."""
    received = bytearray()
    while len(received) < count:
        more = os.read(descriptor, min(count - len(received), 1 << 20))
        if not more:
            raise EOFError
        received += more
    return bytes(received)


def write_all(descriptor: int, content: bytes) -> None:
    """Writes all of the content, blocking while the other side is busy."""
    left = memoryview(content)
    while left:
        left = left[os.write(descriptor, left) :]
