"""What a text costs a model, estimated without a tokenizer."""

from __future__ import annotations

import re


def estimate_tokens(text: str) -> int:
    """Returns bytes / 4, with 0.85 token for each CJK character, rounded up."""
    if text.isascii():
        return -(-len(text) // 4)
    size = len(text.encode(errors="surrogatepass"))
    cjk = sum(map(len, re.findall("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+", text)))
    return -(-(size * 5 + cjk * 2) // 20)
