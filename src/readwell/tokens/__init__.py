"""Counts the tokens of a text where a tokenizer is installed, else estimates them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

BYTES_OF_ID = 4


def count_tokens(text: str) -> int:
    """Counts o200k tokens where the extra `tokens` is installed, else estimates them; never more than UTF-8 bytes."""
    return _best_counter()(text)


def estimate_tokens(text: str) -> int:
    """Estimates o200k tokens by kind of character, rounded up."""
    from .estimate import estimate

    return estimate(text)


def is_estimating_counter(counter: Callable[[str], int]) -> bool:
    """Whether a counter is the estimate, as `count_tokens` is where no tokenizer is installed."""
    return (_best_counter() if counter is count_tokens else counter) is estimate_tokens


@cache
def _best_counter() -> Callable[[str], int]:
    from ..import_guard import importing_only_from, interpreter_import_path

    try:
        # It is loaded without being asked for, so it must not come from a directory that is being read.
        with importing_only_from(interpreter_import_path()):
            return o200k_counter()
    except ImportError:
        return estimate_tokens


def o200k_counter() -> Callable[[str], int]:
    """Returns an exact counter of o200k tokens; raises ImportError without the extra `tokens`."""
    try:
        from splintr import Tokenizer
    except ImportError as error:
        raise ImportError('exact counts need an extra: pip install "readwell[tokens]"') from error

    tokenizer = Tokenizer.from_pretrained("o200k_base")

    def count(text: str) -> int:
        # What UTF-8 cannot say is replaced.
        sayable = text if text.isascii() else text.encode(errors="replace").decode()
        if "<|" in sayable:  # a file that quotes `<|endoftext|>` holds text, not an end
            return len(tokenizer.encode_ordinary(sayable))
        return len(tokenizer.encode_flat(sayable)) // BYTES_OF_ID  # a list of numbers takes half as long again

    return count
