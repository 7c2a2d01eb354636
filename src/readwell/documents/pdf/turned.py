"""Column heads printed sideways: level words make the table, these name its columns."""

from collections.abc import Sequence
from math import pi

from .grid import Grid
from .model import Word

UPRIGHT = 0.2
REACH = 2.5
"""How far above a table, in ems, the foot of its heads may be."""
LONGEST = 15.0
BESIDE = 1.5
LEAST = 2


def with_turned_heads(grid: Grid, turned: Sequence[Word]) -> Grid:
    """Returns a grid with the words that stand on end over its columns as heads."""
    heads = _heads(grid, turned)
    if sum(map(bool, heads)) < LEAST:
        return grid
    if any(head and cell for head, cell in zip(heads, grid[0], strict=True)):
        return [heads, *grid]
    return [[head or cell for head, cell in zip(heads, grid[0], strict=True)], *grid[1:]]


def _heads(grid: Grid, turned: Sequence[Word]) -> list[list[Word]]:
    """Returns the turned words over each column, in the order in which they are read."""
    heads: list[list[Word]] = [[] for _ in grid[0]]
    columns = [[word for row in grid for word in row[column]] for column in range(len(heads))]
    middles = [(min(word.x0 for word in words) + max(word.x1 for word in words)) / 2 for words in columns]
    top = min(word.top for row in grid[:1] for cell in row for word in cell)
    below = min((word.bottom for row in grid[1:2] for cell in row for word in cell), default=top)
    for word in turned:
        if not top - LONGEST * word.size < word.top < below or not _stands_on_end(word):
            continue
        nearest = min(range(len(middles)), key=lambda column: abs(middles[column] - word.mid_x))
        if abs(middles[nearest] - word.mid_x) < BESIDE * word.size:
            heads[nearest].append(word)
    return [head if head and max(word.bottom for word in head) > top - REACH * head[0].size else [] for head in heads]


def _stands_on_end(word: Word) -> bool:
    return abs(abs(word.font.angle) - pi / 2) < UPRIGHT
