"""What whoever embeds the reader may choose; a caller's params stay within it."""

from collections.abc import Callable
from typing import Literal, NamedTuple

from ...tokens import count_tokens

Total = Literal["auto", "exact", "lazy"]


class Settings(NamedTuple):
    """The ceilings of one reply and how it looks."""

    limit: int = 2000
    max_tokens: int = 12000
    max_bytes: int = 50000
    line_length: int = 2000
    numbers: bool = True
    total: Total = "auto"
    documents: bool = True
    count_tokens: Callable[[str], int] = count_tokens
    images: bool = False
    """Images are given as such, to whoever can carry them."""
    home: str | None = None
    """What `~` stands for."""
