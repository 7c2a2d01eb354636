"""The words of a page that may stand in tables, found quickly by where they are."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from statistics import median

from .model import Box, Word
from .rows import Row, downwards, rows_downwards

USUAL_SPACE = 0.25
FEW_GAPS = 8
TYPICAL = 0.4
"""The share of gaps that are narrower than the space between words: above it stand the gaps between columns."""


class Sheet:
    """Level words, in PDFium's order as given and by height; what not every page needs is found out when asked for."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self.downwards = downwards(words)
        self._heights = [(word.top + word.bottom) / 2 for word in self.downwards]
        self._last_rows: tuple[tuple[Box, float] | None, list[Row]] = None, []

    @cached_property
    def em(self) -> float:
        """The usual font size."""
        return median([word.font.size for word in self.words]) if self.words else 10.0

    @cached_property
    def typewritten(self) -> bool:
        """Whether most words are set in a font of one width."""
        return sum(word.font.mono for word in self.words) > 0.5 * len(self.words)

    def within(self, box: Box, margin: float) -> list[Word]:
        """Returns the words whose middle is in a box or at most so far outside, from the top down."""
        x0, top, x1, bottom = box
        first, end = bisect_left(self._heights, top - margin), bisect_right(self._heights, bottom + margin)
        low, high = 2 * (x0 - margin), 2 * (x1 + margin)
        return [word for word in self.downwards[first:end] if low <= word.x0 + word.x1 <= high]

    def rows_within(self, box: Box, margin: float) -> list[Row]:
        """Returns the same as rows; a box is mostly asked for twice, so the last answer is kept."""
        if self._last_rows[0] != (box, margin):
            self._last_rows = (box, margin), rows_downwards(self.within(box, margin))
        return self._last_rows[1]

    def space(self, words: Sequence[Word]) -> float:
        """Returns the space between words, in ems: theirs, or the page's where they are few."""
        gaps = self._gaps
        found = [gaps[word.place] for word in words if word.place in gaps]
        return _typical(found if len(found) >= FEW_GAPS else [*gaps.values()])

    def cuts(self, places: frozenset[int]) -> int:
        """Returns how often running text is cut where some words, by their places, are taken out of it."""
        return sum(
            (before.place in places) != (after.place in places)
            for before, after in pairwise(self.words)
            if after.place in self._gaps
        )

    @cached_property
    def _gaps(self) -> dict[int, float]:
        """The white, in ems, before each word that follows another in running text, by place.

        Numbers are left out: the white between two of them is as often that of a column.
        """
        return {
            after.place: white / before.font.size
            for before, after in pairwise(self.words)
            if before.line == after.line
            and 0 < (white := after.x0 - before.x1) < before.font.size
            and before.text[-1].isalpha()
            and after.text[0].isalpha()
            and abs(before.baseline - after.baseline) < 1
        }


def _typical(gaps: list[float]) -> float:
    return sorted(gaps)[int(TYPICAL * len(gaps))] if len(gaps) >= FEW_GAPS else USUAL_SPACE
