"""Cleans up grids: splits tables printed side by side in one frame, merges columns of footnote marks."""

import re

from ..page_model import Word
from .cell_texts import Grid, cell_text

MARK = re.compile(r"[(\[][\da-z]{1,2}[)\]]|[*†‡§]{1,3}|\d/", re.IGNORECASE)
BESIDE = 1.5


def split_side_by_side(grid: Grid) -> list[Grid]:
    """Splits a grid whose header repeats into one grid per repetition."""
    header = [cell_text(cell) for cell in grid[0]]
    for width in range(2, len(header) // 2 + 1):
        times, rest = divmod(len(header), width)
        if not rest and all(header[:width]) and header == header[:width] * times:
            return [_columns(grid, start, width) for start in range(0, len(header), width)]
    return [grid]


def _columns(grid: Grid, start: int, width: int) -> Grid:
    """Returns some columns of a grid, without rows that are empty there."""
    parts = [row[start : start + width] for row in grid]
    return [row for row in parts if any(row)]


def with_footnote_marks_merged(grid: Grid) -> Grid:
    """Returns a grid in which footnote marks are in the cells that they mark."""
    marks = [column for column in range(1, len(grid[0])) if _has_only_marks(grid, column)]
    for column in reversed(marks):
        grid = [[*row[: column - 1], row[column - 1] + row[column], *row[column + 1 :]] for row in grid]
    return grid


def _has_only_marks(grid: Grid, column: int) -> bool:
    """Whether a column has only footnote marks, each close to the cell on its left."""
    pairs = [(row[column - 1], row[column]) for row in grid if row[column]]
    return all(MARK.fullmatch(cell_text(cell)) and left and _is_beside(left[-1], cell[0]) for left, cell in pairs)


def _is_beside(left: Word, right: Word) -> bool:
    """Says whether two words almost touch."""
    return right.x0 - left.x1 < BESIDE * left.font.size
