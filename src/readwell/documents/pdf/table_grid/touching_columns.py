"""Finds columns that almost touch: numbers that end where the words beside them begin, in row after row."""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from ..page_model import RulingLine, Word
from ..region import Region
from ..text_patterns import is_digits

MIN_ROWS = 6
"""How many rows must have such an edge."""
MOST_ROWS = 0.7
"""The share of the rows with words there that must have such an edge, and of those that must end at one position."""
MIN_GAP = 0.2
"""The least gap, in ems, between a number and the word beside it; from one em on they do not touch."""
STEP = 2.0
"""The raster of edges, in points."""
UNEVEN = 0.4
"""How far, in ems, the left ends of the numbers differ at least: they are aligned to the right."""


def edges_of_touching_columns(region: Region) -> list[RulingLine]:
    """Returns edges between numbers aligned to the right and words aligned to the left, as vertical ruling lines."""
    if len(region.rows) < MIN_ROWS:
        return []
    touching = [
        (left, right)
        for row in region.rows
        for left, right in pairwise(row.words)
        if MIN_GAP * right.font.size <= right.x0 - left.x1 < right.font.size and _is_number_beside_word(left, right)
    ]
    return [
        RulingLine((pairs[0][0].x1 + pairs[0][1].x0) / 2, region.top, region.bottom)
        for pairs in _by_start(touching)
        if len(pairs) >= max(MIN_ROWS, MOST_ROWS * _count_rows_near(region, pairs[0][1].x0))
        and _is_edge(pairs, region.em)
    ]


def _by_start(touching: list[tuple[Word, Word]]) -> list[list[tuple[Word, Word]]]:
    """Groups pairs whose words begin at nearly the same position."""
    groups: list[list[tuple[Word, Word]]] = []
    for pair in sorted(touching, key=lambda pair: pair[1].x0):
        if groups and pair[1].x0 - groups[-1][0][1].x0 < STEP:
            groups[-1].append(pair)
        else:
            groups.append([pair])
    return groups


def _is_number_beside_word(left: Word, right: Word) -> bool:
    """Says whether a number stands beside a word."""
    return is_digits(left.text) and right.text[0].isalpha()


def _count_rows_near(region: Region, x: float) -> int:
    """Returns the number of rows with a number or a word near an edge: empty rows and wrapped text do not count."""
    return sum(any(word.x0 < x < word.x1 or abs(word.x0 - x) < STEP for word in row.words) for row in region.rows)


def _is_edge(pairs: list[tuple[Word, Word]], em: float) -> bool:
    """Whether the numbers end at one position and begin at several, beside different words: one word is a unit."""
    if len({right.text for _, right in pairs}) == 1:
        return False
    ends = Counter(round(left.x1 / STEP) for left, _ in pairs)
    begins = [left.x0 for left, _ in pairs]
    return _count_at_commonest(ends.items()) >= MOST_ROWS * len(pairs) and max(begins) - min(begins) > UNEVEN * em


def _count_at_commonest(counts: Iterable[tuple[int, int]]) -> int:
    """Returns how many fall on the commonest position or one beside it."""
    count_at = dict(counts)
    return max(count_at[at] + count_at.get(at + 1, 0) for at in count_at)
