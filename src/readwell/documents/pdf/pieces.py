"""Which column each piece of a line stands in; one that spans several stands in the first of them."""

from bisect import bisect, bisect_left
from itertools import pairwise

from .area import Area
from .model import Rule, Word
from .rows import Segment, said
from .wording import BULLETS, is_number, is_year

Line = list[list[Word]]
"""The words of one line, by column."""

CUT, WIDER = 0.45, 1.3
"""Words part at a separator where the white is so many ems and so many spaces wide."""
INSIDE = 0.3
CENTRED_IN_BOX, LEFT_IN_BOX = 1.5, 1.2
CENTRED_OVER = 1.0
CLEARLY = 0.5
SPANNING_RULE = 0.85
TALLEST_HEADER = 5


def lines_of(area: Area, separators: list[float], header: int) -> list[Line]:
    """Returns the words of each row, by column; the first `header` rows may have words that span columns."""
    placing = _Placing(area, separators, header)
    return [placing.line(number) for number in range(len(area.rows))]


def header_height(area: Area) -> int:
    """Returns how many lines stand above the first number in a column that is not the first."""
    for height, parts in enumerate(area.parts[:TALLEST_HEADER]):
        if any(is_number(said(segment)) and not is_year(segment[0].text) for segment in parts[1:]):
            return height
    return 1


class _Placing:
    """Puts pieces into columns; what it needs to know of the whole table is found out once."""

    def __init__(self, area: Area, separators: list[float], header: int) -> None:
        self._area = area
        self._separators = separators
        self._edges = [area.x0, *separators, area.x1]
        self._middles = [(left + right) / 2 for left, right in pairwise(self._edges)]
        self._header = header
        self._cut_at = max(CUT, WIDER * area.space) * area.em
        self._below: dict[int, list[tuple[float, float]]] = {}

    def line(self, number: int) -> Line:
        """Returns the words of one row, by column."""
        y = self._area.rows[number].mid_y
        rules = sorted(rule.at for rule in self._area.upright if rule.start - 1 <= y <= rule.end + 1)
        pieces = [piece for segment in self._area.parts[number] for piece in self._cut(segment, rules)]
        line: Line = [[] for _ in self._edges[1:]]
        for k, piece in enumerate(pieces):
            room = (
                pieces[k - 1][-1].x1 if k else self._area.x0 - 1,
                pieces[k + 1][0].x0 if k + 1 < len(pieces) else self._area.x1 + 1,
            )
            line[self._column(piece, number, rules, room, len(pieces))] += piece
        return line

    def _cut(self, segment: Segment, rules: list[float]) -> list[Segment]:
        """Cuts a segment at an upright rule, and at a separator where the white is wide enough."""
        pieces: list[Segment] = [[segment[0]]]
        for last, word in pairwise(segment):
            parted = self._at(word.mid_x) != self._at(last.mid_x) and last.text not in BULLETS
            left, right = max(last.x0 + 1, last.x1 - 2), min(word.x1 - 1, word.x0 + 2)
            ruled = bisect_left(rules, left) < bisect(rules, right)
            if ruled or (parted and word.x0 - last.x1 >= self._cut_at):
                pieces.append([word])
            else:
                pieces[-1].append(word)
        return pieces

    def _at(self, x: float) -> int:
        return bisect(self._separators, x)

    def _column(self, piece: Segment, number: int, rules: list[float], room: tuple[float, float], pieces: int) -> int:
        """Returns the column of a piece; `room` is where its neighbours leave off."""
        start, end = piece[0].x0, piece[-1].x1
        inside = INSIDE * self._area.em
        first, last = self._at(start + inside), self._at(end - inside)
        column = first if last > first else self._at((start + end) / 2)
        if is_number(said(piece)) and not (number < self._header and is_year(said(piece))):
            return column
        boxed = self._start_of_box(start, end, rules, room)
        if boxed is None:
            boxed = self._start_of_rule_below(start, end, number, room)
        if boxed is not None:
            return min(column, boxed)
        if number < self._header and number + 1 < len(self._area.rows) and pieces < len(self._separators):
            return min(column, self._start_of_columns_below(column, (start + end) / 2, number, room))
        return column

    def _start_of_box(self, start: float, end: float, rules: list[float], room: tuple[float, float]) -> int | None:
        """Returns the first column between the upright rules around a piece that is alone and centred, or left."""
        left = max((x for x in rules if x <= start + 1), default=None)
        right = min((x for x in rules if x >= end - 1), default=None)
        if left is None and right is None:
            return None
        low = self._area.x0 if left is None else left
        high = self._area.x1 if right is None else right
        if low < room[0] - 1 or high > room[1] + 1:
            return None
        em = self._area.em
        centred = abs(low + high - start - end) / 2 < CENTRED_IN_BOX * em
        if centred or (left is not None and start - left < LEFT_IN_BOX * em):
            return min(bisect(self._middles, low), len(self._middles) - 1)
        return None

    def _start_of_rule_below(self, start: float, end: float, number: int, room: tuple[float, float]) -> int | None:
        """Returns the first column above a rule that underlines this piece alone."""
        rows, area = self._area.rows, self._area
        upper = rows[number].mid_y
        lower = rows[number + 1].mid_y if number + 1 < len(rows) else area.bottom
        for rule in area.level_between(upper, lower):
            holds = rule.start - 2 <= start and rule.end + 2 >= end
            alone = max(rule.start, area.x0) >= room[0] - 2 and min(rule.end, area.x1) <= room[1] + 2
            if holds and alone and rule.end - rule.start < SPANNING_RULE * area.width:
                return self._first_column_within(rule, number)
        return None

    def _first_column_within(self, rule: Rule, number: int) -> int:
        """Returns the first column whose words below have their middle under a rule."""
        under = (k for k, (a, b) in enumerate(self._columns_below(number)) if rule.start <= (a + b) / 2 <= rule.end)
        return next(under, self._at(rule.start + CLEARLY * self._area.em))

    def _start_of_columns_below(self, column: int, middle: float, number: int, room: tuple[float, float]) -> int:
        """Returns the first of the empty neighbours over whose columns a piece is centred; else its own column."""
        em, edges = self._area.em, self._edges
        best, start = abs((edges[column] + edges[column + 1]) / 2 - middle), column
        spans = self._columns_below(number)
        for first in range(1, column + 1):
            for last in range(column, len(edges) - 1):
                if first == last or edges[first] < room[0] - 1 or edges[last + 1] > room[1] + 1:
                    continue
                off = abs((spans[first][0] + spans[last][1]) / 2 - middle)
                if off < best - CLEARLY * em and off < CENTRED_OVER * em:
                    best, start = off, first
        return start if best < CENTRED_OVER * em else column

    def _columns_below(self, number: int) -> list[tuple[float, float]]:
        """Returns how far the words of each column reach, in the rows below one; a column without any, its edges."""
        if number not in self._below:
            inside: list[list[Word]] = [[] for _ in self._edges[1:]]
            for word in (word for row in self._area.rows[number + 1 :] for word in row.words):
                if self._edges[0] <= word.mid_x <= self._edges[-1]:
                    inside[self._at(word.mid_x)].append(word)
            self._below[number] = [
                (min((w.x0 for w in words), default=left), max((w.x1 for w in words), default=right))
                for words, (left, right) in zip(inside, pairwise(self._edges), strict=True)
            ]
        return self._below[number]
