"""An image in the form in which a model is given it."""

from __future__ import annotations

from .named_tuple import NamedTuple


class Picture(NamedTuple):
    """An image that was decoded and encoded again: small enough for any model, and without metadata."""

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

    @property
    def base64(self) -> str:
        """The content as text, in base64."""
        from base64 import b64encode

        return b64encode(self.content).decode()

    @property
    def data_url(self) -> str:
        """The content as a data URL."""
        return f"data:{self.media_type};base64,{self.base64}"
