"""The rules of a page: thin boxes, straight strokes, the edges of shaded areas; and what is a picture instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from .model import Box, Frame, Rule, Rulings
from .notices import TOO_MUCH_DRAWN, Notices
from .paths import Path, Point, read_paths

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

THIN = 2.5
"""Points up to which a filled box is a rule."""
STRAIGHT = 0.7
"""Points by which an edge may lean."""
SHORTEST = 4.0
SMALLEST_SHADE = 60.0
MOST_SHADES = 800
WHITE = 250
SNAP, JOIN = 2.0, 3.0
SLANTED = 3.0
PAGE_SIZED = 0.8
PAGE_EDGE = 3.0


class Shade(NamedTuple):
    """A filled area and its colour."""

    box: Box
    colour: tuple[int, int, int]


class Strokes:
    """What has been found while the paths of a page are walked."""

    def __init__(self) -> None:
        self.level: list[Rule] = []
        self.upright: list[Rule] = []
        self.figures: list[Box] = []
        self.shades: list[Shade] = []

    def add(self, start: Point, end: Point, thin: float) -> None:
        """Adds a stroke or a thin box, given by two corners, if it is level or upright."""
        across, down = abs(end[0] - start[0]), abs(end[1] - start[1])
        if down <= thin and across >= SHORTEST:
            self.level.append(Rule((start[1] + end[1]) / 2, min(start[0], end[0]), max(start[0], end[0])))
        elif across <= thin and down >= SHORTEST:
            self.upright.append(Rule((start[0] + end[0]) / 2, min(start[1], end[1]), max(start[1], end[1])))


def read_rulings(page: PdfPage, frame: Frame, notices: Notices) -> Rulings:
    """Reads what is drawn on a page, in the frame in which its words were read."""
    strokes = Strokes()
    for path in read_paths(page, frame, notices):
        _sort(path, frame, strokes)
    if len(strokes.shades) > MOST_SHADES:
        notices.tell(TOO_MUCH_DRAWN)
    for x0, top, x1, bottom in _visible(strokes.shades[:MOST_SHADES]):
        for edge in pairwise(((x0, top), (x1, top), (x1, bottom), (x0, bottom), (x0, top))):
            strokes.add(*edge, THIN)
    return Rulings(
        level=[rule for rule in merged(strokes.level) if not _crosses(rule, frame.width)],
        upright=[rule for rule in merged(strokes.upright) if not _crosses(rule, frame.height)],
        figures=strokes.figures,
    )


def _sort(path: Path, frame: Frame, strokes: Strokes) -> None:
    """Puts each outline of a path where it belongs."""
    if path.curved:
        points = [point for outline in path.outlines for point in outline]
        if points:
            strokes.figures.append(_box(points))
        return
    for outline in path.outlines:
        box = x0, top, x1, bottom = _box(outline)
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


def _box(points: Iterable[Point]) -> Box:
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _is_page_sized(box: Box, frame: Frame) -> bool:
    """A frame or ground of the whole page would join everything on it into one table."""
    return box[2] - box[0] > PAGE_SIZED * frame.width and box[3] - box[1] > PAGE_SIZED * frame.height


def _visible(shades: list[Shade]) -> Iterator[Box]:
    """Yields the areas whose edges can be seen: one inside a larger of the same colour has none."""
    larger: dict[tuple[int, int, int], list[tuple[Box, float]]] = {}
    for box, colour in sorted(shades, key=lambda shade: -_area(shade.box)):
        around = larger.setdefault(colour, [])
        if not any(_holds(outer, box) and area > 1.05 * _area(box) for outer, area in around):
            yield box
        around.append((box, _area(box)))


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _holds(outer: Box, inner: Box) -> bool:
    return (
        outer[0] <= inner[0] + 1 and outer[1] <= inner[1] + 1 and outer[2] >= inner[2] - 1 and outer[3] >= inner[3] - 1
    )


def merged(rules: list[Rule]) -> list[Rule]:
    """Returns rules with neighbours at one position made one, and pieces that touch joined."""
    groups: list[list[Rule]] = []
    for rule in sorted(rules):
        if groups and rule.at - groups[-1][-1].at <= SNAP:
            groups[-1].append(rule)
        else:
            groups.append([rule])
    return [rule for group in groups for rule in _joined(group)]


def _joined(group: list[Rule]) -> Iterator[Rule]:
    at = sum(rule.at for rule in group) / len(group)
    pieces = sorted((rule.start, rule.end) for rule in group)
    start, end = pieces[0]
    for following, its_end in pieces[1:]:
        if following <= end + JOIN:
            end = max(end, its_end)
        else:
            yield Rule(at, start, end)
            start, end = following, its_end
    yield Rule(at, start, end)


def _crosses(rule: Rule, extent: float) -> bool:
    """A rule from one edge of the page to the other belongs to the page, not to a table."""
    return rule.start <= PAGE_EDGE and rule.end >= extent - PAGE_EDGE
