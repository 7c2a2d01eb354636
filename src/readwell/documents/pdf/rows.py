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
NUMBERS_APART = 0.6
BULLET_REACH = 4.0

Segment = list[Word]
Interval = tuple[float, float]


class Row:
    """Words at one height, from left to right."""

    __slots__ = ("bottom", "size", "top", "words")

    def __init__(self, word: Word) -> None:
        self.words = [word]
        self.top, self.bottom, self.size = word.top, word.bottom, word.font.size

    @property
    def mid_y(self) -> float:
        """Half way down."""
        return (self.top + self.bottom) / 2

    def fits(self, word: Word) -> bool:
        """Whether a word stands at the height of this row."""
        height, tall = word.bottom - word.top, self.bottom - self.top
        overlap = min(word.bottom, self.bottom) - max(word.top, self.top)
        between = abs(word.top + word.bottom - self.top - self.bottom) / 2
        return overlap > OVERLAP * min(height, tall) and between < NEAR * max(height, tall)

    def take(self, word: Word) -> None:
        """Adds a word; one that is larger than all before sets the height: those were raised."""
        self.words.append(word)
        size = word.font.size
        if FULL_SIZE * size > self.size:
            self.top, self.bottom, self.size = word.top, word.bottom, size
        elif size >= FULL_SIZE * self.size:
            self.top, self.bottom = min(self.top, word.top), max(self.bottom, word.bottom)
            self.size = max(self.size, size)


def rows_of(words: Iterable[Word]) -> list[Row]:
    """Returns the rows that words stand in, from the top down."""
    rows: list[Row] = []
    for word in sorted(words, key=lambda word: (word.top + word.bottom, word.x0)):
        if rows and word.top == rows[-1].top and word.bottom == rows[-1].bottom:
            rows[-1].words.append(word)  # most words: set like the last one
            continue
        for row in rows[: -RECENT - 1 : -1]:
            if row.fits(word):
                row.take(word)
                break
        else:
            rows.append(Row(word))
    for row in rows:
        row.words.sort(key=lambda word: word.x0)
    rows.sort(key=lambda row: row.mid_y)
    return rows


def segments(words: list[Word], gap: float) -> list[Segment]:
    """Cuts a row where the white is `gap` ems or more; a bullet stays with its text, two numbers part sooner."""
    surely = min(gap, NUMBERS_APART)
    starts = [
        number
        for number, (last, word) in enumerate(pairwise(words), 1)
        if word.x0 - last.x1 >= surely * word.font.size and not _belong_together(last, word, gap)
    ]
    return [words[start:end] for start, end in pairwise([0, *starts, len(words)])] if words else []


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
    return " ".join(word.text for word in words)
