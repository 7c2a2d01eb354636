"""Adds column headers that are printed sideways to the grid made of horizontal words."""

from collections.abc import Sequence
from math import pi

from .grid import Grid
from .model import Word

VERTICAL_TOLERANCE = 0.2
REACH = 2.5
"""The largest distance, in ems, between a table and the lower end of its rotated headers."""
LONGEST = 15.0
BESIDE = 1.5
LEAST = 2


def with_rotated_headers(grid: Grid, rotated: Sequence[Word]) -> Grid:
    """Returns a grid with the vertical words above its columns as headers."""
    headers = _headers(grid, rotated)
    if sum(map(bool, headers)) < LEAST:
        return grid
    if any(head and cell for head, cell in zip(headers, grid[0], strict=True)):
        return [headers, *grid]
    return [[head or cell for head, cell in zip(headers, grid[0], strict=True)], *grid[1:]]


def _headers(grid: Grid, rotated: Sequence[Word]) -> list[list[Word]]:
    """Returns the rotated words above each column, in reading order."""
    headers: list[list[Word]] = [[] for _ in grid[0]]
    columns = [[word for row in grid for word in row[column]] for column in range(len(headers))]
    middles = [(min(word.x0 for word in words) + max(word.x1 for word in words)) / 2 for words in columns]
    top = min(word.top for row in grid[:1] for cell in row for word in cell)
    below = min((word.bottom for row in grid[1:2] for cell in row for word in cell), default=top)
    for word in rotated:
        if not top - LONGEST * word.size < word.top < below or not _is_vertical(word):
            continue
        nearest = min(range(len(middles)), key=lambda column: abs(middles[column] - word.mid_x))
        if abs(middles[nearest] - word.mid_x) < BESIDE * word.size:
            headers[nearest].append(word)
    return [head if head and max(word.bottom for word in head) > top - REACH * head[0].size else [] for head in headers]


def _is_vertical(word: Word) -> bool:
    return abs(abs(word.font.angle) - pi / 2) < VERTICAL_TOLERANCE
