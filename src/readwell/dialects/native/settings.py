"""Settings of the dialect `native`, chosen by the embedder; a caller's params stay within them."""

from __future__ import annotations

from collections.abc import Callable

from ...light_typing import Literal
from ...named_tuple import NamedTuple
from ...tokens import count_tokens

Total = Literal["auto", "exact", "lazy"]


class Settings(NamedTuple):
    """The limits of a reply and its appearance; `Reader` explains them."""

    limit: int = 2000
    max_tokens: int = 12000
    max_bytes: int = 50000
    line_length: int = 2000
    numbers: bool = True
    total: Total = "auto"
    documents: bool = True
    count_tokens: Callable[[str], int] = count_tokens
    images: bool = False
    """Whether images are returned as images, also where no view asks for it."""
    image_side: int = 1568
    """Pixels of the longest side of an image."""
    home: str | None = None
    """The directory that `~` stands for; None: `~` is not expanded."""
