"""Headers and footers of the pages of a DOCX, as plain text."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from ...errors import ConversionFailed, TooLarge
from ..left_out_texts import headers_and_footers
from ..office_relations import Relation, relations, resolved_children
from ..xml_tree import every
from .body import Context
from .notes import Notes
from .paragraph import ParagraphReader

KINDS = ("header", "footer")


def page_headers(body: Element, related: dict[str, Relation], context: Context) -> str:
    """Returns the comments that name the headers and footers that the sections of a body refer to."""
    texts: dict[str, list[str]] = {kind: [] for kind in KINDS}
    is_damaged = False
    for kind in KINDS:
        parts = [related.get(each.get("r:id", "")) for each in every(body, f"w:{kind}Reference")]
        for part in dict.fromkeys(part.target for part in parts if part and not part.external):
            try:
                texts[kind].append(_header_text(part, context))
            except (ConversionFailed, TooLarge):
                is_damaged = True
    return headers_and_footers(texts["header"], texts["footer"], is_damaged)


def _header_text(part: str, context: Context) -> str:
    """Returns the words of a header or footer."""
    root, related = context.container.xml(part), relations(context.container, part)
    reader = ParagraphReader(related, context.styles, Notes(context.container, {}), context.left_out)
    return " ".join([*_lines(root, reader), *_watermarks(root)])


def _lines(element: Element, reader: ParagraphReader) -> Iterator[str]:
    """Yields the paragraphs below an element, also those in tables and text boxes."""
    for child in resolved_children(element):
        if child.tag == "w:p":
            runs, asides = reader.read(child)
            yield "".join([run.text for run in runs])
            for aside in asides:
                yield from _lines(aside, reader)
        else:
            yield from _lines(child, reader)


def _watermarks(root: Element) -> Iterator[str]:
    """Yields the words that are drawn behind the pages."""
    return (shape.get("string", "") for shape in every(root, "v:textpath"))
