"""Headers and footers of the pages of a DOCX, as plain text."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from ...errors import ConversionFailed, TooLarge
from ..left_out_texts import headers_and_footers
from ..office_relations import Relation, relations, resolved_children, switched_on, target_of_type
from ..xml_tree import every
from .body import Context
from .notes import Notes
from .paragraph import ParagraphReader

KINDS = ("header", "footer")
USUAL, EVEN, FIRST = "default", "even", "first"
"""Which pages a header is for: the others, those with even numbers, the first of the section."""


def page_headers(body: Element, related: dict[str, Relation], context: Context) -> str:
    """Returns the comments that name the headers and footers that the pages of a body show."""
    settings = context.container.xml_if_sound(target_of_type(related, "settings"))
    shown = dict.fromkeys(_shown_headers(body, bool(switched_on(settings, "w:evenAndOddHeaders"))))
    texts: dict[str, list[str]] = {kind: [] for kind in KINDS}
    is_damaged = False
    for kind in KINDS:
        parts = [related.get(identity) for of_kind, identity in shown if of_kind == kind]
        for part in dict.fromkeys(part.target for part in parts if part and not part.external):
            try:
                texts[kind].append(_header_text(part, context))
            except (ConversionFailed, TooLarge):
                is_damaged = True
    return headers_and_footers(texts["header"], texts["footer"], is_damaged)


def _shown_headers(body: Element, is_even_shown: bool) -> Iterator[tuple[str, str]]:
    """Yields kind and relation of the headers and footers of each section, be they its own or of one before."""
    standing: dict[tuple[str, str], str] = {}
    for section in (each.find("w:sectPr") for each in (*every(body, "w:pPr"), body)):
        if section is None:
            continue
        for kind in KINDS:
            referred = section.findall(f"w:{kind}Reference")
            standing |= {(kind, each.get("w:type", USUAL)): each.get("r:id", "") for each in referred}
        switches = {EVEN: is_even_shown, FIRST: switched_on(section, "w:titlePg")}
        yield from ((kind, identity) for (kind, which), identity in standing.items() if switches.get(which, True))


def _header_text(part: str, context: Context) -> str:
    """Returns the words of a header or footer."""
    root, related = context.container.xml(part), relations(context.container, part)
    reader = ParagraphReader(related, context.styles, Notes(context.container, {}), context.left_out)
    return " ".join(_paragraph_texts(root, reader))


def _paragraph_texts(element: Element, reader: ParagraphReader) -> Iterator[str]:
    """Yields the paragraphs below an element, also those in tables and text boxes, and words set as a drawing."""
    for child in resolved_children(element):
        if child.tag == "w:p":
            runs, asides = reader.read(child)
            yield "".join([run.text for run in runs])
            for aside in asides:
                yield aside.get("string", "")
                yield from _paragraph_texts(aside, reader)
        else:
            yield from _paragraph_texts(child, reader)
