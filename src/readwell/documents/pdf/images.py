"""How many images a page shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pypdfium2 as pdfium
from pypdfium2 import raw

MOST_OBJECTS = 10_000


def count_images(page: pdfium.PdfPage) -> str:
    """Tells how many images a page has, also inside forms; a form may hold itself, so what is looked at is bounded."""
    images = looked_at = 0
    waiting = [_objects(page.raw, raw.FPDFPage_CountObjects, raw.FPDFPage_GetObject)]
    while waiting and looked_at < MOST_OBJECTS:
        found = next(waiting[-1], None)
        if found is None:
            waiting.pop()
            continue
        looked_at += 1
        kind = raw.FPDFPageObj_GetType(found)
        images += kind == raw.FPDF_PAGEOBJ_IMAGE
        if kind == raw.FPDF_PAGEOBJ_FORM:
            waiting.append(_objects(found, raw.FPDFFormObj_CountObjects, raw.FPDFFormObj_GetObject))
    least = "at least " if waiting else ""
    return f"{least}{images:,} image{'s' if images != 1 else ''}" if images or least else ""


def _objects(holder: Any, count: Any, get: Any) -> Iterator[Any]:
    return (get(holder, number) for number in range(max(0, count(holder))))
