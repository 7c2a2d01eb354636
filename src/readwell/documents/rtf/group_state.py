"""The state of a group of an RTF: what its braces enclose inherits it, and what follows them does not."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Literal

from ..docx.paragraph import link_in_instruction
from ..paragraph_writer import PLAIN, ParagraphProperties, PlainWriter, Writer
from .control_words import MARKS

MAX_INSTRUCTION, MAX_FALLBACK = 4096, 8
UNCHANGED = 25
"""The result of a field of a form in which nobody chose anything."""
Kind = Literal["text", "quiet", "ignored", "collected", "fonts", "styles"]
"""What is done with the text of a group: written, left out, left out with all groups inside, or kept for its end.

In `fonts` and `styles` it is names of these."""


class Field:
    """A field: its instruction, which stands before its result, and in a form what is ticked or chosen."""

    def __init__(self) -> None:
        self.instruction = ""
        self.is_hidden = self.has_result = False
        self.form: dict[str, int] = {}
        self.choices: list[str] = []

    @property
    def link(self) -> str:
        """The address that it leads to; empty where it is no link."""
        return link_in_instruction(self.instruction[:MAX_INSTRUCTION])

    @property
    def is_box(self) -> bool:
        """Whether it is one to tick: its box stands in place of its result."""
        return self.form.get("fftype") == 1

    @property
    def chosen(self) -> str:
        """The box of a form as text, or what is chosen of its list; empty for other fields, and behind a result."""
        if self.has_result:
            return ""
        result, default = self.form.get("ffres", UNCHANGED), self.form.get("ffdefres", 0)
        number = default if result == UNCHANGED else result
        if self.is_box:
            return "[x]" if number else "[ ]"
        return "".join(self.choices[number : number + 1]) if self.form.get("fftype") == 2 else ""


class GroupState:
    """The state within a pair of braces."""

    def __init__(self, writer: Writer) -> None:
        self.kind: Kind = "text"
        self.writer = writer
        self.collected: list[str] = []
        self.at_end: Callable[[], None] | None = None
        self.marks = ""
        self.hidden = self.deleted = self.in_nested_row = False
        self.font = 0
        self.fallback_length = 1
        """How many characters behind each one in Unicode are for readers without."""
        self.field: Field | None = None
        self.paragraph: ParagraphProperties = PLAIN

    def inner(self) -> GroupState:
        """Returns the state with which a group inside begins."""
        inner = copy(self)
        inner.at_end = None
        return inner

    def set_mark(self, mark: str, is_on: bool) -> None:
        """Switches bold, italics and the like on or off."""
        self.marks = self.marks.replace(mark, "") + mark * is_on

    def apply_format(self, word: str, number: int | None, default_font: int) -> bool:
        """Does what a control word says of the characters; False where it says nothing of them."""
        match word:
            case _ if word in MARKS:
                self.set_mark(MARKS[word], number != 0)
            case "nosupersub":
                self.set_mark("^", False)
                self.set_mark("_", False)
            case "v":
                self.hidden = number != 0
            case "deleted":
                self.deleted = number != 0
            case "plain":
                self.marks, self.hidden, self.deleted, self.font = "", False, False, default_font
            case "f":
                self.font = number or 0
            case "uc":
                self.fallback_length = max(0, min(number or 0, MAX_FALLBACK))
            case _:
                return False
        return True

    def leave_out_text(self, word: str, end_field: Callable[[Field], None]) -> None:
        """Leaves out the text of this group, which may be a field."""
        self.kind = "quiet"
        if word == "field":
            self.field = field = Field()
            self.at_end = lambda: end_field(field)

    def take_instruction(self, text: str) -> None:
        """Takes the instruction of a field."""
        if self.field:
            self.field.instruction += text

    def enter_result(self, word: str) -> None:
        """Writes what stands for a whole, such as the result of a field; that of a box to tick is left out."""
        self.kind = "ignored" if word == "fldrslt" and self.field and self.field.is_box else "text"

    def note_result(self, text: str) -> None:
        """Notes that the field has a result, be it hidden, if this text is one."""
        if self.field and self.kind == "text" and not text.isspace():
            self.field.has_result = True

    def read_form(self, word: str, number: int | None) -> bool:
        """Takes what a control word says of a form; False where it says nothing of one."""
        if self.field is None:
            return False
        match word:
            case "formfield":
                self.kind, self.field.is_hidden = "quiet", self.hidden
            case "ffl":
                self.collect_text(self.field.choices.append)
            case "fftype" | "ffres" | "ffdefres":
                self.field.form[word] = max(0, number or 0)
            case _:
                return False
        return True

    def collect_text(self, at_end: Callable[[str], None]) -> None:
        """Keeps the text of this group, and of those inside, for its end."""
        self.kind, self.collected = "collected", []
        kept = self.collected
        self.at_end = lambda: at_end("".join(kept))

    def write_aside(self, at_end: Callable[[str], None]) -> None:
        """Writes what is inside by itself."""
        self._divert(Writer(), at_end)

    def collect_plain_text(self, texts: list[str]) -> None:
        """Adds what is inside, as plain text, to texts that are named."""
        self._divert(PlainWriter(), texts.append)

    def _divert(self, writer: Writer, at_end: Callable[[str], None]) -> None:
        """Writes what is inside to another writer."""
        self.kind, self.writer, self.paragraph, self.marks, self.field = "text", writer, PLAIN, "", None
        self.at_end = lambda: at_end(writer.markdown())
