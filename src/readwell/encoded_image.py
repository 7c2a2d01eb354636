"""An image in the form in which a model is given it."""

from __future__ import annotations

from .named_tuple import NamedTuple

PATCH = 28
"""Pixels of the sides of the squares by which models count an image."""


class Picture(NamedTuple):
    """An image that was decoded and encoded again: small enough for any model, and without metadata."""

    content: bytes
    media_type: str
    """`image/png` or `image/jpeg`."""
    format: str
    """What the file is: `PNG`, `JPEG`, `GIF`, `WebP`, or `PDF` for a page."""
    size: tuple[int, int]
    """Width and height in the file, as a viewer turns it."""
    shown: tuple[int, int]
    """Width and height here."""
    animated: bool = False
    """Only the first of several frames is here."""
    unfinished: bool = False
    """Drawing it was stopped: parts of the page are missing."""

    @property
    def tokens(self) -> int:
        """What the image costs a model, about."""
        width, height = self.shown
        return -(-width // PATCH) * -(-height // PATCH)

    @property
    def base64(self) -> str:
        """The content as text, in base64."""
        from base64 import b64encode

        return b64encode(self.content).decode()

    @property
    def data_url(self) -> str:
        """The content as a data URL."""
        return f"data:{self.media_type};base64,{self.base64}"
