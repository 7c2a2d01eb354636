"""Counts the images of a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pypdfium2 as pdfium
from pypdfium2 import raw

MOST_OBJECTS = 10_000


def count_images(page: pdfium.PdfPage) -> str:
    """Returns the number of images of a page in words; the search is bounded, for a form may contain itself."""
    images = examined = 0
    pending = [_objects(page.raw, raw.FPDFPage_CountObjects, raw.FPDFPage_GetObject)]
    while pending and examined < MOST_OBJECTS:
        item = next(pending[-1], None)
        if item is None:
            pending.pop()
            continue
        examined += 1
        kind = raw.FPDFPageObj_GetType(item)
        images += kind == raw.FPDF_PAGEOBJ_IMAGE
        if kind == raw.FPDF_PAGEOBJ_FORM:
            pending.append(_objects(item, raw.FPDFFormObj_CountObjects, raw.FPDFFormObj_GetObject))
    least = "at least " if pending else ""
    return f"{least}{images:,} image{'s' if images != 1 else ''}" if images or least else ""


def _objects(parent: Any, count: Any, get: Any) -> Iterator[Any]:
    return (get(parent, number) for number in range(max(0, count(parent))))
