"""Pages of a PDF as images, drawn by PDFium and packed by Pillow.

Each page is a unit, which crosses from the child as text: a line of facts and the image in base64.
"""

from __future__ import annotations

import pypdfium2 as pdfium
from PIL import Image

from ...errors import ConversionFailed
from ..contract import Converter
from ..image_conversion import encoded_picture
from ..image_size import Wanted, decode_wanted
from . import SAMPLE
from .page_bitmap import DAMAGED, draw_page
from .pdf_loading import load_pdf

VERSION = "1"


def open_page_images(content: bytes, password: str | None, question: bytes) -> PageImages:
    """Opens a PDF whose pages are to be drawn; `question` says which part of them, and how large."""
    return PageImages(load_pdf(content, password), decode_wanted(question))


class PageImages:
    """An opened PDF whose units are images of its pages."""

    unit = "page"

    def __init__(self, document: pdfium.PdfDocument, wanted: Wanted) -> None:
        self._document, self._wanted = document, wanted
        self.count = len(document)

    def prepared(self) -> bytes:
        """Returns nothing: drawing a page learns nothing about others."""
        return b""

    def markdown(self, number: int) -> str:
        """Returns the image of a page."""
        try:
            page = self._document[number - 1]
        except pdfium.PdfiumError as error:
            raise ConversionFailed("pdf", DAMAGED) from error
        try:
            drawn = draw_page(page, self._wanted, self._document.formenv)
        finally:
            page.close()
        image = Image.frombuffer("RGB", drawn.size, drawn.content, "raw", "BGRX", drawn.stride, 1)
        return encoded_picture(image, "PDF", drawn.size, unfinished=not drawn.finished)


PAGE_IMAGES = Converter("pdf", VERSION, open_page_images, lambda: SAMPLE)
