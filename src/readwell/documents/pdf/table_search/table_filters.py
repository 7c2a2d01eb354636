"""Decides whether a grid is a table; rejects prose, lists, tables of contents, code, formulas, pictures."""

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from ..page_content.word_rows import Row
from ..page_model import Box
from ..table_grid.cell_texts import Grid
from ..text_patterns import is_number, is_picture_caption
from .table_evidence import TableEvidence, count, evidence_of, share

Kind = Literal["lattice", "ruled", "whitespace"]
"""How a region was detected: by crossing ruling lines, by horizontal ruling lines, or by whitespace alone."""
KINDS: tuple[Kind, ...] = ("lattice", "ruled", "whitespace")
MIN_CELLS = {"lattice": 4, "ruled": 6, "whitespace": 8}
MIN_ROWS = {"lattice": 2, "ruled": 2, "whitespace": 3}

LETTERS = re.compile(r"[^\W_]{3}")
LEADERS = re.compile(r"(?:\.\s?){5,}|…{2,}|(?:_\s?){6,}")
LABEL = re.compile(r"(\d{1,3})(?!\d)(:?)")
STEP = re.compile(r"-?\d{1,6}(?:\.\d{1,4})?")
MIN_SCALE, SPARSE = 5, 0.7
KNOWN = 0.75
"""The share of words and numbers among cells from which they are no scraps of a picture or formula."""
FULL, FILLED, MIN_GRID, CODES = 0.9, 0.6, 3, 0.8
CODE = re.compile(r"[^\W_]{1,5}|[^\W_]+ \d+|[^\W_]{1,3}/[^\W_]{1,3}")
PAGE = re.compile(r"\d{1,4}")
SECTION = re.compile(r"(?:\d+(?:\.\d+)*\.?|[A-Z])(?:\s|$)")
INDEX_ENTRY = re.compile(r"[^\W\d_]{3}.*,? \d{1,3}(?:, ?\d{1,3})*$")
LIST_MARK = re.compile(r"\(?[\divxa-z]{1,4}[.)]|[•◦▪●‣·\uf0b7\-–—*o§]|\[\d+\]|\d+(?:\.\d+)*", re.IGNORECASE)
ODD_MATHS = re.compile("[\u0370-\u03ff\ue000-\uf8ff]|^[=+]|[=+]$")
PLAIN_SIGNS = frozenset("+<>=~|±")


def may_hold_table(rows: Sequence[Row], kind: Kind) -> bool:
    """Whether rows have enough words for a table of this kind: a cheap check that rejects most regions."""
    return len(rows) >= MIN_ROWS[kind] and sum(len(row.words) for row in rows) >= MIN_CELLS[kind]


def is_table(grid: Grid, kind: Kind) -> bool:
    """Whether a grid is a table; the fewer ruling lines it has, the more its cells must look like one."""
    evidence = evidence_of(grid)
    if len(evidence.filled) < MIN_CELLS[kind] or evidence.height < MIN_ROWS[kind]:
        return False
    if evidence.gappy > 0.15 * len(evidence.filled):
        return False
    if _is_scraps(evidence) and not _is_grid_of_codes(evidence, kind):
        return False
    if (kind == "whitespace" or evidence.fill_share < SPARSE) and _has_only_scales(evidence):
        return False
    if kind == "lattice":
        return evidence.fill_share >= 0.35 and evidence.several_cells_share >= 0.3 and evidence.mean_length < 400
    if _is_listing(evidence) or _is_contents(evidence):
        return False
    if kind == "ruled":
        return evidence.several_cells_share >= 0.5 and evidence.fill_share >= 0.3 and evidence.mean_length < 90
    return _is_whitespace_table(evidence)


def _is_scraps(evidence: TableEvidence) -> bool:
    """Whether cells are neither words nor numbers, as in formulas and axis labels."""
    worded = share(evidence.filled, LETTERS.search)
    first_worded = count(evidence.first_column, LETTERS.search) / evidence.height
    if evidence.number_share < 0.4:
        known = share(evidence.filled, lambda text: LETTERS.search(text) or is_number(text))
        return worded < 0.5 and first_worded < 0.5 and known < KNOWN
    return worded < 0.15 and first_worded < 0.3 and len(evidence.filled) < 12


def _is_grid_of_codes(evidence: TableEvidence, kind: Kind) -> bool:
    """Whether cells are codes such as Y and N: they fill a ruled grid, or all have a head in words; between rules
    they may be of any kind, such as calls of functions. In a lattice heads and cells may span several columns or rows.
    """
    if min(evidence.height, evidence.width) < MIN_GRID:
        return False
    heads = [cell for cell in evidence.rows[0] if cell]
    headed = evidence.fill_share >= FILLED and share(heads, LETTERS.search) >= CODES
    if kind == "lattice":
        return evidence.fill_share >= FULL or (headed and len(heads) >= MIN_GRID)
    if not headed or not all(evidence.rows[0]):
        return False
    return kind == "ruled" or share(evidence.filled, CODE.fullmatch) >= CODES


def is_code(grid: Grid) -> bool:
    """Whether a grid is framed program code: monospaced, not mostly numbers, and without heads in another font."""
    heads = [cell for cell in grid[0] if cell]
    if len(heads) > 1 and not any(word.font.mono for cell in heads for word in cell):
        return False
    words = [word for row in grid for cell in row for word in cell]
    return share(words, lambda word: word.font.mono) >= 0.8 and evidence_of(grid).number_share < 0.3


def is_chart(grid: Grid) -> bool:
    """Whether the last rows of a grid are the axis of a chart: numbers at equal steps below sparse columns."""
    rows = evidence_of(grid).rows
    for number in range(max(2, len(rows) - 2), len(rows)):
        words = " ".join(rows[number]).replace("%", "").split()
        if len(words) >= MIN_SCALE and all(map(STEP.fullmatch, words)) and _has_equal_steps(words):
            above = [cell for row in rows[:number] for cell in row]
            return len(words) > sum(map(bool, rows[number])) or share(above, bool) < 0.5
    return False


def _has_only_scales(evidence: TableEvidence) -> bool:
    """Whether all numbers stand in rows of equal steps, as on the axes of charts, with names between them.

    Or they stand at the sides, in columns of equal steps, with one row of names between: the upright axes.
    """
    counted = [_steps(" ".join(row)) for row in evidence.rows]
    scales = [numbers for numbers in counted if numbers]
    if scales and all(len(numbers) >= MIN_SCALE and _has_equal_steps(numbers) for numbers in scales):
        return True
    between = [row[1:-1] for row in evidence.rows if any(row[1:-1])]
    sides = [_steps(" ".join(column)) for column in (evidence.first_column, evidence.last_column)]
    if len(between) > 1 or len(sides[0]) < len(evidence.rows) or not sides[1]:
        return False
    return all(_has_equal_steps(numbers) for numbers in sides)


def _steps(text: str) -> list[str]:
    """Returns the numbers of a text that may be those of an axis."""
    words = text.replace("−", "-").replace(",", "").replace("%", "").split()
    return [word for word in words if STEP.fullmatch(word)]


def _has_equal_steps(numbers: list[str]) -> bool:
    """Says whether numbers grow by the same step, as on an axis."""
    steps = {round(float(following) - float(number), 6) for number, following in pairwise(numbers)}
    return len(steps) == 1 and steps != {0.0}


def _is_listing(evidence: TableEvidence) -> bool:
    """Whether the rows are numbered lines of code or of an enumeration, with no other numbers."""
    labels = [match for match in map(LABEL.match, evidence.first_column) if match]
    if len(labels) < max(3, 0.6 * len(evidence.first_column)):
        return False
    counted = sum(int(after[1]) == int(before[1]) + 1 for before, after in pairwise(labels))
    if counted < 0.7 * (len(labels) - 1):
        return False
    if all(label[2] for label in labels):
        return True
    return not (evidence.width > 2 and evidence.fill_share > 0.8) and share(evidence.other_columns, is_number) < 0.15


def _is_contents(evidence: TableEvidence) -> bool:
    """Whether the rows are titles with leader dots, or section numbers with increasing page numbers."""
    leaders = count(evidence.filled, LEADERS.search)
    if leaders >= 0.3 * evidence.height and len(evidence.other_columns) <= 1.3 * evidence.height:
        return True
    last = evidence.last_column
    pages = [int(text) for text in last if PAGE.fullmatch(text)]
    if evidence.height < 4 or evidence.width > 3 or len(pages) < 0.8 * len(last) or len(last) < 0.7 * evidence.height:
        return False
    rising = all(page <= following for page, following in pairwise(pages))
    only_pages = not any(is_number(text) and not PAGE.fullmatch(text) for text in evidence.other_columns)
    return rising and only_pages and (leaders > 0 or share(evidence.first_column, SECTION.match) >= 0.6)


def _is_whitespace_table(evidence: TableEvidence) -> bool:
    """Whether a grid without ruling lines is a table: it has enough short cells, and no nearly empty columns."""
    if evidence.number_share < 0.1 and evidence.height < 4:
        return False
    if any(map(is_picture_caption, evidence.filled)):
        return False
    below_head = [cell for row in evidence.rows[1:] for cell in row[1:] if cell]
    titled = share(below_head, is_number) >= 0.8  # rows of one cell are titles of sections
    if evidence.several_cells_share < (0.45 if titled else 0.6) or evidence.fill_share < 0.4:
        return False
    if _is_formulas(evidence) or _is_index(evidence) or _is_ragged(evidence):
        return False
    if evidence.width == 2 and _is_list(evidence):
        return False
    return not _is_prose(evidence)


def _is_formulas(evidence: TableEvidence) -> bool:
    """Says whether a grid is made of formulas."""
    return evidence.number_share < 0.5 and share(evidence.filled, _is_maths) >= 0.15


def _is_maths(text: str) -> bool:
    """Says whether a text has signs that only formulas have."""
    if ODD_MATHS.search(text):
        return True
    return any(unicodedata.category(sign) == "Sm" and sign not in PLAIN_SIGNS for sign in text)


def _is_index(evidence: TableEvidence) -> bool:
    """Says whether a grid is an index: words with page numbers."""
    return evidence.width <= 4 and share(evidence.filled, _is_index_entry) >= 0.4


def _is_index_entry(text: str) -> bool:
    """Says whether a text is a word with page numbers; only one that ends with a digit is searched."""
    return text[-1].isdecimal() and INDEX_ENTRY.search(text) is not None


def _is_ragged(evidence: TableEvidence) -> bool:
    """Whether many columns are nearly empty."""
    columns = zip(*evidence.rows, strict=True)
    return count(columns, lambda column: sum(map(bool, column)) < 0.3 * evidence.height) > 0.4 * evidence.width


def _is_list(evidence: TableEvidence) -> bool:
    """Whether two columns are labels and text, or the fields of a form."""
    if share(evidence.first_column, lambda text: text.endswith(":")) >= 0.7:
        return True
    marks = share(evidence.first_column, lambda text: len(text) <= 3 or LIST_MARK.fullmatch(text))
    if marks >= 0.6 or (evidence.height < 4 and evidence.number_share < 0.3):
        return True
    return evidence.number_share < 0.25 and evidence.mean_length > 28


def _is_prose(evidence: TableEvidence) -> bool:
    """Whether the columns are running text."""
    if evidence.number_share < 0.25 and share(evidence.filled, lambda text: len(text.split()) >= 4) > 0.45:
        return True
    return evidence.mean_length > 70 or (evidence.mean_length > 45 and evidence.number_share < 0.2)


def is_figure(box: Box, figures: list[Box], em: float) -> bool:
    """Whether a box is a picture: it contains two curves or slanted strokes that are larger than a letter."""
    x0, top, x1, bottom = box
    across, down = 0.03 * (x1 - x0), 0.03 * (bottom - top)
    inside = (
        figure
        for figure in figures
        if max(figure[2] - figure[0], figure[3] - figure[1]) > 1.3 * em
        and x0 + across < (figure[0] + figure[2]) / 2 < x1 - across
        and top + down < (figure[1] + figure[3]) / 2 < bottom - down
    )
    return next(inside, None) is not None and next(inside, None) is not None
