"""Words become rows by their height, rows become segments by the white between their words."""

from collections.abc import Iterable
from itertools import pairwise

from .model import Word
from .wording import BULLETS, is_figures

RECENT = 4
"""Rows looked back at: words come from the top down."""
OVERLAP = 0.5
NEAR = 0.55
FULL_SIZE = 0.95
"""Words smaller than this share of their row's size do not stretch it: they are raised or lowered."""
NARROWEST_GAP, NUMBERS_APART = 0.45, 0.6
"""In ems: the least white that is ever taken for that between cells, and what parts two numbers."""
BULLET_REACH = 4.0

Segment = list[Word]
Interval = tuple[float, float]


class Row:
    """Words at one height, from left to right."""

    __slots__ = ("_wide", "bottom", "mixed", "size", "top", "words")

    def __init__(self, word: Word) -> None:
        self.words = [word]
        self.top, self.bottom, self.size = word.top, word.bottom, word.font.size
        self.mixed = False
        """Whether some words stand a little higher or lower than others."""
        self._wide: list[int] | None = None

    @property
    def mid_y(self) -> float:
        """Half way down."""
        return (self.top + self.bottom) / 2

    def fits(self, word: Word) -> bool:
        """Whether a word stands at the height of this row."""
        if word.top >= self.bottom:
            return False
        height, tall = word.bottom - word.top, self.bottom - self.top
        overlap = min(word.bottom, self.bottom) - max(word.top, self.top)
        between = abs(word.top + word.bottom - self.top - self.bottom) / 2
        return overlap > OVERLAP * min(height, tall) and between < NEAR * max(height, tall)

    def take(self, word: Word) -> None:
        """Adds a word; one that is larger than all before sets the height: those were raised."""
        self.words.append(word)
        self.mixed = True
        size = word.font.size
        if FULL_SIZE * size > self.size:
            self.top, self.bottom, self.size = word.top, word.bottom, size
        elif size >= FULL_SIZE * self.size:
            self.top, self.bottom = min(self.top, word.top), max(self.bottom, word.bottom)
            self.size = max(self.size, size)

    def segments(self, gap: float) -> list[Segment]:
        """Cuts it where the white is `gap` ems or more; a bullet stays with its text, two numbers part sooner.

        Asked for several times, so what may be cut at all is found out once.
        """
        words = self.words
        if self._wide is None:
            self._wide = [
                number
                for number, (last, word) in enumerate(pairwise(words), 1)
                if word.x0 - last.x1 >= NARROWEST_GAP * word.font.size
            ]
        starts = [number for number in self._wide if not _belong_together(words[number - 1], words[number], gap)]
        return [words[start:end] for start, end in pairwise([0, *starts, len(words)])] if starts else [words]


def downwards(words: Iterable[Word]) -> list[Word]:
    """Returns words from the top down, those of one height from left to right."""
    return sorted(words, key=lambda word: (word.top + word.bottom, word.x0))


def rows_of(words: Iterable[Word]) -> list[Row]:
    """Returns the rows that words stand in, from the top down."""
    return rows_downwards(downwards(words))


def rows_downwards(words: Iterable[Word]) -> list[Row]:
    """Returns the rows of words that are given from the top down."""
    rows: list[Row] = []
    last: Row | None = None
    for word in words:
        if last and word.top == last.top and word.bottom == last.bottom:
            last.words.append(word)  # most words: set like the last one
            continue
        for row in rows[: -RECENT - 1 : -1]:
            if row.fits(word):
                row.take(word)
                break
        else:
            last = Row(word)
            rows.append(last)
    for row in rows:
        if row.mixed:
            row.words.sort(key=lambda word: word.x0)
    rows.sort(key=lambda row: row.top + row.bottom)
    return rows


def _belong_together(left: Word, right: Word, gap: float) -> bool:
    white = right.x0 - left.x1
    em = max(left.font.size, right.font.size)
    if white >= gap * em:
        return left.text in BULLETS and white < BULLET_REACH * right.font.size
    return white < NUMBERS_APART * em or not (is_figures(left.text) and is_figures(right.text))


def extent(segment: Segment) -> Interval:
    """Returns the left and right end of a segment."""
    return segment[0].x0, segment[-1].x1


def said(words: Iterable[Word]) -> str:
    """Returns words as text."""
    return " ".join([word.text for word in words])
