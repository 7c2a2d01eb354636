"""The PDF converter that recognises pages without text; an attribute of this module for each way to do it.

`paragraphs,auto,eng+deu` is what lines are, which pages are recognised, and the languages.
"""

from __future__ import annotations

import sys
from functools import cache, partial

from ...errors import ConversionFailed
from ..contract import Converter, Document
from ..pdf import SAMPLE
from ..pdf.pdf_document import open_pdf
from ..pdf.scans.page_recognition import Recogniser, ScanHandling
from . import find_language_data

VERSION = "3"


def __getattr__(name: str) -> Converter:
    lines, _, rest = name.partition(",")
    pages, _, languages = rest.partition(",")
    if lines not in ("printed", "paragraphs") or pages not in ("auto", "always"):
        raise AttributeError(name)
    return Converter("pdf", VERSION, partial(_open, languages, lines == "printed", pages == "always"), lambda: SAMPLE)


def _open(
    languages: str, printed: bool, always: bool, content: bytes, password: str | None, prepared: bytes
) -> Document:
    return open_pdf(content, password, prepared, printed, ScanHandling(_engine(languages), always))


@cache
def _engine(languages: str) -> Recogniser:
    """Loads the engine, once: by the sample, before a child enters the cage."""
    from .tesseract import Tesseract

    data = find_language_data(sys.path, languages.split("+"))
    if data is None:
        raise ConversionFailed("pdf", f"there is no data of the languages {languages} for recognition")
    return Tesseract(data)
