"""Finds the tables of a page: by ruling lines that cross, then by stacked ones, then by whitespace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....named_tuple import NamedTuple
from ..boxes import area, box_around, box_around_words, shared_area
from ..page_content.word_index import WordIndex
from ..page_content.word_rows import rows_of_sorted
from ..page_model import Box, Rulings, Table, Word
from ..page_notices import TOO_MUCH_DRAWN, Notices
from ..table_grid.cell_texts import Grid, cell_texts
from ..table_grid.grid_builder import build_grid
from ..table_grid.grid_cleanup import split_side_by_side, with_footnote_marks_merged
from ..table_grid.rotated_headers import with_rotated_headers
from .drawings import is_chart, is_figure
from .heads_above import with_heads_above
from .lattices import find_lattices
from .page_zones import page_zones
from .rows_outside_ruling_lines import with_rows_outside
from .stacked_ruling_lines import boxes_between_stacked_lines
from .table_candidate import Candidate, has_labels_beside
from .table_captions import without_captions, without_titles
from .table_filters import KINDS, Kind, is_code, is_table, may_hold_table
from .table_sections import are_sections, is_head_of
from .whitespace_regions import any_has_gap, whitespace_regions

MAX_WORDS = 12_000
"""The most words of a page whose tables are looked for: more would take too long."""
MAX_REPEATS = 8
"""How often the regions of one kind may together hold all words of the page: random lines enclose the same often."""
NESTED = 0.6
"""The share of a lattice's area inside a larger one from which it is a part of that table, not one of its own."""
OVERLAPPING = 0.3
"""The share of the smaller of two areas that both may cover: beyond it, a table between ruling lines is part of the
other one. A table in whitespace takes in those that have a larger share of their own area inside it.
"""
TOUCHING = 0.05
"""The share of the area of a region in whitespace that tables found before may cover."""
MARGIN = 2.0
"""How far from a box, in points, words still belong to it."""
STACKED = 2.2
"""The white, in ems, below which two tables are parts of one."""
ALIKE = 0.8
"""The share of the wider one's width that both such parts must cover."""
MAX_CUTS = 0.5
"""How often per row a table may interrupt running text, as boxes around words of a sentence do."""


class _SearchArea(NamedTuple):
    """What is searched for tables: all words of a page or those of one text column, with all ruling lines."""

    words: WordIndex
    rulings: Rulings
    notices: Notices


def find_tables(words: Sequence[Word], rulings: Rulings, notices: Notices) -> list[Table]:
    """Returns the tables of a page from top to bottom; each horizontal word of a table's region is in its grid."""
    if len(words) > MAX_WORDS:
        notices.add(f"tables were not looked for: {len(words):,} words on this page")
        return []
    rotated = [word for word in words if not word.font.horizontal]
    index = WordIndex([word for word in words if word.font.horizontal] if rotated else words)
    page = _SearchArea(words=index, rulings=rulings, notices=notices)
    charts: list[Box] = []
    candidates = list(_tables_in_lattices(page, charts))
    drawn = [*charts, *(table.box for table in candidates)]
    ruled = list(_tables_between_ruling_lines(page, [*drawn]))
    candidates += _whole_tables(ruled, page, drawn) if ruled else []
    candidates += _tables_in_whitespace(page, [*charts, *(table.box for table in candidates)])
    candidates.sort(key=_position)
    joined = _with_headers_joined(candidates, page)
    joined = [_with_heads(table, joined, page) for table in joined]
    candidates = [table for table in joined if not is_figure(table.box, rulings.figures, index.em)]
    tables: list[Table] = []
    for table in _drop_overlapping(candidates):
        for grid in split_side_by_side(with_rotated_headers(with_footnote_marks_merged(table.grid), rotated)):
            tables.append(Table(rows=cell_texts(grid), char_indexes=_char_indexes(grid), box=_box(grid), cells=grid))
            rotated = [word for word in rotated if word.char_index not in tables[-1].char_indexes]
    return tables


def _char_index(word: Word) -> int:
    """Returns the key that sorts words in PDFium's order."""
    return word.char_index


def _position(candidate: Candidate) -> tuple[float, float]:
    """Returns the key that sorts candidates: downwards, then to the right."""
    return candidate.box[1], candidate.box[0]


def _box(grid: Grid) -> Box:
    """Returns the box around the words of a grid."""
    return box_around_words(word for row in grid for cell in row for word in cell)


def _char_indexes(grid: Grid) -> frozenset[int]:
    """Returns which words a grid has."""
    return frozenset(word.char_index for row in grid for cell in row for word in cell)


def _table(box: Box, kind: Kind, page: _SearchArea) -> Candidate | None:
    """Returns the table in a box; None where there is none."""
    index = page.words
    if not may_hold_table(index.rows_within(box, MARGIN), kind):
        return None
    box = without_captions(box, index, page.rulings.horizontal)
    grid = build_grid(box, index, page.rulings, page.notices)
    if not grid or not is_table(grid, kind) or (is_code(grid) and not index.monospaced):
        return None
    if index.count_text_cuts(_char_indexes(grid)) > MAX_CUTS * len(grid):
        return None
    return Candidate(box, grid, kind)


def _affordable(boxes: list[Box], page: _SearchArea) -> Iterator[Box]:
    """Yields boxes until they cover many times the words of the page: random lines enclose the same words often."""
    left = MAX_REPEATS * len(page.words.words)
    for box in boxes:
        left -= len(page.words.within(box, MARGIN))
        if left < 0:
            return page.notices.add(TOO_MUCH_DRAWN)
        yield box


def _tables_in_lattices(page: _SearchArea, charts: list[Box]) -> Iterator[Candidate]:
    """Yields tables drawn as lattices, the outer one where they nest; adds the boxes of charts to `charts`."""
    kept: list[Box] = []
    drawn = find_lattices(page.rulings, page.notices)
    boxes = [*drawn.whole, *(with_rows_outside(box, page.rulings.horizontal, page.words) for box in drawn.striped)]
    for box in _affordable(sorted(boxes, key=area, reverse=True), page):
        if any(shared_area(box, other) > NESTED * area(box) for other in kept):
            continue
        candidate = _table(box, "lattice", page)
        if candidate:
            kept.append(box)
            if is_chart(candidate.grid):
                charts.append(box)
            else:
                yield candidate


def _tables_between_ruling_lines(page: _SearchArea, taken: list[Box]) -> Iterator[Candidate]:
    """Yields the tables between horizontal ruling lines that are not part of another one."""
    for box in _affordable(boxes_between_stacked_lines(page.rulings, page.words, page.notices), page):
        if not any(shared_area(box, other) > OVERLAPPING * min(area(box), area(other)) for other in taken):
            candidate = _table(box, "ruled", page)
            if candidate:
                taken.append(box)
                yield candidate


def _tables_in_whitespace(page: _SearchArea, taken: list[Box]) -> Iterator[Candidate]:
    """Yields tables among the remaining words, in each text column of the page separately."""
    for box, part in _whitespace_boxes(page, taken):
        if not any(shared_area(box, other) > TOUCHING * area(box) for other in taken):
            candidate = _table(box, "whitespace", part)
            if candidate:
                taken.append(box)
                yield candidate


def _whitespace_boxes(page: _SearchArea, taken: list[Box]) -> Iterator[tuple[Box, _SearchArea]]:
    """Yields regions among the words outside the boxes that are taken, each with the page cut to its text column."""
    index = page.words
    inside = {word.char_index for box in taken for word in index.within(box, MARGIN)}
    rest = [word for word in index.downwards if word.char_index not in inside]
    for zone in page_zones(rows_of_sorted(rest), index.em):
        if not any_has_gap(zone):
            continue
        words = [word for row in zone for word in row.words]
        regions = whitespace_regions(zone, index.space_width(words))
        is_part = regions and len(words) < len(index.words)
        part = page._replace(words=WordIndex(sorted(words, key=_char_index))) if is_part else page
        for box in regions:
            yield box, part


def _whole_tables(ruled: list[Candidate], page: _SearchArea, drawn: list[Box]) -> list[Candidate]:
    """Replaces tables between ruling lines by larger ones in whitespace: lines of totals enclose only some rows."""
    kept = ruled
    for box, part in _whitespace_boxes(page, drawn):
        inside = [table for table in kept if shared_area(box, table.box) > OVERLAPPING * area(table.box)]
        whole = _larger_table(box, inside, part) if inside else None
        if whole:
            kept = [table for table in kept if table not in inside] + [whole]
    return kept


def _larger_table(box: Box, inside: list[Candidate], page: _SearchArea) -> Candidate | None:
    """Returns the table of a region that has more rows than the tables inside it, in the same columns."""
    box = without_titles(box, [table.box for table in inside], page.words)
    columns = max(len(table.grid[0]) for table in inside)
    whole = _table(box, "whitespace", page)
    known = frozenset[int]().union(*(_char_indexes(table.grid) for table in inside))
    if not whole or not (columns <= len(whole.grid[0]) <= columns + 1 or has_labels_beside(whole.grid, inside, known)):
        return None
    if _box(whole.grid)[2] > max(table.box[2] for table in inside) + page.words.em:
        return None  # the text beside a table
    inner = [number for number, row in enumerate(whole.grid) if _char_indexes([row]) & known]
    more = whole.grid[: inner[0]] + whole.grid[inner[-1] + 1 :] if inner else whole.grid
    several = sum(sum(map(bool, row)) > 1 for row in more)
    is_more = known < _char_indexes(whole.grid) and 2 * several >= len(more) and sum(map(bool, whole.grid[-1])) > 1
    return whole._replace(kind="ruled") if is_more else None


def _with_headers_joined(candidates: list[Candidate], page: _SearchArea) -> list[Candidate]:
    """Joins neighbours that are one table: a header drawn separately from its body."""
    kept: list[Candidate] = []
    for below in candidates:
        joined = _join(kept[-1], below, page) if kept else None
        if joined:
            kept[-1] = joined
        else:
            kept.append(below)
    return kept


def _with_heads(table: Candidate, all_tables: list[Candidate], page: _SearchArea) -> Candidate:
    """Returns a table with the heads above it, if it has the same columns with them."""
    if table.kind == "lattice":
        return table
    box = with_heads_above(table, page.words, [other.box for other in all_tables if other is not table])
    headed = _table(box, table.kind, page) if box != table.box else None
    return headed if headed and len(headed.grid[0]) == len(table.grid[0]) else table


def _join(above: Candidate, below: Candidate, page: _SearchArea) -> Candidate | None:
    """Returns two neighbouring tables as one, where their columns fit."""
    if above.kind == below.kind == "lattice":
        return None
    near = _are_neighbours(above.box, below.box, page.words) or is_head_of(above, below, page.words)
    if not near and not are_sections(above, below, page.words):
        return None
    columns = max(len(above.grid[0]), len(below.grid[0]))
    joined = _table(box_around(above.box, below.box), "ruled", page)
    return joined if joined and columns <= len(joined.grid[0]) <= columns + 1 else None


def _drop_overlapping(candidates: list[Candidate]) -> list[Candidate]:
    """Drops tables that share a word with another; the one with more ruling lines around it is kept."""
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
