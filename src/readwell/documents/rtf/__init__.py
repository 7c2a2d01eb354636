"""RTF becomes Markdown: headings, marks, lists, tables, notes and links, by a reader of our own."""

from __future__ import annotations

from ...errors import ConversionFailed
from ..contract import Converter
from ..guessed_encoding import load_encodings
from ..single_unit import SingleUnit
from .reader import RtfReader

VERSION = "6"
START = b"{\\rtf"


def rtf_markdown(format_name: str, content: bytes) -> str:
    """Returns an RTF as Markdown; raises ConversionFailed for what is none."""
    content = content.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not content.startswith(START):
        raise ConversionFailed(format_name, "it does not begin as RTF does")
    return RtfReader(content).markdown()


def open_rtf(content: bytes, password: str | None, prepared: bytes) -> SingleUnit:  # noqa: ARG001
    """Opens a document."""
    return SingleUnit(rtf_markdown("rtf", content))


RTF = Converter("rtf", VERSION, open_rtf, load_encodings)
