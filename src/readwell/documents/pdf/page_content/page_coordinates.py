"""The coordinate transform of a page: PDF counts from the bottom, and a page may be rotated."""

from math import isfinite

from ..page_model import Box, Frame

LETTER = (0.0, 0.0, 612.0, 792.0)
MIN_SIDE = 10.0


def frame_of(box: tuple[float, float, float, float], rotation: int) -> Frame:
    """Returns the frame of a page from its visible box (left, bottom, right, top) and its clockwise rotation."""
    left, bottom, right, top = _valid_box(box)
    width, height = right - left, top - bottom
    if rotation == 90:
        return Frame(a=0.0, b=1.0, c=1.0, d=0.0, e=-bottom, f=-left, width=height, height=width, rotation=rotation)
    if rotation == 180:
        return Frame(a=-1.0, b=0.0, c=0.0, d=1.0, e=right, f=-bottom, width=width, height=height, rotation=rotation)
    if rotation == 270:
        return Frame(a=0.0, b=-1.0, c=-1.0, d=0.0, e=top, f=right, width=height, height=width, rotation=rotation)
    return Frame(a=1.0, b=0.0, c=0.0, d=-1.0, e=-left, f=top, width=width, height=height, rotation=0)


def _valid_box(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    """Returns the box with its corners in order, or letter size where it is too small for a page."""
    if not all(map(isfinite, box)):
        return LETTER
    left, right = sorted((box[0], box[2]))
    bottom, top = sorted((box[1], box[3]))
    return (left, bottom, right, top) if min(right - left, top - bottom) >= MIN_SIDE else LETTER


def box_in_page_shares(box: Box, frame: Frame, rotation: int) -> Box:
    """Returns a box in shares of the page as a viewer shows it, which may be turned otherwise than the frame."""
    x0, top, x1, bottom = (
        box[0] / frame.width, box[1] / frame.height, box[2] / frame.width, box[3] / frame.height,
    )  # fmt: skip
    turns = (frame.rotation - rotation) % 360
    if turns == 90:
        return top, 1 - x1, bottom, 1 - x0
    if turns == 180:
        return 1 - x1, 1 - bottom, 1 - x0, 1 - top
    if turns == 270:
        return 1 - bottom, x0, 1 - top, x1
    return x0, top, x1, bottom
