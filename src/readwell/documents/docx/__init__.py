"""DOCX becomes Markdown: headings, lists, tables, notes and maths, as a person sees the final text."""

from __future__ import annotations

from ...errors import ConversionFailed
from ...path_names import quoted
from ..contract import Converter
from ..encrypted_office import load_decryption
from ..markdown_blocks import Blocks, HiddenContentFlag
from ..office_relations import main_part, relations, target_of_type
from ..single_unit import SingleUnit
from ..zip_container import ZipContainer
from .body import Context, DocxBodyWriter, write_notes
from .notes import Notes
from .numbering import Numbering
from .page_headers import page_headers
from .styles import Styles

VERSION = "7"
USUAL = "word/document.xml"


def open_docx(content: bytes, password: str | None, prepared: bytes) -> SingleUnit:  # noqa: ARG001
    """Opens a DOCX."""
    return SingleUnit(_markdown(content, password))


def _markdown(content: bytes, password: str | None) -> str:
    """Returns the whole document: what its pages repeat, its body, its notes, and whether anything is hidden."""
    container = ZipContainer("docx", content, password=password)
    part = main_part(container, USUAL)
    body = container.xml(part).find("w:body")
    if body is None:
        raise ConversionFailed("docx", f"its part {quoted(part)} has no body")
    related = relations(container, part)
    styles = Styles(container.xml_if_any(target_of_type(related, "styles")))
    numbering = Numbering(container.xml_if_any(target_of_type(related, "numbering")), styles)
    context = Context(container, styles, numbering, Notes(container, related), HiddenContentFlag())
    blocks = Blocks()
    blocks.raw(page_headers(body, related, context))
    DocxBodyWriter(context, related).write_content(body, blocks)
    write_notes(context, blocks)
    context.left_out.add_comment(blocks)
    return blocks.markdown()


DOCX = Converter("docx", VERSION, open_docx, load_decryption)
