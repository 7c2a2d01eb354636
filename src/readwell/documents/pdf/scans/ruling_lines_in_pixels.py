"""Finds straight ruling lines in the pixels of a scan: its tables are found by them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ....named_tuple import NamedTuple
from ..page_bitmap import PageBitmap

DARK = bytes(level < 160 for level in range(256))
"""Maps a grey to 1 where it is dark enough for a ruling line."""
SHORTEST_RUN = re.compile(rb"\x01{40,}")
"""Dark pixels side by side that are more than part of a letter: a skewed hairline is in steps of 57."""
MIN_LENGTH = 60
MAX_THICKNESS = 10
MAX_STEP = 2
"""Rows between two runs of one ruling line."""
MAX_GAP = 12
"""Pixels between two runs of one ruling line, side by side."""
MAX_RUNS = 20_000


class Stroke(NamedTuple):
    """A ruling line in pixels: from the left end to the right one, or from the upper to the lower."""

    x0: float
    y0: float
    x1: float
    y1: float


class Strokes(NamedTuple):
    """The ruling lines of an image."""

    horizontal: list[Stroke]
    vertical: list[Stroke]


NO_STROKES = Strokes([], [])


def find_strokes(image: PageBitmap) -> Strokes | None:
    """Returns the ruling lines of an image in grey; None where more is drawn than is looked at."""
    (width, height), stride = image.size, image.stride
    dark = image.content.translate(DARK)
    across = _strokes(dark[row * stride : row * stride + width] for row in range(height))
    down = _strokes(dark[column::stride] for column in range(width))
    if across is None or down is None:
        return None
    return Strokes(across, [Stroke(y0, x0, y1, x1) for x0, y0, x1, y1 in down])


class _Growing:
    """A ruling line while its rows are read."""

    __slots__ = ("area", "first", "last", "last_y", "left", "right", "y_left", "y_right")

    def __init__(self, left: int, right: int, row: int) -> None:
        self.left, self.right, self.first, self.last_y = left, right, row, row
        self.y_left = self.y_right = float(row)
        self.area, self.last = right - left, (left, right)

    def takes(self, left: int, right: int) -> bool:
        """Whether a run continues this ruling line."""
        return left <= self.last[1] + MAX_GAP and right >= self.last[0] - MAX_GAP

    def add(self, left: int, right: int, row: int) -> None:
        """Adds a run."""
        if left < self.left:
            self.left, self.y_left = left, row
        if right > self.right:
            self.right, self.y_right = right, row
        self.area, self.last, self.last_y = self.area + right - left, (left, right), row

    def stroke(self) -> Stroke | None:
        """Returns the ruling line; None for what is too short or too thick."""
        length = self.right - self.left
        thickness = self.area / length
        if length < MIN_LENGTH or thickness > MAX_THICKNESS:
            return None
        level = self.last_y - self.first < MAX_THICKNESS
        middle = (self.first + self.last_y) / 2
        y0, y1 = (middle, middle) if level else (self.y_left, self.y_right)
        return Stroke(self.left, y0, self.right, y1)


def _strokes(rows: Iterator[bytes]) -> list[Stroke] | None:
    """Returns the horizontal ruling lines of rows of pixels, each 1 where dark; None where there are too many runs."""
    strokes: list[Stroke] = []
    growing: list[_Growing] = []
    runs = 0
    for number, row in enumerate(rows):
        for run in SHORTEST_RUN.finditer(row):
            runs += 1
            _grow(growing, *run.span(), number)
        if runs > MAX_RUNS:
            return None
        ended = [ruling for ruling in growing if number - ruling.last_y >= MAX_STEP]
        if ended:
            strokes += [stroke for ruling in ended if (stroke := ruling.stroke())]
            growing = [ruling for ruling in growing if number - ruling.last_y < MAX_STEP]
    return strokes + [stroke for ruling in growing if (stroke := ruling.stroke())]


def _grow(growing: list[_Growing], left: int, right: int, row: int) -> None:
    for ruling in growing:
        if ruling.takes(left, right):
            ruling.add(left, right, row)
            return
    growing.append(_Growing(left, right, row))
