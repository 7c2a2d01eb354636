"""Images of the pages that a caller asked for, as they arrive from the child that draws them."""

from __future__ import annotations

from collections.abc import Callable

from ..encoded_image import Picture
from ..errors import ConversionFailed, InvalidRequest
from ..model import Span
from ..named_tuple import NamedTuple
from .image_conversion import read_picture
from .unit_names import valid_pages_hint
from .worker import Conversion

MAX_PAGES = 5
"""Pages in one reply."""
HEAD_ONLY = range(1, 1)


class DrawnPages(NamedTuple):
    """Images of consecutive pages: the number of the first, and of the pages of the document."""

    pictures: tuple[Picture, ...]
    first: int
    total: int


def draw_pages(start: Callable[[range], Conversion], pages: Span, tokens: int) -> DrawnPages:
    """Returns images of the first of the pages; `start` starts a conversion of some units.

    Raises InvalidRequest where the pages are not there. The first image is drawn as small as `tokens` ask for.
    """
    if pages.first < 0:
        with start(HEAD_ONLY) as opened:
            first = max(1, opened.head.total + pages.first + 1)
    else:
        first = pages.first
    last = max(pages.last, first) if pages.last > 0 else first - pages.first - 1
    with start(range(max(1, first), min(last, first + MAX_PAGES - 1) + 1)) as drawn:
        total = drawn.head.total
        if pages.line != 1 or (not 1 <= pages.first <= pages.last <= total and not -total <= pages.first < 0):
            raise InvalidRequest("pages", wants=valid_pages_hint(pages, total))
        return DrawnPages(_pictures_within(drawn, tokens), first, total)


def _pictures_within(drawn: Conversion, tokens: int) -> tuple[Picture, ...]:
    """Returns the images that a budget has room for, at least one."""
    pictures: list[Picture] = []
    for unit in drawn:
        picture = read_picture(unit)
        if picture is None:
            raise ConversionFailed("pdf", "the decoder sent what is no image")
        tokens -= picture.tokens
        if pictures and tokens < 0:
            break
        pictures.append(picture)
    return tuple(pictures)
