"""What drawn objects are clipped to, and how the structure of the document refers to them."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import c_float, cast
from typing import Any

from pypdfium2 import raw

from ..page_model import Box
from ..pdfium_calls import Matrix, ObjectHandle
from .object_boxes import displayed_box

MAX_PATHS, MAX_STEPS = 20, 100
"""Paths that an object is clipped to, and steps of each, that are looked at."""


def clipped_box(box: Box, item: ObjectHandle, around: Matrix) -> Box:
    """Returns the part of an object's box that its clip shows; its sides may be negative where there is none."""
    for clip in _clip_boxes(item):
        x0, top, x1, bottom = displayed_box(clip, around)
        box = max(box[0], x0), max(box[1], top), min(box[2], x1), min(box[3], bottom)
    return box


def _clip_boxes(item: ObjectHandle) -> Iterator[tuple[float, float, float, float]]:
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
