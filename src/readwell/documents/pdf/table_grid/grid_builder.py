"""Builds the grid of a region: columns, lines, rows of several lines, cells that span rows."""

from bisect import bisect_left, bisect_right
from itertools import pairwise

from ..page_content.word_index import WordIndex
from ..page_model import Box, RulingLine, Rulings
from ..page_notices import Notices
from ..region import HEIGHT, Region, region_of
from .cell_texts import Grid
from .column_assignment import Line, assign_columns, count_lines_above_numbers, filled_columns
from .column_separators import count_vertical_lines, find_separators
from .grid_cleanup import with_signs_joined, with_torn_text_joined
from .line_measures import Measures, count_ruled_head_lines, is_ruled, measure, ruling_below_each_line
from .row_alignment import aligned_rows
from .row_merging import row_numbers
from .touching_columns import edges_of_touching_columns

MAX_ROWS, MAX_COLUMNS = 3000, 300
"""The most rows and columns of a table; a notice says that a larger one is missing."""
CONTIGUOUS = 1.35
"""The widest pitch, in ems, of the lines of a cell that spans rows."""
ROW_RULING = 0.5
"""The share of a table's width from which a ruling line parts rows; a shorter one may be the shade of a line."""
MIN_BODY = 3
"""The fewest lines below a header by which columns are known to be empty, so that headers above them are moved."""
SAME_WALL = 2.5
"""How far, in points, a vertical ruling line may be from the separator that it is."""
SPREAD = 2.0
"""The widest gap, in ems, between words of a header that is stretched to the width of its column."""


def build_grid(box: Box, index: WordIndex, rulings: Rulings, notices: Notices) -> Grid | None:
    """Returns the words of a box as rows and columns, each word in one cell; None with fewer than two columns."""
    region = region_of(box, index, rulings)
    edged = _with_edges(region) if region and len(region.rows) <= MAX_ROWS else None
    parts = find_separators(edged) if edged else []
    if region and (len(region.rows) > MAX_ROWS or len(parts) >= MAX_COLUMNS):
        notices.add(f"a table may be missing: it has over {MAX_ROWS:,} rows or {MAX_COLUMNS:,} columns")
        return None
    if region is None or edged is None or not parts:
        return None
    ruling_below = ruling_below_each_line(region)
    aligned = (
        None if is_ruled(region, ruling_below) else aligned_rows(region, parts, count_ruled_head_lines(ruling_below))
    )
    # Rows known by alignment decide what is header, for all that follows. Without them the lines above the numbers do
    # only until words are in columns; then `measure` decides again, by cells and ruling lines.
    above = count_lines_above_numbers(region)
    header = _count_header_lines(aligned, above) if aligned else above
    lines = assign_columns(edged, parts, header)
    measures = measure(region, lines, ruling_below)
    measures = measures._replace(header=header) if aligned else measures
    _move_headers(lines, measures.header, region, parts)
    rows = aligned or row_numbers(region, lines, measures)
    spans = _CellSpans(region, parts, lines, rows, measures)
    grid: Grid = [[[] for _ in lines[0]] for _ in range(rows[-1] + 1)]
    for number, line in enumerate(lines):
        for column, cell in enumerate(line):
            grid[spans.first_row(number, column) if cell else rows[number]][column] += cell
    used = [column for column in range(len(parts) + 1) if any(row[column] for row in grid)]
    grid = [[row[column] for column in used] for row in grid if any(row)]
    return with_signs_joined(with_torn_text_joined(grid)) if len(used) >= 2 else None


def _with_edges(region: Region) -> Region:
    """Returns a region with a vertical ruling line at each edge where columns almost touch."""
    edges = edges_of_touching_columns(region)
    return region._replace(vertical=[*region.vertical, *edges]) if edges else region


def _count_header_lines(rows: list[int], above: int) -> int:
    """Returns the number of lines above the row of the first number, which may begin above the line of that number."""
    return rows.index(rows[min(above, len(rows) - 1)])


def _move_headers(lines: list[Line], header: int, region: Region, separators: list[float]) -> None:
    """Moves headers above empty columns: to the words on their left, or to the first of two columns they span.

    A vertical ruling line to the left of a header keeps it over its column, empty or not.
    """
    body = lines[header:]
    full = {column for line in body for column in filled_columns(line)}
    if len(body) < MIN_BODY:
        return
    named = {column for line in lines[:header] for column in filled_columns(line)}
    to_name = full if 0 in named else full - {0}
    moves = list(zip(sorted(named), sorted(to_name), strict=False))
    if len(named) == len(to_name) and named != to_name and all(abs(old - new) <= 1 for old, new in moves):
        _assign_in_order(lines[:header], moves)
        return
    for column in range(1, len(lines[0])):
        heads = [line for line in lines[:header] if line[column]]
        walls = [wall for wall in region.vertical if abs(wall.at - separators[column - 1]) < SAME_WALL]
        if column not in full and all(_belongs_to_left(line, column, walls) for line in heads):
            for line in heads:
                line[column - 1], line[column] = line[column - 1] + line[column], []


def _assign_in_order(heads: list[Line], moves: list[tuple[int, int]]) -> None:
    """Assigns headers to columns in order: there are equally many, only aligned to different edges."""
    for line in heads:
        cells = [line[old] for old, _ in moves]
        for old, _ in moves:
            line[old] = []
        for (_, new), cell in zip(moves, cells, strict=True):
            line[new] = cell


def _belongs_to_left(line: Line, column: int, walls: list[RulingLine]) -> bool:
    """Whether a header is close to the words on its left, or has no words on either side; not across a wall."""
    left, head = line[column - 1], line[column]
    if any(wall.start <= head[0].mid_y <= wall.end for wall in walls):
        return False
    if left:
        return head[0].x0 - left[-1].x1 < SPREAD * head[0].size
    return column + 1 < len(line) and not line[column + 1]


class _CellSpans:
    """Determines the first row of each cell: in a ruled table a cell may span several."""

    def __init__(
        self, region: Region, separators: list[float], lines: list[Line], rows: list[int], measures: Measures
    ) -> None:
        self._region, self._lines, self._rows, self._measures = region, lines, rows, measures
        self._heights = [row.mid_y for row in region.rows]
        self._boxed = measures.ruled and count_vertical_lines(region) > 0
        top = [line for line, row in zip(lines, rows, strict=True) if row == 0]
        first = min((column for line in top for column in filled_columns(line)), default=0)
        # A last line with words only left of the first head of the top row is the title of a section, no header.
        across = [number for number in range(measures.header) if any(lines[number][first:])]
        self._untitled_header = max(across, default=-1) + 1
        # The first columns have no words at the top of the header: their own headers extend up to it.
        self._stub = first if first == 1 or self._is_underlined(separators[first - 1 : first]) else 0

    def _is_underlined(self, separator: list[float]) -> bool:
        """Whether a ruling line in the header begins at a separator, so that no header above extends to its left."""
        if not separator or not self._untitled_header:
            return False
        ruling_lines = self._region.horizontal_between(self._heights[0], self._heights[self._untitled_header - 1])
        return any(abs(ruling.start - separator[0]) < 2 * self._region.em for ruling in ruling_lines)

    def first_row(self, number: int, column: int) -> int:
        """Returns the row below the nearest ruling line above a cell in its own column.

        Only if ruling lines were crossed and the lines are close: else a column without them would become one cell.
        """
        own = self._rows[number]
        cell = self._lines[number][column]
        middle = (cell[0].x0 + cell[-1].x1) / 2
        if column < self._stub and number < self._untitled_header and not self._is_ruled_above(number, middle):
            return 0
        if not self._boxed:
            return own
        upper, lower = _ruling_lines_around(self._region, self._heights[number], middle)
        first = min(bisect_right(self._heights, upper), number)
        if self._rows[first] == own or not any(self._measures.ruling_below[first:number]):
            return own
        return self._rows[first] if self._is_close(column, first, bisect_left(self._heights, lower)) else own

    def _is_ruled_above(self, number: int, x: float) -> bool:
        """Whether a ruling line over more than its own column passes between the top row and a line at a position."""
        between = self._region.horizontal_between(self._heights[0], self._heights[number])
        least = ROW_RULING * self._region.width
        return any(_passes_column(ruling, x) and ruling.end - ruling.start > least for ruling in between)

    def _is_close(self, column: int, first: int, end: int) -> bool:
        """Whether the lines of a column follow each other without gaps."""
        rows = [self._region.rows[number] for number in range(first, end) if self._lines[number][column]]
        return all(below.mid_y - above.mid_y <= CONTIGUOUS * below.size for above, below in pairwise(rows))


def _ruling_lines_around(region: Region, y: float, x: float) -> tuple[float, float]:
    """Returns the heights of the nearest ruling lines above and below a point, or the edges of the region."""
    here = bisect_left(region.horizontal, y, key=HEIGHT)
    upper = next(
        (region.horizontal[k].at for k in range(here - 1, -1, -1) if _passes_column(region.horizontal[k], x)),
        region.top,
    )
    lower = next((ruling.at for ruling in region.horizontal[here:] if _passes_column(ruling, x)), region.bottom)
    return upper, lower


def _passes_column(ruling: RulingLine, x: float) -> bool:
    """Says whether a ruling line passes a column."""
    return ruling.start - 2 <= x <= ruling.end + 2
