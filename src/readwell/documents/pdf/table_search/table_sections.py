"""Recognises sections of one table: parts with white between them, whose numbers share their right edges."""

from ..page_content.word_index import WordIndex
from ..page_content.word_rows import rows_of_sorted
from ..page_model import Word
from ..table_grid.cell_texts import Grid, cell_text
from ..text_patterns import is_caption, is_number, is_year
from .table_candidate import Candidate

FARTHEST = 5.0
"""The most white between two sections, in ems, with the title of the lower one."""
SAME_EDGE = 0.4
"""How far apart, in ems, the right edges of numbers in one column are at most."""
MAX_TITLES, WIDEST_TITLE = 2, 0.6
"""The most lines between two sections, and the share of the width that each must stay below."""
LARGER = 1.12
"""How much larger than the upper section they may be."""
GAP = 0.9
"""The least gap, in ems, between cells: a title has none."""


def are_sections(above: Candidate, below: Candidate, index: WordIndex) -> bool:
    """Whether two tables are sections of one: as many columns, the same edges, at most short titles between."""
    if len(above.grid[0]) != len(below.grid[0]) or not 0 <= below.box[1] - above.box[3] < FARTHEST * index.em:
        return False
    if [cell_text(cell) for cell in above.grid[0]] == [cell_text(cell) for cell in below.grid[0]]:
        return False
    if _has_own_head(below.grid):
        return False
    edges = [
        (_right_edge_of_numbers(above.grid, column), _right_edge_of_numbers(below.grid, column))
        for column in range(1, len(above.grid[0]))
    ]
    return all(
        one and other and abs(one - other) < SAME_EDGE * index.em for one, other in edges
    ) and _only_titles_between(above, below, index)


def is_head_of(above: Candidate, below: Candidate, index: WordIndex) -> bool:
    """Whether a table is the head of the one below it, with the title of a section between them."""
    if not 0 <= below.box[1] - above.box[3] < FARTHEST * index.em or _has_own_head(below.grid):
        return False
    heads = [cell_text(cell) for row in above.grid for cell in row if cell]
    numbers = [cell_text(cell) for cell in below.grid[0][1:] if cell]
    named = len(heads) > 1 and not any(is_number(text) and not is_year(text) for text in heads)
    return named and any(map(is_number, numbers)) and _only_titles_between(above, below, index)


def _has_own_head(grid: Grid) -> bool:
    """Whether the first row of a table has words over most of its columns, and no number."""
    names = [cell_text(cell) for cell in grid[0][1:] if cell]
    return len(names) > max(1, (len(grid[0]) - 1) / 2) and not any(map(is_number, names))


def _right_edge_of_numbers(grid: Grid, column: int) -> float | None:
    """Returns the right edge that the numbers of a column share; None without one."""
    edges = [row[column][-1].x1 for row in grid if row[column] and is_number(cell_text(row[column]))]
    size = _words(grid)[0].font.size
    return edges[0] if edges and max(edges) - min(edges) < SAME_EDGE * size else None


def _words(grid: Grid) -> list[Word]:
    """Returns the words of a grid."""
    return [word for row in grid for cell in row for word in cell]


def _only_titles_between(above: Candidate, below: Candidate, index: WordIndex) -> bool:
    """Whether only short lines, no larger than the tables, stand between them."""
    left, right = min(above.box[0], below.box[0]), max(above.box[2], below.box[2])
    rows = rows_of_sorted(index.within((left, above.box[3] + 1, right, below.box[1] - 1), 0))
    size = LARGER * max(word.font.size for word in _words(above.grid))
    return len(rows) <= MAX_TITLES and all(
        len(row.segments(GAP)) == 1
        and row.words[-1].x1 - row.words[0].x0 < WIDEST_TITLE * (right - left)
        and row.size < size
        and not is_caption(" ".join(word.text for word in row.words[:3]))
        for row in rows
    )
