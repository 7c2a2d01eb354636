"""An image, or pages of a document drawn as images."""

from functools import partial

from ..documents import detect_format, image_format
from ..encoded_image import Picture
from ..errors import BinaryFile, ConversionFailed, ConverterMissing, InvalidRequest, IsDirectory
from ..light_typing import TYPE_CHECKING
from ..model import ShownPart, Span, Window
from ..text import open_as_text
from .reading import ReadContent, ReadContext

if TYPE_CHECKING:
    from ..documents import DrawnPages
    from ..documents.image_size import Wanted

FIRST_PAGE = Span(1, 1)
ROOM_FOR_WORDS = 80
"""Tokens of a budget that are left for what is said about an image."""
INSTALL = 'pip install "readwell[images]"'


def read_image_view(context: ReadContext) -> ReadContent:
    """Claims everything; raises where it cannot be looked at."""
    if context.source.is_directory:
        raise IsDirectory
    if not context.rules.image_view:
        raise InvalidRequest("view", "image", "left out: images are not carried here")
    if context.rules.documents != "ignore" and detect_format(context.source) == "pdf":
        return _draw_pages(context)
    return _image_file_content(context)


def read_image(context: ReadContext) -> ReadContent | None:
    """Claims images that are no text, as far as a decoder is installed."""
    format_name = _shown_image_format(context)
    picture = _convert_image(context, format_name) if format_name else None
    return ReadContent("image", pictures=(picture,)) if picture else None


def refuse_empty_image(context: ReadContext) -> None:
    """Raises ConversionFailed for an empty file whose name says that it is an image."""
    if format_name := _shown_image_format(context):
        raise ConversionFailed(format_name, "the file is empty")


def _draw_pages(context: ReadContext) -> ReadContent:
    """Returns pages of a PDF, drawn."""
    if context.rules.documents == "refuse":
        raise BinaryFile("PDF document", context.source.size)
    pages = context.request.pages or FIRST_PAGE
    drawn = context.resources.documents.draw_pages(
        context.source, pages, _wanted_region_and_size(context), context.deadline
    )
    return ReadContent("image", pictures=drawn.pictures, part_of=partial(_part_of_drawn_pages, drawn))


def _part_of_drawn_pages(drawn: "DrawnPages", _window: Window) -> ShownPart:
    """Returns which pages were drawn, and of how many."""
    last = drawn.first + len(drawn.pictures) - 1
    return ShownPart(format="pdf", unit="page", units=drawn.total, first=drawn.first, last=last)


def _image_file_content(context: ReadContext) -> ReadContent:
    """Returns an image file; raises InvalidRequest for what is no image."""
    format_name, pages = image_format(context.source), context.request.pages
    if format_name is None:
        raise _refusal(context)
    if pages is not None and (pages.first, pages.last) not in ((1, 1), (-1, -1)):
        raise InvalidRequest("pages", wants="left out: an image has none")
    if not context.source.size:
        raise ConversionFailed(format_name, "the file is empty")
    picture = _convert_image(context, format_name)
    if picture is None:
        raise ConverterMissing(format_name, INSTALL)
    return ReadContent("image", pictures=(picture,))


def _refusal(context: ReadContext) -> BinaryFile | InvalidRequest:
    """Returns why a file cannot be looked at: an image of a format that is not drawn here, or none."""
    try:
        open_as_text(context.source, context.rules, None, context.resources.index_cache, context.deadline)
    except BinaryFile as binary:
        if binary.looks_like.rpartition(" ")[2] in ("image", "icon"):
            return BinaryFile(binary.looks_like, context.source.size)
    return InvalidRequest("view", "image", "left out: only pages of a PDF and image files can be looked at")


def _convert_image(context: ReadContext, format_name: str) -> Picture | None:
    """Returns the image, decoded and scaled in a child; None without the extra."""
    return context.resources.documents.picture_of(
        context.source, format_name, _wanted_region_and_size(context), context.deadline
    )


def _wanted_region_and_size(context: ReadContext) -> "Wanted":
    """Returns which region is wanted, and how large it may be."""
    from ..documents.image_size import Wanted

    limits, side = context.request.limits, context.rules.image_side
    if limits.tokens is None:
        return Wanted(context.request.region, side)
    return Wanted(context.request.region, side, max(1, limits.tokens - ROOM_FOR_WORDS))


def _shown_image_format(context: ReadContext) -> str | None:
    """Returns the format of an image that a plain read shows; None for anything else."""
    return image_format(context.source) if context.rules.images and context.request.view is None else None
