"""Places the separators between the columns of a region: in gutters and at long vertical ruling lines."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from ..gutters import find_gutters, gutter_middles
from ..page_content.word_rows import Interval, Segment, extent, joined_text
from ..page_model import RulingLine
from ..region import Region
from ..text_patterns import is_number

LEAST = 0.2
"""The least width of a gutter, in ems, where there are four rows or more."""
MIN_OF_FEW = 0.35
"""The same where there are fewer rows."""
MIN_OF_KEPT = 0.4
"""The same in the last pass, where fewer than four rows remain without those that span columns."""
TOLERANT = 0.4
"""The least width of a gutter, in ems, in the first pass."""
SOME, SOME_OF_FEW = 0.25, 0.34
"""Shares of rows that may cross a gutter in the first pass: headers and totals that span columns."""
STRAY = 0.08
"""The share of rows that may cross a gutter in the last pass, where there are eight or more."""
MIN_KEPT = 0.5
"""The share of rows that must remain without those that span columns: else only gutters that no row crosses count."""
WIDE_PART = 0.1
"""The width, in ems, that the part of a gutter that the fewest words cover must exceed to take the separator."""
LONG_RULING = 0.3
"""The share of a region's height from which a vertical ruling line parts columns; a shorter one must part heads."""
MANY_ACROSS, MOSTLY = 0.15, 0.5
"""The share of lines that run across a gutter in drawn cells from which it parts none, and that of numbers behind it
from which it does all the same.
"""
WHOLE = 0.9
"""The share of a region's width from which a cell is a row of one cell, or the frame."""
SAME_RULING = 2.5
"""How far apart, in points, ruling lines may be that are at one position or meet."""


def find_separators(region: Region) -> list[float]:
    """Returns the x positions between columns, from left to right."""
    rows = [[extent(segment) for segment in parts] for parts in region.parts]
    several = [row for row in rows if len(row) >= 2] or rows
    ruled = _long_ruling_lines(region)
    walls = [wall.at for wall in region.vertical]
    free = [
        gutter
        for gutter in gutters_between_columns(several, region.em)
        if not _contains_any(gutter, ruled)
        and (_contains_any(gutter, walls) or not _is_space_in_drawn_cells(gutter, region))
    ]
    words = [[(word.x0, word.x1) for word in row.words] for row in region.rows]
    # Headers wider than their columns reach into the gutter: split it where the fewest words are.
    return sorted(ruled + gutter_middles(free, words, WIDE_PART * region.em))


def _contains_any(gutter: Interval, ruled: list[float]) -> bool:
    """Says whether one of the ruling lines is in a gutter."""
    return any(gutter[0] - 2 <= x <= gutter[1] + 2 for x in ruled)


def _is_space_in_drawn_cells(gutter: Interval, region: Region) -> bool:
    """Whether a gutter is made of spaces in cells with a ruling line on either side: other lines run across it.

    Numbers on its right are a column of their own, whatever crosses the gutter.
    """
    middle = (gutter[0] + gutter[1]) / 2
    drawn = across = 0
    beyond: list[Segment] = []
    for row, parts in zip(region.rows, region.parts, strict=True):
        walls = [wall.at for wall in region.vertical if wall.start <= row.mid_y <= wall.end]
        left, right = (
            max((x for x in walls if x < middle), default=None),
            min((x for x in walls if x > middle), default=None),
        )
        if left is None or right is None or right - left > WHOLE * region.width:
            continue  # no cell, or one as wide as the frame
        drawn += 1
        inside = [part for part in parts if left - 1 <= part[0].x0 and part[-1].x1 <= right + 1]
        across += any(part[0].x0 < middle < part[-1].x1 for part in inside)
        beyond += [part for part in inside if part[0].x0 > middle][:1]
    numbers = sum(is_number(joined_text(part)) for part in beyond)
    is_space = across > MANY_ACROSS * (across + len(beyond)) and numbers <= MOSTLY * len(beyond)
    return is_space and drawn > MOSTLY * len(region.rows)


def gutters_between_columns(rows: Sequence[Sequence[Interval]], em: float) -> list[Interval]:
    """Returns the gutters of rows, without regard to rows that span several columns."""
    strict = find_gutters(rows, (LEAST if len(rows) >= 4 else MIN_OF_FEW) * em)
    if len(rows) < 3:
        return strict
    tolerant = find_gutters(rows, TOLERANT * em, SOME if len(rows) >= 6 else SOME_OF_FEW)
    middles = gutter_middles(tolerant, rows, WIDE_PART * em)
    kept = [row for row in rows if not any(bisect_right(middles, a) < bisect_left(middles, b) for a, b in row)]
    if len(kept) < max(2, MIN_KEPT * len(rows)):
        return strict
    least = LEAST if len(kept) >= 4 else MIN_OF_KEPT
    return find_gutters(kept, least * em, STRAY if len(kept) >= 8 else 0.0)


def _long_ruling_lines(region: Region) -> list[float]:
    """Returns the positions of vertical ruling lines that cover much of the height or part heads, without the edges."""
    heads = [ruling.at for ruling in region.vertical if _separates_heads(ruling, region)]
    return [
        x
        for x, covered in _vertical_lines(region)
        if region.x0 + 2 <= x <= region.x1 - 2
        and (covered >= LONG_RULING * region.height or any(0 <= at - x < SAME_RULING for at in heads))
    ]


def _separates_heads(wall: RulingLine, region: Region) -> bool:
    """Whether a vertical ruling line goes from the top one across a second to a third: through the head and rows."""
    if not region.horizontal or abs(wall.start - region.horizontal[0].at) >= SAME_RULING:
        return False
    near = region.horizontal_between(wall.start - SAME_RULING, wall.end + SAME_RULING)
    met = [ruling.at for ruling in near if ruling.start + SAME_RULING < wall.at < ruling.end - SAME_RULING]
    return len(met) >= 3 and met[0] == region.horizontal[0].at and wall.end - met[-1] < SAME_RULING


def _vertical_lines(region: Region) -> list[tuple[float, float]]:
    """Merges vertical ruling lines at the same position; returns each position with the height covered."""
    lines: list[tuple[float, float]] = []
    for ruling in sorted(region.vertical):
        covered = _covered(ruling, region)
        if lines and ruling.at - lines[-1][0] < SAME_RULING:
            lines[-1] = (lines[-1][0], lines[-1][1] + covered)
        else:
            lines.append((ruling.at, covered))
    return lines


def _covered(ruling: RulingLine, region: Region) -> float:
    """Returns how much of a region's height a ruling line covers."""
    return min(ruling.end, region.bottom) - max(ruling.start, region.top)


def count_vertical_lines(region: Region, share: float = 0.0) -> int:
    """Returns the number of positions with vertical ruling lines that cover this share of a region's height."""
    return sum(covered >= share * region.height for _, covered in _vertical_lines(region))
