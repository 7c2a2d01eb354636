"""An image, returned as a picture."""

from ..documents import image_format
from ..errors import ConversionFailed
from .reading import ReadContent, ReadContext


def read_image(context: ReadContext) -> ReadContent | None:
    """Claims images that are no text, as far as a decoder is installed."""
    format_name = _format(context)
    picture = (
        context.resources.documents.picture_of(context.source, format_name, context.watch) if format_name else None
    )
    return ReadContent("image", picture=picture) if picture else None


def refuse_empty_image(context: ReadContext) -> None:
    """Raises ConversionFailed for an empty file whose name says that it is an image."""
    if format_name := _format(context):
        raise ConversionFailed(format_name, "the file is empty")


def _format(context: ReadContext) -> str | None:
    return image_format(context.source) if context.rules.images and context.request.view is None else None
