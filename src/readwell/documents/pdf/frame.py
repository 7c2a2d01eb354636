"""The coordinate transform of a page: PDF counts from the bottom, and a page may be rotated."""

from math import isfinite

from .model import Frame

LETTER = (0.0, 0.0, 612.0, 792.0)
LEAST_SIDE = 10.0


def frame_of(box: tuple[float, float, float, float], rotation: int) -> Frame:
    """Returns the frame of a page from its visible box (left, bottom, right, top) and its clockwise rotation."""
    left, bottom, right, top = _valid_box(box)
    width, height = right - left, top - bottom
    if rotation == 90:
        return Frame(a=0, b=1, c=1, d=0, e=-bottom, f=-left, width=height, height=width, rotation=rotation)
    if rotation == 180:
        return Frame(a=-1, b=0, c=0, d=1, e=right, f=-bottom, width=width, height=height, rotation=rotation)
    if rotation == 270:
        return Frame(a=0, b=-1, c=-1, d=0, e=top, f=right, width=height, height=width, rotation=rotation)
    return Frame(a=1, b=0, c=0, d=-1, e=-left, f=top, width=width, height=height, rotation=0)


def _valid_box(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    """Returns the box with its corners in order, or letter size where it is too small for a page."""
    if not all(map(isfinite, box)):
        return LETTER
    left, right = sorted((box[0], box[2]))
    bottom, top = sorted((box[1], box[3]))
    return (left, bottom, right, top) if min(right - left, top - bottom) >= LEAST_SIDE else LETTER
