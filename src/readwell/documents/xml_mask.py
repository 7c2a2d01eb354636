"""A stream of XML in two views of equal length: as it is, and masked, so that tags can be found by pattern.

In the masked view comments, processing instructions and CDATA, which may contain what looks like a tag, are blank, and
so is all outside of one element.
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
"""Some bytes as they are, and the same number of bytes masked."""


def opening_tag_pattern(*names: str) -> re.Pattern[bytes]:
    """Returns a pattern for the opening tag of elements of these names, whatever their prefix."""
    return re.compile(rf"<{PREFIX}(?:{'|'.join(names)})(?=[\s/>])".encode())


def closing_tag_pattern(name: str) -> re.Pattern[bytes]:
    """Returns a pattern for the tag that ends an element, also where the same tag begins it."""
    return re.compile(rf"<(?:/{PREFIX}{name}\s*|{PREFIX}{name}\s*/)>".encode())


class MaskedXml:
    """Yields the views of a stream, up to the end of the element `within`; no piece ends inside a short tag."""

    def __init__(self, pieces: Iterator[bytes], within: str) -> None:
        self.closed = False
        """Whether the end of the element has been reached."""
        self._pieces = pieces
        self._opening, self._closing = opening_tag_pattern(within), closing_tag_pattern(within)
        self._name = within.encode()
        self._section_end = b""
        self._inside = False

    def __iter__(self) -> Iterator[Views]:
        rest = b""
        for piece in self._pieces:
            raw = rest + piece
            mask = self._mask_sections(raw)
            rest = raw[len(mask) :]
            if mask:
                yield self._cut_to_element(raw, mask)
            if self.closed:
                return
        yield self._cut_to_element(rest, rest)

    def _cut_to_element(self, raw: bytes, mask: bytes) -> Views:
        """Returns the views of some bytes, cut where the element ends and blank up to where it begins."""
        end = self._closing.search(mask) if self._name in mask else None  # a plain search is ten times as fast
        if end:
            self.closed = True
            mask = mask[: end.start()]
        if not self._inside:
            begin = self._opening.search(mask)
            self._inside = begin is not None
            blank = begin.end() if begin else len(mask)
            mask = b" " * blank + mask[blank:]
        return raw[: len(mask)], mask

    def _mask_sections(self, raw: bytes) -> bytes:
        """Returns the masked view of all but the last bytes, whose meaning may depend on the next piece."""
        if not self._section_end and b"!" not in raw and b"?" not in raw:  # much faster, and mostly so
            return raw[: _open_tag_offset(raw, 0)]
        parts: list[bytes] = []
        offset = 0
        while True:
            if not self._section_end:
                section = SECTION.search(raw, offset)
                parts.append(raw[offset : section.start() if section else _open_tag_offset(raw, offset)])
                if not section:
                    return b"".join(parts)
                self._section_end, offset = ENDS[section[0]], section.end()
                parts.append(b" " * len(section[0]))
            end_at = raw.find(self._section_end, offset)
            end = max(offset, len(raw) - LONGEST_END) if end_at < 0 else end_at + len(self._section_end)
            parts.append(b" " * (end - offset))
            if end_at < 0:
                return b"".join(parts)
            self._section_end, offset = b"", end


def _open_tag_offset(raw: bytes, offset: int) -> int:
    """Returns the offset of a tag that may not be complete; the length where there is none."""
    end_at = raw.rfind(b"<", max(offset, len(raw) - LONGEST_TAG))
    return len(raw) if end_at < 0 else end_at
