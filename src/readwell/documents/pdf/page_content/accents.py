"""Joins accents that are printed over letters with these: some fonts have no letters with accents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from unicodedata import normalize

from ..page_model import Box, Word

COMBINING = {
    "`": "\u0300",
    "´": "\u0301",
    "ˆ": "\u0302",
    "˜": "\u0303",
    "¯": "\u0304",
    "˘": "\u0306",
    "˙": "\u0307",
    "¨": "\u0308",
    "˚": "\u030a",
    "˝": "\u030b",
    "ˇ": "\u030c",
    "¸": "\u0327",
    "˛": "\u0328",
}
"""Accents that stand by themselves, and the same ones as parts of letters."""
ACCENT = re.compile(f"[{''.join(COMBINING)}]")
WITHOUT_DOT = {"ı": "i", "ȷ": "j"}


def with_accents_joined(words: list[Word], box_of: Callable[[int], Box]) -> list[Word]:
    """Returns words in which an accent over a letter is part of it; `box_of` returns the box of a character."""
    return [_with_accents(word, box_of) if ACCENT.search(word.text) else word for word in words]


def _with_accents(word: Word, box_of: Callable[[int], Box]) -> Word:
    """Returns a word with its accents in the letters that they are printed over, which may be drawn before them."""
    letters = [*word.text]
    for accent in ACCENT.finditer(word.text):
        k = accent.start()
        left, _, right, _ = box_of(word.char_index + k)
        for other in _beside(k, letters):
            x0, _, x1, _ = box_of(word.char_index + other)
            letter = normalize("NFC", WITHOUT_DOT.get(letters[other], letters[other]) + COMBINING[accent[0]])
            if x0 < (left + right) / 2 < x1 and len(letter) == 1:
                letters[k], letters[other] = "", letter
                break
    return replace(word, text="".join(letters))


def _beside(k: int, letters: list[str]) -> Iterator[int]:
    """Yields the positions of the letters drawn after and before one."""
    return (other for other in (k + 1, k - 1) if 0 <= other < len(letters) and letters[other].isalpha())
