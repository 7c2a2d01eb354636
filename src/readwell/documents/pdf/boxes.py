"""Geometry of boxes on a PDF page: their area, what two share, the box around several."""

from collections.abc import Iterable
from math import inf

from .page_model import Box, Word


def area(box: Box) -> float:
    """Returns the area of a box; at least a small positive number, so that one can divide by it."""
    return max(0.1, box[2] - box[0]) * max(0.1, box[3] - box[1])


def shared_area(one: Box, other: Box) -> float:
    """Returns the area of the intersection of two boxes."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, across) * max(0.0, down)


def box_around(one: Box, other: Box) -> Box:
    """Returns the bounding box of two boxes."""
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def box_around_words(words: Iterable[Word]) -> Box:
    """Returns the bounding box of words. A page asks for hundreds: one loop takes a quarter of four `min` and `max`."""
    x0 = top = inf
    x1 = bottom = -inf
    for word in words:
        if word.x0 < x0:
            x0 = word.x0
        if word.top < top:
            top = word.top
        if word.x1 > x1:
            x1 = word.x1
        if word.bottom > bottom:
            bottom = word.bottom
    return x0, top, x1, bottom
