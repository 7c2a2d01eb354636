"""An image: shown as such, to whoever can carry it."""

from ..documents import image_format
from ..errors import ConversionFailed
from .reading import Case, Found


def read_image(case: Case) -> Found | None:
    """Claims images that are no text, as far as a decoder is installed."""
    format_name = _format(case)
    picture = case.means.documents.picture_of(case.source, format_name, case.watch) if format_name else None
    return Found("image", picture=picture) if picture else None


def refuse_empty_image(case: Case) -> None:
    """Raises ConversionFailed for an empty file whose name says that it is an image."""
    if format_name := _format(case):
        raise ConversionFailed(format_name, "the file is empty")


def _format(case: Case) -> str | None:
    return image_format(case.source) if case.rules.images and case.request.view is None else None
