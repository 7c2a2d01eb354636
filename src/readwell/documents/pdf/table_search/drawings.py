"""Recognises drawings among the regions that may be tables: axes of charts, and pictures."""

import re
from collections.abc import Collection
from itertools import pairwise

from ..page_model import Box
from ..table_grid.cell_texts import Grid
from .table_evidence import TableEvidence, evidence_of, share

STEP = re.compile(r"-?\d{1,6}(?:\.\d{1,4})?")
"""A number of a scale."""
MIN_SCALE = 5
"""The fewest numbers at equal steps that are an axis: fewer may be a row of a table."""
MIN_BESIDE = 4
"""The fewest numbers of each of several axes beside each other."""
AXIS_ROWS, LEAST_ABOVE = 2, 2
"""How many last rows of a grid may be an axis, and the fewest rows above one."""
MAX_PLOTTED = 0.5
"""The share of filled cells above from which a row of equal steps, with a cell for each, belongs to a table."""
EDGE = 0.03
"""The share of a box's width and height at each of its edges where the middle of a stroke does not count."""
LARGER_THAN_LETTER = 1.3
"""The size, in ems, above which a curve or slanted stroke is no letter."""


def is_chart(grid: Grid) -> bool:
    """Whether the last rows of a grid are the axis of a chart: numbers at equal steps below sparse columns."""
    rows = evidence_of(grid).rows
    for number in range(max(LEAST_ABOVE, len(rows) - AXIS_ROWS), len(rows)):
        words = " ".join(rows[number]).replace("%", "").split()
        if len(words) >= MIN_SCALE and all(map(STEP.fullmatch, words)) and _has_equal_steps(words):
            above = [cell for row in rows[:number] for cell in row]
            return len(words) > sum(map(bool, rows[number])) or share(above, bool) < MAX_PLOTTED
    return False


def has_only_scales(evidence: TableEvidence) -> bool:
    """Whether all numbers stand in rows of equal steps, as on the axes of charts, with names between them.

    Or they stand at the sides, in columns of equal steps, with one row of names between: the upright axes.
    """
    counted = {number: numbers for number, row in enumerate(evidence.rows) if (numbers := _cells_of_steps(row))}
    if counted and all(len(numbers) >= MIN_SCALE and _are_scales(numbers) for numbers in counted.values()):
        return not _have_labels(evidence.rows, counted.keys())
    between = [row[1:-1] for row in evidence.rows if any(row[1:-1])]
    sides = [_steps(" ".join(column)) for column in (evidence.first_column, evidence.last_column)]
    if len(between) > 1 or len(sides[0]) < len(evidence.rows) or not sides[1]:
        return False
    return all(_has_equal_steps(numbers) for numbers in sides)


def _cells_of_steps(row: list[str]) -> list[str]:
    """Returns the numbers of a row that may be those of an axis, without those inside a name."""
    return [number for cell in row if cell and not cell[0].isalpha() for number in _steps(cell)]


def _are_scales(numbers: list[str]) -> bool:
    """Whether numbers are one scale, or several beside each other, each of which begins anew."""
    ends = [k for k, (one, following) in enumerate(pairwise(numbers), 1) if float(following) < float(one)]
    scales = [numbers[start:end] for start, end in pairwise([0, *ends, len(numbers)])]
    return all(len(scale) >= MIN_BESIDE and _has_equal_steps(scale) for scale in scales)


def _have_labels(rows: list[list[str]], scales: Collection[int]) -> bool:
    """Whether rows of steps are labelled as in a table: one begins with a label, the first one has any, or all other
    rows begin with one. Behind an axis there may be words, such as its unit.
    """
    beside = [cell for number in scales for cell in (rows[number][:1] if number else rows[0])]
    return any(cell and not _steps(cell) for cell in beside) or all(
        bool(row[0]) == (number not in scales) for number, row in enumerate(rows)
    )


def _steps(text: str) -> list[str]:
    """Returns the numbers of a text that may be those of an axis."""
    words = text.replace("−", "-").replace(",", "").replace("%", "").split()
    return [word for word in words if STEP.fullmatch(word)]


def _has_equal_steps(numbers: list[str]) -> bool:
    """Says whether numbers grow by the same step, as on an axis."""
    steps = {round(float(following) - float(number), 6) for number, following in pairwise(numbers)}
    return len(steps) == 1 and steps != {0.0}


def is_figure(box: Box, figures: list[Box], em: float) -> bool:
    """Whether a box is a picture: it contains two curves or slanted strokes that are larger than a letter."""
    x0, top, x1, bottom = box
    across, down = EDGE * (x1 - x0), EDGE * (bottom - top)
    inside = (
        figure
        for figure in figures
        if max(figure[2] - figure[0], figure[3] - figure[1]) > LARGER_THAN_LETTER * em
        and x0 + across < (figure[0] + figure[2]) / 2 < x1 - across
        and top + down < (figure[1] + figure[3]) / 2 < bottom - down
    )
    return next(inside, None) is not None and next(inside, None) is not None
