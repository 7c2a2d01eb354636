"""What a text costs a model: estimated without a tokenizer, or counted by one."""

from __future__ import annotations

import re
from collections.abc import Callable


def estimate_tokens(text: str) -> int:
    """Returns bytes / 4, with 0.85 token for each CJK character, rounded up."""
    if text.isascii():
        return -(-len(text) // 4)
    size = len(text.encode(errors="surrogatepass"))
    cjk = sum(map(len, re.findall("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+", text)))
    return -(-(size * 5 + cjk * 2) // 20)


def o200k_counter() -> Callable[[str], int]:
    """Returns an exact counter of o200k tokens; raises ImportError without the extra `tokens`."""
    try:
        from splintr import Tokenizer
    except ImportError as error:
        raise ImportError('exact counts need an extra: pip install "readwell[tokens]"') from error

    tokenizer = Tokenizer.from_pretrained("o200k_base")

    def count(text: str) -> int:
        # Ordinary: a file that quotes `<|endoftext|>` holds text, not an end. What UTF-8 cannot say is replaced.
        return len(tokenizer.encode_ordinary(text.encode(errors="replace").decode()))

    return count
