"""What drawn objects are clipped to, and how the structure of the document refers to them."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import c_float, cast
from typing import Any

from pypdfium2 import raw

from ..pdfium_calls import ObjectHandle

MAX_PATHS, MAX_STEPS = 20, 100
"""Paths that an object is clipped to, and steps of each, that are looked at."""


def clip_boxes(item: ObjectHandle) -> Iterator[tuple[float, float, float, float]]:
    """Yields left, bottom, right and top of what an object is clipped to, within its page or form."""
    clip = raw.FPDFPageObj_GetClipPath(_handle(item))
    for path in range(min(raw.FPDFClipPath_CountPaths(clip), MAX_PATHS) if clip else 0):
        count = min(raw.FPDFClipPath_CountPathSegments(clip, path), MAX_STEPS)
        points = [_point(raw.FPDFClipPath_GetPathSegment(clip, path, number)) for number in range(count)]
        if points:
            xs, ys = zip(*points, strict=True)
            yield min(xs), min(ys), max(xs), max(ys)


def _point(step: object) -> tuple[float, float]:
    """Returns where a step of a path leads."""
    x, y = c_float(), c_float()
    raw.FPDFPathSegment_GetPoint(step, x, y)
    return x.value, y.value


def marked_content_id(item: ObjectHandle) -> int:
    """Returns the number by which the structure of the document refers to an object; -1 where it does not."""
    return raw.FPDFPageObj_GetMarkedContentID(_handle(item))


def _handle(item: ObjectHandle) -> Any:
    kind: Any = raw.FPDF_PAGEOBJECT
    return cast(item, kind)
