"""Finds regions by whitespace alone: consecutive rows whose segments leave common gutters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from ....named_tuple import NamedTuple
from ..boxes import box_around_words
from ..gutters import find_gutters
from ..page_content.word_rows import Interval, Row, extent, joined_text
from ..page_model import Box
from ..text_patterns import is_caption, is_number, is_picture_caption
from .table_captions import begins_caption, is_numbered_title

MIN_GAP, SPACES = 0.9, 2.2
"""The least gap between cells: in ems, and in usual spaces of the page."""
GUTTER = 0.5
"""The least width of a common gutter, in ems."""
CROSSING, MANY = 0.2, 5
"""The share of rows that may cross a gutter where there are this many; of fewer none may."""
MAX_SINGLE = 2
"""The most lines without a gap between two rows; those that continue a cell do not count."""
BREAK = 2.6
"""The white above a row, in ems, that ends a run."""
ACROSS, ACROSS_WORDS = 0.6, 8
"""The share of the run's width, and the words, of a line that is text across the gutters and ends the run."""
CLOSE = 0.5
"""The white, in ems, below which a line under the last row may continue a cell of it."""
BETWEEN, GOES_ON = 0.9, 1.75
"""The pitch of a line, in ems, below which it is no row in any case, and from which it continues no cell."""
IGNORED = 0.5
"""The share of the gutters that a last row must cross to be text below the table."""
MIN_LEFT, FIRST = 4, 0.7
"""The fewest rows that remain above such text, and the share of first rows whose gutters it is compared with."""
APART = 1.15
"""How much wider than the usual pitch the one above such text must be."""
FEW = 4
"""The most rows in which the first may be headers that are aligned to other edges than their columns."""
SAME_EDGE = 0.1
"""How far apart, in ems, words begin at most where one is exactly below the other."""
REACH = 0.3
"""How far, in ems, a cell that is wider than the others may reach into a gutter."""
TITLE_LINES = 3
"""How many lines above a region the title of a picture is looked for."""
LARGER = 1.12
"""How much larger than the others a line must be to be a heading."""


class _Line(NamedTuple):
    """A row of words with the extents of its segments."""

    row: Row
    parts: list[Interval]


def any_has_gap(rows: Iterable[Row]) -> bool:
    """Whether any row has a gap: rows without one make no table."""
    return any(len(row.segments(MIN_GAP)) > 1 for row in rows)


def whitespace_regions(rows: Sequence[Row], space: float) -> list[Box]:
    """Returns the boxes of runs of rows with a common gutter; `space` is the usual one between words, in ems."""
    gap, large = max(MIN_GAP, SPACES * space), LARGER * median([row.size for row in rows])
    lines = [_Line(row, _segment_extents(row, gap, large)) for row in rows]
    boxes: list[Box] = []
    number = 0
    while number < len(lines):
        if len(lines[number].parts) < 2 or begins_caption(lines[number].row):
            number += 1
            continue
        run = _RowRun(lines, number)
        if not _is_below_picture_title(lines, number):
            boxes.append(_box_around_lines(lines[number : run.end]))
        number = run.end
    return boxes


def _segment_extents(row: Row, gap: float, large: float) -> list[Interval]:
    """Returns the extents of the segments of a row; a heading is one, though its number may stand apart."""
    segments = row.segments(gap)
    if len(segments) == 2 and row.size > large and is_numbered_title(segments):
        return [extent(row.words)]
    return [extent(segment) for segment in segments]


def _is_below_picture_title(lines: list[_Line], number: int) -> bool:
    """Whether a title like "Figure 2" is a few lines above a row, so that a chart begins there."""
    return any(
        is_picture_caption(joined_text(line.row.words[:3])) for line in lines[max(0, number - TITLE_LINES) : number]
    )


def _box_around_lines(lines: list[_Line]) -> Box:
    """Returns the box around rows."""
    return box_around_words(word for line in lines for word in line.row.words)


def _crosses_most_gutters(parts: list[Interval], between: list[Interval], reach: float) -> bool:
    """Whether a row has words in most of the gutters; a cell wider than the others may reach a little into one."""
    crossed = sum(any(start < b - reach and end > a + reach for start, end in parts) for a, b in between)
    return len(between) > 1 and crossed > IGNORED * len(between)


def _is_of_numbers(row: Row) -> bool:
    """Whether a row is a label with numbers behind it."""
    label, *others = [is_number(joined_text(part)) for part in row.segments(MIN_GAP)]
    return not label and bool(others) and all(others)


def _is_field(row: Row) -> bool:
    """Whether a row is a field of a form: a label with a colon, and a value."""
    parts = row.segments(MIN_GAP)
    return len(parts) == 2 and parts[0][-1].text.endswith(":")


class _RowRun:
    """The longest run of rows from `start` that leave a common gutter; `end` is the number after the last."""

    def __init__(self, lines: list[_Line], start: int) -> None:
        self._lines = lines
        self._rows = [lines[start].parts]
        self._numbers = [start]
        self._common: list[Interval] = []
        self.end = start + 1
        single = 0
        for number in range(start + 1, len(lines)):
            if self._is_break_above(number) or self._begins_other_block(lines[number]):
                break
            if len(lines[number].parts) >= 2:
                if not self._leaves_gutter(lines[number]):
                    break
                self._rows.append(lines[number].parts)
                self._numbers.append(number)
                self.end, single = number + 1, 0
            else:
                single += not self._is_part_of_cell(number)
                if single > MAX_SINGLE or self._runs_across(lines[number]):
                    break
        self._drop_last_rows()
        self._add_last_lines()

    def _leaves_gutter(self, line: _Line) -> bool:
        """Whether a common gutter remains with one more row; mostly one of the earlier gutters."""
        least = GUTTER * line.row.size
        self._common = [
            (a, b)
            for a, b in self._common
            if b - a >= least and not any(start < b and end > a for start, end in line.parts)
        ] or self._gutters(line, [*self._rows, line.parts])
        if not self._common and 1 < len(self._rows) <= FEW and len(self._rows[0]) > 2:
            # Headers may be aligned to other edges than their columns.
            self._common = self._gutters(line, [*self._rows[1:], line.parts])
            self._rows = self._rows[1:] if self._common else self._rows
        return bool(self._common)

    def _gutters(self, line: _Line, rows: list[list[Interval]]) -> list[Interval]:
        """Returns the gutters that rows have in common."""
        return find_gutters(rows, GUTTER * line.row.size, CROSSING if len(rows) >= MANY else 0.0)

    def _is_break_above(self, number: int) -> bool:
        """Whether a wide gap is above a row, or the row is a caption."""
        row, above = self._lines[number].row, self._lines[number - 1].row
        return row.top - above.bottom > BREAK * row.size or is_caption(joined_text(row.words[:3]))

    def _begins_other_block(self, line: _Line) -> bool:
        """Whether a line is a heading, larger than the rows above, or a table begins below the fields of a form."""
        above = [self._lines[number].row for number in self._numbers]
        if len(line.parts) == 1:
            return line.row.size > LARGER * max(row.size for row in above)
        return not _is_field(line.row) and all(map(_is_field, above))

    def _runs_across(self, line: _Line) -> bool:
        """Whether a long line of text crosses the gutters."""
        start, end = line.parts[0]
        left, right = self._extent()
        long = end - start > ACROSS * (right - left) and len(line.row.words) >= ACROSS_WORDS
        return long and any(start < a and end > b for a, b in self._gutters(line, self._rows))

    def _is_part_of_cell(self, number: int) -> bool:
        """Whether a line is too close to the one above to be a row, or continues a cell of any column but the first."""
        line, above = self._lines[number], self._lines[number - 1]
        pitch = line.row.mid_y - above.row.mid_y
        if pitch < BETWEEN * line.row.size:
            return True
        start, end = line.parts[0]
        if pitch >= GOES_ON * line.row.size or start <= min(row[0][1] for row in self._rows):
            return False
        if self._is_under_later_word(line):
            return True
        between = self._gutters(line, self._rows)
        return bool(between) and start > between[0][1] - 2 and not any(start < a and end > b for a, b in between)

    def _is_under_later_word(self, line: _Line) -> bool:
        """Whether a line begins exactly below the second word of the last row: its first cell is a number alone."""
        _, *later = self._lines[self._numbers[-1]].row.words
        return abs(later[0].x0 - line.parts[0][0]) < SAME_EDGE * line.row.size

    def _extent(self) -> Interval:
        """Returns the left and right edge of all rows."""
        return min(row[0][0] for row in self._rows), max(row[-1][1] for row in self._rows)

    def _drop_last_rows(self) -> None:
        """Drops last rows that cross most gutters and are set apart: justified text below the table."""
        if len(self._rows) <= MIN_LEFT:
            return
        numbers = self._numbers[-len(self._rows) :]
        first = self._rows[: max(MIN_LEFT, int(FIRST * len(self._rows)))]
        between = self._gutters(self._lines[self.end - 1], first)
        left, reach = len(self._rows), REACH * self._lines[self.end - 1].row.size
        while left > MIN_LEFT and _crosses_most_gutters(self._rows[left - 1], between, reach):
            if _is_of_numbers(self._lines[numbers[left - 1]].row):
                break  # a total, whose numbers are wider than those above
            left -= 1
        pitches = [self._lines[b].row.mid_y - self._lines[a].row.mid_y for a, b in pairwise(numbers)]
        if left < len(self._rows) and pitches[left - 1] > APART * median(pitches[: left - 1]):
            self._rows, self.end = self._rows[:left], numbers[left - 1] + 1

    def _add_last_lines(self) -> None:
        """Adds lines below the last row that continue a cell of any column but the first."""
        for line in self._lines[self.end :]:
            between = find_gutters(self._rows, GUTTER * line.row.size)
            start, end = line.parts[0]
            close = line.row.top - self._lines[self.end - 1].row.bottom < CLOSE * line.row.size
            if len(line.parts) > 1 or not between or not close:
                return
            if start <= between[0][1] - 2 or end >= self._extent()[1] + 5:
                return
            self.end += 1
