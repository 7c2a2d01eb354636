"""What the sheets of an XLS have beside their cells: comments, drawings, headers and footers of their pages."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

from ..named_tuple import NamedTuple
from .beside_cells import BesideCells, Comment, header_text
from .ole_container import OleContainer
from .sheet_markdown import column_name

STREAMS = ("workbook", "book")
BEGIN, END, SHEET, DRAWINGS = 0x809, 0x0A, 0x85, 0xEB
HEADER, FOOTER = 0x14, 0x15
NOTE, OBJECT, TEXT, MORE = 0x1C, 0x5D, 0x1B6, 0x3C
CHART, PICTURE, COMMENT = 5, 8, 25
VERSION_8 = 0x600
CELLS = re.compile(
    rb"(?:\xfd\0\x0a\0.{10}|\x03\x02\x0e\0.{14}|\x7e\x02\x0a\0.{10}|\x01\x02\x06\0.{6}|\x08\x02\x10\0.{16})++", re.S
)
"""Records of rows and cells, which are passed over: shared texts, numbers, short numbers, empty cells, rows.

No way back is kept for any of them: it would take ten times their memory.
"""


class Record(NamedTuple):
    """A record: its kind and its content."""

    kind: int
    content: bytes


class BesideCellsReader:
    """Reads what each sheet of a workbook has beside its cells; nothing in workbooks older than Excel 97."""

    def __init__(self, content: bytes) -> None:
        container = OleContainer("xls", content)
        self._stream = next((stream for name in STREAMS if (stream := container.read((name,)))), b"")
        self._has_drawings, self._starts = False, list[int]()
        for record in self._records(0):
            if record.kind == BEGIN and struct.unpack_from("<H", record.content)[0] != VERSION_8:
                return
            if record.kind == SHEET:
                self._starts += struct.unpack_from("<L", record.content)
            self._has_drawings |= record.kind == DRAWINGS

    def beside_of_sheet(self, number: int) -> BesideCells:
        """Returns what is beside the cells of a sheet, counted from 0."""
        beside = BesideCells()
        texts: dict[int, str] = {}
        notes: list[tuple[int, Comment]] = []
        kind, identity = 0, 0
        records = self._records(self._starts[number]) if number < len(self._starts) else iter(())
        for record in records:
            match record.kind:
                case _ if record.kind == HEADER:
                    beside.headers.append(header_text(_length_prefixed_text(record.content)))
                case _ if record.kind == FOOTER:
                    beside.footers.append(header_text(_length_prefixed_text(record.content)))
                case _ if record.kind == OBJECT:
                    kind, identity = struct.unpack_from("<4x2H", record.content)
                    beside.charts += kind == CHART
                    beside.pictures += kind == PICTURE
                case _ if record.kind == TEXT:
                    texts[identity] = _continued(record.content, records)
                    beside.boxes += [texts[identity]] * (kind != COMMENT)
                case _ if record.kind == NOTE:
                    notes.append(_object_and_comment(record.content))
                case _:
                    continue
        beside.comments = [comment._replace(text=texts.get(identity, "")) for identity, comment in notes]
        return beside

    def _records(self, at: int) -> Iterator[Record]:
        """Yields the records of a sheet from its beginning, without its cells and what is in its charts."""
        depth = 0
        while at + 4 <= len(self._stream):
            if cells := CELLS.match(self._stream, at):
                if not self._has_drawings:
                    return
                at = cells.end()
                continue
            kind, length = struct.unpack_from("<2H", self._stream, at)
            depth += (kind == BEGIN) - (kind == END)
            if depth == 1:
                yield Record(kind, self._stream[at + 4 : at + 4 + length])
            if depth < 1:
                return
            at += 4 + length


def _object_and_comment(content: bytes) -> tuple[int, Comment]:
    """Returns the object that has the text of a comment, and the comment without it."""
    row, column, _, identity = struct.unpack_from("<4H", content)
    return identity, Comment(f"{column_name(column)}{row + 1}", _length_prefixed_text(content[8:]), "")


def _length_prefixed_text(content: bytes) -> str:
    """Returns a text that begins with the number of its characters."""
    count, is_wide = struct.unpack_from("<HB", content) if len(content) >= 3 else (0, 0)
    return _characters(content[3:], is_wide)[:count]


def _continued(content: bytes, records: Iterator[Record]) -> str:
    """Returns the text of an object, joined from the records that continue it."""
    (left,) = struct.unpack_from("<10xH", content)
    text = ""
    while len(text) < left and (record := next(records, None)) and record.kind == MORE and record.content:
        text += _characters(record.content[1:], record.content[0])
    return text[:left]


def _characters(raw: bytes, is_wide: int) -> str:
    """Returns characters of one byte each, or of two."""
    return raw.decode("utf-16-le" if is_wide & 1 else "latin-1", "replace")
