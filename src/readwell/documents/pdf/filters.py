"""Which grids are no tables: prose, lists, contents, listings, formulas, pictures."""

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from .grid import Grid
from .looks import Looks, count, look_at, share
from .model import Box
from .rows import Row
from .wording import is_number, names_picture

Kind = Literal["lattice", "rules", "white"]
"""What a region was found by: crossing rules, level rules, or white alone."""
KINDS: tuple[Kind, ...] = ("lattice", "rules", "white")
LEAST_CELLS = {"lattice": 4, "rules": 6, "white": 8}
LEAST_ROWS = {"lattice": 2, "rules": 2, "white": 3}

LETTERS = re.compile(r"[^\W_]{3}")
LEADERS = re.compile(r"(?:\.\s?){5,}|…{2,}|(?:_\s?){6,}")
LABEL = re.compile(r"(\d{1,3})(?!\d)(:?)")
STEP = re.compile(r"-?\d{1,6}(?:\.\d{1,4})?")
LEAST_SCALE = 5
PAGE = re.compile(r"\d{1,4}")
SECTION = re.compile(r"(?:\d+(?:\.\d+)*\.?|[A-Z])(?:\s|$)")
INDEX_ENTRY = re.compile(r"[^\W\d_]{3}.*,? \d{1,3}(?:, ?\d{1,3})*$")
LIST_MARK = re.compile(r"\(?[\divxa-z]{1,4}[.)]|[•◦▪●‣·\uf0b7\-–—*o§]|\[\d+\]|\d+(?:\.\d+)*", re.IGNORECASE)
ODD_MATHS = re.compile("[\u0370-\u03ff\ue000-\uf8ff]|^[=+]|[=+]$")
PLAIN_SIGNS = frozenset("+<>=~|±")


def may_hold_table(rows: Sequence[Row], kind: Kind) -> bool:
    """Whether rows have words for the cells that a table of this kind needs: mostly not, and it is soon told."""
    return len(rows) >= LEAST_ROWS[kind] and sum(len(row.words) for row in rows) >= LEAST_CELLS[kind]


def is_table(grid: Grid, kind: Kind) -> bool:
    """Whether a grid is a table; the less is drawn around it, the more it must look like one."""
    looks = look_at(grid)
    if len(looks.full) < LEAST_CELLS[kind] or looks.height < LEAST_ROWS[kind]:
        return False
    if looks.torn > 0.15 * len(looks.full) or _is_scraps(looks):
        return False
    if kind == "lattice":
        return looks.fill >= 0.35 and looks.several >= 0.3 and looks.length < 400
    if _is_listing(looks) or _is_contents(looks):
        return False
    if kind == "rules":
        return looks.several >= 0.5 and looks.fill >= 0.3 and looks.length < 90
    return _is_white_table(looks)


def _is_scraps(looks: Looks) -> bool:
    """Neither words nor numbers: formulas, labels of axes."""
    worded = share(looks.full, LETTERS.search)
    first_worded = count(looks.first, LETTERS.search) / looks.height
    if looks.numbers < 0.4:
        return worded < 0.5 and first_worded < 0.5
    return worded < 0.15 and first_worded < 0.3 and len(looks.full) < 12


def is_code(grid: Grid) -> bool:
    """Whether a grid is lines of a program in a frame: set in a font of one width, and not mostly numbers."""
    words = [word for row in grid for cell in row for word in cell]
    return share(words, lambda word: word.font.mono) >= 0.8 and look_at(grid).numbers < 0.3


def is_chart(grid: Grid) -> bool:
    """Whether the end of a grid is the axis of a chart: numbers at equal steps, in columns that are hardly filled."""
    rows = look_at(grid).rows
    for number in range(max(2, len(rows) - 2), len(rows)):
        words = " ".join(rows[number]).replace("%", "").split()
        if len(words) >= LEAST_SCALE and all(map(STEP.fullmatch, words)) and _has_equal_steps(words):
            above = [cell for row in rows[:number] for cell in row]
            return len(words) > sum(map(bool, rows[number])) or share(above, bool) < 0.5
    return False


def _has_equal_steps(numbers: list[str]) -> bool:
    steps = {round(float(following) - float(number), 6) for number, following in pairwise(numbers)}
    return len(steps) == 1 and steps != {0.0}


def _is_listing(looks: Looks) -> bool:
    """Lines of a program or an enumeration: counted in the first column, no numbers beside."""
    labels = [found for found in map(LABEL.match, looks.first) if found]
    if len(labels) < max(3, 0.6 * len(looks.first)):
        return False
    counted = sum(int(after[1]) == int(before[1]) + 1 for before, after in pairwise(labels))
    if counted < 0.7 * (len(labels) - 1):
        return False
    if all(label[2] for label in labels):
        return True
    return not (looks.width > 2 and looks.fill > 0.8) and share(looks.rest, is_number) < 0.15


def _is_contents(looks: Looks) -> bool:
    """Titles with leader dots, or page numbers that rise beside section numbers."""
    leaders = count(looks.full, LEADERS.search)
    if leaders >= 0.3 * looks.height and len(looks.rest) <= 1.3 * looks.height:
        return True
    last = looks.last
    pages = [int(text) for text in last if PAGE.fullmatch(text)]
    if looks.height < 4 or looks.width > 3 or len(pages) < 0.8 * len(last) or len(last) < 0.7 * looks.height:
        return False
    rising = all(page <= following for page, following in pairwise(pages))
    only_pages = not any(is_number(text) and not PAGE.fullmatch(text) for text in looks.rest)
    return rising and only_pages and (leaders > 0 or share(looks.first, SECTION.match) >= 0.6)


def _is_white_table(looks: Looks) -> bool:
    """Whether white alone makes a table: enough cells, short ones, in columns that are not nearly empty."""
    if looks.numbers < 0.1 and looks.height < 4:
        return False
    if any(map(names_picture, looks.full)):
        return False
    if looks.several < 0.6 or looks.fill < 0.4 or _is_formulas(looks) or _is_index(looks) or _is_ragged(looks):
        return False
    if looks.width == 2 and _is_list(looks):
        return False
    return not _is_prose(looks)


def _is_formulas(looks: Looks) -> bool:
    return looks.numbers < 0.5 and share(looks.full, _is_maths) >= 0.15


def _is_maths(text: str) -> bool:
    if ODD_MATHS.search(text):
        return True
    return any(unicodedata.category(sign) == "Sm" and sign not in PLAIN_SIGNS for sign in text)


def _is_index(looks: Looks) -> bool:
    return looks.width <= 4 and share(looks.full, INDEX_ENTRY.search) >= 0.4


def _is_ragged(looks: Looks) -> bool:
    """Many nearly empty columns."""
    columns = zip(*looks.rows, strict=True)
    return count(columns, lambda column: sum(map(bool, column)) < 0.3 * looks.height) > 0.4 * looks.width


def _is_list(looks: Looks) -> bool:
    """Two columns that are labels and text."""
    marks = share(looks.first, lambda text: len(text) <= 3 or LIST_MARK.fullmatch(text))
    if marks >= 0.6 or (looks.height < 4 and looks.numbers < 0.3):
        return True
    return looks.numbers < 0.25 and looks.length > 28


def _is_prose(looks: Looks) -> bool:
    """Columns of running text."""
    if looks.numbers < 0.25 and share(looks.full, lambda text: len(text.split()) >= 4) > 0.45:
        return True
    return looks.length > 70 or (looks.length > 45 and looks.numbers < 0.2)


def is_figure(box: Box, figures: list[Box], em: float) -> bool:
    """Whether a box is a picture: two curves or slanted strokes, taller or wider than a letter, are inside it."""
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
