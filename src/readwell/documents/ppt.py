"""PowerPoint 97–2003 presentations become Markdown, slide by slide, by a reader of our own."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from ..errors import ConversionFailed, DocumentLocked
from ..named_tuple import NamedTuple
from .contract import Converter
from .left_out_texts import left_out_comment
from .markdown_blocks import MAX_COLUMNS, Blocks, escape_block_starts
from .ole_container import OleContainer

VERSION = "3"
STREAM, USER = ("PowerPoint Document",), ("Current User",)
ENCRYPTED = 0xF3D1_C4DF
HEAD = struct.Struct("<2HL")
USER_EDIT, PERSISTENT = 4085, 6002
DOCUMENT, SLIDE, NOTES, LIST, PERSIST, NOTES_ATOM = 1000, 1006, 1008, 4080, 1011, 1009
TEXT_KIND, CHARACTERS, BYTES, REFERENCE = 3999, 4000, 4008, 3998
SHAPE, TEXT_BOX, CHILD_ANCHOR, GROUP = 0xF004, 0xF00D, 0xF00F, 0xF003
SLIDES, NOTE_PAGES = 0, 2
TITLES, NOTES_TEXT, OTHER_TEXT = (0, 6), 2, 4
POINTS = (1, 7, 8)
"""Texts of the body, also of one half or a quarter of a slide."""
MORE_PROPERTIES, IS_TABLE = 0xF122, 0x039F
HIDDEN_SLIDE, SHOW_INFO = 0x0004, 1017
FOOTERS, FOOTERS_SHOWN, STRING, OF_SLIDES = 4057, 4058, 4026, 3
FOOTER_FLAGS = {2: 0x20, 0: 0x04}
"""Texts of footers by their number, 2: the footer, 0: a fixed date; and the flag that each is shown by."""
MAX_EDITS, MAX_RECORDS, DEEPEST = 1000, 2_000_000, 40
CONTAINER = 0xF


class Record(NamedTuple):
    """A record: its kind, a number of its own, whether it holds records, and where its content is."""

    kind: int
    instance: int
    is_container: bool
    start: int
    end: int


class SlideText(NamedTuple):
    """A text of a slide: 0 and 6 are titles, 2 is that of notes; or the rows of a table."""

    kind: int
    text: str
    rows: list[list[str]] | None = None


class PptPresentation:
    """An opened presentation."""

    unit = "slide"

    def __init__(self, content: bytes) -> None:
        container = OleContainer("ppt", content)
        self._stream, user = container.read(STREAM), container.read(USER)
        if len(user) < 20 or not self._stream:
            raise ConversionFailed("ppt", "it is damaged: it has no presentation")
        token, edit = struct.unpack_from("<2L", user, 12)
        if token == ENCRYPTED:
            raise DocumentLocked("ppt")
        self._left = MAX_RECORDS
        self._offsets, document = self._object_offsets(edit)
        self._document = document
        self._slides = list(self._listed_slides_or_notes(document, SLIDES))
        self._notes = dict(self._notes_by_slide(document))
        self.count = len(self._slides)

    def prepared(self) -> bytes:
        """Returns nothing: the slides are found by their places."""
        return b""

    def markdown(self, number: int) -> str:
        """Returns one slide."""
        self._left = MAX_RECORDS
        object_id, slide_id, outlined = self._slides[number - 1]
        slide = self._record(self._offsets.get(object_id, -1), SLIDE)
        if slide is None:
            return "<!-- the slide is missing in the file -->"
        texts = list(self._texts(slide, outlined)) or outlined
        blocks = Blocks()
        if any(self._hides_slide(each) for each in self._child_records(slide)):
            blocks.raw("*Hidden slide*")
        for text in texts:
            if text.kind in TITLES:
                blocks.heading(1, text.text)
        for text in texts:
            if text.kind not in TITLES:
                _write_text(blocks, text)
        before = self._footers(self._slides[number - 2][0]) if number > 1 else []
        new = [text for text in self._footers(object_id) if text not in before]
        blocks.raw(left_out_comment("repeated text", new))
        if notes := self._notes.get(slide_id):
            blocks.raw("Notes:\n\n" + escape_block_starts(notes))
        return blocks.markdown()

    def _footers(self, object_id: int) -> list[str]:
        """Returns the footer and the fixed date of a slide: its own, or those of the whole presentation."""
        slide = self._record(self._offsets.get(object_id, -1), SLIDE)
        own = [each for each in (self._child_records(slide) if slide else ()) if each.kind == FOOTERS]
        document = self._record(self._document, DOCUMENT)
        shared = (each for each in (self._child_records(document) if document else ()))
        for footers in own or [each for each in shared if each.kind == FOOTERS and each.instance == OF_SLIDES]:
            records = list(self._child_records(footers))
            flags = [self._stream[each.start : each.end] for each in records if each.kind == FOOTERS_SHOWN]
            shown = int.from_bytes(flags[0][2:4], "little") if flags else 0
            texts = {each.instance: self._stream[each.start : each.end] for each in records if each.kind == STRING}
            return [
                texts[which].decode("utf-16-le", "replace")
                for which, flag in FOOTER_FLAGS.items()
                if which in texts and shown & flag
            ]
        return []

    def _record(self, at: int, kind: int) -> Record | None:
        """Returns the record at an offset, if it is of this kind; -1: of any kind."""
        if at < 0 or at + HEAD.size > len(self._stream):
            return None
        head, which, length = HEAD.unpack_from(self._stream, at)
        end = min(at + HEAD.size + length, len(self._stream))
        record = Record(which, head >> 4, head & CONTAINER == CONTAINER, start=at + HEAD.size, end=end)
        return record if kind in (which, -1) else None

    def _child_records(self, around: Record) -> Iterator[Record]:
        """Yields the records in another one."""
        at = around.start
        while at + HEAD.size <= around.end and (record := self._record(at, -1)):
            self._left -= 1
            if self._left < 0:
                raise ConversionFailed("ppt", "it has too many records")
            yield record._replace(end=min(record.end, around.end))
            at = record.end

    def _object_offsets(self, edit: int) -> tuple[dict[int, int], int]:
        """Returns where each object is, by its number, in its last version; and the number of the document."""
        offsets: dict[int, int] = {}
        document, seen = 0, 0
        while seen < MAX_EDITS and (record := self._record(edit, USER_EDIT)) and record.end - record.start >= 20:
            before, directory, main = struct.unpack_from("<8x3L", self._stream, record.start)
            document = document or main
            if directory_record := self._record(directory, PERSISTENT):
                offsets = self._persist_directory(directory_record) | offsets
            seen, edit = seen + 1, before or -1
        if not offsets:
            raise ConversionFailed("ppt", "it is damaged: where its slides are cannot be found")
        return offsets, offsets.get(document, -1)

    def _persist_directory(self, record: Record) -> dict[int, int]:
        """Returns where each object is, by a directory of persist objects."""
        offsets_by_id: dict[int, int] = {}
        at = record.start
        while at + 4 <= record.end:
            (head,) = struct.unpack_from("<L", self._stream, at)
            count = min(head >> 20, (record.end - at - 4) // 4)
            offsets = struct.unpack_from(f"<{count}L", self._stream, at + 4)
            offsets_by_id |= {(head & 0xF_FFFF) + number: offset for number, offset in enumerate(offsets)}
            at += 4 + 4 * max(1, count)
        return offsets_by_id

    def _listed_slides_or_notes(self, document: int, which: int) -> Iterator[tuple[int, int, list[SlideText]]]:
        """Yields slides, or pages of notes: the number and name of each, and the texts that the list has of it."""
        around = self._record(document, DOCUMENT)
        if around is None:
            raise ConversionFailed("ppt", "it is damaged: it has no list of slides")
        for listing in self._child_records(around):
            if listing.kind != LIST or listing.instance != which:
                continue
            persist: tuple[int, int] | None = None
            records: list[Record] = []
            for record in self._child_records(listing):
                if record.kind != PERSIST:
                    records.append(record)
                    continue
                if persist:
                    yield *persist, list(self._read_texts(records, []))
                object_id, name = struct.unpack_from(
                    "<L8xL", self._stream.ljust(record.start + 16, b"\0"), record.start
                )
                persist, records = (object_id, name), []
            if persist:
                yield *persist, list(self._read_texts(records, []))

    def _notes_by_slide(self, document: int) -> Iterator[tuple[int, str]]:
        """Yields the notes by the name of the slide that they belong to."""
        for object_id, _, outlined in self._listed_slides_or_notes(document, NOTE_PAGES):
            page = self._record(self._offsets.get(object_id, -1), NOTES)
            if page is None:
                continue
            atoms = [
                each for each in self._child_records(page) if each.kind == NOTES_ATOM and each.end - each.start >= 4
            ]
            texts = [text.text.strip() for text in self._texts(page, outlined) if text.kind == NOTES_TEXT]
            if atoms and any(texts):
                (slide,) = struct.unpack_from("<L", self._stream, atoms[0].start)
                yield slide, "\n\n".join(text for text in texts if text)

    def _texts(self, around: Record, outlined: list[SlideText], depth: int = 0) -> Iterator[SlideText]:
        """Yields the texts of a slide in the order of its shapes; some stand in the list of slides."""
        for record in self._child_records(around):
            if record.kind == TEXT_BOX:
                yield from self._read_texts(list(self._child_records(record)), outlined)
            elif record.kind == GROUP and (rows := self._table(record)):
                yield SlideText(OTHER_TEXT, "", rows)
            elif record.is_container and depth < DEEPEST:
                yield from self._texts(record, outlined, depth + 1)

    def _table(self, group: Record) -> list[list[str]]:
        """Returns the cells of a table, which is a group of shapes that says so; nothing for other groups."""
        shapes = [list(self._child_records(each)) for each in self._child_records(group) if each.kind == SHAPE]
        if not shapes or not any(self._says_table(each) for each in shapes[0]):
            return []
        cells: dict[tuple[int, int], str] = {}
        for shape in shapes[1:]:
            anchors = [each for each in shape if each.kind == CHILD_ANCHOR and each.end - each.start >= 8]
            boxes = [each for each in shape if each.kind == TEXT_BOX]
            if anchors and boxes:
                left, top = struct.unpack_from("<2l", self._stream, anchors[0].start)
                texts = self._read_texts(list(self._child_records(boxes[0])), [])
                cells[top, left] = "\n".join(text.text.replace("\r", "\n") for text in texts)
        lefts = sorted({left for _, left in cells})
        if len(lefts) > MAX_COLUMNS:
            return []
        return [[cells.get((top, left), "") for left in lefts] for top in sorted({top for top, _ in cells})]

    def _says_table(self, record: Record) -> bool:
        """Says whether properties make a group of shapes a table."""
        if record.kind != MORE_PROPERTIES:
            return False
        numbers = [self._stream[at : at + 2] for at in range(record.start, record.end - 5, 6)][: record.instance]
        return any(int.from_bytes(number, "little") & 0x3FFF == IS_TABLE for number in numbers)

    def _read_texts(self, records: list[Record], outlined: list[SlideText]) -> Iterator[SlideText]:
        """Yields the texts in records, also those that are kept in the outline."""
        kind = OTHER_TEXT
        for record in records:
            content = self._stream[record.start : record.end]
            if record.kind == TEXT_KIND:
                kind = int.from_bytes(content[:4], "little")
            elif record.kind == CHARACTERS:
                yield SlideText(kind, content.decode("utf-16-le", "replace"))
            elif record.kind == BYTES:
                yield SlideText(kind, content.decode("latin-1"))
            elif record.kind == REFERENCE and int.from_bytes(content[:4], "little") < len(outlined):
                yield outlined[int.from_bytes(content[:4], "little")]

    def _hides_slide(self, record: Record) -> bool:
        """Says whether a slide is left out of the show."""
        if record.kind != SHOW_INFO or record.end - record.start < 12:
            return False
        return bool(struct.unpack_from("<H", self._stream, record.start + 10)[0] & HIDDEN_SLIDE)


def _write_text(blocks: Blocks, text: SlideText) -> None:
    """Writes a text: a paragraph a line, which in the body of a slide are points."""
    blocks.table(text.rows or [])
    for paragraph in text.text.replace("\x0b", "\n").split("\r"):
        if text.kind in POINTS:
            blocks.item(0, "-", paragraph)
        else:
            blocks.paragraph(paragraph)


def open_ppt(content: bytes, password: str | None, prepared: bytes) -> PptPresentation:  # noqa: ARG001
    """Opens a presentation; one with a password is refused."""
    try:
        return PptPresentation(content)
    except struct.error as error:
        raise ConversionFailed("ppt", "it is damaged") from error


PPT = Converter("ppt", VERSION, open_ppt)
