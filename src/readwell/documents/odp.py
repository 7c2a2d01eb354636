"""ODP becomes Markdown, slide by slide: its title, its frames, its notes."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from ..errors import ConversionFailed
from .contract import Converter
from .left_out_texts import left_out_comment
from .markdown_blocks import Blocks
from .odf_text import plain_text
from .odt.body import OdfBodyWriter
from .odt.heading_numbers import HeadingNumbering
from .odt.password_check import refuse_locked
from .odt.styles import Styles
from .xml_tree import at, every
from .zip_container import ZipContainer

VERSION = "6"
FURNITURE = ("date-time", "footer", "page-number", "header", "page")
"""Places that every slide repeats."""
DECLARED = ("header", "footer", "date-time")
"""Texts that a presentation declares once, and slides name."""


class OdpPresentation:
    """An opened presentation."""

    unit = "slide"

    def __init__(self, content: bytes) -> None:
        container = ZipContainer("odp", content)
        refuse_locked(container)
        root = container.xml("content.xml")
        shown = at(root, "office:body", "office:presentation")
        if shown is None:
            raise ConversionFailed("odp", "its part content.xml has no slides")
        shared = container.xml_if_any("styles.xml")
        self._roots = [root] if shared is None else [shared, root]
        self._slides = shown.findall("draw:page")
        self.count = len(self._slides)
        self._masters = {page.get("style:name", ""): page for page in every(shared, "style:master-page")}
        self._page_styles = {
            style.get("style:name", ""): style.find("style:drawing-page-properties")
            for part in self._roots
            for style in every(part, "style:style")
            if style.get("style:family") == "drawing-page"
        }
        self._declared = {
            (each.get("presentation:name", ""), kind): " ".join(plain_text(each).split())
            for kind in DECLARED
            for each in shown.findall(f"presentation:{kind}-decl")
        }

    def prepared(self) -> bytes:
        """Returns nothing: the slides stand one after the other."""
        return b""

    def markdown(self, number: int) -> str:
        """Returns one slide."""
        slide = self._slides[number - 1]
        body, blocks = OdfBodyWriter(Styles(self._roots), HeadingNumbering(self._roots)), Blocks()
        titles = [frame for frame in slide if _class(frame) == "title"]
        for frame in titles:
            blocks.heading(1, _frame_text(frame))
        for frame in slide:
            if frame.tag != "presentation:notes" and frame not in titles and _class(frame) not in FURNITURE:
                body.write_content(_content_holder(frame), blocks)
        for notes in slide.findall("presentation:notes"):
            inner = Blocks()
            for frame in notes:
                if _class(frame) not in FURNITURE:
                    body.write_content(_content_holder(frame), inner)
            if told := inner.markdown():
                blocks.raw(f"Notes:\n\n{told}")
        before = set(self._repeated_texts(self._slides[number - 2])) if number > 1 else set[str]()
        new = [text for text in self._repeated_texts(slide) if text not in before]
        blocks.raw(left_out_comment("repeated text", new))
        body.write_notes(blocks)
        return blocks.markdown()

    def _repeated_texts(self, slide: Element) -> list[str]:
        """Returns the texts of a slide's footer, header and date, and what it shows of its master page."""
        own = [_frame_text(frame) for frame in slide if _class(frame) in FURNITURE]
        style = self._page_styles.get(slide.get("draw:style-name", ""))
        hidden = {name for name, value in style.items() if value == "false"} if style is not None else set[str]()
        if "presentation:background-objects-visible" in hidden:
            return own
        shown = [
            self._declared.get((slide.get(f"presentation:use-{kind}-name", ""), kind), "")
            for kind in DECLARED
            if f"presentation:display-{kind}" not in hidden
        ]
        master = self._masters.get(slide.get("draw:master-page-name", ""))
        fixed = [_frame_text(frame) for frame in (master if master is not None else ()) if _shows_own_text(frame)]
        return [*own, *shown, *fixed]


def _shows_own_text(frame: Element) -> bool:
    """Whether a frame of a master page shows its own text on the slides."""
    return frame.tag != "presentation:notes" and not _class(frame)


def _class(frame: Element) -> str:
    """Returns what a frame is for: title, outline, notes."""
    return frame.get("presentation:class", "")


def _content_holder(frame: Element) -> Element:
    """Returns an element whose children are what a frame holds."""
    boxes = every(frame, "draw:text-box")
    if frame.tag == "draw:frame" and boxes:
        return boxes[0]
    if frame.find("table:table") is not None:
        return frame
    section = frame.makeelement("text:section", {})
    section.append(frame)
    return section


def _frame_text(frame: Element) -> str:
    """Returns the text of a frame in one line."""
    paragraphs = every(frame, "text:p")
    return " ".join(" ".join(plain_text(paragraph).split()) for paragraph in paragraphs)


def open_odp(content: bytes, password: str | None, prepared: bytes) -> OdpPresentation:  # noqa: ARG001
    """Opens a presentation; one with a password is refused."""
    return OdpPresentation(content)


ODP = Converter("odp", VERSION, open_odp)
