"""Where in the text of a page its comments belong."""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict

from ..page_model import PageWords, Word

Rect = tuple[float, float, float, float]
"""Left, bottom, right, top in PDF coordinates."""
ROW = 8
"""The height, in points, of the rows of the page by which words are looked up."""
NEAR = 2
"""Rows above and below a comment in which the nearest word counts; beyond them the nearest row does."""
FIRST_LINE = 12.0
"""A comment on several lines belongs to the first of them: to so many points below its upper edge."""


class CommentOrder:
    """Finds the place of comments in the text by the nearest word, so that those on columns keep their order."""

    def __init__(self, words: PageWords) -> None:
        self._frame = words.frame
        rows: dict[int, list[tuple[float, int, Word]]] = defaultdict(list)
        for number, word in enumerate(words.words):
            rows[int((word.top + word.bottom) / 2 // ROW)].append((word.x0, number, word))
        self._rows = {row: sorted(found, key=lambda each: each[:2]) for row, found in rows.items()}
        self._known = sorted(self._rows)

    def sort_key(self, rect: Rect) -> tuple[int, float, float]:
        """Returns what comments are sorted by: the number of the word that one belongs to, and where it is."""
        frame = self._frame
        xs = [frame.a * x + frame.c * y + frame.e for x, y in (rect[:2], rect[2:])]
        ys = [frame.b * x + frame.d * y + frame.f for x, y in (rect[:2], rect[2:])]
        x, top = min(xs), min(ys)
        y = top + min(max(ys) - top, FIRST_LINE) / 2
        return self._nearest(x, y), top, x

    def _nearest(self, x: float, y: float) -> int:
        """Returns the number of the word nearest to a point, -1 on a page without words."""
        if not self._known:
            return -1
        at = bisect(self._known, y // ROW)
        row = min(self._known[max(0, at - 1) : at + 1], key=lambda known: abs(known - y // ROW))
        near = [known for known in range(int(y // ROW) - NEAR, int(y // ROW) + NEAR + 1) if known in self._rows]
        return min(candidate for known in near or [row] for candidate in self._neighbours_in_row(known, x, y))[1]

    def _neighbours_in_row(self, row: int, x: float, y: float) -> list[tuple[float, int]]:
        """Returns the distance and number of the words of a row to the left and right of a point."""
        words = self._rows[row]
        at = bisect(words, x, key=lambda each: each[0])
        return [
            (max(0.0, word.x0 - x, x - word.x1) + abs((word.top + word.bottom) / 2 - y), number)
            for _, number, word in words[max(0, at - 1) : at + 1]
        ]
