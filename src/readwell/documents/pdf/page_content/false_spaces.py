"""Joins letters of typewriting that PDFium takes for words where they are set a little apart."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from statistics import median

from ..page_model import Word
from ..pdfium_calls import Characters
from .fonts import Fonts

FARTHEST = 0.85
"""How far apart, in ems, letters of one word begin at most."""
ALIKE = 0.25
"""The share by which such distances may differ from the usual one of their line; a space doubles them."""
MIN_ALIKE = 3
"""The fewest such distances of a line that make one of them the usual one."""


def without_false_spaces(words: list[Word], characters: Characters, fonts: Fonts) -> list[Word]:
    """Joins words of typewriting where PDFium made up a space, though letters are as far apart as most of the line."""
    mono = [k for k in range(1, len(words)) if words[k].font.mono]
    steps = {k: step for k in mono if (step := _step_over_space(words[k - 1], words[k], characters, fonts))}
    if not steps:
        return words
    usual = _usual_steps(words, steps, characters)
    joined: list[list[Word]] = []
    for k, word in enumerate(words):
        if k in steps and abs(steps[k] - usual[word.line]) < ALIKE * usual[word.line]:
            joined[-1].append(word)
        else:
            joined.append([word])
    return [each[0] if len(each) == 1 else _as_one(each) for each in joined]


def _step_over_space(word: Word, following: Word, characters: Characters, fonts: Fonts) -> float:
    """Returns how far apart, in ems, letters begin between which PDFium made up a space; 0 where they are too far.

    A word may end in another font than it begins.
    """
    space = following.char_index - 1
    is_next = space == word.char_index + len(word.text) and word.baseline == following.baseline
    if not is_next or not characters.is_made_up(space):
        return 0.0
    before, font = fonts.font(space - 1), following.font
    step = characters.distance(space - 1, space + 1) / font.size
    return step if step < FARTHEST and before.mono and before.size == font.size else 0.0


def _usual_steps(words: list[Word], steps: dict[int, float], characters: Characters) -> dict[int, float]:
    """Returns how far apart, in ems, letters of typewriting begin in each line with such steps over spaces.

    It is 0 where they are few or differ.
    """
    lines: dict[int, list[float]] = {words[k].line: [] for k in steps}
    for k, word in enumerate(words):
        if word.font.mono and word.line in lines:
            places = range(word.char_index, word.char_index + len(word.text))
            inside = [characters.distance(*pair) / word.font.size for pair in pairwise(places)]
            lines[word.line] += [*inside, steps[k]] if k in steps else inside
    return {line: _usual_step(found) for line, found in lines.items()}


def _usual_step(steps: list[float]) -> float:
    """Returns the usual one of the distances of a line; 0 where they are few or differ."""
    usual = median(steps)
    alike = sum(abs(step - usual) < ALIKE * usual for step in steps)
    return usual if alike >= max(MIN_ALIKE, len(steps) / 2) else 0.0


def _as_one(words: list[Word]) -> Word:
    """Returns words as one."""
    return replace(words[0], text="".join(word.text for word in words), x1=words[-1].x1)
