"""Finds the tables of a page: by crossing rules, then by horizontal rules, then by whitespace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...named_tuple import NamedTuple
from .boxes import area, around, shared
from .captions import without_captions
from .filters import KINDS, Kind, is_chart, is_code, is_figure, is_table, may_hold_table
from .grid import Grid, cell_texts
from .grid_builder import build_grid
from .grid_cleanup import split_side_by_side, with_footnote_marks_merged
from .lattices import lattices
from .model import Box, Rulings, Table, Word
from .notices import TOO_MUCH_DRAWN, Notices
from .rotated_headers import with_rotated_headers
from .rows import rows_downwards
from .rule_groups import rule_groups
from .whitespace_regions import have_gaps, whitespace_regions
from .word_index import WordIndex
from .zones import page_zones

MOST_WORDS = 12_000
"""The most words of a page whose tables are looked for: more would take too long."""
MOST_REPEATS = 8
NESTED, OVERLAPPING, TOUCHING = 0.6, 0.3, 0.05
MARGIN = 2.0
STACKED = 2.2
ALIKE = 0.8
MOST_CUTS = 0.5
"""How often per row a table may interrupt running text, as boxes around words of a sentence do."""


class Candidate(NamedTuple):
    """A region with a table in it, and how it was detected."""

    box: Box
    grid: Grid
    kind: Kind


def find_tables(words: Sequence[Word], rulings: Rulings, notices: Notices) -> list[Table]:
    """Returns the tables of a page from top to bottom; each horizontal word of a table's region is in its grid."""
    if len(words) > MOST_WORDS:
        notices.add(f"tables were not looked for: {len(words):,} words on this page")
        return []
    rotated = [word for word in words if not word.font.horizontal]
    index = WordIndex([word for word in words if word.font.horizontal] if rotated else words)
    charts: list[Box] = []
    candidates = list(_in_lattices(index, rulings, charts, notices))
    candidates += _between_rules(index, rulings, [*charts, *(table.box for table in candidates)], notices)
    candidates += _in_whitespace(index, rulings, [*charts, *(table.box for table in candidates)], notices)
    candidates.sort(key=_position)
    joined = _with_headers_joined(candidates, index, rulings, notices)
    candidates = [table for table in joined if not is_figure(table.box, rulings.figures, index.em)]
    tables: list[Table] = []
    for table in _disjoint(candidates):
        for grid in split_side_by_side(with_rotated_headers(with_footnote_marks_merged(table.grid), rotated)):
            tables.append(Table(cell_texts(grid), _char_indexes(grid), _box(grid)))
            rotated = [word for word in rotated if word.char_index not in tables[-1].char_indexes]
    return tables


def _char_index(word: Word) -> int:
    return word.char_index


def _position(candidate: Candidate) -> tuple[float, float]:
    return candidate.box[1], candidate.box[0]


def _box(grid: Grid) -> Box:
    words = [word for row in grid for cell in row for word in cell]
    return (
        min(word.x0 for word in words),
        min(word.top for word in words),
        max(word.x1 for word in words),
        max(word.bottom for word in words),
    )


def _char_indexes(grid: Grid) -> frozenset[int]:
    return frozenset(word.char_index for row in grid for cell in row for word in cell)


def _table(box: Box, kind: Kind, index: WordIndex, rulings: Rulings, notices: Notices) -> Candidate | None:
    if not may_hold_table(index.rows_within(box, MARGIN), kind):
        return None
    box = without_captions(box, index, rulings.horizontal)
    grid = build_grid(box, index, rulings, notices)
    if not grid or not is_table(grid, kind) or (is_code(grid) and not index.monospaced):
        return None
    if index.cuts(_char_indexes(grid)) > MOST_CUTS * len(grid):
        return None
    return Candidate(box, grid, kind)


def _affordable(boxes: list[Box], index: WordIndex, notices: Notices) -> Iterator[Box]:
    """Yields boxes until they cover many times the words of the page: random rules enclose the same words often."""
    left = MOST_REPEATS * len(index.words)
    for box in boxes:
        left -= len(index.within(box, MARGIN))
        if left < 0:
            return notices.add(TOO_MUCH_DRAWN)
        yield box


def _in_lattices(index: WordIndex, rulings: Rulings, charts: list[Box], notices: Notices) -> Iterator[Candidate]:
    """Yields tables drawn as lattices, the outer one where they nest; adds the boxes of charts to `charts`."""
    kept: list[Box] = []
    for box in _affordable(sorted(lattices(rulings, notices), key=area, reverse=True), index, notices):
        if any(shared(box, other) > NESTED * area(box) for other in kept):
            continue
        candidate = _table(box, "lattice", index, rulings, notices)
        if candidate:
            kept.append(box)
            if is_chart(candidate.grid):
                charts.append(box)
            else:
                yield candidate


def _between_rules(index: WordIndex, rulings: Rulings, taken: list[Box], notices: Notices) -> Iterator[Candidate]:
    for box in _affordable(rule_groups(rulings.horizontal, index, notices), index, notices):
        if not any(shared(box, other) > OVERLAPPING * min(area(box), area(other)) for other in taken):
            candidate = _table(box, "rules", index, rulings, notices)
            if candidate:
                taken.append(box)
                yield candidate


def _in_whitespace(index: WordIndex, rulings: Rulings, taken: list[Box], notices: Notices) -> Iterator[Candidate]:
    """Yields tables among the remaining words, in each text column of the page separately."""
    inside = {word.char_index for box in taken for word in index.within(box, MARGIN)}
    rest = [word for word in index.downwards if word.char_index not in inside]
    for zone in page_zones(rows_downwards(rest), index.em):
        if not have_gaps(zone):
            continue
        words = [word for row in zone for word in row.words]
        regions = whitespace_regions(zone, index.space_width(words))
        is_part = regions and len(words) < len(index.words)
        part = WordIndex(sorted(words, key=_char_index)) if is_part else index
        for box in regions:
            if not any(shared(box, other) > TOUCHING * area(box) for other in taken):
                candidate = _table(box, "whitespace", part, rulings, notices)
                if candidate:
                    taken.append(box)
                    yield candidate


def _with_headers_joined(
    candidates: list[Candidate], index: WordIndex, rulings: Rulings, notices: Notices
) -> list[Candidate]:
    """Joins neighbours that are one table: a header drawn separately from its body."""
    kept: list[Candidate] = []
    for below in candidates:
        joined = _join(kept[-1], below, index, rulings, notices) if kept else None
        if joined:
            kept[-1] = joined
        else:
            kept.append(below)
    return kept


def _join(above: Candidate, below: Candidate, index: WordIndex, rulings: Rulings, notices: Notices) -> Candidate | None:
    if above.kind == below.kind == "lattice" or not _are_neighbours(above.box, below.box, index):
        return None
    columns = max(len(above.grid[0]), len(below.grid[0]))
    joined = _table(around(above.box, below.box), "rules", index, rulings, notices)
    return joined if joined and columns <= len(joined.grid[0]) <= columns + 1 else None


def _disjoint(candidates: list[Candidate]) -> list[Candidate]:
    """Drops tables that share a word with another; the one with more rules around it is kept."""
    taken: set[int] = set()
    kept: list[Candidate] = []
    for table in sorted(candidates, key=lambda table: KINDS.index(table.kind)):
        own = _char_indexes(table.grid)
        if not own & taken:
            kept.append(table)
            taken |= own
    return sorted(kept, key=_position)


def _are_neighbours(above: Box, below: Box, index: WordIndex) -> bool:
    """Whether two boxes are about equally wide, one directly below the other, with no words between."""
    gap = below[1] - above[3]
    across = min(above[2], below[2]) - max(above[0], below[0])
    if not -index.em < gap < STACKED * index.em or across <= ALIKE * max(above[2] - above[0], below[2] - below[0]):
        return False
    return not index.within((above[0], above[3] + 1, above[2], below[1] - 1), 0)
