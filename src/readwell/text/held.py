"""Lines that are in memory: converted documents, directory listings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

from ..errors import ColumnPastEnd
from ..model import Budget, Lines, Traits


def draw_held(lines: Iterable[str], start: int, count: int, column: int, budget: Budget) -> Lines:
    """Draws from lines of which the first has the number `start`; never says that they ended."""
    strings: list[str] = []
    rests: dict[int, int | None] = {}
    drawn = 0
    for line in islice(lines, count):
        if column > 1 and not strings:
            if column > len(line):
                raise ColumnPastEnd(start, column, len(line))
            line = line[column - 1 :]
        if len(line) > budget.longest:
            rests[len(strings)] = len(line) - budget.longest
            line = line[: budget.longest]
        strings.append(line)
        drawn += len(line) + 1
        if drawn - 1 > budget.characters:
            break
    if column > 1 and start == 1 and not strings:
        raise ColumnPastEnd(1, column, 0)
    return Lines(strings, rests, ended=False)


class HeldText:
    """A list of lines as a text; `finish`, if given, completes a line when it is drawn."""

    def __init__(self, lines: list[str], traits: Traits, finish: Callable[[int], str] | None = None) -> None:
        self._lines, self._traits = lines, traits
        self._finish = finish or lines.__getitem__

    @property
    def known_total(self) -> int:
        """The number of lines."""
        return len(self._lines)

    @property
    def weight(self) -> int:
        """Nothing: the lines are counted."""
        return 0

    def total(self) -> int:
        """The number of lines."""
        return len(self._lines)

    def traits(self) -> Traits:
        """What was known when the lines were made."""
        return self._traits

    def take(self, start: int, count: int, column: int, budget: Budget) -> Lines:
        """Draws lines from number `start`."""
        lines = draw_held(map(self._finish, range(start - 1, len(self._lines))), start, count, column, budget)
        return lines._replace(ended=start - 1 + len(lines.strings) >= len(self._lines))

    def tail(self, count: int, column: int, budget: Budget) -> tuple[int, Lines]:
        """Draws the last lines."""
        found = min(count, len(self._lines))
        return found, self.take(len(self._lines) - found + 1, found, column, budget)
