"""Which lines of a table make one row: text that is broken inside its cell goes on with the line above."""

from itertools import pairwise
from statistics import median, quantiles
from typing import NamedTuple

from .area import Area
from .columns import count_upright_lines
from .model import Word
from .pieces import Line
from .rows import said
from .wording import is_number, is_year

RULED_ACROSS = 0.3
"""The share of the width that rules between two lines must cover to part them."""
RULED, LIGHTLY_RULED = 0.45, 0.2
NUMBER_LINES = 0.34
SINGLE_BANDS = 0.7
HEADER_NUMBERS = 0.4
CENTRED, STACKED, TIGHT, NEAR = 0.75, 1.3, 1.45, 1.35
"""Pitches in ems: of centred neighbours, stacked headers, lines that may go on, lines that go on in a loose table."""
CLOSER = 0.8
WIDE = 1.5


class Measures(NamedTuple):
    """What is known of a table's lines before they are joined."""

    parted: list[bool]
    """Whether rules part a line from the next."""
    ruled: bool
    pitches: list[float]
    header: int
    """How many lines stand above the numbers, or above the first rule where there are none."""
    columns: int

    @property
    def bands(self) -> list[range]:
        """Runs of lines without a rule between them."""
        ends = [number + 1 for number, parted in enumerate(self.parted) if parted]
        return [range(a, b) for a, b in pairwise([0, *ends, len(self.parted) + 1])]


def parted_lines(area: Area) -> list[bool]:
    """Tells of each line but the last whether rules part it from the next."""
    return [_ruled_share(area, above.mid_y, below.mid_y) >= RULED_ACROSS for above, below in pairwise(area.rows)]


def is_ruled(area: Area, parted: list[bool]) -> bool:
    """Whether rules part the rows of a table, so that a band between two of them is one row."""
    bands, count = sum(parted) + 1, len(area.rows)
    lightly = bands >= 4 and bands >= LIGHTLY_RULED * count and count_upright_lines(area) >= 2
    return bands >= 3 and (bands >= RULED * count or lightly)


def measure(area: Area, lines: list[Line], parted: list[bool]) -> Measures:
    """Measures the lines of a table."""
    return Measures(
        parted=parted,
        ruled=is_ruled(area, parted),
        pitches=[below.mid_y - above.mid_y for above, below in pairwise(area.rows)],
        header=_header(lines, parted),
        columns=len(lines[0]),
    )


def _ruled_share(area: Area, upper: float, lower: float) -> float:
    """Returns the share of the width that the rules between two heights cover."""
    between = area.level_between(upper, lower)
    return sum(min(rule.end, area.x1) - max(rule.start, area.x0) for rule in between) / area.width


def _header(lines: list[Line], parted: list[bool]) -> int:
    for number, line in enumerate(lines):
        full = [cell for cell in line[1:] if cell]
        if full and sum(holds_number(c) and not is_year(said(c)) for c in full) >= max(1, HEADER_NUMBERS * len(full)):
            return number
    return next((number + 1 for number, ruled in enumerate(parted) if ruled), 1)


def holds_number(cell: list[Word]) -> bool:
    """Whether a cell holds a number."""
    return bool(cell) and is_number(said(cell))


def rows_of_lines(area: Area, lines: list[Line], measures: Measures) -> list[int]:
    """Returns the number of the row that each line belongs to."""
    joining = _Joining(area, lines, measures)
    rows: list[int] = []
    for band in measures.bands:
        whole = measures.ruled and len(band) >= 2 and _is_one_row(band, lines, measures)
        above: Line = []
        for number in band:
            goes_on = number > band[0] and (whole or joining.goes_on(number, above))
            above = [a + b for a, b in zip(above, lines[number], strict=True)] if goes_on else lines[number]
            rows.append(rows[-1] if goes_on else (rows[-1] + 1 if rows else 0))
    return rows


def filled(line: Line) -> set[int]:
    """Returns the columns in which a line has words."""
    return {column for column, cell in enumerate(line) if cell}


def _is_one_row(band: range, lines: list[Line], measures: Measures) -> bool:
    """Whether the lines between two rules are one row: not if they hold numbers, or are most of the table."""
    numbers = sum(_has_number(lines[number]) for number in band)
    if numbers >= 2 and numbers >= NUMBER_LINES * len(band):
        return False
    several = sum(len(filled(lines[number])) >= 2 for number in band)
    if several == len(band) and _is_exception(band, lines, measures):
        return False
    return not (len(band) >= 5 and len(band) >= 0.5 * len(lines) and several >= 0.7 * len(band))


def _is_exception(band: range, lines: list[Line], measures: Measures) -> bool:
    """Whether a band of full lines stands among bands of one line: a rule is missing there, as below a shaded head."""
    single = sum(len(other) == 1 for other in measures.bands)
    full = all(len(filled(lines[number])) == measures.columns for number in band)
    return full and single >= SINGLE_BANDS * len(measures.bands)


def _has_number(line: Line) -> bool:
    """Whether a line has a number of its own: in its first column only beside other words."""
    return any(map(holds_number, line[1:])) or (len(filled(line)) >= 2 and holds_number(line[0]))


class _Joining:
    """Judges whether a line goes on with the one above; what it needs of the whole table is found out once."""

    def __init__(self, area: Area, lines: list[Line], measures: Measures) -> None:
        self._area, self._lines, self._measures = area, lines, measures
        pitches = measures.pitches
        self._usual = median(pitches) if pitches else 0.0
        self._upper = quantiles(pitches, n=4)[2] if len(pitches) >= 4 else 0.0
        # One wide gap, under the header, would make every body line look tight.
        self._loose = sum(pitch > WIDE * area.em for pitch in pitches) >= 3 and self._upper > WIDE * area.em

    def goes_on(self, number: int, above: Line) -> bool:
        """Whether a line belongs to the row above."""
        line, pitch = self._lines[number], self._measures.pitches[number - 1]
        size = max(self._area.rows[number].size, self._area.em)
        columns = filled(line)
        numbers = any(map(holds_number, line))
        if pitch < CENTRED * size and not (numbers and columns & filled(above)):
            return True
        if pitch > TIGHT * size or numbers:
            return False
        if number < self._measures.header and pitch <= STACKED * size and not _are_spanned(line, above):
            return True
        return columns <= filled(above) and self._is_rest_of_cells(columns, filled(above), pitch)

    def _is_rest_of_cells(self, columns: set[int], above: set[int], pitch: float) -> bool:
        if 0 not in columns and len(columns) <= max(1, 0.5 * self._measures.columns):
            return True
        if columns == {0} and len(above) > 1 and pitch < CLOSER * self._usual:
            return True
        return self._loose and pitch < CENTRED * self._upper and pitch <= NEAR * self._area.em


def _are_spanned(line: Line, above: Line) -> bool:
    """Whether the heads above a line stand each over the middle of two or more of its cells: they name these."""
    heads = sorted(filled(above))
    named: dict[int, list[int]] = {}
    for column in sorted(filled(line)):
        if column >= heads[0]:
            named.setdefault(max(head for head in heads if head <= column), []).append(column)
    over = [_is_over_all(above[head], [line[column] for column in columns]) for head, columns in named.items()]
    return bool(over) and all(over)


def _is_over_all(head: list[Word], cells: list[list[Word]]) -> bool:
    """Whether a head is nearer to the middle of several cells than to that of the first."""
    middle = _middle(head)
    return len(cells) > 1 and abs(middle - _middle(cells[0] + cells[-1])) < abs(middle - _middle(cells[0]))


def _middle(words: list[Word]) -> float:
    return (min(word.x0 for word in words) + max(word.x1 for word in words)) / 2
