"""Turns words and ruling lines of a scan from pixels into those of a page: upright, in points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from statistics import median

from ....named_tuple import NamedTuple
from ..page_content.ruling_lines import merge_ruling_lines, spans_page
from ..page_model import Font, Frame, RulingLine, Rulings, Word
from .ruling_lines_in_pixels import Stroke, Strokes

LONGEST_WORD = 200
MIN_WORDS = 4
"""Words of a line that tells how a page is skewed."""
LEAST_SKEW, MOST_SKEW = 0.003, 0.1
"""Slopes of lines: less does not matter, more is no skew."""


class RecognisedWord(NamedTuple):
    """A word in an image, in pixels from its upper left corner; `confidence` is up to 100."""

    text: str
    box: tuple[int, int, int, int]
    baseline: float
    size: float
    """The height of its line."""
    confidence: float
    line: int


class PixelsToPoints:
    """Where things of an image are on the page: `scale` pixels are a point, and lines are made level.

    Only coordinates are turned, not the image: engines read lines that are a little skewed.
    """

    def __init__(self, words: Sequence[RecognisedWord], scale: float, frame: Frame) -> None:
        self._scale, self._frame = scale, frame
        self._slope = slope_of(words)

    def word(self, recognised: RecognisedWord, index: int) -> Word:
        """Returns a word on the page."""
        left, upper, right, lower = recognised.box
        across, down = self._moved((left + right) / 2, (upper + lower) / 2)
        half, high = (right - left) / self._scale / 2, (lower - upper) / self._scale / 2
        size = max(1.0, round(2 * recognised.size / self._scale) / 2)
        return Word(
            text=recognised.text[:LONGEST_WORD],
            x0=min(max(0.0, across - half), self._frame.width),
            top=down - high,
            x1=min(across + half, self._frame.width),
            bottom=down + high,
            baseline=down + (recognised.baseline - (upper + lower) / 2) / self._scale,
            font=Font(size=size, bold=False, mono=False, italic=False, name="", angle=0.0),
            line=recognised.line,
            char_index=index,
        )

    def rulings(self, strokes: Strokes) -> Rulings:
        """Returns the ruling lines of the page; not those from edge to edge, as scanners draw them."""
        width, height = self._frame.width, self._frame.height
        across = [
            RulingLine((top + bottom) / 2, left, right) for left, top, right, bottom in self._ends(strokes.horizontal)
        ]
        down = [
            RulingLine((left + right) / 2, top, bottom) for left, top, right, bottom in self._ends(strokes.vertical)
        ]
        return Rulings(
            horizontal=[ruling for ruling in merge_ruling_lines(across) if not spans_page(ruling, width)],
            vertical=[ruling for ruling in merge_ruling_lines(down) if not spans_page(ruling, height)],
            figures=[],
        )

    def _ends(self, strokes: Iterable[Stroke]) -> Iterator[tuple[float, float, float, float]]:
        return ((*self._moved(x0, y0), *self._moved(x1, y1)) for x0, y0, x1, y1 in strokes)

    def _moved(self, x: float, y: float) -> tuple[float, float]:
        return (x + self._slope * y) / self._scale, (y - self._slope * x) / self._scale


def slope_of(words: Iterable[RecognisedWord]) -> float:
    """Returns by how much the lines of a page fall from left to right; 0 for what does not matter."""
    slopes: list[float] = []
    for _, group in groupby(words, key=lambda word: word.line):
        line = [*group]
        first, last = line[0], line[-1]
        if len(line) >= MIN_WORDS and last.box[0] > first.box[2]:
            slopes.append((last.baseline - first.baseline) / (_middle(last) - _middle(first)))
    slope = median(slopes) if slopes else 0.0
    return slope if LEAST_SKEW <= abs(slope) <= MOST_SKEW else 0.0


def _middle(word: RecognisedWord) -> float:
    return (word.box[0] + word.box[2]) / 2
