"""`WordIndex`: looks up the words and rows of a page in a box; the usual width of a space."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from statistics import median

from ..page_model import Box, Word
from .word_rows import Row, downwards, rows_of_sorted

USUAL_SPACE = 0.25
FEW_GAPS = 8
TYPICAL = 0.4
"""The share of gaps that are narrower than a usual space between words; wider ones may separate columns."""


class WordIndex:
    """Horizontal words, in PDFium's order as given and sorted by height; derived values are computed on demand."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self.downwards = downwards(words)
        self._heights = [(word.top + word.bottom) / 2 for word in self.downwards]
        self._last_rows: tuple[tuple[Box, float] | None, list[Row]] = None, []

    @cached_property
    def em(self) -> float:
        """The median font size."""
        return median([word.font.size for word in self.words]) if self.words else 10.0

    @cached_property
    def monospaced(self) -> bool:
        """Whether most words are in a monospaced font."""
        return sum(word.font.mono for word in self.words) > 0.5 * len(self.words)

    def within(self, box: Box, margin: float) -> list[Word]:
        """Returns the words whose centre is in a box or at most `margin` outside it, from top to bottom."""
        x0, top, x1, bottom = box
        first, end = bisect_left(self._heights, top - margin), bisect_right(self._heights, bottom + margin)
        low, high = 2 * (x0 - margin), 2 * (x1 + margin)
        return [word for word in self.downwards[first:end] if low <= word.x0 + word.x1 <= high]

    def rows_within(self, box: Box, margin: float) -> list[Row]:
        """Returns the same words as rows; the last result is cached, for most boxes are asked for twice."""
        if self._last_rows[0] != (box, margin):
            self._last_rows = (box, margin), rows_of_sorted(self.within(box, margin))
        return self._last_rows[1]

    def space_width(self, words: Sequence[Word]) -> float:
        """Returns the usual space between words, in ems: that of the given words, or of the page where they are few."""
        gaps = self._gaps
        own = [gaps[word.char_index] for word in words if word.char_index in gaps]
        return _typical(own if len(own) >= FEW_GAPS else [*gaps.values()])

    def count_text_cuts(self, char_indexes: frozenset[int]) -> int:
        """Returns how often running text is interrupted where the given words are removed from it."""
        return sum(
            (before.char_index in char_indexes) != (after.char_index in char_indexes)
            for before, after in pairwise(self.words)
            if after.char_index in self._gaps
        )

    @cached_property
    def _gaps(self) -> dict[int, float]:
        """The gap, in ems, before each word that follows another in running text, by `char_index`.

        Numbers are left out: the gap between two of them is as often one between columns.
        """
        return {
            after.char_index: gap / before.font.size
            for before, after in pairwise(self.words)
            if before.line == after.line
            and 0 < (gap := after.x0 - before.x1) < before.font.size
            and before.text[-1].isalpha()
            and after.text[0].isalpha()
            and abs(before.baseline - after.baseline) < 1
        }


def _typical(gaps: list[float]) -> float:
    """Returns the usual space between words."""
    return sorted(gaps)[int(TYPICAL * len(gaps))] if len(gaps) >= FEW_GAPS else USUAL_SPACE
