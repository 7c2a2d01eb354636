"""The packed RTF of Outlook messages, and notes beside the cells of an old workbook, byte by byte."""

import struct

import pytest

from readwell.documents.compressed_rtf import FIRST_TEXT, unpacked_rtf
from readwell.documents.xls_beside import Comment, _object_and_comment

COPY_OF_RTF1 = struct.pack(">H", FIRST_TEXT.index(b"\\rtf1") << 4 | 3)
END = struct.pack(">H", (len(FIRST_TEXT) + 7) << 4)


def packed(body, size, kind=b"LZFu", told=None):
    return struct.pack("<2L4s4x", told or len(body) + 12, size, kind) + body


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (packed(b"\0abcdefgh", 8), b"abcdefgh"),
        (packed(b"\0abcdefgh\0ijklmnop", 16), b"abcdefghijklmnop"),
        (packed(b"\0abcdefgh\0ijklmnop", 5), b"abcde"),
        (packed(b"\0abcdefgh\0ij", 16), b"abcdefghij"),
        (packed(b"\0abcdefgh\x02i?", 8), b"abcdefgh"),
        (packed(b"\0abcdefgh", 16), b"abcdefgh"),
        (packed(b"\x02{" + COPY_OF_RTF1 + b"x}", 8), b"{\\rtf1x}"),
        (packed(b"\x0a{" + COPY_OF_RTF1 + b"x" + END[:1], 9), b"{\\rtf1x"),
        (packed(b"\x0a{" + COPY_OF_RTF1 + b"x" + END + b"never", 99), b"{\\rtf1x"),
        (packed(b"\0abcdefgh", 8, told=16), b"abc"),
        (packed(b"abcdefgh", 8, b"MELA"), b"abcdefgh"),
        (packed(b"abcdefgh", 3, b"MELA"), b"abc"),
        (packed(b"\0abcdefgh", 8, b"else"), b""),
        (packed(b"", 8)[:15], b""),
        (packed(b"", 8), b""),
    ],
)
def test_packed_text_is_unpacked_as_far_as_it_goes(content, found):
    assert unpacked_rtf(content) == found


def test_a_copy_may_reach_into_what_it_writes():
    body = b"\x02a" + struct.pack(">H", len(FIRST_TEXT) << 4 | 4) + b"b"
    assert unpacked_rtf(packed(body, 8)) == b"aaaaaaab"


def test_a_note_is_placed_by_its_row_and_column():
    assert _object_and_comment(struct.pack("<4HHB", 4, 27, 0, 9, 3, 0) + b"Anna") == (9, Comment("AB5", "Ann", ""))
    assert _object_and_comment(struct.pack("<4HHB", 0, 0, 2, 1, 1, 1) + "Ä".encode("utf-16-le")) == (
        1,
        Comment("A1", "Ä", ""),
    )
    assert _object_and_comment(struct.pack("<4H", 0, 1, 0, 1) + b"\1\0") == (1, Comment("B1", "", ""))
