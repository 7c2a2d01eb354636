"""Pages of a PDF as images, drawn by PDFium and packed by Pillow.

Each page is a unit, which crosses from the child as text: a line of facts and the image in base64.
"""

from __future__ import annotations

import ctypes
from time import process_time
from typing import Any

import pypdfium2 as pdfium
from PIL import Image
from pypdfium2 import raw

from ...errors import ConversionFailed
from ..contract import Converter
from ..picture_size import Wanted, box_in, decode_wanted, fitted_size
from ..pictures import encoded_picture
from . import SAMPLE
from .loading import load

VERSION = "1"
DRAWING_S = 4.0
"""Seconds of processor time after which a page is shown as far as it is drawn."""
MOST_PIXELS_ACROSS = 1 << 24
"""The page of which a small region is shown may be at most this large: PDFium counts in whole numbers."""
WHITE = 0xFFFFFFFF
LEAST_POINTS = 0.001
DAMAGED = "this page is damaged and cannot be drawn"


def open_pages(content: bytes, password: str | None, question: bytes) -> PageImages:
    """Opens a PDF whose pages are to be drawn; `question` says which part of them, and how large."""
    return PageImages(load(content, password), decode_wanted(question))


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
            image, finished = draw(page, self._wanted, self._document.formenv)
        finally:
            page.close()
        return encoded_picture(image, "PDF", image.size, unfinished=not finished)


def draw(page: pdfium.PdfPage, wanted: Wanted, forms: Any = None) -> tuple[Image.Image, bool]:
    """Draws a page, or the wanted part of it, on white; returns also whether it was drawn to its end."""
    width, height = (max(each, LEAST_POINTS) for each in page.get_size())
    left, top, right, bottom = box_in(wanted.region, width, height)
    shown = fitted_size(right - left, bottom - top, wanted)
    across = min(MOST_PIXELS_ACROSS, max(1, round(width * shown[0] / (right - left))))
    down = min(MOST_PIXELS_ACROSS, max(1, round(height * shown[1] / (bottom - top))))
    place = (-round(left * across / width), -round(top * down / height), across, down)
    bitmap = raw.FPDFBitmap_Create(*shown, 0)
    if not bitmap:
        raise MemoryError
    try:
        raw.FPDFBitmap_FillRect(bitmap, 0, 0, *shown, WHITE)
        finished = _drawn(page, bitmap, place, forms)
        stride = raw.FPDFBitmap_GetStride(bitmap)
        content = ctypes.string_at(raw.FPDFBitmap_GetBuffer(bitmap), stride * shown[1])
    finally:
        raw.FPDFBitmap_Destroy(bitmap)
    return Image.frombuffer("RGB", shown, content, "raw", "BGRX", stride, 1), finished


def _drawn(page: pdfium.PdfPage, bitmap: Any, place: tuple[int, int, int, int], forms: Any) -> bool:
    """Draws a page, its notes and its filled-in fields; False where that takes too long."""
    until = process_time() + DRAWING_S

    def is_late(_: Any) -> int:
        return process_time() > until

    pause = raw.IFSDK_PAUSE(version=1)
    pause.NeedToPauseNow = type(pause.NeedToPauseNow)(is_late)
    state = raw.FPDF_RenderPageBitmap_Start(bitmap, page.raw, *place, 0, raw.FPDF_ANNOT, pause)
    while state == raw.FPDF_RENDER_TOBECONTINUED and not is_late(None):
        state = raw.FPDF_RenderPage_Continue(page.raw, pause)
    raw.FPDF_RenderPage_Close(page.raw)
    if state == raw.FPDF_RENDER_FAILED:
        raise ConversionFailed("pdf", DAMAGED)
    if state == raw.FPDF_RENDER_DONE and forms:
        raw.FPDF_FFLDraw(forms.raw, bitmap, page.raw, *place, 0, raw.FPDF_ANNOT)
    return state == raw.FPDF_RENDER_DONE


PAGE_IMAGES = Converter("pdf", VERSION, open_pages, lambda: SAMPLE)
