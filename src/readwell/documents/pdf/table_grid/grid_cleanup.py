"""Cleans up grids: splits tables printed side by side in one frame, merges columns of footnote marks."""

import re
from collections.abc import Iterator

from ..page_model import Word
from ..text_patterns import SIGNS, is_number, is_year
from .cell_texts import Grid, cell_text

MARK = re.compile(r"[(\[][\da-z]{1,2}[)\]]|[*†‡§]{1,3}|\d/", re.IGNORECASE)
BESIDE = 1.5
"""The gap, in ems, below which a footnote mark belongs to the cell on its left."""
STRETCHED, SAME_LINE, SAME_START = 2.0, 0.3, 0.5
"""In ems: the widest space in justified text, the heights and starts of words that count as equal."""
MOST_SIGNS = 0.5
"""The least share of the cells of a column of signs that are signs: others are heads of it and the next one."""
FEW = 0.5
"""The largest share of rows that such spaces tear."""


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


def with_torn_text_joined(grid: Grid) -> Grid:
    """Returns a grid in which words that only a stretched space parted from the text before them are in its cell."""
    torn = [column for column in range(1, len(grid[0])) if _is_torn_off(grid, column)]
    for column in reversed(torn):
        grid = [[*row[: column - 1], _joined(row[column - 1], row[column]), *row[column + 1 :]] for row in grid]
    return grid


def _is_torn_off(grid: Grid, column: int) -> bool:
    """Whether a column without a head holds only words that follow words of the column before, in few rows.

    Words that begin at one place are a column; justified text is parted anywhere.
    """
    cells = [(row[column - 1], row[column]) for row in grid if row[column]]
    if grid[0][column] or not all(cell for k, cell in enumerate(grid[0]) if k not in (0, column)):
        return False
    if not cells or len(cells) > FEW * len(grid) or not all(left for left, _ in cells):
        return False
    firsts = [pair for left, cell in cells for pair in _lines_beside(left, cell)]
    if not all(word.text[0].isalpha() and _follows_stretched_space(before, word) for before, word in firsts):
        return False
    starts = [word.x0 for _, word in firsts]
    return len(starts) == 1 or max(starts) - min(starts) > SAME_START * firsts[0][1].font.size


def _lines_beside(left: list[Word], cell: list[Word]) -> Iterator[tuple[Word | None, Word]]:
    """Yields the first word of each line of a cell, with the last one of the lines beside and above it on the left."""
    end = 0
    for k, word in enumerate(cell):
        if not k or not _are_level(cell[k - 1], word):
            end = _line_end(left, word, end)
            yield left[end - 1] if end else None, word


def _line_end(words: list[Word], word: Word, start: int) -> int:
    """Returns where, from a start on, the words end that are on the line of a word or above it."""
    while start < len(words) and (_are_level(words[start], word) or words[start].baseline < word.baseline):
        start += 1
    return start


def _are_level(one: Word, other: Word) -> bool:
    """Says whether two words are on the same line."""
    return abs(one.baseline - other.baseline) < SAME_LINE * other.font.size


def _follows_stretched_space(before: Word | None, word: Word) -> bool:
    """Whether a word is one stretched space behind a word of letters on the same line."""
    if not before or not _are_level(before, word) or not before.text.rstrip(".,;:").isalpha():
        return False
    return word.x0 - before.x1 < STRETCHED * word.font.size


def _joined(left: list[Word], right: list[Word]) -> list[Word]:
    """Returns the words of two cells, line by line."""
    words: list[Word] = []
    end = 0
    for word in right:
        start, end = end, _line_end(left, word, end)
        words += [*left[start:end], word]
    return words + left[end:]


def with_signs_joined(grid: Grid) -> Grid:
    """Returns a grid in which signs of currency or per cent, set apart from their amounts, are in their cells."""
    for column in reversed(range(1, len(grid[0]))):
        signs = [row[column] for row in grid if row[column] and _is_sign(row[column])]
        if not signs or len(signs) < MOST_SIGNS * sum(bool(row[column]) for row in grid):
            continue
        first = column - 1 if cell_text(signs[0]) == "%" else column
        if first + 1 < len(grid[0]) and all(_may_be_joined(row[first], row[first + 1], row[column]) for row in grid):
            grid = [[*row[:first], _joined(row[first], row[first + 1]), *row[first + 2 :]] for row in grid]
    return grid


def _is_sign(cell: list[Word]) -> bool:
    """Says whether a cell is a sign alone."""
    return len(cell) == 1 and cell[0].text in SIGNS


def _may_be_joined(left: list[Word], right: list[Word], cell: list[Word]) -> bool:
    """Whether two cells may be one: one is empty, one of them a sign, or neither has a number, as in heads."""
    if not left or not right or _is_sign(cell):
        return True
    return not any(is_number(cell_text(each)) and not is_year(cell_text(each)) for each in (left, right))
