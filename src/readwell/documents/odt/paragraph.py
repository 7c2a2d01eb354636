"""A paragraph of an ODT becomes runs of text; frames and notes are handed on."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from ..markdown_blocks import HiddenContentFlag, Run, image
from ..odf_text import RUBY_TEXT, is_ruby_text, white_space_of
from .styles import Styles

SKIPPED = frozenset("text:note-citation text:tracked-changes office:annotation-end".split())

AROUND_SHAPES = ("draw:g", "draw:a")


class Notes:
    """The notes referred to so far, with their labels; a note may refer to another. Also whether any text is hidden."""

    def __init__(self) -> None:
        self.left_out = HiddenContentFlag()
        self.pending: list[tuple[str, Element]] = []
        self._counts = {"": 0, "e": 0, "c": 0}

    def refer(self, kind: str, note: Element) -> str:
        """Returns the reference to a note of a kind: a footnote, (e) an endnote, (c) a comment."""
        self._counts[kind] += 1
        label = f"{kind}{self._counts[kind]}"
        self.pending.append((label, note))
        return f"[^{label}]"


class Paragraph:
    """The runs of one paragraph, the text boxes that hang on it, and the notes it refers to."""

    def __init__(self, element: Element, styles: Styles, notes: Notes) -> None:
        self._styles, self._notes = styles, notes
        self.runs: list[Run] = []
        self.boxes: list[Element] = []
        hidden = "h" in styles.marks(element.get("text:style-name", "")) or any(map(_hides_paragraph, element))
        self._walk(element, "h" if hidden else "", "")

    def _walk(self, element: Element, marks: str, link: str) -> None:
        """Reads the text of an element and of all that is in it."""
        self._add_collapsed(element.text, marks, link)
        for child in element:
            self._child(child, marks, link)
            self._add_collapsed(child.tail, marks, link)

    def _child(self, child: Element, marks: str, link: str) -> None:
        """Reads a span, a link, spaces, a note or a frame."""
        match child.tag:
            case "text:span":
                own = self._styles.marks(child.get("text:style-name", ""))
                self._walk(child, "".join(sorted({*marks, *own})), link)
            case "text:a":
                target = child.get("xlink:href", "")
                self._walk(child, marks, "" if target.startswith("#") else target)
            case "text:s" | "text:tab" | "text:line-break":
                self._add_exact(white_space_of(child), marks, link)
            case _ if child.tag == RUBY_TEXT:
                self._write_ruby_text(child, marks, link)
            case "text:note" | "office:annotation":
                self._add_exact(self._refer(child), "", "")
            case "draw:frame":
                self._take_frame(child)
            case _ if child.tag.startswith("draw:") and child.tag not in AROUND_SHAPES:
                self._take_shape(child)
            case "text:hidden-text" if child.get("text:is-hidden") != "false":
                self._notes.left_out.is_set = True
            case _ if child.tag not in SKIPPED:
                self._walk(child, marks, link)
            case _:
                return

    def _write_ruby_text(self, element: Element, marks: str, link: str) -> None:
        """Writes how the characters before are pronounced in parentheses, as HTML does."""
        if is_ruby_text(element):
            self._add_exact("(", marks, link)
            self._walk(element, marks, link)
            self._add_exact(")", marks, link)

    def _add_collapsed(self, text: str | None, marks: str, link: str) -> None:
        """Adds text as a browser would: any white space is one space."""
        if text:
            edges = (" " if text[0].isspace() else "", " " if text[-1].isspace() and text.strip() else "")
            self._add_exact(edges[0] + " ".join(text.split()) + edges[1], marks, link)

    def _add_exact(self, text: str, marks: str, link: str) -> None:
        """Adds text as it is; hidden text is left out and noted."""
        if "h" in marks:
            self._notes.left_out.is_set = True
        else:
            self.runs.append(Run(text, marks, link))

    def _refer(self, note: Element) -> str:
        """Returns the sign of a note or comment."""
        kind = "c" if note.tag == "office:annotation" else "e" if note.get("text:note-class") == "endnote" else ""
        return self._notes.refer(kind, note)

    def _take_shape(self, shape: Element) -> None:
        """Keeps the text of a shape for later, and writes its description."""
        if (alt := _description(shape)).strip():
            self._add_exact(image(alt), "", "")
        if shape.find("text:p") is not None or shape.find("text:list") is not None:
            self.boxes.append(shape)

    def _take_frame(self, frame: Element) -> None:
        """Keeps a text box for later; of an image only its description is written."""
        box = frame.find("draw:text-box")
        if box is not None:
            self.boxes.append(box)
            return
        if any(child.tag in ("draw:image", "draw:object", "draw:object-ole") for child in frame):
            self._add_exact(image(_description(frame) or frame.get("draw:name") or ""), "", "")


def _description(element: Element) -> str:
    """Returns what a frame or shape is called for those who cannot see it."""
    return element.findtext("svg:desc") or element.findtext("svg:title") or ""


def _hides_paragraph(child: Element) -> bool:
    """Whether this is the mark that hides the whole paragraph around it."""
    return child.tag == "text:hidden-paragraph" and child.get("text:is-hidden") != "false"
