"""Puts each piece of a line into a column, by the separators; one that spans several columns into the first of them."""

from bisect import bisect, bisect_left
from itertools import pairwise

from ..page_content.word_rows import Segment, joined_text
from ..page_model import RulingLine, Word
from ..region import Region
from ..text_patterns import BULLETS, is_number, is_year

Line = list[list[Word]]
"""The words of one line, by column."""

CUT, WIDER = 0.45, 1.3
"""The least gap at which words are split at a separator, in ems and in usual spaces."""
INSIDE = 0.3
"""How much of a piece, in ems, may reach across a separator at either end."""
CENTRED_IN_BOX, LEFT_IN_BOX = 1.5, 1.2
"""How far, in ems, a piece that spans the box drawn around it may be from its middle, or from its left edge."""
CENTRED_OVER = 1.0
"""How far, in ems, the middle of a piece may be from that of the columns below that it spans."""
CLEARLY = 0.5
"""How much nearer to that middle, in ems, a piece must be than to that of its own column or fewer others."""
CLOSE = 0.1
"""How far apart, in ems, the ends of words may be that are printed flush right."""
BESIDE = 0.75
"""How far, in ems, a line may be above or below another one that stands beside it."""
SPANNING_RULING = 0.85
"""The share of the table's width from which a ruling line below a piece is no underline of this piece alone."""
TALLEST_HEADER, TALLEST_CELL = 5, 5
"""The most lines of a header, in which the first number is looked for, and of a cell whose text is beside a piece."""


def assign_columns(region: Region, separators: list[float], header: int) -> list[Line]:
    """Returns the words of each row, by column; the first `header` rows may have words that span columns."""
    assigner = _Assigner(region, separators, header)
    return [assigner.words_by_column(number) for number in range(len(region.rows))]


def filled_columns(line: Line) -> set[int]:
    """Returns the columns in which a line has words."""
    return {column for column, cell in enumerate(line) if cell}


def count_lines_above_numbers(region: Region) -> int:
    """Returns the number of lines above the first number that is not first in its line; 1 where none is near the top.

    It asks segments, before there are columns: afterwards `Measures.header` knows better.
    """
    for above, parts in enumerate(region.parts[:TALLEST_HEADER]):
        if any(is_number(joined_text(segment)) and not is_year(segment[0].text) for segment in parts[1:]):
            return above
    return 1


class _Assigner:
    """Assigns pieces to columns; keeps what it needs to know about the whole table."""

    def __init__(self, region: Region, separators: list[float], header: int) -> None:
        self._region = region
        self._separators = separators
        self._edges = [region.x0, *separators, region.x1]
        self._middles = [(left + right) / 2 for left, right in pairwise(self._edges)]
        self._header = header
        self._split_gap = max(CUT, WIDER * region.space) * region.em
        self._below: dict[int, list[tuple[float, float]]] = {}

    def words_by_column(self, number: int) -> Line:
        """Returns the words of one row, by column."""
        y = self._region.rows[number].mid_y
        ruling_lines = sorted([at for at, start, end in self._region.vertical if start - 1 <= y <= end + 1])
        pieces = [piece for segment in self._region.parts[number] for piece in self._split(segment, ruling_lines)]
        line: Line = [[] for _ in self._edges[1:]]
        for k, piece in enumerate(pieces):
            room = (
                pieces[k - 1][-1].x1 if k else self._region.x0 - 1,
                pieces[k + 1][0].x0 if k + 1 < len(pieces) else self._region.x1 + 1,
            )
            line[self._column(piece, number, ruling_lines, room, len(pieces))] += piece
        return line

    def _split(self, segment: Segment, ruling_lines: list[float]) -> list[Segment]:
        """Splits a segment at vertical ruling lines, and at separators where the gap is wide enough."""
        pieces: list[Segment] = [[segment[0]]]
        for last, word in pairwise(segment):
            apart = word.x0 - last.x1 >= self._split_gap and self._are_in_different_columns(last, word)
            if apart or (ruling_lines and _is_ruled_between(last, word, ruling_lines)):
                pieces.append([word])
            else:
                pieces[-1].append(word)
        return pieces

    def _are_in_different_columns(self, last: Word, word: Word) -> bool:
        """Whether a separator is between the middles of two words, the first of which is no bullet."""
        return self._column_at(word.mid_x) != self._column_at(last.mid_x) and last.text not in BULLETS

    def _column_at(self, x: float) -> int:
        return bisect(self._separators, x)

    def _column(
        self, piece: Segment, number: int, ruling_lines: list[float], room: tuple[float, float], pieces: int
    ) -> int:
        """Returns the column of a piece; `room` is the interval between its neighbours."""
        start, end = piece[0].x0, piece[-1].x1
        inside = INSIDE * self._region.em
        first, last = self._column_at(start + inside), self._column_at(end - inside)
        column = first if last > first else self._column_at((start + end) / 2)
        if is_number(joined_text(piece)) and not (number < self._header and is_year(joined_text(piece))):
            return column
        boxed = self._first_column_in_box(number, start, end, ruling_lines, room)
        if boxed is None:
            boxed = self._first_column_above_ruling(start, end, number, room)
        if boxed is not None:
            return min(column, boxed)
        if number < self._header and number + 1 < len(self._region.rows) and pieces < len(self._separators):
            if self._is_flush_with_words_below(column, start, end, number):
                return column
            return min(column, self._first_of_columns_below(column, (start + end) / 2, number, room))
        return column

    def _is_beside_parted(self, number: int, start: float, end: float, low: float, high: float) -> bool:
        """Whether another line in the same box has words beside these: then they do not span the box."""
        rows, region, middle = self._region.rows, self._region, (start + end) / 2
        for others in (range(number - 1, max(-1, number - TALLEST_CELL), -1), range(number + 1, number + TALLEST_CELL)):
            for other in others:
                if other >= len(rows):
                    break
                upper, lower = sorted((rows[number].mid_y, rows[other].mid_y))
                if any(ruling.start <= middle <= ruling.end for ruling in region.horizontal_between(upper, lower)):
                    break
                inside = [part for part in region.parts[other] if low <= part[0].mid_x and part[-1].mid_x <= high]
                if len(inside) > 1 or (inside and not (inside[0][0].x0 < end and start < inside[0][-1].x1)):
                    return True
        return False

    def _first_column_in_box(
        self, number: int, start: float, end: float, ruling_lines: list[float], room: tuple[float, float]
    ) -> int | None:
        """Returns the first column between the vertical ruling lines around a piece that is alone there."""
        if not ruling_lines:
            return None
        before, after = bisect(ruling_lines, start + 1), bisect_left(ruling_lines, end - 1)
        left = ruling_lines[before - 1] if before else None
        right = ruling_lines[after] if after < len(ruling_lines) else None
        if left is None and right is None:
            return None
        low = self._region.x0 if left is None else left
        high = self._region.x1 if right is None else right
        if low < room[0] - 1 or high > room[1] + 1:
            return None
        em = self._region.em
        centred = abs(low + high - start - end) / 2 < CENTRED_IN_BOX * em
        flush = left is not None and start - left < LEFT_IN_BOX * em
        if (centred or flush) and not self._is_beside_parted(number, start, end, low, high):
            return min(bisect(self._middles, low), len(self._middles) - 1)
        return None

    def _first_column_above_ruling(
        self, start: float, end: float, number: int, room: tuple[float, float]
    ) -> int | None:
        """Returns the first column above a ruling line that underlines only this piece."""
        rows, region = self._region.rows, self._region
        if not region.horizontal:
            return None
        upper = rows[number].mid_y
        lower = rows[number + 1].mid_y if number + 1 < len(rows) else region.bottom
        for ruling in region.horizontal_between(upper, lower):
            covers = ruling.start - 2 <= start and ruling.end + 2 >= end
            alone = max(ruling.start, region.x0) >= room[0] - 2 and min(ruling.end, region.x1) <= room[1] + 2
            if covers and alone and ruling.end - ruling.start < SPANNING_RULING * region.width:
                return self._first_column_within(ruling, number)
        return None

    def _first_column_within(self, ruling: RulingLine, number: int) -> int:
        """Returns the first column whose words below are centred under a ruling line."""
        under = (
            k
            for k, (a, b) in enumerate(self._column_extents_below(number))
            if ruling.start <= (a + b) / 2 <= ruling.end
        )
        return next(under, self._column_at(ruling.start + CLEARLY * self._region.em))

    def _first_of_columns_below(self, column: int, middle: float, number: int, room: tuple[float, float]) -> int:
        """Returns the first of the adjacent columns over which a piece is centred; else its own column."""
        em, edges = self._region.em, self._edges
        best, start = abs((edges[column] + edges[column + 1]) / 2 - middle), column
        spans = self._column_extents_below(number)
        headed = max((other for other in self._columns_headed_beside(number) if other < column), default=0)
        for first in range(headed + 1, column + 1):
            for last in range(column, len(edges) - 1):
                if first == last or edges[first] < room[0] - 1 or edges[last + 1] > room[1] + 1:
                    continue
                off = abs((spans[first][0] + spans[last][1]) / 2 - middle)
                if off < best - CLEARLY * em and off < CENTRED_OVER * em:
                    best, start = off, first
        return start if best < CENTRED_OVER * em else column

    def _columns_headed_beside(self, number: int) -> set[int]:
        """Returns the columns with words in the lines half above and half below one: heads of two lines beside it."""
        rows = self._region.rows
        beside = [
            row
            for row in rows[max(0, number - 1) : number + 2]
            if 0 < abs(row.mid_y - rows[number].mid_y) < BESIDE * row.size
        ]
        return {self._column_at(word.mid_x) for row in beside for word in row.words}

    def _is_flush_with_words_below(self, column: int, start: float, end: float, number: int) -> bool:
        """Whether a piece lies above the words of its column, and begins or ends where they do."""
        left, right = self._column_extents_below(number)[column]
        close = CLOSE * self._region.em
        is_above = left - close <= start and end <= right + close
        return is_above and (start - left <= close or right - end <= close)

    def _column_extents_below(self, number: int) -> list[tuple[float, float]]:
        """Returns the extent of the words of each column in the rows below; for a column without words, its edges."""
        if number not in self._below:
            inside: list[list[Word]] = [[] for _ in self._edges[1:]]
            for word in (word for row in self._region.rows[number + 1 :] for word in row.words):
                if self._edges[0] <= word.mid_x <= self._edges[-1]:
                    inside[self._column_at(word.mid_x)].append(word)
            self._below[number] = [
                (min((w.x0 for w in words), default=left), max((w.x1 for w in words), default=right))
                for words, (left, right) in zip(inside, pairwise(self._edges), strict=True)
            ]
        return self._below[number]


def _is_ruled_between(last: Word, word: Word, ruling_lines: list[float]) -> bool:
    """Whether a vertical ruling line is between two words, or at the edge of one."""
    left, right = max(last.x0 + 1, last.x1 - 2), min(word.x1 - 1, word.x0 + 2)
    return bisect_left(ruling_lines, left) < bisect(ruling_lines, right)
