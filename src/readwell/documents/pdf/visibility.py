"""Which words of a page cannot be seen: invisible, transparent, tiny, in the colour of their ground, or covered.

Where how a page is painted gives a reason for doubt, the page is drawn with the doubtful text and without it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from ctypes import c_int, c_size_t, c_void_p, create_string_buffer
from functools import cache
from typing import TYPE_CHECKING, Any

from ...model import ImageRegion
from ...named_tuple import NamedTuple
from ..picture_size import Wanted
from .drawing import Drawn, draw
from .frame import shares_of_page
from .model import Box, PageWords, Word
from .object_boxes import box_of, image_share, on_page
from .paths import PageObject
from .pdfium import IMAGE, PATH, SHADING, TEXT, Drawings, Item, Paint, bound

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

FILLED, STROKED, FILLED_AND_STROKED, INVISIBLE = 0, 1, 2, 3
OPAQUE = 16
"""The least opacity, of 255, that can be seen."""
ALIKE = 24
"""The largest difference, of 255, between two colours that look the same."""
PAPER = (255, 255, 255)
SMALLEST = 4.0
"""The sides of a shape that can cover a word, in points, are at least so long."""
COVERED = 0.8
"""The share of a word that a shape must cover to hide it."""
SCAN = 0.5
"""The share of the page that the image of a scan covers."""
MAX_SHAPES = 400
DRAWN_SIDE, DRAWING_S = 1000, 1.0
STANDARD_FONTS = (b"helvetica", b"arial", b"times", b"courier", b"symbol", b"zapfdingbats")
NAME_BYTES = 64

Colour = tuple[int, ...]
NOWHERE: Box = (0.0, 0.0, 0.0, 0.0)


class Shape(NamedTuple):
    """Something that is drawn over an area; its colour is None for images."""

    number: int
    """Its place in the order of drawing."""
    box: Box
    colour: Colour | None


BLANK = Shape(0, (0.0, 0.0, 0.0, 0.0), PAPER)


class Unseen(NamedTuple):
    """The `char_index` of each word that cannot be seen, and whether the page is the image of a scan."""

    words: frozenset[int]
    layer: bool


ALL_SEEN = Unseen(frozenset(), False)


class PageView(NamedTuple):
    """A page while its words are judged."""

    page: PdfPage
    words: PageWords
    objects: Sequence[PageObject]
    object_of: Callable[[int], int | None]
    """Returns the text object that draws a character."""


def find_unseen(view: PageView) -> Unseen:
    """Returns the words of a page that cannot be seen."""
    words, paints = view.words.words, view.words.paints
    invisible = {item for item, paint in paints.items() if _is_invisible(paint)}
    unseen = {word.char_index for word in words if word.font.tiny}
    if invisible:
        unseen |= {word.char_index for word in words if view.object_of(word.char_index) in invisible}
    hidden = unseen | _not_drawn(view, _doubtful(view, unseen))
    if not hidden:
        return ALL_SEEN
    return Unseen(frozenset(hidden), image_share(view.page, view.words.frame, view.objects) >= SCAN)


def _is_invisible(paint: Paint) -> bool:
    """Says whether text is painted so that nothing shows."""
    mode, colour = paint
    return mode == INVISIBLE or (mode == FILLED and colour is not None and colour[3] < OPAQUE)


def _doubtful(view: PageView, unseen: set[int]) -> list[Word]:
    """Returns the words that may be covered, or in the colour of what they are printed on."""
    colours = {item: colour[:3] for item, (_, colour) in view.words.paints.items() if colour is not None}
    inks = {*colours.values()}
    pale = {ink for ink in inks if _are_alike(ink, PAPER)}
    if not pale and all(kind == TEXT for kind, _, _ in view.objects):
        return []
    shapes = _shapes(view)
    if not shapes and not pale:
        return []
    judged = Judged(view, [word for word in view.words.words if word.char_index not in unseen], colours)
    alike = [shape for shape in shapes if shape.colour and any(_are_alike(shape.colour, ink) for ink in inks)]
    pale_words = (word for word in judged.words if judged.ink(word) in pale) if pale else ()
    like_ground = (word for word in (*judged.within(alike), *pale_words) if judged.is_like_its_ground(word, shapes))
    return [*judged.covered_by(shapes), *like_ground]


def _shapes(view: PageView) -> list[Shape]:
    """Returns what is filled on the page and large enough to hide a word, or to be the ground of one."""
    drawings, frame = Drawings(view.page), view.words.frame
    shapes: list[Shape] = []
    for number, (kind, item, around) in enumerate(view.objects):
        if kind not in (PATH, IMAGE, SHADING) or (kind == PATH and not drawings.paint_modes(item)[0]):
            continue
        x0, top, x1, bottom = box = on_page(box_of(drawings, item, around), frame)
        if x1 - x0 >= SMALLEST and bottom - top >= SMALLEST:
            shapes.append(Shape(number, box, drawings.colour(item) if kind == PATH else None))
            if len(shapes) == MAX_SHAPES:
                break
    return shapes


class Judged:
    """Words of a page, by their height on it, with the colours of the text objects that draw them."""

    def __init__(self, view: PageView, words: list[Word], colours: dict[int, Colour]) -> None:
        self.words = sorted(words, key=lambda word: word.mid_y)
        self._heights = [word.mid_y for word in self.words]
        self._object_of, self._colours = view.object_of, colours
        self._order = {item.value: number for number, (kind, item, _) in enumerate(view.objects) if kind == TEXT}
        self._first = min(self._order.values(), default=len(view.objects))

    def ink(self, word: Word) -> Colour | None:
        """Returns the colour of a word; None where it has no plain one."""
        return self._colours.get(self._object_of(word.char_index) or 0)

    def covered_by(self, shapes: Iterable[Shape]) -> Iterator[Word]:
        """Yields the words that shapes are drawn upon."""
        for shape in shapes:
            if shape.number > self._first:
                yield from (word for word in self.within([shape]) if self._number(word) < shape.number)

    def within(self, shapes: Iterable[Shape]) -> Iterator[Word]:
        """Yields the words that lie in shapes."""
        for shape in shapes:
            _, top, _, bottom = shape.box
            for word in self.words[bisect_left(self._heights, top) : bisect_left(self._heights, bottom)]:
                if _lies_in(word, shape.box):
                    yield word

    def is_like_its_ground(self, word: Word, shapes: Sequence[Shape]) -> bool:
        """Whether a word has, or may have, the colour of what it is printed on."""
        number, ink = self._number(word), self.ink(word)
        below = (shape for shape in reversed(shapes) if shape.number < number and _lies_in(word, shape.box))
        ground = next(below, BLANK).colour
        return ink is not None and (ground is None or _are_alike(ink, ground))

    def _number(self, word: Word) -> int:
        """Returns the place of a word in the order of drawing."""
        return self._order.get(self._object_of(word.char_index), -1)


def _not_drawn(view: PageView, words: Iterable[Word]) -> set[int]:
    """Returns those of the words that make no difference to how the page looks.

    Text in a substituted font is left out of the drawings, and counts as seen: see `_is_substituted`.
    """
    by_index = {word.char_index: word for word in words}
    items = {item for index in by_index if (item := view.object_of(index))}
    if not items:
        return set()
    substituted = {
        item.value for kind, item, _ in view.objects if kind == TEXT and item.value and _is_substituted(item)
    }
    by_index = {index: word for index, word in by_index.items() if view.object_of(index) not in substituted}
    items -= substituted
    if not items:
        return set()
    # Of a text that is printed twice PDFium tells only the first: its twin may be the one that is seen.
    items |= {item.value for kind, item, _ in view.objects if kind == TEXT and item.value} - view.words.paints.keys()
    frame, rotation = view.words.frame, view.page.get_rotation()
    boxes = {
        index: shares_of_page((word.x0, word.top, word.x1, word.bottom), frame, rotation)
        for index, word in by_index.items()
    }
    region = _around(boxes.values())
    longest = max(view.page.get_size()) * max(region.x1 - region.x0, region.y1 - region.y0) / 1000
    wanted = Wanted(region, side=round(min(DRAWN_SIDE, max(1.0, longest))))
    _switch(substituted, False)
    with_words = draw(view.page, wanted, seconds=DRAWING_S)
    _switch(items, False)
    without = draw(view.page, wanted, seconds=DRAWING_S)
    _switch(items | substituted, True)
    if not with_words.finished or not without.finished:
        return set()
    return {index for index, box in boxes.items() if not _differ(_within(box, region), with_words, without)}


def _around(boxes: Iterable[Box]) -> ImageRegion:
    """Returns the region of the page that holds all of some boxes, and a little more."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    x0, y0 = max(0, int(1000 * min(lefts)) - 1), max(0, int(1000 * min(tops)) - 1)
    x1, y1 = min(1000, int(1000 * max(rights)) + 2), min(1000, int(1000 * max(bottoms)) + 2)
    return ImageRegion(min(x0, 999), min(y0, 999), max(x1, min(x0, 999) + 1), max(y1, min(y0, 999) + 1))


def _within(box: Box, region: ImageRegion) -> Box:
    """Returns a box of the page in shares of a region of it."""
    across, down = (region.x1 - region.x0) / 1000, (region.y1 - region.y0) / 1000
    left, above = region.x0 / 1000, region.y0 / 1000
    return (box[0] - left) / across, (box[1] - above) / down, (box[2] - left) / across, (box[3] - above) / down


def _differ(box: Box, one: Drawn, other: Drawn) -> bool:
    """Whether two drawings look different within a box, given in shares of their sides."""
    (width, height), stride = one.size, one.stride
    x0, top, x1, bottom = box
    first, last = 4 * max(0, int(x0 * width)), 4 * min(width, int(x1 * width) + 1)
    for row in range(max(0, int(top * height)), min(height, int(bottom * height) + 1)):
        before = one.content[row * stride + first : row * stride + last]
        after = other.content[row * stride + first : row * stride + last]
        if before != after and any(abs(a - b) > ALIKE for a, b in zip(before, after, strict=True)):
            return True
    return False


def _is_substituted(item: Item) -> bool:
    """Whether PDFium draws a text object in a font of its own, made to fit the one that the document lacks.

    Drawing changes the shape of such a font for the whole process, and with it the boxes of all letters measured
    later: a page would read otherwise after another than alone. The standard fonts have fixed shapes.
    """
    font_of, is_embedded, base_name = _font_calls()
    font = Item(font_of(item))
    if not font.value or is_embedded(font):
        return False
    name = create_string_buffer(NAME_BYTES)
    base_name(font, name, c_size_t(NAME_BYTES))
    return not name.value.lower().startswith(STANDARD_FONTS)


@cache
def _font_calls() -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
    """Binds the functions about the font of a text object, once."""
    return (
        bound("FPDFTextObj_GetFont", c_void_p),
        bound("FPDFFont_GetIsEmbedded", c_int),
        bound("FPDFFont_GetBaseFontName", c_size_t),
    )


def _switch(items: Iterable[int], on: bool) -> None:
    """Has text objects drawn, or not."""
    set_active = bound("FPDFPageObj_SetIsActive", c_int)
    for item in items:
        set_active(Item(item), int(on))


def _lies_in(word: Word, box: Box) -> bool:
    """Whether most of a word lies in a box."""
    x0, top, x1, bottom = box
    if word.x1 < x0 or word.x0 > x1 or word.bottom < top or word.top > bottom:
        return False
    across, down = min(word.x1, x1) - max(word.x0, x0), min(word.bottom, bottom) - max(word.top, top)
    return across >= COVERED * (word.x1 - word.x0) and down >= COVERED * (word.bottom - word.top)


def _are_alike(one: Colour, other: Colour) -> bool:
    """Says whether two colours can hardly be told apart."""
    return all(abs(a - b) <= ALIKE for a, b in zip(one[:3], other[:3], strict=True))
