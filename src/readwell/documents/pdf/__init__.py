"""Converts PDF pages to Markdown, with PDFium."""

from __future__ import annotations

from ..contract import Converter, Document

VERSION = "24"
"""The version of our rules; it changes with the Markdown of an unchanged document."""
SAMPLE = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj\n"
    b"4 0 obj<</Length 36>>stream\nBT /F 12 Tf 9 50 Td (Good day) Tj ET\nendstream endobj\n"
    b"5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n"
    b"trailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n"
)


def open_pdf(content: bytes, password: str | None, prepared: bytes) -> Document:
    """Opens a PDF; the first call loads PDFium."""
    from .pdf_document import open_pdf

    return open_pdf(content, password, prepared)


def open_printed(content: bytes, password: str | None, prepared: bytes) -> Document:
    """Opens a PDF whose Markdown keeps the printed lines."""
    from .pdf_document import open_pdf

    return open_pdf(content, password, prepared, printed=True)


PDF = Converter("pdf", VERSION, open_pdf, lambda: SAMPLE)


def open_unless_scanned(content: bytes, password: str | None, prepared: bytes, printed: bool = False) -> Document:
    """Opens a PDF; the first page that is an image ends the conversion, for an engine to take it up."""
    from .pdf_document import open_pdf
    from .scans.page_recognition import RefusingRecogniser, ScanHandling

    return open_pdf(content, password, prepared, printed, ScanHandling(RefusingRecogniser()))


def open_printed_unless_scanned(content: bytes, password: str | None, prepared: bytes) -> Document:
    """Does the same with printed lines kept."""
    return open_unless_scanned(content, password, prepared, printed=True)


UNSCANNED = Converter("pdf", VERSION, open_unless_scanned, lambda: SAMPLE)
PRINTED_UNSCANNED = Converter("pdf", VERSION, open_printed_unless_scanned, lambda: SAMPLE)
"""The same two, up to the first page that is an image."""
PRINTED = Converter("pdf", f"{VERSION} printed", open_printed, lambda: SAMPLE)
"""The same with a line of Markdown for each printed line."""
