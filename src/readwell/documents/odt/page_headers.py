"""Headers and footers of the pages of an ODT, as plain text."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from ..left_out_texts import headers_and_footers
from ..markdown_blocks import HiddenContentFlag
from ..xml_tree import every
from .body import SKIPPED, is_hidden_section
from .paragraph import Notes, Paragraph
from .styles import Styles

KINDS = ("header", "footer")
WHICH = ("", "-left", "-first")
"""Those of all pages, of left ones, of the first."""


def page_headers(shared: Element | None, styles: Styles, left_out: HiddenContentFlag) -> str:
    """Returns the comments that name the headers and footers of all pages in a document's shared styles."""
    notes = Notes()
    notes.left_out = left_out
    headers, footers = (
        [text for page in every(shared, "style:master-page") for text in _header_texts(page, kind, styles, notes)]
        for kind in KINDS
    )
    return headers_and_footers(headers, footers)


def _header_texts(page: Element, kind: str, styles: Styles, notes: Notes) -> Iterator[str]:
    """Yields the headers or the footers of one kind of page, without those that are switched off."""
    names = {f"{prefix}:{kind}{which}" for which in WHICH for prefix in ("style", "loext")}
    for element in page:
        if element.tag in names and element.get("style:display", "true") == "true":
            yield " ".join(_paragraph_texts(element, styles, notes))


def _paragraph_texts(element: Element, styles: Styles, notes: Notes) -> Iterator[str]:
    """Yields the paragraphs below an element, also those in tables and text boxes."""
    for child in element:
        if child.tag in ("text:p", "text:h"):
            paragraph = Paragraph(child, styles, notes)
            yield "".join([run.text for run in paragraph.runs])
            for box in paragraph.boxes:
                yield from _paragraph_texts(box, styles, notes)
        elif is_hidden_section(child):
            notes.left_out.is_set = True
        elif child.tag not in SKIPPED:
            yield from _paragraph_texts(child, styles, notes)
