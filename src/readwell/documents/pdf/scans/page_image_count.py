"""The images of a page: how many there are, whether one may be a scan, and whether the page is blank."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import c_uint
from typing import Any

import pypdfium2 as pdfium
from pypdfium2 import raw

MAX_OBJECTS = 10_000
MIN_PIXELS = 24
"""Pixels of each side of an image that may show words."""


def image_count_in_words(page: pdfium.PdfPage) -> str:
    """Returns the number of images of a page in words."""
    images = least = 0
    for image in _images(page):
        images += image is not None
        least += image is None
    return f"{'at least ' * least}{images:,} image{'s' if images != 1 else ''}" if images or least else ""


def has_scan(page: pdfium.PdfPage) -> bool:
    """Whether an image of a page has enough pixels for words."""
    return any(image is not None and min(_pixels(image)) >= MIN_PIXELS for image in _images(page))


def is_blank(page: pdfium.PdfPage) -> bool:
    """Whether there is nothing on a page: no image, text or line, also none that cannot be seen, and no annotation."""
    return next(_drawn_objects(page), False) is False and not raw.FPDFPage_GetAnnotCount(page.raw)


def _images(page: pdfium.PdfPage) -> Iterator[Any]:
    """Yields the images of a page, and None where the bounded search ends early."""
    for item in _drawn_objects(page):
        if item is None or raw.FPDFPageObj_GetType(item) == raw.FPDF_PAGEOBJ_IMAGE:
            yield item


def _drawn_objects(page: pdfium.PdfPage) -> Iterator[Any]:
    """Yields what is drawn on a page, and None where the bounded search ends early: a form may contain itself."""
    examined = 0
    pending = [_objects(page.raw, raw.FPDFPage_CountObjects, raw.FPDFPage_GetObject)]
    while pending and examined < MAX_OBJECTS:
        item = next(pending[-1], None)
        if item is None:
            pending.pop()
            continue
        examined += 1
        if raw.FPDFPageObj_GetType(item) == raw.FPDF_PAGEOBJ_FORM:
            pending.append(_objects(item, raw.FPDFFormObj_CountObjects, raw.FPDFFormObj_GetObject))
        else:
            yield item
    if pending:
        yield None


def _pixels(image: Any) -> tuple[int, int]:
    """Returns the size of an image in pixels."""
    width, height = c_uint(), c_uint()
    known = raw.FPDFImageObj_GetImagePixelSize(image, width, height)
    return (width.value, height.value) if known else (0, 0)


def _objects(parent: Any, count: Any, get: Any) -> Iterator[Any]:
    """Returns the objects of a page or group."""
    return (get(parent, number) for number in range(max(0, count(parent))))
