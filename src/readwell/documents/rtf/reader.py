"""Reads an RTF from its first token to its last: text, styles, fields, pictures, notes numbered as they come."""

from __future__ import annotations

import re

from ..markdown_blocks import TOLD_HIDDEN, Run, image
from ..paragraph_writer import LEVELS, PLAIN, Writer
from .control_words import ENCODINGS, FOOTERS, HEADERS, IGNORED, QUIET, TEXTS
from .font_encodings import OTHERWISE, Font, decoded, encoding_of
from .group_state import Field, GroupState
from .page_headers import PageHeaders
from .tokens import Token, tokens

HEADING = re.compile(r"heading ([1-9])", re.I)
SURROGATES = re.compile("[\ud800-\udfff]")
CUT_OFF = "<!-- cut off here: the file ends before its last group does -->"
DESCRIPTIONS = ("wzDescription", "pictureDescription")


class RtfReader:
    """Turns tokens into paragraphs; `markdown` is the whole document."""

    def __init__(self, content: bytes) -> None:
        self._writer = Writer()
        self._group, self._stack = GroupState(self._writer), list[GroupState]()
        self._fonts: dict[int, Font] = {}
        self._levels: dict[int, int] = {}
        self._style = self._style_level = self._default_font = self._to_skip = 0
        self._encoding, self._raw, self._text = OTHERWISE, bytearray(), list[str]()
        self._edges, self._nested_edges = list[int](), list[int]()
        self._notes: list[str] = []
        self._page_headers = PageHeaders()
        self._counts: dict[str, int] = {}
        self._author = self._shape_property = self._alt = ""
        self._starred = self._has_hidden_text = False
        for token in tokens(content):
            self._take_token(token)
        self._flush()

    def markdown(self) -> str:
        """Returns the document: what its pages repeat, its text, its notes."""
        told = [self._page_headers.markdown(), self._writer.markdown(), *self._notes]
        told += [TOLD_HIDDEN] * self._has_hidden_text + [CUT_OFF] * bool(self._stack)
        return "\n\n".join(part for part in told if part)

    def _take_token(self, token: Token) -> None:
        if token.kind == "open":
            self._flush()
            self._stack.append(self._group)
            self._group, self._to_skip = self._group.inner(), 0
        elif token.kind == "close":
            self._close_group()
        elif self._group.kind == "ignored":
            return
        elif token.kind == "bytes":
            self._take_bytes(token.text)
        elif token.kind == "star":
            self._starred = True
        elif token.kind == "character":
            self._take_text(token.word)
        else:
            starred, self._starred = self._starred, False
            self._take_word(token.word, token.number, starred)

    def _close_group(self) -> None:
        self._flush()
        self._to_skip, self._starred = 0, False
        if not self._stack:
            return
        closed, self._group = self._group, self._stack.pop()
        if closed.at_end:
            closed.at_end()

    def _take_bytes(self, text: bytes) -> None:
        if self._to_skip:
            skipped = min(self._to_skip, len(text))
            self._to_skip -= skipped
            text = text[skipped:]
        self._raw += text

    def _take_text(self, text: str) -> None:
        self._decode()
        self._text.append(text)

    def _take_word(self, word: str, number: int | None, starred: bool) -> None:
        if word == "u" and number is not None:
            self._take_text(self._font.character(number & 0xFFFF))
            self._to_skip = self._group.fallback_length
        elif word in TEXTS:
            self._take_text(TEXTS[word])
        else:
            self._flush()
            self._apply_word(word, number, starred)

    def _apply_word(self, word: str, number: int | None, starred: bool) -> None:
        """Does what a control word says; a group that is not known and may be left out is left out."""
        ways = [self._apply_paragraph_word, self._apply_table_word, self._enter_destination]
        ways += [self._apply_font_or_section_word, self._group.read_form]
        is_known = self._group.apply_format(word, number, self._default_font) or any(way(word, number) for way in ways)
        if starred and not is_known:
            self._group.kind = "ignored"

    def _apply_paragraph_word(self, word: str, number: int | None) -> bool:
        group, number = self._group, max(0, number or 0)
        before = group.paragraph
        match word:
            case "par" | "sect" | "page" | "column":
                group.writer.end_paragraph(before)
            case "pard":
                group.paragraph = PLAIN
            case "s":
                group.paragraph = before._replace(heading=self._levels.get(number, 0))
                self._style, self._style_level = number, 0
            case "outlinelevel":
                self._style_level = number + 1 if number < LEVELS else 0
                group.paragraph = before._replace(heading=self._style_level)
            case "ilvl":
                group.paragraph = before._replace(list_level=number)
            case "intbl":
                group.paragraph = before._replace(table_level=max(1, before.table_level))
            case "itap":
                group.paragraph = before._replace(table_level=number)
            case _:
                return False
        return True

    def _apply_table_word(self, word: str, number: int | None) -> bool:
        group = self._group
        edges = self._nested_edges if group.in_nested_row else self._edges
        match word:
            case "trowd":
                edges.clear()
            case "cellx":
                edges.append(number or 0)
            case "cell":
                group.writer.end_cell(group.paragraph._replace(table_level=1))
            case "nestcell":
                group.writer.end_cell(group.paragraph._replace(table_level=max(2, group.paragraph.table_level)))
            case "row":
                group.writer.end_row(1, list(self._edges))
            case "nestrow":
                group.writer.end_row(max(2, group.paragraph.table_level), list(self._nested_edges))
            case "nesttableprops":
                group.in_nested_row, group.kind = True, "quiet"
            case _:
                return False
        return True

    def _enter_destination(self, word: str, number: int | None) -> bool:  # noqa: ARG002 - all of them are called alike
        """Enters a destination: a group whose text is not simply part of the document."""
        group = self._group
        around = self._stack[-1].writer if self._stack else self._writer
        match word:
            case _ if word in IGNORED:
                group.kind = "ignored"
            case _ if word in HEADERS or word in FOOTERS:
                group.collect_plain_text(self._page_headers.texts(word))
            case _ if word in QUIET:
                group.leave_out_text(word, self._end_field)
            case "ud" | "result" | "fldrslt":
                group.enter_result(word)
            case "fldinst":
                group.collect_text(group.take_instruction)
            case "listtext" | "pntext":
                group.collect_text(around.set_label)
            case "footnote" | "annotation":
                self._begin_note("c" if word == "annotation" else "")
            case "shptxt" | "dptxbxtext":
                group.write_aside(around.add_aside)
            case "pict":
                group.kind, group.at_end, self._alt = "quiet", self._end_picture, ""
            case "fonttbl" | "stylesheet":
                group.kind = "fonts" if word == "fonttbl" else "styles"
            case _:
                return self._enter_collected_destination(word)
        return True

    def _enter_collected_destination(self, word: str) -> bool:
        """Enters a destination whose text is kept for later."""
        ends = {"atnauthor": self._take_author, "sn": self._take_shape_property, "sv": self._take_shape_value}
        if word in ends:
            self._group.collect_text(ends[word])
        return word in ends

    def _apply_font_or_section_word(self, word: str, number: int | None) -> bool:
        """Takes what the file says of fonts, encodings and sections."""
        match word:
            case "fcharset":
                self._font.set_charset(number or 0)
            case "cpg":
                self._font.set_code_page(number or 0)
            case "deff":
                self._default_font = self._group.font = number or 0
            case "ansicpg":
                self._encoding = encoding_of(number or 0) or self._encoding
            case _ if word in ENCODINGS:
                self._encoding = ENCODINGS[word]
            case _:
                return self._page_headers.read(word, number)
        return True

    @property
    def _font(self) -> Font:
        return self._fonts.setdefault(self._group.font, Font())

    def _decode(self) -> None:
        if self._raw:
            raw, self._raw = bytes(self._raw), bytearray()
            is_plain = self._group.kind in ("fonts", "styles")
            self._text.append(decoded(raw, self._encoding) if is_plain else self._font.text_of(raw, self._encoding))

    def _flush(self) -> None:
        """Hands on the text read since the last change."""
        self._decode()
        text, group = "".join(self._text), self._group
        if not text:
            return
        self._text.clear()
        group.note_result(text)
        if SURROGATES.search(text):
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        match group.kind:
            case "text" if group.hidden and not group.deleted:
                self._has_hidden_text = self._has_hidden_text or not text.isspace()
            case "text" if not group.deleted:
                group.writer.add(Run(text, group.marks, group.field.link if group.field else ""))
            case "collected":
                group.collected.append(text)
            case "fonts":
                self._font.name += text.strip().rstrip(";")
            case "styles":
                self._record_style_level(text)
            case _:
                return

    def _record_style_level(self, text: str) -> None:
        """Records the level of a style as a heading when its name ends."""
        name, end, _ = text.strip().partition(";")
        if match := HEADING.match(name):
            self._style_level = int(match[1])
        elif name.lower() == "title":
            self._style_level = 1
        if end:
            self._levels[self._style] = self._style_level
            self._style = self._style_level = 0

    def _end_field(self, field: Field) -> None:
        """Writes what is chosen in a field of a form, unless it is hidden."""
        self._has_hidden_text = self._has_hidden_text or (field.is_hidden and bool(field.chosen))
        self._take_text("" if field.is_hidden else field.chosen)

    def _take_author(self, text: str) -> None:
        self._author = " ".join(text.split())

    def _take_shape_property(self, text: str) -> None:
        self._shape_property = text.strip()

    def _take_shape_value(self, text: str) -> None:
        if self._shape_property in DESCRIPTIONS:
            self._alt = text

    def _end_picture(self) -> None:
        self._group.writer.add(Run(image(self._alt or "picture")))

    def _begin_note(self, letter: str) -> None:
        """Writes a note by itself; a sign of its number stands where it belongs."""
        self._counts[letter] = number = self._counts.get(letter, 0) + 1
        label, author = f"{letter}{number}", self._author
        around = self._stack[-1].writer if self._stack else self._writer
        around.add(Run(f"[^{label}]"))
        told = f"Comment by {author}: " if letter and author else ""

        def end(markdown: str) -> None:
            self._notes.append(f"[^{label}]: {told}" + markdown.replace("\n", "\n    "))

        self._group.write_aside(end)
