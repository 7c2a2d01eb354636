"""Decides whether a grid is a table; rejects prose, lists, tables of contents, code, formulas, pictures."""

import re
from collections.abc import Sequence
from typing import Literal

from ..page_content.word_rows import Row
from ..page_model import Word
from ..table_grid.cell_texts import Grid
from ..text_patterns import is_number, is_picture_caption
from .drawings import has_only_scales
from .table_evidence import TableEvidence, count, evidence_of, share
from .text_like_tables import (
    is_contents,
    is_formulas,
    is_index_of_a_book,
    is_list,
    is_listing,
    is_prose,
    is_ragged,
)

Kind = Literal["lattice", "ruled", "whitespace"]
"""How a region was detected: by crossing ruling lines, by horizontal ruling lines, or by whitespace alone."""
KINDS: tuple[Kind, ...] = ("lattice", "ruled", "whitespace")
MIN_CELLS = {"lattice": 4, "ruled": 6, "whitespace": 8}
"""The fewest filled cells of a table."""
MIN_ROWS = {"lattice": 2, "ruled": 2, "whitespace": 3}
"""The fewest rows of a table."""
MIN_FILLED = {"lattice": 0.35, "ruled": 0.3, "whitespace": 0.4}
"""The least share of a table's cells that are filled."""
MIN_SEVERAL = {"lattice": 0.3, "ruled": 0.5, "whitespace": 0.6}
"""The least share of a table's rows that have two or more filled cells."""
MIN_SEVERAL_IN_SECTIONS = 0.45
"""The same in whitespace, below the head of a table of numbers: there rows of one cell are titles of sections."""
MAX_LENGTH = {"lattice": 400, "ruled": 90}
"""The mean length of filled cells, in characters, from which a region is no table."""
MAX_GAPPY = 0.15
"""The share of filled cells that may have a gap inside as wide as one between cells."""

LETTERS = re.compile(r"[^\W_]{3}")
SPARSE = 0.7
"""The share of filled cells below which ruling lines may be those of a chart, so that its scales are looked for."""
WORDED = 0.5
"""The share of cells, or of first cells of rows, with a word of three letters from which a grid is no scraps."""
KNOWN = 0.75
"""The share of words and numbers among cells from which they are no scraps of a picture or formula."""
NUMBERED = 0.4
"""The share of numbers among cells from which they are scraps only if they are few and hardly any has a word."""
WORDED_BESIDE_NUMBERS, FIRST_WORDED_BESIDE_NUMBERS, MANY_CELLS = 0.15, 0.3, 12
"""Those few: the shares of words among all cells and first cells, and the number of cells, from which they are none."""
FULL = 0.9
"""The share of filled cells from which codes fill a lattice and need no heads."""
FILLED = 0.6
"""The share of filled cells from which codes below heads are a table."""
MIN_GRID = 3
"""The fewest rows and columns of codes, and in a lattice the fewest heads."""
CODES = 0.8
"""The share of heads that are words, and of cells that are codes where no ruling line says that they are cells."""
MONOSPACED, MAX_CODE_NUMBERS, MONO_HEADS = 0.8, 0.3, 0.5
"""The share of monospaced words from which a grid is code, that of numbers among cells from which it is a table, and
that of monospaced words in its first row below which this has heads.
"""
MIN_NUMBERS, MIN_WORD_ROWS = 0.1, 4
"""The share of numbers below which a table in whitespace needs more rows, and how many."""
OF_NUMBERS = 0.8
"""The share of numbers below the head and beside the first column from which a table is one of numbers."""
CODE = re.compile(r"[^\W_]{1,5}|[^\W_]+ \d+|[^\W_]{1,3}/[^\W_]{1,3}")


def may_hold_table(rows: Sequence[Row], kind: Kind) -> bool:
    """Whether rows have enough words for a table of this kind: a cheap check that rejects most regions."""
    return len(rows) >= MIN_ROWS[kind] and sum(len(row.words) for row in rows) >= MIN_CELLS[kind]


def is_table(grid: Grid, kind: Kind) -> bool:
    """Whether a grid is a table; the fewer ruling lines it has, the more its cells must look like one."""
    evidence = evidence_of(grid)
    if len(evidence.filled) < MIN_CELLS[kind] or evidence.height < MIN_ROWS[kind]:
        return False
    if evidence.gappy > MAX_GAPPY * len(evidence.filled):
        return False
    if _is_scraps(evidence) and not _is_grid_of_codes(evidence, kind):
        return False
    may_be_chart = kind == "whitespace" or (kind == "ruled" and evidence.fill_share < SPARSE)
    if may_be_chart and has_only_scales(evidence):
        return False
    if kind != "lattice" and (is_listing(evidence) or is_contents(evidence)):
        return False
    if kind == "whitespace":
        return _is_whitespace_table(evidence)
    filled = evidence.fill_share >= MIN_FILLED[kind] and evidence.several_cells_share >= MIN_SEVERAL[kind]
    return filled and evidence.mean_length < MAX_LENGTH[kind]


def _is_scraps(evidence: TableEvidence) -> bool:
    """Whether cells are neither words nor numbers, as in formulas and axis labels."""
    worded = share(evidence.filled, LETTERS.search)
    first_worded = count(evidence.first_column, LETTERS.search) / evidence.height
    if evidence.number_share < NUMBERED:
        known = share(evidence.filled, lambda text: LETTERS.search(text) or is_number(text))
        return worded < WORDED and first_worded < WORDED and known < KNOWN
    few = worded < WORDED_BESIDE_NUMBERS and first_worded < FIRST_WORDED_BESIDE_NUMBERS
    return few and len(evidence.filled) < MANY_CELLS


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
    heads = [word for cell in grid[0] for word in cell]
    if sum(map(bool, grid[0])) > 1 and share(heads, _is_mono) < MONO_HEADS:
        return False
    words = [word for row in grid for cell in row for word in cell]
    return share(words, _is_mono) >= MONOSPACED and evidence_of(grid).number_share < MAX_CODE_NUMBERS


def _is_mono(word: Word) -> bool:
    """Says whether a word is monospaced."""
    return word.font.mono


def _is_whitespace_table(evidence: TableEvidence) -> bool:
    """Whether a grid without ruling lines is a table: it has enough short cells, and no nearly empty columns."""
    if evidence.number_share < MIN_NUMBERS and evidence.height < MIN_WORD_ROWS:
        return False
    if any(map(is_picture_caption, evidence.filled)):
        return False
    below_head = [cell for row in evidence.rows[1:] for cell in row[1:] if cell]
    has_numbers = share(below_head, is_number) >= OF_NUMBERS
    least = MIN_SEVERAL_IN_SECTIONS if has_numbers else MIN_SEVERAL["whitespace"]
    if evidence.several_cells_share < least or evidence.fill_share < MIN_FILLED["whitespace"]:
        return False
    if is_formulas(evidence) or is_index_of_a_book(evidence) or is_ragged(evidence):
        return False
    if evidence.width == 2 and is_list(evidence):
        return False
    return not is_prose(evidence)
