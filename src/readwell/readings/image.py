"""An image: shown as such, to whoever can carry it."""

from ..documents import image_format
from ..errors import ConversionFailed
from .reading import Case, Found


def read_image(case: Case) -> Found | None:
    """Claims images that are no text, as far as a decoder is installed."""
    form = _format(case)
    picture = case.means.documents.picture_of(case.source, form, case.watch) if form else None
    return Found("image", picture=picture) if picture else None


def refuse_empty_image(case: Case) -> None:
    """Raises ConversionFailed for an empty file whose name says that it is an image."""
    if form := _format(case):
        raise ConversionFailed(form, "the file is empty")


def _format(case: Case) -> str | None:
    return image_format(case.source) if case.rules.images and case.request.view is None else None
