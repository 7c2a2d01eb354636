"""Finds the ruling lines of a page: thin boxes and images, straight strokes, edges of shades; other paths: figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from ....named_tuple import NamedTuple
from ..page_model import Box, Frame, RulingLine, Rulings
from ..page_notices import TOO_MUCH_DRAWN, Notices
from ..pdfium_calls import IMAGE, Drawings
from .clipping import clipped_box
from .object_boxes import box_of
from .vector_paths import THIN, PageObject, Path, Point, read_objects, read_paths

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

STRAIGHT = 0.7
"""The largest deviation of an edge from horizontal or vertical, in points."""
SHORTEST = 4.0
SMALLEST_SHADE = 60.0
MAX_SHADES = 800
WHITE = 250
SNAP, JOIN = 2.0, 3.0
SLANTED = 3.0
PAGE_SIZED = 0.8
PAGE_EDGE = 3.0


class Shade(NamedTuple):
    """A filled area and its colour."""

    box: Box
    colour: tuple[int, int, int]


class StrokeCollector:
    """Collects ruling lines, figures and shaded areas from the paths of a page."""

    def __init__(self) -> None:
        self.horizontal: list[RulingLine] = []
        self.vertical: list[RulingLine] = []
        self.figures: list[Box] = []
        self.shades: list[Shade] = []

    def add(self, start: Point, end: Point, thin: float) -> None:
        """Adds a stroke or a thin box, given by two corners, if it is horizontal or vertical."""
        across, down = abs(end[0] - start[0]), abs(end[1] - start[1])
        if down <= thin and across >= SHORTEST:
            self.horizontal.append(RulingLine((start[1] + end[1]) / 2, min(start[0], end[0]), max(start[0], end[0])))
        elif across <= thin and down >= SHORTEST:
            self.vertical.append(RulingLine((start[0] + end[0]) / 2, min(start[1], end[1]), max(start[1], end[1])))


def read_rulings(page: PdfPage, frame: Frame, notices: Notices, objects: Sequence[PageObject] | None = None) -> Rulings:
    """Reads the line drawing of a page, in the frame in which its words were read; `objects` are those of the page."""
    drawings, strokes = Drawings(page), StrokeCollector()
    if objects is None:
        objects = read_objects(drawings, frame, notices)
    for path in read_paths(drawings, objects, notices):
        _classify(path, frame, strokes)
    for kind, item, around in objects:
        if kind == IMAGE:
            x0, top, x1, bottom = box_of(drawings, item, around)
            if x1 - x0 <= THIN or bottom - top <= THIN:
                strokes.add((x0, top), (x1, bottom), THIN)
    if len(strokes.shades) > MAX_SHADES:
        notices.add(TOO_MUCH_DRAWN)
    for x0, top, x1, bottom in _with_visible_edges(strokes.shades[:MAX_SHADES]):
        for edge in pairwise(((x0, top), (x1, top), (x1, bottom), (x0, bottom), (x0, top))):
            strokes.add(*edge, THIN)
    return Rulings(
        horizontal=[ruling for ruling in merge_ruling_lines(strokes.horizontal) if not spans_page(ruling, frame.width)],
        vertical=[ruling for ruling in merge_ruling_lines(strokes.vertical) if not spans_page(ruling, frame.height)],
        figures=strokes.figures,
    )


def _classify(path: Path, frame: Frame, strokes: StrokeCollector) -> None:
    """Adds each outline of a path as ruling lines, as a figure or as a shaded area."""
    if path.curved:
        points = [point for outline in path.outlines for point in outline]
        if points:
            strokes.figures.append(_box(points))
        return
    for outline in path.outlines:
        box = x0, top, x1, bottom = _visible_box(outline, path, frame)
        if x1 < x0 or bottom < top:
            continue  # clipped away
        if x1 - x0 <= THIN or bottom - top <= THIN:
            strokes.add((x0, top), (x1, bottom), THIN)
        elif _is_page_sized(box, frame) or (not path.stroked and min(path.colour) >= WHITE):
            continue
        elif any(abs(a[0] - b[0]) > SLANTED and abs(a[1] - b[1]) > SLANTED for a, b in pairwise(outline)):
            strokes.figures.append(box)
        elif path.stroked:
            for start, end in pairwise(outline):
                strokes.add(start, end, STRAIGHT)
        elif (x1 - x0) * (bottom - top) >= SMALLEST_SHADE:
            strokes.shades.append(Shade(box, path.colour))


def _visible_box(outline: Sequence[Point], path: Path, frame: Frame) -> Box:
    """Returns the box of an outline; of a page-sized one what its clip shows: some programs paint every area so."""
    box = _box(outline)
    _, item, around = path.source
    return clipped_box(box, item, around) if _is_page_sized(box, frame) else box


def _box(points: Iterable[Point]) -> Box:
    """Returns the box around points."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _is_page_sized(box: Box, frame: Frame) -> bool:
    """Whether a box is a border or background of the whole page, which would join everything into one table."""
    return box[2] - box[0] > PAGE_SIZED * frame.width and box[3] - box[1] > PAGE_SIZED * frame.height


def _with_visible_edges(shades: list[Shade]) -> Iterator[Box]:
    """Yields the shaded areas with visible edges: one inside a larger area of the same colour has none."""
    larger: dict[tuple[int, int, int], list[tuple[Box, float]]] = {}
    for box, colour in sorted(shades, key=lambda shade: -_area(shade.box)):
        around = larger.setdefault(colour, [])
        if not any(_contains(outer, box) and area > 1.05 * _area(box) for outer, area in around):
            yield box
        around.append((box, _area(box)))


def _area(box: Box) -> float:
    """Returns the area of a box."""
    return (box[2] - box[0]) * (box[3] - box[1])


def _contains(outer: Box, inner: Box) -> bool:
    """Says whether a box contains another one, within a point."""
    return (
        outer[0] <= inner[0] + 1 and outer[1] <= inner[1] + 1 and outer[2] >= inner[2] - 1 and outer[3] >= inner[3] - 1
    )


def merge_ruling_lines(ruling_lines: list[RulingLine]) -> list[RulingLine]:
    """Merges ruling lines at nearly the same position, and joins pieces that touch."""
    groups: list[list[RulingLine]] = []
    for ruling in sorted(ruling_lines):
        if groups and ruling.at - groups[-1][-1].at <= SNAP:
            groups[-1].append(ruling)
        else:
            groups.append([ruling])
    return [ruling for group in groups for ruling in _joined(group)]


def _joined(group: list[RulingLine]) -> Iterator[RulingLine]:
    """Yields ruling lines on one line, joined where they touch."""
    at = sum(ruling.at for ruling in group) / len(group)
    pieces = sorted((ruling.start, ruling.end) for ruling in group)
    start, end = pieces[0]
    for next_start, next_end in pieces[1:]:
        if next_start <= end + JOIN:
            end = max(end, next_end)
        else:
            yield RulingLine(at, start, end)
            start, end = next_start, next_end
    yield RulingLine(at, start, end)


def spans_page(ruling: RulingLine, extent: float) -> bool:
    """Whether a ruling line goes from one edge of the page to the other: it belongs to the page, not to a table."""
    return ruling.start <= PAGE_EDGE and ruling.end >= extent - PAGE_EDGE
