"""Words that make no difference to how a page looks: it is drawn with them and without, and compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from ctypes import c_int, c_size_t, c_void_p, create_string_buffer
from functools import cache
from typing import TYPE_CHECKING, Any

from ....model import ImageRegion
from ....named_tuple import NamedTuple
from ...image_size import Wanted
from ..page_bitmap import PageBitmap, draw_page
from ..page_model import Box, PageWords, Word
from ..pdfium_calls import TEXT, ObjectHandle, bind_function
from .page_coordinates import box_in_page_shares
from .vector_paths import PageObject

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

ALIKE = 24
"""The largest difference, of 255, between two colours that look the same."""
DRAWN_SIDE, DRAWING_S = 1000, 1.0
STANDARD_FONTS = (b"helvetica", b"arial", b"times", b"courier", b"symbol", b"zapfdingbats")
NAME_BYTES = 64


class PageView(NamedTuple):
    """A page while its words are judged."""

    page: PdfPage
    words: PageWords
    objects: Sequence[PageObject]
    object_of: Callable[[int], int | None]
    """Returns the text object that draws a character."""


def words_without_visible_effect(view: PageView, words: Iterable[Word]) -> set[int]:
    """Returns those of the words that make no difference to how the page looks.

    Text in a substituted font is left out of the drawings, and counts as seen: see `_is_substitute`.
    """
    by_index = {word.char_index: word for word in words}
    items = {item for index in by_index if (item := view.object_of(index))}
    if not items:
        return set()
    substituted = _objects_in_substituted_fonts(view)
    by_index = {index: word for index, word in by_index.items() if view.object_of(index) not in substituted}
    items -= substituted
    if not items:
        return set()
    # Of a text that is printed twice PDFium tells only the first: its twin may be the one that is seen.
    items |= {item.value for kind, item, _ in view.objects if kind == TEXT and item.value} - view.words.paints.keys()
    frame, rotation = view.words.frame, view.page.get_rotation()
    boxes = {
        index: box_in_page_shares((word.x0, word.top, word.x1, word.bottom), frame, rotation)
        for index, word in by_index.items()
    }
    region = _region_around(boxes.values())
    longest = max(view.page.get_size()) * max(region.x1 - region.x0, region.y1 - region.y0) / 1000
    wanted = Wanted(region, side=round(min(DRAWN_SIDE, max(1.0, longest))))
    _set_drawn(substituted, False)
    with_words = draw_page(view.page, wanted, seconds=DRAWING_S)
    _set_drawn(items, False)
    without = draw_page(view.page, wanted, seconds=DRAWING_S)
    _set_drawn(items | substituted, True)
    if not with_words.finished or not without.finished:
        return set()
    return {
        index for index, box in boxes.items() if not _look_different(_box_in_region(box, region), with_words, without)
    }


def _region_around(boxes: Iterable[Box]) -> ImageRegion:
    """Returns the region of the page that holds all of some boxes, and a little more."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    x0, y0 = max(0, int(1000 * min(lefts)) - 1), max(0, int(1000 * min(tops)) - 1)
    x1, y1 = min(1000, int(1000 * max(rights)) + 2), min(1000, int(1000 * max(bottoms)) + 2)
    return ImageRegion(min(x0, 999), min(y0, 999), max(x1, min(x0, 999) + 1), max(y1, min(y0, 999) + 1))


def _box_in_region(box: Box, region: ImageRegion) -> Box:
    """Returns a box of the page in shares of a region of it."""
    across, down = (region.x1 - region.x0) / 1000, (region.y1 - region.y0) / 1000
    left, above = region.x0 / 1000, region.y0 / 1000
    return (box[0] - left) / across, (box[1] - above) / down, (box[2] - left) / across, (box[3] - above) / down


def _look_different(box: Box, one: PageBitmap, other: PageBitmap) -> bool:
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


def _objects_in_substituted_fonts(view: PageView) -> set[int]:
    """Returns the text objects that are drawn in a substituted font; each font is looked at once."""
    font_of, *_ = _font_calls()
    by_font: dict[int | None, bool] = {}
    substituted: set[int] = set()
    for kind, item, _ in view.objects:
        if kind == TEXT and item.value:
            font = font_of(item)
            if font not in by_font:
                by_font[font] = _is_substitute(ObjectHandle(font))
            if by_font[font]:
                substituted.add(item.value)
    return substituted


def _is_substitute(font: ObjectHandle) -> bool:
    """Whether PDFium draws a font by one of its own, made to fit the one that the document lacks.

    Drawing changes the shape of such a font for the whole process, and with it the boxes of all letters measured
    later: a page would read otherwise after another than alone. The standard fonts have fixed shapes.
    """
    _, is_embedded, base_name = _font_calls()
    if not font.value or is_embedded(font):
        return False
    name = create_string_buffer(NAME_BYTES)
    base_name(font, name, c_size_t(NAME_BYTES))
    return not name.value.lower().startswith(STANDARD_FONTS)


@cache
def _font_calls() -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
    """Binds the functions about the font of a text object, once."""
    return (
        bind_function("FPDFTextObj_GetFont", c_void_p),
        bind_function("FPDFFont_GetIsEmbedded", c_int),
        bind_function("FPDFFont_GetBaseFontName", c_size_t),
    )


def _set_drawn(items: Iterable[int], on: bool) -> None:
    """Has text objects drawn, or not."""
    set_active = bind_function("FPDFPageObj_SetIsActive", c_int)
    for item in items:
        set_active(ObjectHandle(item), int(on))
