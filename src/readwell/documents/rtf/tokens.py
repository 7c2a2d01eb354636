"""RTF in tokens: groups, control words, and bytes of text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from ...named_tuple import NamedTuple

TOKEN = re.compile(
    rb"\\([A-Za-z]{1,32})(-?[0-9]{1,10})?[ ]?|\\'([0-9A-Fa-f]{2})"
    rb"|\\(\r\n|[^A-Za-z])|([{}])|([^\\{}\r\n\0]+)|[\r\n\0]+|\\"
)
CHARACTERS = {b"~": "\xa0", b"_": "\u2011", b"-": ""}
"""Control symbols that are characters; an optional hyphen is none."""
PLAIN = {b"\\": b"\\", b"{": b"{", b"}": b"}"}
ENDS_PARAGRAPH = (b"\n", b"\r", b"\r\n")


class Token(NamedTuple):
    """A token: the `word` of a control word and its number, `text` as bytes, or a `character`."""

    kind: Literal["open", "close", "word", "star", "bytes", "character"]
    word: str = ""
    number: int | None = None
    text: bytes = b""


OPEN, CLOSE, STAR, PARAGRAPH = Token("open"), Token("close"), Token("star"), Token("word", "par")


def tokens(content: bytes) -> Iterator[Token]:
    """Yields the tokens; what follows `\\bin` is passed over."""
    at = 0
    while match := TOKEN.match(content, at):
        at = match.end()
        if (text := match[6]) is not None:
            yield Token("bytes", text=text)
        elif (word := match[1]) is not None:
            number = None if match[2] is None else int(match[2])
            if word == b"bin":
                at += max(0, number or 0)
            else:
                yield Token("word", word.decode(), number)
        elif (brace := match[5]) is not None:
            yield OPEN if brace == b"{" else CLOSE
        elif (code := match[3]) is not None:
            yield Token("bytes", "'", text=bytes.fromhex(code.decode()))
        elif (symbol := match[4]) is not None:
            yield from _symbol(symbol)


def _symbol(symbol: bytes) -> Iterator[Token]:
    """Yields the token of a control symbol."""
    if symbol == b"*":
        yield STAR
    elif symbol in CHARACTERS:
        yield Token("character", CHARACTERS[symbol])
    elif symbol in PLAIN:
        yield Token("bytes", text=symbol)
    elif symbol in ENDS_PARAGRAPH:
        yield PARAGRAPH
