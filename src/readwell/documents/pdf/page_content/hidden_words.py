"""Which words of a page cannot be seen: invisible, transparent, tiny, in the colour of their ground, or covered.

Where how a page is painted gives a reason for doubt, the page is drawn with the doubtful text and without it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter

from ....named_tuple import NamedTuple
from ..page_model import Box, Word
from ..pdfium_calls import IMAGE, PATH, SHADING, TEXT, Drawings, Paint
from .hidden_by_drawing import ALIKE, PageView, words_without_visible_effect
from .object_boxes import box_of, largest_image_share

FILLED, STROKED, FILLED_AND_STROKED, INVISIBLE = 0, 1, 2, 3
OPAQUE = 16
"""The least opacity, of 255, that can be seen."""
PAPER = (255, 255, 255)
SMALLEST = 4.0
"""The sides of a shape that can cover a word, in points, are at least so long."""
COVERED = 0.8
"""The share of a word that a shape must cover to hide it."""
SCAN = 0.5
"""The share of the page that the image of a scan covers."""
LOW_LETTERS, LINE_HEIGHT = 0.3, 1.5
"""The heights, in ems, between which an image may show the letters of one line."""
PICTURED = 0.7
"""The share of the width of an invisible word that such images cover where they show it."""
MAX_SHAPES = 400

Colour = tuple[int, ...]
NO_PAINT: Paint = (FILLED, None)


class Shape(NamedTuple):
    """Something that is drawn over an area; its colour is None for images."""

    number: int
    """Its place in the order of drawing."""
    box: Box
    colour: Colour | None


BLANK = Shape(0, (0.0, 0.0, 0.0, 0.0), PAPER)


class UnseenWords(NamedTuple):
    """The `char_index` of each word that cannot be seen, and whether the page is the image of a scan."""

    words: frozenset[int]
    layer: bool
    pictured: int
    """How many invisible words are seen all the same, as images that show one or a few words each."""


ALL_SEEN = UnseenWords(frozenset(), False, 0)


def find_unseen_words(view: PageView) -> UnseenWords:
    """Returns the words of a page that cannot be seen."""
    words, paints = view.words.words, view.words.paints
    nothing = {paint for paint in {*paints.values()} if _is_invisible(paint)}
    invisible = {item for item, paint in paints.items() if paint in nothing} if nothing else ()
    unseen = {word.char_index for word in words if word.font.tiny}
    pictured: set[int] = set()
    if invisible:
        unpainted = [word for word in words if view.object_of(word.char_index) in invisible]
        pictured = _pictured(view, unpainted)
        unseen |= {word.char_index for word in unpainted} - pictured
    hidden = unseen | words_without_visible_effect(view, _doubtful(view, unseen | pictured))
    if not hidden and not pictured:
        return ALL_SEEN
    layer = largest_image_share(view.page, view.words.frame, view.objects) >= SCAN
    return UnseenWords(frozenset(hidden), layer, len(pictured))


def _is_invisible(paint: Paint) -> bool:
    """Says whether text is painted so that nothing shows."""
    mode, colour = paint
    return mode == INVISIBLE or (mode == FILLED and colour is not None and colour[3] < OPAQUE)


def _pictured(view: PageView, words: Iterable[Word]) -> set[int]:
    """Returns the invisible words where images as high as a line are drawn: a program was unsure what those show."""
    drawings = Drawings(view.page)
    boxes = (box_of(drawings, item, around) for kind, item, around in view.objects if kind == IMAGE)
    images = sorted(((box[1] + box[3]) / 2, box) for box in boxes)
    return {word.char_index for word in words if images and _is_pictured(word, images)}


def _is_pictured(word: Word, images: Sequence[tuple[float, Box]]) -> bool:
    """Whether images as high as a line cover most of a word; they are sorted by their middles."""
    beside = images[
        bisect_left(images, word.top, key=itemgetter(0)) : bisect_left(images, word.bottom, key=itemgetter(0))
    ]
    covered = sum(
        max(0.0, min(x1, word.x1) - max(x0, word.x0))
        for _, (x0, top, x1, bottom) in beside
        if LOW_LETTERS * word.size < bottom - top < LINE_HEIGHT * word.size
    )
    return covered > PICTURED * (word.x1 - word.x0)


def _doubtful(view: PageView, unseen: set[int]) -> list[Word]:
    """Returns the words that may be covered, or in the colour of what they are printed on."""
    inks = {colour[:3] for _, colour in {*view.words.paints.values()} if colour is not None}
    pale = {ink for ink in inks if _are_alike(ink, PAPER)}
    if not pale and all(kind == TEXT for kind, _, _ in view.objects):
        return []
    shapes = _shapes(view)
    first = next((number for number, (kind, _, _) in enumerate(view.objects) if kind == TEXT), len(view.objects))
    later = [shape for shape in shapes if shape.number > first]
    grounds = {colour for colour in {shape.colour for shape in shapes} if colour and _is_like_any(colour, inks)}
    alike = [shape for shape in shapes if shape.colour in grounds]
    if not later and not alike and not pale:
        return []
    judged = WordsWithColours(view, [word for word in view.words.words if word.char_index not in unseen])
    pale_words = (word for word in judged.words if judged.ink(word) in pale) if pale else ()
    like_ground = (word for word in (*judged.within(alike), *pale_words) if judged.is_like_its_ground(word, shapes))
    return [*judged.covered_by(later), *like_ground]


def _shapes(view: PageView) -> list[Shape]:
    """Returns what is filled on the page and large enough to hide a word, or to be the ground of one."""
    drawings, frame = Drawings(view.page), view.words.frame
    bounds, right, lowest = drawings.bounds, frame.width, frame.height
    shapes: list[Shape] = []
    for number, (kind, item, (a, b, c, d, e, f)) in enumerate(view.objects):
        if kind == TEXT or kind not in (PATH, IMAGE, SHADING):
            continue
        x0, y0, x1, y1 = bounds(item)  # what `box_of` and `part_on_page` do: most objects end here
        x0, y0, x1, y1 = a * x0 + c * y0 + e, b * x0 + d * y0 + f, a * x1 + c * y1 + e, b * x1 + d * y1 + f
        if abs(x1 - x0) < SMALLEST or abs(y1 - y0) < SMALLEST:
            continue
        box = max(0.0, min(x0, x1)), max(0.0, min(y0, y1)), min(right, max(x0, x1)), min(lowest, max(y0, y1))
        if box[2] - box[0] < SMALLEST or box[3] - box[1] < SMALLEST:
            continue
        if kind != PATH or drawings.paint_modes(item)[0]:
            shapes.append(Shape(number, box, drawings.colour(item) if kind == PATH else None))
            if len(shapes) == MAX_SHAPES:
                break
    return shapes


class WordsWithColours:
    """Words of a page, by their height on it, with the colours of the text objects that draw them."""

    def __init__(self, view: PageView, words: list[Word]) -> None:
        self.words = sorted(words, key=lambda word: word.top + word.bottom)
        self._heights = [(word.top + word.bottom) / 2 for word in self.words]
        self._object_of, self._paints = view.object_of, view.words.paints
        self._order = {item.value: number for number, (kind, item, _) in enumerate(view.objects) if kind == TEXT}

    def ink(self, word: Word) -> Colour | None:
        """Returns the colour of a word; None where it has no plain one."""
        _, colour = self._paints.get(self._object_of(word.char_index) or 0, NO_PAINT)
        return None if colour is None else colour[:3]

    def covered_by(self, shapes: Iterable[Shape]) -> Iterator[Word]:
        """Yields the words that shapes are drawn upon."""
        for shape in shapes:
            yield from (word for word in self.within([shape]) if self._drawing_order(word) < shape.number)

    def within(self, shapes: Iterable[Shape]) -> Iterator[Word]:
        """Yields the words that lie in shapes."""
        for shape in shapes:
            x0, top, x1, bottom = shape.box
            for word in self.words[bisect_left(self._heights, top) : bisect_left(self._heights, bottom)]:
                if word.x0 < x1 and word.x1 > x0 and _lies_in(word, shape.box):
                    yield word

    def is_like_its_ground(self, word: Word, shapes: Sequence[Shape]) -> bool:
        """Whether a word has, or may have, the colour of what it is printed on."""
        number, ink = self._drawing_order(word), self.ink(word)
        below = (shape for shape in reversed(shapes) if shape.number < number and _lies_in(word, shape.box))
        ground = next(below, BLANK).colour
        return ink is not None and (ground is None or _are_alike(ink, ground))

    def _drawing_order(self, word: Word) -> int:
        """Returns the place of a word in the order of drawing."""
        return self._order.get(self._object_of(word.char_index), -1)


def _lies_in(word: Word, box: Box) -> bool:
    """Whether most of a word lies in a box."""
    x0, top, x1, bottom = box
    if word.x1 < x0 or word.x0 > x1 or word.bottom < top or word.top > bottom:
        return False
    across, down = min(word.x1, x1) - max(word.x0, x0), min(word.bottom, bottom) - max(word.top, top)
    return across >= COVERED * (word.x1 - word.x0) and down >= COVERED * (word.bottom - word.top)


def _is_like_any(colour: Colour, inks: Iterable[Colour]) -> bool:
    """Whether a colour can hardly be told from one of some inks."""
    return any(_are_alike(colour, ink) for ink in inks)


def _are_alike(one: Colour, other: Colour) -> bool:
    """Says whether two colours can hardly be told apart."""
    return all(abs(a - b) <= ALIKE for a, b in zip(one[:3], other[:3], strict=True))
