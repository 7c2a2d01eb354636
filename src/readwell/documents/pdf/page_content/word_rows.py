"""`Row`: words at the same height across all columns, split into segments at wide gaps; for finding tables."""

from collections.abc import Iterable
from itertools import pairwise

from ..page_model import Word
from ..text_patterns import BULLETS, is_digits

RECENT = 4
"""The number of previous rows that a word is compared with: words come from top to bottom."""
OVERLAP = 0.5
NEAR = 0.55
FULL_SIZE = 0.95
"""Words smaller than this share of their row's size do not extend it: they are raised or lowered."""
NARROWEST_GAP, NUMBERS_APART = 0.45, 0.6
"""In ems: the narrowest gap that can separate cells, and the one that separates two numbers."""
FIXED_PITCH_GAP = 1.0
"""The narrowest gap, in ems, that separates cells in a monospaced font, whose space is as wide as any letter."""
BULLET_REACH = 4.0
LEADER_REACH = 1.3
"""The widest gap, in ems, before a dot of a row of leader dots."""

Segment = list[Word]
Interval = tuple[float, float]


class Row:
    """Words at the same height, from left to right."""

    __slots__ = ("_gap_starts", "bottom", "mixed", "size", "top", "words")

    def __init__(self, word: Word) -> None:
        self.words = [word]
        self.top, self.bottom, self.size = word.top, word.bottom, word.font.size
        self.mixed = False
        """Whether some words are slightly higher or lower than others."""
        self._gap_starts: list[int] | None = None

    @property
    def mid_y(self) -> float:
        """The vertical centre."""
        return (self.top + self.bottom) / 2

    def fits(self, word: Word) -> bool:
        """Whether a word is at the height of this row."""
        height, tall = word.bottom - word.top, self.bottom - self.top
        overlap = min(word.bottom, self.bottom) - max(word.top, self.top)
        between = abs(word.top + word.bottom - self.top - self.bottom) / 2
        return overlap > OVERLAP * min(height, tall) and between < NEAR * max(height, tall)

    def add(self, word: Word) -> None:
        """Adds a word; one larger than all before it sets the height, for those were raised."""
        self.words.append(word)
        self.mixed = True
        size = word.font.size
        if FULL_SIZE * size > self.size:
            self.top, self.bottom, self.size = word.top, word.bottom, size
        elif size >= FULL_SIZE * self.size:
            self.top, self.bottom = min(self.top, word.top), max(self.bottom, word.bottom)
            self.size = max(self.size, size)

    def segments(self, gap: float) -> list[Segment]:
        """Splits the row at gaps of `gap` ems or more; a bullet stays with its text, numbers split at narrower gaps.

        The candidates are cached, for the method is called several times.
        """
        words = self.words
        if self._gap_starts is None:
            self._gap_starts = [
                number
                for number, (last, word) in enumerate(pairwise(words), 1)
                if word.x0 - last.x1 >= NARROWEST_GAP * word.font.size
            ]
        if not self._gap_starts:
            return [words]
        starts = [number for number in self._gap_starts if not _belong_together(words[number - 1], words[number], gap)]
        return [words[start:end] for start, end in pairwise([0, *starts, len(words)])] if starts else [words]


def downwards(words: Iterable[Word]) -> list[Word]:
    """Returns words sorted from top to bottom, those of one height from left to right."""
    return sorted(words, key=lambda word: (word.top + word.bottom, word.x0))


def rows_of(words: Iterable[Word]) -> list[Row]:
    """Returns the rows of words, from top to bottom."""
    return rows_of_sorted(downwards(words))


def rows_of_sorted(words: Iterable[Word]) -> list[Row]:
    """Returns the rows of words that are already sorted from top to bottom."""
    rows: list[Row] = []
    last: Row | None = None
    for word in words:
        if last and word.top == last.top and word.bottom == last.bottom:
            last.words.append(word)  # most words: same height as the last one
            continue
        for row in rows[: -RECENT - 1 : -1]:
            if word.top < row.bottom and row.fits(word):
                row.add(word)
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
    """Says whether two words belong to one segment."""
    space = right.x0 - left.x1
    em = max(left.font.size, right.font.size)
    if left.font.mono and right.font.mono:
        gap = max(gap, FIXED_PITCH_GAP)
    if right.text == "." and space < LEADER_REACH * em:
        return True
    if space >= gap * em:
        return left.text in BULLETS and space < BULLET_REACH * right.font.size
    return space < NUMBERS_APART * em or not (is_digits(left.text) and is_digits(right.text))


def extent(segment: Segment) -> Interval:
    """Returns the left and right edge of a segment."""
    return segment[0].x0, segment[-1].x1


def joined_text(words: Iterable[Word]) -> str:
    """Returns the texts of words joined by spaces."""
    return " ".join([word.text for word in words])
