"""The text of a Word 97–2003 file becomes paragraphs, tables and notes."""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping

from ..docx.paragraph import link_in_instruction
from ..markdown_blocks import Run, image
from ..paragraph_writer import LEVELS, ParagraphProperties, PlainWriter, Writer
from .list_numbers import Numbering
from .properties import STYLE, TABLE_SHAPE
from .word_file import LIST_OVERRIDES, LISTS, STYLES, WordFile

MARKS = {0x0835: "b", 0x0836: "i", 0x0837: "s"}
RAISED, HIDDEN, DELETED = 0x2A48, 0x083C, 0x0800
ON = (b"\1", b"\x81")
IN_TABLE, ROW_END, NESTING, INNER_CELL, INNER_ROW_END = 0x2416, 0x2417, 0x6649, 0x244B, 0x244C
LIST, LIST_LEVEL, OUTLINE_LEVEL = 0x460B, 0x260A, 0x2640
HEADINGS, TITLE, NAMED = range(1, 10), 62, 0x0FFF
SPECIAL = re.compile(r"([\x00-\x08\x0b-\x1f])")
CELL, LINE, PAGE, COLUMN, PARAGRAPH = "\x07", "\x0b", "\x0c", "\x0e", "\r"
BEGIN, SEPARATOR, END = "\x13", "\x14", "\x15"
CHARACTERS = {LINE: "\n", "\x1e": "\u2011", "\x1f": ""}
PICTURE = "\x01"
MAX_FIELDS = 20
MAX_INSTRUCTION = 4096
FORMS = (["FORMCHECKBOX"], ["FORMDROPDOWN"])
"""Fields whose result is not text: boxes to tick and lists to choose from."""


class DocBodyWriter:
    """Writes one part of the text; `note_references` are written in place of characters, by the numbers of these."""

    def __init__(
        self, file: WordFile, lists: Numbering, headings: Mapping[int, int], note_references: Mapping[int, str]
    ) -> None:
        self._file, self._lists, self._headings, self._note_references = file, lists, headings, note_references
        self.has_hidden_text = False
        self.unread_fields = 0

    def markdown(self, part: range, is_plain: bool = False) -> str:
        """Returns a part of the text; a plain one is without marks and links."""
        writer, self._fields, at = PlainWriter() if is_plain else Writer(), list[list[str]](), part.start
        for text, properties in self._file.runs(part.start, part.stop):
            marks = _marks(properties)
            is_gone = properties.get(DELETED) in ON
            for piece in SPECIAL.split(text):
                if piece in (PARAGRAPH, CELL, PAGE, COLUMN):
                    self._end_paragraph_or_cell(piece, at, writer)
                elif piece and not is_gone:
                    self._take_text(piece, at, marks, properties.get(HIDDEN) in ON, writer)
                at += len(piece)
        return writer.markdown()

    def _take_text(self, text: str, at: int, marks: str, is_hidden: bool, writer: Writer) -> None:
        """Takes text of one format: a mark of a field, a reference to a note, hidden or plain text."""
        if at in self._note_references:
            writer.add(Run(self._note_references[at]))
        elif text == BEGIN:
            self._fields = [*self._fields, [""]][:MAX_FIELDS]
        elif text == SEPARATOR and self._fields:
            self._fields[-1].append("")
        elif text == END and self._fields:
            instruction = self._fields.pop()[0]
            self.unread_fields += not is_hidden and instruction.split()[:1] in FORMS
        elif self._fields and len(self._fields[-1]) == 1:
            self._fields[-1][0] = (self._fields[-1][0] + text)[:MAX_INSTRUCTION]
        elif is_hidden:
            self.has_hidden_text = self.has_hidden_text or not text.isspace()
        else:
            self._write(text, marks, writer)

    def _write(self, text: str, marks: str, writer: Writer) -> None:
        """Writes text with its marks; a picture by its name, other special characters not at all."""
        link = next((link for field in reversed(self._fields) if (link := link_in_instruction(field[0]))), "")
        if text == PICTURE:
            writer.add(Run(image("picture")))
        elif text in CHARACTERS or not SPECIAL.match(text):
            writer.add(Run(CHARACTERS.get(text, text), marks, link))

    def _end_paragraph_or_cell(self, mark: str, at: int, writer: Writer) -> None:
        """Ends a paragraph, a cell or a row."""
        properties, _ = self._file.paragraphs.properties_at(self._file.character_offset(at))
        level = max(_number(properties, NESTING), _number(properties, IN_TABLE))
        paragraph = ParagraphProperties(self._heading_level(properties), level, _number(properties, LIST_LEVEL))
        if override := _number(properties, LIST):
            label = self._lists.next_label(override, min(paragraph.list_level, LEVELS - 1))
            if label is not None:
                writer.set_label(label)
        if _number(properties, ROW_END) or _number(properties, INNER_ROW_END):
            writer.end_row(level, _right_cell_edges(properties))
        elif mark == CELL or _number(properties, INNER_CELL):
            writer.end_cell(paragraph)
        else:
            writer.end_paragraph(paragraph)

    def _heading_level(self, properties: Mapping[int, bytes]) -> int:
        """Returns the level of a heading by its own property or its style; 0 for none."""
        own = properties.get(OUTLINE_LEVEL)
        if own:
            return own[0] + 1 if own[0] < LEVELS else 0
        return self._headings.get(_number(properties, STYLE), 0)


def new_doc_body_writer(file: WordFile, note_references: Mapping[int, str]) -> DocBodyWriter:
    """Returns what writes the parts of a file."""
    lists = Numbering(file.table_stream_part(LISTS, to_end=True), file.table_stream_part(LIST_OVERRIDES))
    return DocBodyWriter(file, lists, _heading_levels(file.table_stream_part(STYLES)), note_references)


def _heading_levels(styles: bytes) -> dict[int, int]:
    """Returns the levels of styles that are headings: Word knows those by numbers of its own, in any language."""
    headings = {number: number for number in HEADINGS}
    if len(styles) < 6:
        return headings
    at = 2 + int.from_bytes(styles[:2], "little")
    for number in range(int.from_bytes(styles[2:4], "little")):
        length = int.from_bytes(styles[at : at + 2], "little")
        known = int.from_bytes(styles[at + 2 : at + 4], "little") & NAMED if length else 0
        headings.pop(number, None)
        if known in HEADINGS or known == TITLE:
            headings[number] = known if known in HEADINGS else 1
        at += 2 + length + length % 2
    return headings


def _marks(properties: Mapping[int, bytes]) -> str:
    """Returns the marks that properties give to a text."""
    marks = "".join(mark for number, mark in MARKS.items() if properties.get(number) in ON)
    return marks + {b"\1": "^", b"\2": "_"}.get(properties.get(RAISED, b""), "")


def _number(properties: Mapping[int, bytes], which: int) -> int:
    """Returns a property as a number; 0 where it is missing."""
    return int.from_bytes(properties.get(which, b""), "little")


def _right_cell_edges(properties: Mapping[int, bytes]) -> list[int]:
    """Returns the right edges of the cells of a row."""
    shape = properties.get(TABLE_SHAPE, b"")
    count = shape[0] if shape else 0
    if len(shape) < 1 + 2 * (count + 1):
        return []
    return list(struct.unpack_from(f"<{count + 1}h", shape, 1))[1:]
