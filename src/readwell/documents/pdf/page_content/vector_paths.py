"""The vector paths of a page, also those inside forms, in coordinates of the page as displayed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isfinite

from ....named_tuple import NamedTuple
from ..page_model import Frame
from ..page_notices import TOO_MUCH_DRAWN, Notices
from ..pdfium_calls import CURVE, FORM, MOVE, PATH, Drawings, Matrix, ObjectHandle, Step

MAX_SEGMENTS = 6000
MAX_OBJECTS = 200_000
DEEPEST_FORM = 8
THIN = 2.5
"""The largest thickness of a filled box that is a ruling line, in points."""
ONE_OUTLINE = 5
"""The most steps with which no second outline can enclose anything."""

Point = tuple[float, float]


PageObject = tuple[int, ObjectHandle, Matrix]
"""An object of a page that is no form: its kind, its handle, and the matrix of what it is drawn in."""


class Path(NamedTuple):
    """Outlines painted together. `colour` is the fill colour."""

    outlines: list[list[Point]]
    curved: bool
    stroked: bool
    colour: tuple[int, int, int]
    source: PageObject


def read_paths(drawings: Drawings, objects: Iterable[PageObject], notices: Notices) -> Iterator[Path]:
    """Yields the visible paths up to a total of 6000 segments: a page with more is a drawing, not a table."""
    left = MAX_SEGMENTS
    for source in objects:
        kind, path, around = source
        if kind != PATH:
            continue
        count = drawings.count_steps(path)
        left -= count
        if left < 0:
            return notices.add(TOO_MUCH_DRAWN)
        filled, stroked = drawings.paint_modes(path)
        corners = _thin_box(drawings, path, around) if filled and not stroked and count <= ONE_OUTLINE else None
        if corners:
            yield Path([corners], False, stroked, (0, 0, 0), source)
        elif filled or stroked:
            matrix = _combine_matrices(drawings.matrix(path), around)
            colour = drawings.colour(path) if filled else (0, 0, 0)
            outlines, curved = _outlines(drawings.steps(path, count), matrix)
            yield Path(outlines, curved, stroked, colour, source)


def _thin_box(drawings: Drawings, path: ObjectHandle, around: Matrix) -> list[Point] | None:
    """Returns two corners of a filled path that is a thin box: most paths are, and PDFium knows their bounds."""
    a, b, c, d, e, f = around
    if b or c:
        return None
    left, bottom, right, top = drawings.bounds(path)
    if not (abs(a * (right - left)) <= THIN or abs(d * (top - bottom)) <= THIN):
        return None
    return [(a * left + e, d * bottom + f), (a * right + e, d * top + f)]


def read_objects(drawings: Drawings, frame: Frame, notices: Notices) -> list[PageObject]:
    """Returns the objects of a page in the order in which they are drawn; those of a form come where it is drawn."""
    objects: list[PageObject] = []
    open_forms = [(drawings.objects_on_page(), frame[:6])]
    left = MAX_OBJECTS
    while open_forms:
        items, around = open_forms[-1]
        for kind, item in items:
            left -= 1
            if kind != FORM:
                objects.append((kind, item, around))
            elif len(open_forms) <= DEEPEST_FORM:
                open_forms.append((drawings.objects_in_form(item), _combine_matrices(drawings.matrix(item), around)))
                break
            if not left:
                break
        else:
            open_forms.pop()
            left -= 1
        if open_forms and left <= 0:
            notices.add(TOO_MUCH_DRAWN)
            break
    return objects


def _combine_matrices(inner: Matrix, outer: Matrix) -> Matrix:
    """Returns the matrix that applies `inner` first."""
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def _outlines(steps: Iterable[Step], matrix: Matrix) -> tuple[list[list[Point]], bool]:
    """Returns the points of each outline, and whether any step is a curve."""
    a, b, c, d, e, f = matrix
    runs: list[list[Point]] = []
    curved = False
    for kind, x, y in steps:
        point = (a * x + c * y + e, b * x + d * y + f)
        if not isfinite(point[0] + point[1]):
            continue
        if kind == MOVE or not runs:
            runs.append([])
        runs[-1].append(point)
        curved = curved or kind == CURVE
    return runs, curved
