"""Finds the tables of a page: by crossing rules, by level rules, by white, in this order."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .boxes import area, around, shared
from .captions import without_captions
from .filters import KINDS, Kind, is_chart, is_code, is_figure, is_table, may_hold_table
from .grid import Grid, texts
from .lattices import lattices
from .model import Box, Rulings, Table, Word
from .notices import TOO_MUCH_DRAWN, Notices
from .repeats import side_by_side, with_marks_joined
from .rows import rows_downwards
from .rule_groups import rule_groups
from .sheet import Sheet
from .structure import grid_in
from .turned import with_turned_heads
from .white import are_parted, white_regions
from .zones import zones

MOST_WORDS = 12_000
"""Words beyond which a page is data, and looking for its tables would take too long."""
MOST_LOOKS = 8
NESTED, OVERLAPPING, TOUCHING = 0.6, 0.3, 0.05
MARGIN = 2.0
STACKED = 2.2
ALIKE = 0.8
MOST_CUTS = 0.5
"""How often, by row, a table may cut running text: boxes drawn around words of a sentence do."""


class Found(NamedTuple):
    """A region that holds a table."""

    box: Box
    grid: Grid
    kind: Kind


def find_tables(words: Sequence[Word], rulings: Rulings, notices: Notices) -> list[Table]:
    """Returns the tables that words make, from the top down; every level word of a region stands in its grid."""
    if len(words) > MOST_WORDS:
        notices.tell(f"tables were not looked for: {len(words):,} words on this page")
        return []
    turned = [word for word in words if not word.font.level]
    sheet = Sheet([word for word in words if word.font.level] if turned else words)
    charts: list[Box] = []
    found = list(_drawn(sheet, rulings, charts, notices))
    found += _between_rules(sheet, rulings, [*charts, *(table.box for table in found)], notices)
    found += _in_white(sheet, rulings, [*charts, *(table.box for table in found)], notices)
    found.sort(key=_height)
    stacked = _stacked(found, sheet, rulings, notices)
    found = [table for table in stacked if not is_figure(table.box, rulings.figures, sheet.em)]
    tables: list[Table] = []
    for table in _disjoint(found):
        for grid in side_by_side(with_turned_heads(with_marks_joined(table.grid), turned)):
            tables.append(Table(texts(grid), _places(grid), _box(grid)))
            turned = [word for word in turned if word.place not in tables[-1].words]
    return tables


def _place(word: Word) -> int:
    return word.place


def _height(found: Found) -> tuple[float, float]:
    return found.box[1], found.box[0]


def _box(grid: Grid) -> Box:
    words = [word for row in grid for cell in row for word in cell]
    return (
        min(word.x0 for word in words),
        min(word.top for word in words),
        max(word.x1 for word in words),
        max(word.bottom for word in words),
    )


def _places(grid: Grid) -> frozenset[int]:
    return frozenset(word.place for row in grid for cell in row for word in cell)


def _table(box: Box, kind: Kind, sheet: Sheet, rulings: Rulings, notices: Notices) -> Found | None:
    if not may_hold_table(sheet.rows_within(box, MARGIN), kind):
        return None
    box = without_captions(box, sheet, rulings.level)
    grid = grid_in(box, sheet, rulings, notices)
    if not grid or not is_table(grid, kind) or (is_code(grid) and not sheet.typewritten):
        return None
    if sheet.cuts(_places(grid)) > MOST_CUTS * len(grid):
        return None
    return Found(box, grid, kind)


def _affordable(boxes: list[Box], sheet: Sheet, notices: Notices) -> Iterator[Box]:
    """Yields boxes until they hold many times the words of the page: rules that cross at random enclose it often."""
    left = MOST_LOOKS * len(sheet.words)
    for box in boxes:
        left -= len(sheet.within(box, MARGIN))
        if left < 0:
            return notices.tell(TOO_MUCH_DRAWN)
        yield box


def _drawn(sheet: Sheet, rulings: Rulings, charts: list[Box], notices: Notices) -> Iterator[Found]:
    """Yields tables drawn as lattices, of nested ones the larger; notes the charts, where no table is to be found."""
    kept: list[Box] = []
    for box in _affordable(sorted(lattices(rulings, notices), key=area, reverse=True), sheet, notices):
        if any(shared(box, other) > NESTED * area(box) for other in kept):
            continue
        found = _table(box, "lattice", sheet, rulings, notices)
        if found:
            kept.append(box)
            if is_chart(found.grid):
                charts.append(box)
            else:
                yield found


def _between_rules(sheet: Sheet, rulings: Rulings, taken: list[Box], notices: Notices) -> Iterator[Found]:
    for box in _affordable(rule_groups(rulings.level, sheet, notices), sheet, notices):
        if not any(shared(box, other) > OVERLAPPING * min(area(box), area(other)) for other in taken):
            found = _table(box, "rules", sheet, rulings, notices)
            if found:
                taken.append(box)
                yield found


def _in_white(sheet: Sheet, rulings: Rulings, taken: list[Box], notices: Notices) -> Iterator[Found]:
    """Yields tables among the words that no other has, in each column of a page by itself."""
    inside = {word.place for box in taken for word in sheet.within(box, MARGIN)}
    rest = [word for word in sheet.downwards if word.place not in inside]
    for zone in zones(rows_downwards(rest), sheet.em):
        if not are_parted(zone):
            continue
        words = [word for row in zone for word in row.words]
        regions = white_regions(zone, sheet.space(words))
        is_part = regions and len(words) < len(sheet.words)
        part = Sheet(sorted(words, key=_place)) if is_part else sheet
        for box in regions:
            if not any(shared(box, other) > TOUCHING * area(box) for other in taken):
                found = _table(box, "white", part, rulings, notices)
                if found:
                    taken.append(box)
                    yield found


def _stacked(found: list[Found], sheet: Sheet, rulings: Rulings, notices: Notices) -> list[Found]:
    """Puts together neighbours that are one table: a header drawn apart from its body."""
    kept: list[Found] = []
    for below in found:
        joined = _join(kept[-1], below, sheet, rulings, notices) if kept else None
        if joined:
            kept[-1] = joined
        else:
            kept.append(below)
    return kept


def _join(above: Found, below: Found, sheet: Sheet, rulings: Rulings, notices: Notices) -> Found | None:
    if above.kind == below.kind == "lattice" or not _are_neighbours(above.box, below.box, sheet):
        return None
    columns = max(len(above.grid[0]), len(below.grid[0]))
    joined = _table(around(above.box, below.box), "rules", sheet, rulings, notices)
    return joined if joined and columns <= len(joined.grid[0]) <= columns + 1 else None


def _disjoint(found: list[Found]) -> list[Found]:
    """Leaves out a table that has a word of another: the more is drawn around one, the surer it is."""
    taken: set[int] = set()
    kept: list[Found] = []
    for table in sorted(found, key=lambda table: KINDS.index(table.kind)):
        places = _places(table.grid)
        if not places & taken:
            kept.append(table)
            taken |= places
    return sorted(kept, key=_height)


def _are_neighbours(above: Box, below: Box, sheet: Sheet) -> bool:
    """Whether two boxes are as wide, one just below the other, with nothing between."""
    white = below[1] - above[3]
    across = min(above[2], below[2]) - max(above[0], below[0])
    if not -sheet.em < white < STACKED * sheet.em or across <= ALIKE * max(above[2] - above[0], below[2] - below[0]):
        return False
    return not sheet.within((above[0], above[3] + 1, above[2], below[1] - 1), 0)
