"""Images on a page of text, each named in the Markdown by the page and region that show it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import ceil, floor
from typing import TYPE_CHECKING

from ....named_tuple import NamedTuple
from ..boxes import area, box_around, shared_area
from ..heading_search.consecutive_lines import Flow
from ..page_model import Box, Frame, Table
from ..page_text.inline_markdown import BRACKET, printable
from ..pdfium_calls import IMAGE, Drawings
from ..text_patterns import picture_label
from .clipping import clipped_box, marked_content_id
from .object_boxes import box_of, part_on_page, share_of_page
from .page_coordinates import box_in_page_shares
from .structure_tags import read_alternatives
from .text_lines import Line
from .vector_paths import PageObject

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

MIN_SHARE, MAX_SHARE = 0.02, 0.85
"""The shares of a page that an image covers: a smaller one is a logo, a larger one is the page or its ground."""
MIN_SIDE = 24.0
MAX_IMAGES = 200
TOUCHING = 1.0
"""The distance, in points, of images that are parts of one: many programs cut images into stripes."""
MIN_FILLED = 0.3
"""The share of its box that the parts of an image fill: ruling lines drawn as images leave most of it empty."""
CAPTION_DISTANCE = 40.0
LONGEST_ALTERNATIVE = 200


class EmbeddedImage(NamedTuple):
    """An image: its box, what names its place in the document, and the alternative text that the document has."""

    box: Box
    address: str
    alternative: str = ""


def read_embedded_images(
    page: PdfPage, number: int, frame: Frame, objects: Iterable[PageObject]
) -> list[EmbeddedImage]:
    """Returns the images of a page that are worth a look, from top to bottom."""
    parts = [*_visible_image_boxes(page, frame, objects)]
    if not parts:
        return []
    rotation = page.get_rotation()
    alternatives = read_alternatives(page)
    return [
        EmbeddedImage(box, _address(number, box_in_page_shares(box, frame, rotation)), _first(alternatives, marks))
        for box, marks in sorted(_joined(parts))
        if _is_worth_a_look(box, frame)
    ]


def image_markdown_by_item(flow: Flow, images: Sequence[EmbeddedImage]) -> dict[int, list[str]]:
    """Returns what names the images, by the number of the item of the page before which each is to be written."""
    marks: dict[int, list[str]] = {}
    for image in images:
        alternative = image.alternative or _caption_label(flow, image.box)
        shown = BRACKET.sub(r"\\\g<0>", printable(" ".join(alternative.split()))[:LONGEST_ALTERNATIVE])
        marks.setdefault(_position_of_image(flow, image.box), []).append(f"![{shown}]({image.address})")
    return marks


def _visible_image_boxes(page: PdfPage, frame: Frame, objects: Iterable[PageObject]) -> Iterator[tuple[Box, list[int]]]:
    """Yields the visible boxes of images, each with the number by which the structure of the document marks it."""
    drawings, count = Drawings(page), 0
    for kind, item, matrix in objects:
        if kind != IMAGE or count == MAX_IMAGES:
            continue
        count += 1
        box = clipped_box(part_on_page(box_of(drawings, item, matrix), frame), item, matrix)
        if box[0] < box[2] and box[1] < box[3]:
            yield box, [marked_content_id(item)]


def _joined(parts: list[tuple[Box, list[int]]]) -> list[tuple[Box, list[int]]]:
    """Joins parts that touch, until none do; those that fill little of their box are no image."""
    whole: list[tuple[Box, list[int], float]] = []
    for box, marks in parts:
        filled = area(box)
        while touching := [other for other in whole if shared_area(_with_margin(box), other[0]) > 0]:
            whole = [other for other in whole if other not in touching]
            for other, more, part in touching:
                box, marks, filled = box_around(box, other), more + marks, filled + part
        whole.append((box, marks, filled))
    return [(box, marks) for box, marks, filled in whole if filled >= MIN_FILLED * area(box)]


def _with_margin(box: Box) -> Box:
    """Returns a box with a margin."""
    return box[0] - TOUCHING, box[1] - TOUCHING, box[2] + TOUCHING, box[3] + TOUCHING


def _is_worth_a_look(box: Box, frame: Frame) -> bool:
    """Says whether an image is neither decoration nor the whole page."""
    shorter = min(box[2] - box[0], box[3] - box[1])
    return shorter >= MIN_SIDE and MIN_SHARE <= share_of_page(box, frame) <= MAX_SHARE


def _address(number: int, shares: Box) -> str:
    """Returns the page and region that show an image, as `view="image"` takes them."""
    x0, top = (max(0, min(999, floor(1000 * share + 0.01))) for share in shares[:2])
    x1, bottom = (max(1, min(1000, ceil(1000 * share - 0.01))) for share in shares[2:])
    return f"#page={number}&region={x0},{top},{max(x1, x0 + 1)},{max(bottom, top + 1)}"


def _first(alternatives: dict[int, str], marks: list[int]) -> str:
    """Returns the first alternative text of an image."""
    return next((alternatives[mark] for mark in marks if mark in alternatives), "")


def _caption_label(flow: Flow, box: Box) -> str:
    """Returns "Figure 3" where a caption near an image begins so, below it rather than above."""
    near = [line for line in flow if isinstance(line, Line) and _overlap_width(_box(line), box) > 0]
    below = [(line.top - box[3], line.text) for line in near if line.bottom > box[3]]
    above = [(box[1] - line.bottom, line.text) for line in near if line.top < box[1]]
    for distance, text in (*sorted(below), *sorted(above)):
        label = picture_label(text)
        if label and distance <= CAPTION_DISTANCE:
            return label
    return ""


def _position_of_image(flow: Flow, box: Box) -> int:
    """Returns the number of the item before which an image is to be written: the next below it in its column."""
    boxes = [_box(item) for item in flow]
    column = [number for number, other in enumerate(boxes) if _overlap_width(other, box) > 0] or [*range(len(boxes))]
    below = [number for number in column if (boxes[number][1] + boxes[number][3]) / 2 >= box[1]]
    if below:
        return min(below, key=lambda number: boxes[number][1])
    return max(column, key=lambda number: boxes[number][3], default=-1) + 1


def _box(item: Line | Table) -> Box:
    """Returns the box of a line or table."""
    return item.box if isinstance(item, Table) else (item.x0, item.top, item.x1, item.bottom)


def _overlap_width(one: Box, other: Box) -> float:
    """Returns how wide two boxes are above each other."""
    return min(one[2], other[2]) - max(one[0], other[0])
