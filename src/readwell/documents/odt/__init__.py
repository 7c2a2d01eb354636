"""ODT becomes Markdown: headings, lists, tables and notes, as a person sees the final text."""

from __future__ import annotations

from ...errors import ConversionFailed
from ..contract import Converter
from ..markdown_blocks import Blocks
from ..single_unit import SingleUnit
from ..xml_tree import at
from ..zip_container import ZipContainer
from .body import OdfBodyWriter
from .heading_numbers import HeadingNumbering
from .page_headers import page_headers
from .password_check import refuse_locked
from .styles import Styles

VERSION = "6"


def open_odt(content: bytes, password: str | None, prepared: bytes) -> SingleUnit:  # noqa: ARG001
    """Opens an ODT; one with a password is refused."""
    return SingleUnit(_markdown(content))


def _markdown(content: bytes) -> str:
    """Returns the whole document: what its pages repeat, its body, its notes."""
    container = ZipContainer("odt", content)
    refuse_locked(container)
    root = container.xml("content.xml")
    text = at(root, "office:body", "office:text")
    if text is None:
        raise ConversionFailed("odt", "its part content.xml has no text")
    shared = container.xml_if_any("styles.xml")
    roots = [root] if shared is None else [shared, root]
    styles = Styles(roots)
    body = OdfBodyWriter(styles, HeadingNumbering(roots))
    blocks = Blocks()
    blocks.raw(page_headers(shared, styles, body.left_out))
    body.write_content(text, blocks)
    body.write_notes(blocks)
    return blocks.markdown()


ODT = Converter("odt", VERSION, open_odt)
