"""The RTF of an Outlook message, as it is packed there: copies of earlier text, from a dictionary of 4 KiB."""

from __future__ import annotations

import struct

PACKED, PLAIN = b"LZFu", b"MELA"
WINDOW = 4096
MAX_BYTES = 64 << 20
FIRST_TEXT = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor "
    b"MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n"
    b"\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
"""With what every dictionary begins."""


def unpacked_rtf(content: bytes) -> bytes:
    """Returns the RTF; of what is damaged, what comes before. Nothing where it is neither packed nor plain."""
    if len(content) < 16:
        return b""
    packed, size, kind = struct.unpack_from("<2L4s", content)
    body = content[16 : 4 + packed]
    if kind == PLAIN:
        return body[:size]
    return _decompressed(body, min(size, MAX_BYTES)) if kind == PACKED else b""


def _decompressed(body: bytes, size: int) -> bytes:
    """Decompresses LZFu: each byte of flags says of eight items whether they are bytes, or places to copy from."""
    out = bytearray(FIRST_TEXT)
    wanted, at = len(FIRST_TEXT) + size, 0
    while at < len(body) and len(out) < wanted:
        flags, at = body[at], at + 1
        for bit in range(8):
            if not flags >> bit & 1:
                out += body[at : at + 1]
                at += 1
                continue
            if at + 2 > len(body):
                return bytes(out[len(FIRST_TEXT) :])
            item, at = int.from_bytes(body[at : at + 2], "big"), at + 2
            back = (len(out) - (item >> 4)) % WINDOW
            if not back:
                return bytes(out[len(FIRST_TEXT) : wanted])
            for _ in range((item & 15) + 2):
                out.append(out[-back] if back <= len(out) else 0)
    return bytes(out[len(FIRST_TEXT) : wanted])
