"""An image as a model is shown it."""

from typing import NamedTuple


class Picture(NamedTuple):
    """An image that was decoded and made anew, small enough for any model, without what else its file held."""

    content: bytes
    media_type: str
    """`image/png` or `image/jpeg`."""
    format: str
    """What the file is: `PNG`, `JPEG`, `GIF`, `WebP`."""
    size: tuple[int, int]
    """Width and height in the file, as a viewer turns it."""
    shown: tuple[int, int]
    """Width and height here."""
    animated: bool = False
    """Only the first of several frames is here."""
