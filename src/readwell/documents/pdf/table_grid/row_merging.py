"""Determines which lines of a table make one row: wrapped text of a cell continues the line above."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from statistics import median, quantiles

from ..region import Region
from .column_assignment import Line, filled_columns
from .double_rows import rows_set_apart
from .early_line_ends import column_width, had_room, is_own_entry
from .line_measures import MANY_BANDS, RULED, Measures, is_number_cell
from .stacked_heads import completes_heads, have_common_heads, is_section_title

NUMBER_LINES = 0.34
"""The share of lines with numbers, two at least, from which the lines of a band may be rows."""
SINGLE_BANDS = 0.7
"""The share of bands of one line from which in one of several lines ruling lines are missing."""
MIN_ENTRIES = 3
"""The fewest lines and columns of a band whose lines may be rows because they end early."""
LARGE_BAND, MOST_LINES, PARTED = 5, 0.5, 0.7
"""A band of this many lines, with this share of all lines, this share of which have two cells or more, is no row."""
CENTRED, STACKED, TIGHT, NEAR = 0.75, 1.3, 1.45, 1.35
"""Line pitches in ems: centred neighbours, stacked headers, possible continuations, and those in a loose table."""
SPACIOUS, SAME_PITCH = 1.8, 1.05
"""The widest pitch of text with wide leading, and how much wider than the least pitch of the table it may be."""
CLOSER = 0.8
"""How much of the usual pitch a line of the first column alone may be below a row that it continues."""
WIDE = 1.5
"""The pitch, in ems, that three lines or more and the upper quartile exceed in a loose table."""
SAME_LINE = 0.4
"""How far apart, in ems, the baselines of words on one line are at most."""
CAPITAL = 0.6
"""The share of labels with capitals above which one in lower case is the rest of the label above."""
APART = 1.6
"""The pitch, in ems, above which a line between two ruling lines is no part of the title above it."""


def row_numbers(region: Region, lines: list[Line], measures: Measures) -> list[int]:
    """Returns the row number of each line."""
    merging = _Merging(region, lines, measures)
    rows: list[int] = []
    begun = rows_set_apart(region, lines, measures)
    for band in measures.bands:
        whole = measures.ruled and len(band) >= 2 and _is_one_row(band, lines, measures)
        above: Line = []
        for number in band:
            joins = whole and not merging.begins_below_title(number, above)
            is_continued = number > band[0] and number not in begun and (joins or merging.continues(number, above))
            above = [a + b for a, b in zip(above, lines[number], strict=True)] if is_continued else lines[number]
            rows.append(rows[-1] if is_continued else (rows[-1] + 1 if rows else 0))
    return rows


def _is_one_row(band: range, lines: list[Line], measures: Measures) -> bool:
    """Whether the lines between two ruling lines are one row: not if each has numbers or entries, or most are here."""
    numbers = sum(_has_number(lines[number]) for number in band)
    several = sum(sum(map(is_number_cell, lines[number])) > 1 for number in band)
    if (numbers >= max(2, NUMBER_LINES * len(band)) or several > 1) and _has_number_columns(band, lines):
        return False
    if len(measures.bands) < MANY_BANDS and len(measures.bands) < RULED * len(lines) and _may_be_body(band, lines):
        return False
    parted = sum(len(filled_columns(lines[number])) >= 2 for number in band)
    full = all(len(filled_columns(lines[number])) == measures.columns for number in band)
    if full and (_is_exception(measures) or _end_early(band, lines)):
        return False
    return not (len(band) >= LARGE_BAND and len(band) >= MOST_LINES * len(lines) and parted >= PARTED * len(band))


def _may_be_body(band: range, lines: list[Line]) -> bool:
    """Whether a line of a band had room for the words below it in each column: the band may be all rows of a table."""
    widths = [column_width(line[column] for line in lines) for column in range(len(lines[0]))]
    return any(
        all(
            had_room(one, other, width) for one, other, width in zip(above, below, widths, strict=True) if one and other
        )
        for above, below in pairwise(lines[number] for number in band)
    )


def _has_number_columns(band: range, lines: list[Line]) -> bool:
    """Whether more columns hold a number in each of their lines than hold a lone number or one among words.

    Of two columns or more as many are enough, where the others are lone numbers.
    """
    pure = lone = among = 0
    for column in range(len(lines[0])):
        cells = [lines[number][column] for number in band if lines[number][column]]
        numbers = sum(map(is_number_cell, cells))
        if numbers:
            pure += numbers == len(cells) >= 2
            among += numbers < len(cells)
            lone += numbers == len(cells) == 1
    return pure > lone + among or (pure == lone > 1 and not among)


def _is_exception(measures: Measures) -> bool:
    """Whether a band of several lines is an exception among bands of one line: a ruling line is missing in it."""
    single = sum(len(other) == 1 for other in measures.bands)
    return single >= SINGLE_BANDS * len(measures.bands)


def _end_early(band: range, lines: list[Line]) -> bool:
    """Whether at the end of each line but the last most of its cells had room for the next word: no cell wraps.

    Not of two lines or in two columns: those may be labels over their values, or addresses side by side.
    """
    if len(band) < MIN_ENTRIES or len(lines[0]) < MIN_ENTRIES:
        return False
    widths = [column_width(line[column] for line in lines) for column in range(len(lines[0]))]
    for above, below in pairwise(lines[number] for number in band):
        cells = zip(above, below, widths, strict=True)
        if sum(had_room(one, other, width) for one, other, width in cells) <= len(widths) / 2:
            return False
    return True


def _has_number(line: Line) -> bool:
    """Whether a line has a number; one in its first column counts only beside other words."""
    return any(map(is_number_cell, line[1:])) or (len(filled_columns(line)) >= 2 and is_number_cell(line[0]))


class _Merging:
    """Decides whether a line continues the one above; keeps what it needs to know about the whole table."""

    def __init__(self, region: Region, lines: list[Line], measures: Measures) -> None:
        self._region, self._lines, self._measures = region, lines, measures
        pitches = measures.pitches
        self._usual = median(pitches) if pitches else 0.0
        self._least = min((p for p in pitches if p > CENTRED * region.em), default=0.0)
        self._upper = quantiles(pitches, n=4)[2] if len(pitches) >= 4 else 0.0
        # A single wide gap, below the header, does not make a table loose.
        self._loose = sum(pitch > WIDE * region.em for pitch in pitches) >= 3 and self._upper > WIDE * region.em
        self._widths = [column_width(line[column] for line in lines) for column in range(len(lines[0]))]

    def continues(self, number: int, above: Line) -> bool:
        """Whether a line belongs to the row above it."""
        line, pitch = self._lines[number], self._measures.pitches[number - 1]
        size = max(self._region.rows[number].size, self._region.em)
        columns = filled_columns(line)
        numbers = any(map(is_number_cell, line))
        if pitch < CENTRED * size and not (numbers and columns & filled_columns(above)):
            return True
        is_head = number < self._measures.header
        if is_head and pitch <= SPACIOUS * size and completes_heads(line, above):
            return True
        if pitch > TIGHT * size and not (pitch < SPACIOUS * size and self._is_full(number, columns, above)):
            return False
        if self._ends_label(number, above):
            return True
        if numbers:
            return False
        if is_head and pitch <= STACKED * size and not have_common_heads(line, above):
            return not is_section_title(line, above, self._widths[0])
        if (
            not columns <= filled_columns(above)
            or self._resumes(number, columns, above)
            or self._are_own_entries(number, columns)
        ):
            return False
        return self._is_wrapped_text(columns, filled_columns(above), pitch)

    def begins_below_title(self, number: int, above: Line) -> bool:
        """Whether a line between two ruling lines is set apart from one that fills only the first column: a title."""
        line = self._lines[number]
        apart = number and self._measures.pitches[number - 1] > APART * self._region.rows[number].size
        return bool(apart and above and line[0]) and filled_columns(above) == {0}

    def _is_full(self, number: int, columns: set[int], above: Line) -> bool:
        """Whether no line is closer to the one above, and the cells of that one had no room for the next word."""
        if self._measures.pitches[number - 1] > SAME_PITCH * self._least:
            return False
        line, last = self._lines[number], self._lines[number - 1]
        return all(
            above[column] and last[column] and not had_room(last[column], line[column], self._widths[column])
            for column in columns
        )

    def _ends_label(self, number: int, above: Line) -> bool:
        """Whether a line begins with the rest of a label, whose words above it had no room for the next one.

        Only where it begins in lower case, which the labels of this table do not.
        """
        label, line = above[0], self._lines[number][0]
        if not label or not line or filled_columns(above) != {0}:
            return False
        if not label[0].text[0].isupper() or not line[0].text[0].islower():
            return False
        begun = [word for word in label if abs(word.baseline - label[-1].baseline) < SAME_LINE * word.font.size]
        if label[-1].text.endswith(":") or had_room(begun, line, self._widths[0]):
            return False
        return self._labels_are_capital and label[-1].font.bold == line[0].font.bold

    @cached_property
    def _labels_are_capital(self) -> bool:
        """Whether the labels of lines with numbers begin with capitals."""
        first = [line[0][0].text[0] for line in self._lines if line[0] and any(map(is_number_cell, line[1:]))]
        return sum(map(str.isupper, first)) > CAPITAL * len(first)

    def _resumes(self, number: int, columns: set[int], above: Line) -> bool:
        """Whether one of several cells of a line is two lines or more below the last words of its column.

        Wrapped text skips no line: beside a long cell a further entry begins.
        """
        line, skipped = self._lines[number], columns - filled_columns(self._lines[number - 1])
        return len(columns) > 1 and any(
            line[column][0].mid_y - above[column][-1].mid_y > TIGHT * self._region.em for column in skipped
        )

    def _are_own_entries(self, number: int, columns: set[int]) -> bool:
        """Whether each cell of a line is a single word below a single one that had room for it."""
        line, above = self._lines[number], self._lines[number - 1]
        return len(columns) > 1 and all(
            above[column] and is_own_entry(above[column], line[column], self._widths[column]) for column in columns
        )

    def _is_wrapped_text(self, columns: set[int], above: set[int], pitch: float) -> bool:
        """Says whether a line looks like the rest of a cell above."""
        if 0 not in columns and len(columns) <= max(1, 0.5 * self._measures.columns):
            return True
        if columns == {0} and len(above) > 1 and pitch < CLOSER * self._usual:
            return True
        return self._loose and pitch < CENTRED * self._upper and pitch <= NEAR * self._region.em
