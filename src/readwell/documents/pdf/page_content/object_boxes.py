"""Where drawn objects are on the page as displayed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..page_model import Box, Frame
from ..pdfium_calls import IMAGE, Drawings, ObjectHandle
from .vector_paths import PageObject

if TYPE_CHECKING:
    from pypdfium2 import PdfPage


def box_of(drawings: Drawings, item: ObjectHandle, parent_matrix: tuple[float, ...]) -> Box:
    """Returns the box of an object; `parent_matrix` is that of what it is drawn in."""
    return displayed_box(drawings.bounds(item), parent_matrix)


def displayed_box(bounds: tuple[float, float, float, float], matrix: tuple[float, ...]) -> Box:
    """Returns the box on the page of a rectangle given as left, bottom, right and top."""
    left, bottom, right, top = bounds
    a, b, c, d, e, f = matrix
    xs = (a * left + c * bottom + e, a * right + c * top + e)
    ys = (b * left + d * bottom + f, b * right + d * top + f)
    return min(xs), min(ys), max(xs), max(ys)


def part_on_page(box: Box, frame: Frame) -> Box:
    """Returns the part of a box that is on the page; its sides may be negative where there is none."""
    x0, top, x1, bottom = box
    return max(0.0, x0), max(0.0, top), min(frame.width, x1), min(frame.height, bottom)


def share_of_page(box: Box, frame: Frame) -> float:
    """Returns the share of the page that a box covers."""
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1]) / (frame.width * frame.height)


def largest_image_share(page: PdfPage, frame: Frame, objects: Iterable[PageObject]) -> float:
    """Returns the share of the page that its largest image covers."""
    drawings = Drawings(page)
    boxes = (box_of(drawings, item, around) for kind, item, around in objects if kind == IMAGE)
    return max((share_of_page(part_on_page(box, frame), frame) for box in boxes), default=0.0)
