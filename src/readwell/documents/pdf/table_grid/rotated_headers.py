"""Adds column headers that are printed sideways to the grid made of horizontal words."""

from collections.abc import Sequence
from math import pi

from ..page_model import Word
from ..text_patterns import is_number
from .cell_texts import Grid, cell_text

VERTICAL_TOLERANCE = 0.2
"""How far from a right angle, in radians, a word printed sideways may be turned."""
REACH = 2.5
"""The largest distance, in ems, between a table and the lower end of its rotated headers."""
LONGEST = 15.0
"""How far above a table, in ems, its rotated headers may begin."""
BESIDE = 1.5
"""How far, in ems, a rotated word may be from the middle of the column that it is above."""
LEAST = 2
"""The fewest columns with rotated headers."""
TALLEST = 6
"""The most rows of a table that are headers."""


def with_rotated_headers(grid: Grid, rotated: Sequence[Word]) -> Grid:
    """Returns a grid with the vertical words above its numbers as headers: in a row of their own where one is full."""
    body = _first_of_body(grid)
    headers = _headers(grid, rotated, body)
    if sum(map(bool, headers)) < LEAST:
        return grid
    upper = min(word.top for head in headers for word in head)
    above = sum(_bottom(row) < upper for row in grid[:body])
    if above == len(grid) or any(head and cell for head, cell in zip(headers, grid[above], strict=True)):
        return [*grid[:above], headers, *grid[above:]]
    row = [head or cell for head, cell in zip(headers, grid[above], strict=True)]
    return [*grid[:above], row, *grid[above + 1 :]]


def _first_of_body(grid: Grid) -> int:
    """Returns the number of the first row that is mostly numbers, at least 1."""
    for number, row in enumerate(grid[:TALLEST]):
        cells = [cell for cell in row if cell]
        if number and sum(is_number(cell_text(cell)) for cell in cells) > len(cells) / 2:
            return number
    return 1


def _words(rows: Grid, column: int) -> list[Word]:
    """Returns the words of a column."""
    return [word for row in rows for word in row[column]]


def _bottom(row: list[list[Word]]) -> float:
    """Returns where the lowest word of a row ends."""
    return max(word.bottom for cell in row for word in cell)


def _headers(grid: Grid, rotated: Sequence[Word], body: int) -> list[list[Word]]:
    """Returns the rotated words above each column, in reading order."""
    headers: list[list[Word]] = [[] for _ in grid[0]]
    columns = [_words(grid[body:], column) or _words(grid, column) for column in range(len(headers))]
    middles = [(min(word.x0 for word in words) + max(word.x1 for word in words)) / 2 for words in columns]
    top = min(word.top for cell in grid[0] for word in cell)
    first = min((word.top for row in grid[body : body + 1] for cell in row for word in cell), default=top)
    below = max(first, _bottom(grid[1]) if len(grid) > 1 else first)
    for word in rotated:
        if not top - LONGEST * word.size < word.top < below or not _is_vertical(word):
            continue
        nearest = min(range(len(middles)), key=lambda column: abs(middles[column] - word.mid_x))
        if abs(middles[nearest] - word.mid_x) < BESIDE * word.size:
            headers[nearest].append(word)
    return [head if head and max(word.bottom for word in head) > top - REACH * head[0].size else [] for head in headers]


def _is_vertical(word: Word) -> bool:
    """Says whether a word is printed sideways."""
    return abs(abs(word.font.angle) - pi / 2) < VERTICAL_TOLERANCE
