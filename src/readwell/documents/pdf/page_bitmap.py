"""A page drawn by PDFium into memory, whole or a part of it."""

from __future__ import annotations

import ctypes
from time import process_time
from typing import Any

import pypdfium2 as pdfium
from pypdfium2 import raw

from ...errors import ConversionFailed
from ...named_tuple import NamedTuple
from ..image_size import Wanted, box_in, fitted_size

DRAWING_S = 4.0
"""Seconds of processor time after which a page is shown as far as it is drawn."""
MAX_PIXELS_ACROSS = 1 << 24
"""The page of which a small region is shown may be at most this large: PDFium counts in whole numbers."""
WHITE = 0xFFFFFFFF
MIN_POINTS = 0.001
GREY, COLOUR = 1, 3
"""PDFium's numbers of the ways to keep a pixel: in a byte, or in four."""
DAMAGED = "this page is damaged and cannot be drawn"


class PageBitmap(NamedTuple):
    """Pixels of a page, row by row, a byte each in grey or four as blue, green, red and nothing."""

    size: tuple[int, int]
    stride: int
    """Bytes of a row."""
    content: bytes
    finished: bool
    """Whether the page was drawn to its end."""


def draw_page(
    page: pdfium.PdfPage,
    wanted: Wanted,
    forms: Any = None,
    colours: int = COLOUR,
    seconds: float = DRAWING_S,
    turn: int = 0,
) -> PageBitmap:
    """Draws a page, or the wanted part of it, on white; turned clockwise by so many quarters."""
    width, height = (max(each, MIN_POINTS) for each in page.get_size())
    if turn % 2:
        width, height = height, width
    left, top, right, bottom = box_in(wanted.region, width, height)
    shown = fitted_size(right - left, bottom - top, wanted)
    across = min(MAX_PIXELS_ACROSS, max(1, round(width * shown[0] / (right - left))))
    down = min(MAX_PIXELS_ACROSS, max(1, round(height * shown[1] / (bottom - top))))
    place = (-round(left * across / width), -round(top * down / height), across, down)
    bitmap = raw.FPDFBitmap_CreateEx(*shown, colours, None, 0)
    if not bitmap:
        raise MemoryError
    try:
        raw.FPDFBitmap_FillRect(bitmap, 0, 0, *shown, WHITE)
        finished = _draw_into(page, bitmap, (*place, turn), forms, seconds)
        stride = raw.FPDFBitmap_GetStride(bitmap)
        content = ctypes.string_at(raw.FPDFBitmap_GetBuffer(bitmap), stride * shown[1])
    finally:
        raw.FPDFBitmap_Destroy(bitmap)
    return PageBitmap(shown, stride, content, finished)


def _draw_into(
    page: pdfium.PdfPage, bitmap: Any, place: tuple[int, int, int, int, int], forms: Any, seconds: float
) -> bool:
    """Draws a page, its notes and its filled-in fields; False where that takes too long."""
    until = process_time() + seconds

    def is_late(_: Any) -> int:
        return process_time() > until

    pause = raw.IFSDK_PAUSE(version=1)
    pause.NeedToPauseNow = type(pause.NeedToPauseNow)(is_late)
    state = raw.FPDF_RenderPageBitmap_Start(bitmap, page.raw, *place, raw.FPDF_ANNOT, pause)
    while state == raw.FPDF_RENDER_TOBECONTINUED and not is_late(None):
        state = raw.FPDF_RenderPage_Continue(page.raw, pause)
    raw.FPDF_RenderPage_Close(page.raw)
    if state == raw.FPDF_RENDER_FAILED:
        raise ConversionFailed("pdf", DAMAGED)
    if state == raw.FPDF_RENDER_DONE and forms:
        raw.FPDF_FFLDraw(forms.raw, bitmap, page.raw, *place, raw.FPDF_ANNOT)
    return state == raw.FPDF_RENDER_DONE
