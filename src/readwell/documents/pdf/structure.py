"""A region becomes a grid: columns, lines, lines joined to rows, cells that span rows."""

from bisect import bisect_left, bisect_right
from itertools import pairwise

from .alignment import level_rows
from .area import HEIGHT, Area, area_of
from .columns import count_upright_lines, separators
from .grid import Grid
from .joining import Measures, filled, is_ruled, measure, parted_lines, rows_of_lines
from .model import Box, Rule, Rulings
from .notices import Notices
from .pieces import Line, header_height, lines_of
from .sheet import Sheet

MOST_ROWS, MOST_COLUMNS = 3000, 300
CONTIGUOUS = 1.35
LEAST_BODY = 3
SPREAD = 2.0
"""Ems between words of a head that is stretched to the width of its column."""


def grid_in(box: Box, sheet: Sheet, rulings: Rulings, notices: Notices) -> Grid | None:
    """Returns the words of a box as rows and columns, each word in one cell; None if they make no two columns."""
    area = area_of(box, sheet, rulings)
    parts = separators(area) if area and len(area.rows) <= MOST_ROWS else []
    if area and (len(area.rows) > MOST_ROWS or len(parts) >= MOST_COLUMNS):
        notices.tell(f"a table may be missing: it has over {MOST_ROWS:,} rows or {MOST_COLUMNS:,} columns")
        return None
    if area is None or not parts:
        return None
    parted = parted_lines(area)
    level = None if is_ruled(area, parted) else level_rows(area, parts)
    header = _header_of(level, header_height(area)) if level else header_height(area)
    lines = lines_of(area, parts, header)
    measures = measure(area, lines, parted)
    measures = measures._replace(header=header) if level else measures
    _settle_heads(lines, measures.header)
    rows = level or rows_of_lines(area, lines, measures)
    spans = _Spans(area, parts, lines, rows, measures)
    grid: Grid = [[[] for _ in lines[0]] for _ in range(rows[-1] + 1)]
    for number, line in enumerate(lines):
        for column, cell in enumerate(line):
            grid[spans.first_row(number, column) if cell else rows[number]][column] += cell
    used = [column for column in range(len(parts) + 1) if any(row[column] for row in grid)]
    return [[row[column] for column in used] for row in grid if any(row)] if len(used) >= 2 else None


def _header_of(rows: list[int], height: int) -> int:
    """Returns how many lines stand above the row of the first number."""
    return rows.index(rows[min(height, len(rows) - 1)])


def _settle_heads(lines: list[Line], header: int) -> None:
    """Moves heads that stand above nothing: with the words on their left, or to the first of two columns they span."""
    body = lines[header:]
    full = {column for line in body for column in filled(line)}
    if len(body) < LEAST_BODY:
        return
    named = {column for line in lines[:header] for column in filled(line)}
    to_name = full if 0 in named else full - {0}
    moves = list(zip(sorted(named), sorted(to_name), strict=False))
    if len(named) == len(to_name) and named != to_name and all(abs(old - new) <= 1 for old, new in moves):
        _name_in_order(lines[:header], moves)
        return
    for column in range(1, len(lines[0])):
        heads = [line for line in lines[:header] if line[column]]
        if column not in full and all(_goes_with_left(line, column) for line in heads):
            for line in heads:
                line[column - 1], line[column] = line[column - 1] + line[column], []


def _name_in_order(heads: list[Line], moves: list[tuple[int, int]]) -> None:
    """Puts heads over columns one by one: as many as there are, they only stand at another edge than what they name."""
    for line in heads:
        cells = [line[old] for old, _ in moves]
        for old, _ in moves:
            line[old] = []
        for (_, new), cell in zip(moves, cells, strict=True):
            line[new] = cell


def _goes_with_left(line: Line, column: int) -> bool:
    """Whether a head is close to the words on its left, or has nothing on either side."""
    left, head = line[column - 1], line[column]
    if left:
        return head[0].x0 - left[-1].x1 < SPREAD * head[0].size
    return column + 1 < len(line) and not line[column + 1]


class _Spans:
    """Tells in which row a cell begins: in a ruled table one may span several."""

    def __init__(
        self, area: Area, separators: list[float], lines: list[Line], rows: list[int], measures: Measures
    ) -> None:
        self._area, self._lines, self._rows, self._measures = area, lines, rows, measures
        self._heights = [row.mid_y for row in area.rows]
        self._boxed = measures.ruled and count_upright_lines(area) > 0
        top = [line for line, row in zip(lines, rows, strict=True) if row == 0]
        first = min((column for line in top for column in filled(line)), default=0)
        # A line of the first columns alone is no header but the title of a section.
        across = [number for number in range(measures.header) if any(lines[number][first:])]
        self._header = max(across, default=-1) + 1
        # Nothing stands above the first columns of a header: what names them reaches up to its top.
        self._stub = first if first == 1 or self._is_underlined(separators[first - 1 : first]) else 0

    def _is_underlined(self, separator: list[float]) -> bool:
        """Whether a rule in the header begins at a separator: then what stands above it does not reach further left."""
        if not separator or not self._header:
            return False
        rules = self._area.level_between(self._heights[0], self._heights[self._header - 1])
        return any(abs(rule.start - separator[0]) < 2 * self._area.em for rule in rules)

    def first_row(self, number: int, column: int) -> int:
        """Returns the row below the nearest rule above a cell in its own column.

        Only across rules, and only if its lines are close: else an unruled column would fall into one cell.
        """
        own = self._rows[number]
        if column < self._stub and number < self._header:
            return 0
        if not self._boxed:
            return own
        cell = self._lines[number][column]
        upper, lower = _rules_around(self._area, self._heights[number], (cell[0].x0 + cell[-1].x1) / 2)
        first = min(bisect_right(self._heights, upper), number)
        if self._rows[first] == own or not any(self._measures.parted[first:number]):
            return own
        return self._rows[first] if self._is_close(column, first, bisect_left(self._heights, lower)) else own

    def _is_close(self, column: int, first: int, end: int) -> bool:
        """Whether the lines of a column follow each other without white between them."""
        rows = [self._area.rows[number] for number in range(first, end) if self._lines[number][column]]
        return all(below.mid_y - above.mid_y <= CONTIGUOUS * below.size for above, below in pairwise(rows))


def _rules_around(area: Area, y: float, x: float) -> tuple[float, float]:
    """Returns the heights of the nearest rules above and below a point, or the area's own."""
    here = bisect_left(area.level, y, key=HEIGHT)
    upper = next((area.level[k].at for k in range(here - 1, -1, -1) if _spans(area.level[k], x)), area.top)
    lower = next((rule.at for rule in area.level[here:] if _spans(rule, x)), area.bottom)
    return upper, lower


def _spans(rule: Rule, x: float) -> bool:
    return rule.start - 2 <= x <= rule.end + 2
