"""Where the columns of a table part: at white that runs down through its rows, and at upright rules."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from .area import Area
from .gutters import cores, gutters
from .model import Rule
from .rows import Interval, extent

LEAST = 0.2
LEAST_OF_FEW = 0.35
LEAST_OF_KEPT = 0.4
TOLERANT = 0.4
SOME, SOME_OF_FEW = 0.25, 0.34
"""Shares of rows that may cross a gutter at first sight: headers and totals that span columns."""
STRAY = 0.08
"""The share of rows that may cross it in the end, where there are eight or more."""
LONG_RULE = 0.3
SAME_RULE = 2.5


def separators(area: Area) -> list[float]:
    """Returns the positions between columns, from left to right."""
    rows = [[extent(segment) for segment in parts] for parts in area.parts]
    several = [row for row in rows if len(row) >= 2] or rows
    ruled = _long_rules(area)
    white = [gutter for gutter in white_columns(several, area.em) if not _holds_any(gutter, ruled)]
    words = [[(word.x0, word.x1) for word in row.words] for row in area.rows]
    # Heads that are wider than their columns reach into the white: part it where the fewest words are.
    return sorted(ruled + cores(white, words, 0.1 * area.em))


def _holds_any(gutter: Interval, ruled: list[float]) -> bool:
    return any(gutter[0] - 2 <= x <= gutter[1] + 2 for x in ruled)


def white_columns(rows: Sequence[Sequence[Interval]], em: float) -> list[Interval]:
    """Returns the gutters of rows, once those that span several columns are left out."""
    strict = gutters(rows, (LEAST if len(rows) >= 4 else LEAST_OF_FEW) * em)
    if len(rows) < 3:
        return strict
    tolerant = gutters(rows, TOLERANT * em, SOME if len(rows) >= 6 else SOME_OF_FEW)
    middles = cores(tolerant, rows, 0.1 * em)
    kept = [row for row in rows if not any(bisect_right(middles, a) < bisect_left(middles, b) for a, b in row)]
    if len(kept) < max(2, 0.5 * len(rows)):
        return strict
    least = LEAST if len(kept) >= 4 else LEAST_OF_KEPT
    return gutters(kept, least * em, STRAY if len(kept) >= 8 else 0.0)


def _long_rules(area: Area) -> list[float]:
    """Returns where upright rules cover a good part of the height, the edges left out."""
    return [
        x
        for x, covered in _upright_lines(area)
        if covered >= LONG_RULE * area.height and area.x0 + 2 <= x <= area.x1 - 2
    ]


def _upright_lines(area: Area) -> list[tuple[float, float]]:
    """Returns upright rules at one position as one, each with the height that it covers."""
    lines: list[tuple[float, float]] = []
    for rule in sorted(area.upright):
        covered = _covered(rule, area)
        if lines and rule.at - lines[-1][0] < SAME_RULE:
            lines[-1] = (lines[-1][0], lines[-1][1] + covered)
        else:
            lines.append((rule.at, covered))
    return lines


def _covered(rule: Rule, area: Area) -> float:
    return min(rule.end, area.bottom) - max(rule.start, area.top)


def count_upright_lines(area: Area) -> int:
    """Returns at how many positions upright rules stand."""
    return len(_upright_lines(area))
