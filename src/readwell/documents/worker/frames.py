"""What goes over the wire between a caller and a child: `kind, length, body`, bounded, and never code.

A job is an order and what an earlier opening prepared. The answer is a head, what is prepared for the next opening, and
the wanted units one by one; an error may stand in place of any of them. The child may be in an attacker's hands:
whatever it sends is checked on arrival.
"""

from __future__ import annotations

import json
import os
import struct
from typing import NamedTuple, cast

from ...errors import TooLarge
from ..tidy import STRANGE

HEADER = struct.Struct("!cI")
STATUS = struct.Struct("!i")
"""How a child ended, as its parent was told: written to the leash."""
OUT_OF_MEMORY = 70
"""The status of a child that had not even the memory to say so."""
ORDER, PREPARED, HEAD, UNIT, ERROR = b"o", b"p", b"h", b"u", b"e"

MOST_CONTENT = 256 << 20
MOST_OUTPUT = 64 << 20
MOST_PREPARED = 16 << 20
MOST_WORDS = 64 << 10
MOST_UNITS = 10_000_000
LONGEST_NAME = 32
MOST = {ORDER: MOST_WORDS, PREPARED: MOST_PREPARED, HEAD: 1024, UNIT: MOST_OUTPUT, ERROR: MOST_WORDS}
"""The longest body of each kind."""


class Nonsense(Exception):
    """What arrived cannot have been sent by our own code."""


class Head(NamedTuple):
    """What is known of a document once it is open."""

    unit: str
    """What a unit is called; empty where there is only the whole."""
    total: int
    """How many units it has."""
    prepared: bytes
    """What the next opening of the same content need not find out again; as little to be trusted as the content."""


class Order(NamedTuple):
    """What a child is to do: the units from `first` to before `end`."""

    format: str
    first: int
    end: int
    size: int | None
    """Bytes of the document; None: all there are."""
    digest: str | None
    """The SHA-256 that they must have; None: any."""
    password: str | None
    memory: int
    landlock: bool
    seccomp: bool


def frame(kind: bytes, body: bytes) -> bytes:
    """Returns one frame; raises TooLarge where it exceeds what the other side takes."""
    if len(body) > MOST[kind]:
        raise TooLarge(MOST[kind])
    return HEADER.pack(kind, len(body)) + body


def pack_order(order: Order) -> bytes:
    """Returns the body of an order."""
    return json.dumps(order).encode()


def read_order(body: bytes) -> Order:
    """Returns an order as it was packed: it comes from the caller, who is trusted."""
    return Order(*json.loads(body))


def pack_head(unit: str, count: int) -> bytes:
    """Returns the body of a head."""
    return json.dumps([unit, count]).encode()


def read_head(body: bytes, prepared: bytes) -> Head:
    """Returns a head if it is one."""
    match read_json(body):
        case [str(unit), int(count)] if 0 <= count <= MOST_UNITS and len(unit) <= LONGEST_NAME:
            if (unit.isascii() and unit.isalpha()) or not unit:
                return Head(unit, count, prepared)
        case _:
            pass
    raise Nonsense


def read_unit(body: bytes) -> str:
    """Returns the Markdown of a unit if it is text that may be shown."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise Nonsense from None
    if STRANGE.search(text):
        raise Nonsense
    return text


def read_json(body: bytes) -> object:
    """Returns what a body says, which may be anything."""
    try:
        return cast(object, json.loads(body))
    except (ValueError, RecursionError):
        raise Nonsense from None


def read_exactly(descriptor: int, count: int) -> bytes:
    """Reads so many bytes, waiting for them; raises EOFError where the other side has gone."""
    found = bytearray()
    while len(found) < count:
        more = os.read(descriptor, min(count - len(found), 1 << 20))
        if not more:
            raise EOFError
        found += more
    return bytes(found)


def write_all(descriptor: int, content: bytes) -> None:
    """Writes everything, waiting while the other side is busy."""
    left = memoryview(content)
    while left:
        left = left[os.write(descriptor, left) :]
