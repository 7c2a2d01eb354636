"""Regions made by white alone: rows one below the other whose segments leave common gutters."""

from collections.abc import Iterable
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from .captions import begins_caption
from .gutters import gutters
from .model import Box
from .rows import Interval, Row, extent, said
from .wording import is_caption, names_picture

LEAST_GAP, SPACES = 0.9, 2.2
GUTTER = 0.5
CROSSING = 0.2
MOST_SINGLE = 2
BREAK = 2.6
ACROSS, ACROSS_WORDS = 0.6, 8
CLOSE = 0.5
BETWEEN, GOES_ON = 0.9, 1.45
IGNORED, LEAST_LEFT, FIRST, APART = 0.5, 4, 0.7, 1.15
FEW = 4
TITLE_LINES = 3


class _Line(NamedTuple):
    row: Row
    parts: list[Interval]


def are_parted(rows: Iterable[Row]) -> bool:
    """Whether any row has a gap at all: where none has, no white makes a table."""
    return any(len(row.segments(LEAST_GAP)) > 1 for row in rows)


def white_regions(rows: Iterable[Row], space: float) -> list[Box]:
    """Returns the boxes around runs of rows that leave a common gutter; `space` is that between words, in ems."""
    gap = max(LEAST_GAP, SPACES * space)
    lines = [_Line(row, [extent(part) for part in row.segments(gap)]) for row in rows]
    found: list[Box] = []
    number = 0
    while number < len(lines):
        if len(lines[number].parts) < 2 or begins_caption(lines[number].row):
            number += 1
            continue
        run = _Run(lines, number)
        if not _is_below_picture_title(lines, number):
            found.append(_around(lines[number : run.end]))
        number = run.end
    return found


def _is_below_picture_title(lines: list[_Line], number: int) -> bool:
    """Whether what begins in a row has a title like "Figure 2" above it, in a few lines: it is a chart."""
    return any(names_picture(said(line.row.words[:3])) for line in lines[max(0, number - TITLE_LINES) : number])


def _around(lines: list[_Line]) -> Box:
    words = [word for line in lines for word in line.row.words]
    return (
        min(word.x0 for word in words),
        min(word.top for word in words),
        max(word.x1 for word in words),
        max(word.bottom for word in words),
    )


def _ignores(parts: list[Interval], white: list[Interval]) -> bool:
    """Whether a row has words in most of the white between columns."""
    crossed = sum(any(start < b and end > a for start, end in parts) for a, b in white)
    return len(white) > 1 and crossed > IGNORED * len(white)


class _Run:
    """Rows from one on, as far as they leave a common gutter; `end` is the number after the last."""

    def __init__(self, lines: list[_Line], start: int) -> None:
        self._lines = lines
        self._rows = [lines[start].parts]
        self._numbers = [start]
        self._white: list[Interval] = []
        self.end = start + 1
        single = 0
        for number in range(start + 1, len(lines)):
            if self._is_broken(number):
                break
            if len(lines[number].parts) >= 2:
                if not self._leaves_white(lines[number]):
                    break
                self._rows.append(lines[number].parts)
                self._numbers.append(number)
                self.end, single = number + 1, 0
            else:
                single += not self._is_part_of_cell(number)
                if single > MOST_SINGLE or self._runs_across(lines[number]):
                    break
        self._leave_last_lines()
        self._take_last_lines()

    def _leaves_white(self, line: _Line) -> bool:
        """Whether a gutter is left with one more row; most often one of those that were there before it."""
        least = GUTTER * line.row.size
        self._white = [
            (a, b)
            for a, b in self._white
            if b - a >= least and not any(start < b and end > a for start, end in line.parts)
        ] or self._gutters(line, [*self._rows, line.parts])
        if not self._white and 1 < len(self._rows) <= FEW and len(self._rows[0]) > 2:
            # Heads may stand at other edges than what they name.
            self._white = self._gutters(line, [*self._rows[1:], line.parts])
            self._rows = self._rows[1:] if self._white else self._rows
        return bool(self._white)

    def _gutters(self, line: _Line, rows: list[list[Interval]]) -> list[Interval]:
        return gutters(rows, GUTTER * line.row.size, CROSSING if len(rows) >= 5 else 0.0)

    def _is_broken(self, number: int) -> bool:
        """Whether white or a caption comes before or in a row."""
        row, above = self._lines[number].row, self._lines[number - 1].row
        return row.top - above.bottom > BREAK * row.size or is_caption(said(row.words[:3]))

    def _runs_across(self, line: _Line) -> bool:
        """Whether a line of text ignores the columns."""
        start, end = line.parts[0]
        left, right = self._extent()
        long = end - start > ACROSS * (right - left) and len(line.row.words) >= ACROSS_WORDS
        return long and any(start < a and end > b for a, b in self._gutters(line, self._rows))

    def _is_part_of_cell(self, number: int) -> bool:
        """Whether a line is closer to the one above than two rows can be, or goes on below a column but the first."""
        line, above = self._lines[number], self._lines[number - 1]
        pitch = line.row.mid_y - above.row.mid_y
        if pitch < BETWEEN * line.row.size:
            return True
        start, end = line.parts[0]
        if pitch >= GOES_ON * line.row.size or start <= min(row[0][1] for row in self._rows):
            return False
        white = self._gutters(line, self._rows)
        return bool(white) and start > white[0][1] - 2 and not any(start < a and end > b for a, b in white)

    def _extent(self) -> Interval:
        return min(row[0][0] for row in self._rows), max(row[-1][1] for row in self._rows)

    def _leave_last_lines(self) -> None:
        """Leaves out last rows that ignore most columns and stand apart: text below the table, stretched to a width."""
        if len(self._rows) <= LEAST_LEFT:
            return
        numbers = self._numbers[-len(self._rows) :]
        first = self._rows[: max(LEAST_LEFT, int(FIRST * len(self._rows)))]
        white = self._gutters(self._lines[self.end - 1], first)
        left = len(self._rows)
        while left > LEAST_LEFT and _ignores(self._rows[left - 1], white):
            left -= 1
        pitches = [self._lines[b].row.mid_y - self._lines[a].row.mid_y for a, b in pairwise(numbers)]
        if left < len(self._rows) and pitches[left - 1] > APART * median(pitches[: left - 1]):
            self._rows, self.end = self._rows[:left], numbers[left - 1] + 1

    def _take_last_lines(self) -> None:
        """Takes in what goes on below the last row inside one of its columns, but not the first."""
        for line in self._lines[self.end :]:
            white = gutters(self._rows, GUTTER * line.row.size)
            start, end = line.parts[0]
            close = line.row.top - self._lines[self.end - 1].row.bottom < CLOSE * line.row.size
            if len(line.parts) > 1 or not white or not close:
                return
            if start <= white[0][1] - 2 or end >= self._extent()[1] + 5:
                return
            self.end += 1
