"""A stream of XML in two views of equal length: as it is, and one in which only tags of one element's inside are left.

Comments, instructions and CDATA may hold what looks like a tag; in the masked view they are blank.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

LONGEST_TAG = 320
PREFIX = r"""(?:[^\s<>/!?:="']{1,255}:)?"""
SECTION = re.compile(rb"<!--|<\?|<!\[CDATA\[")
ENDS = {b"<!--": b"-->", b"<?": b"?>", b"<![CDATA[": b"]]>"}
LONGEST_END = 3

Views = tuple[bytes, bytes]
"""Some bytes as they are, and as many with blanks for what is masked."""


def opening_of(*names: str) -> re.Pattern[bytes]:
    """Returns a pattern for the opening tag of elements of these names, whatever their prefix."""
    return re.compile(rf"<{PREFIX}(?:{'|'.join(names)})(?=[\s/>])".encode())


def closing_of(name: str) -> re.Pattern[bytes]:
    """Returns a pattern for the tag that ends an element, also where the same tag begins it."""
    return re.compile(rf"<(?:/{PREFIX}{name}\s*|{PREFIX}{name}\s*/)>".encode())


class Masked:
    """The views of a stream up to the end of the element `within`, piece by piece; no piece ends inside a short tag."""

    def __init__(self, pieces: Iterator[bytes], within: str) -> None:
        self.closed = False
        """Whether the end of the element was found."""
        self._pieces = pieces
        self._opening, self._closing = opening_of(within), closing_of(within)
        self._name = within.encode()
        self._section_end = b""
        self._inside = False

    def __iter__(self) -> Iterator[Views]:
        rest = b""
        for piece in self._pieces:
            held = rest + piece
            seen = self._without_sections(held)
            rest = held[len(seen) :]
            if seen:
                yield self._within(held, seen)
            if self.closed:
                return
        yield self._within(rest, rest)

    def _within(self, held: bytes, seen: bytes) -> Views:
        """Returns the views of what is judged, cut where the element ends and blank where it has not begun."""
        end = self._closing.search(seen) if self._name in seen else None  # a plain search is ten times as fast
        if end:
            self.closed = True
            seen = seen[: end.start()]
        if not self._inside:
            begin = self._opening.search(seen)
            self._inside = begin is not None
            blank = begin.end() if begin else len(seen)
            seen = b" " * blank + seen[blank:]
        return held[: len(seen)], seen

    def _without_sections(self, held: bytes) -> bytes:
        """Returns the masked view of all but the last bytes, which the next piece may turn into something else."""
        if not self._section_end and b"!" not in held and b"?" not in held:  # much faster, and mostly so
            return held[: _last_tag(held, 0)]
        parts: list[bytes] = []
        place = 0
        while True:
            if not self._section_end:
                section = SECTION.search(held, place)
                parts.append(held[place : section.start() if section else _last_tag(held, place)])
                if not section:
                    return b"".join(parts)
                self._section_end, place = ENDS[section[0]], section.end()
                parts.append(b" " * len(section[0]))
            found = held.find(self._section_end, place)
            end = max(place, len(held) - LONGEST_END) if found < 0 else found + len(self._section_end)
            parts.append(b" " * (end - place))
            if found < 0:
                return b"".join(parts)
            self._section_end, place = b"", end


def _last_tag(held: bytes, place: int) -> int:
    """Returns where a tag begins that may not be complete, the end where there is none."""
    found = held.rfind(b"<", max(place, len(held) - LONGEST_TAG))
    return len(held) if found < 0 else found
