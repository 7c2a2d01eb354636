"""`WindowEnd`: whether the lines read so far surely fill a window, so that no more units need be converted for it."""

from __future__ import annotations

from ..model import Budget
from .unit_cache import UNKNOWN, UnitTable
from .unit_source import GROUP, anchor_of

ASKED_EVERY = 4096
"""Characters after which it is asked again: that counts the tokens of all lines."""


class WindowEnd:
    """Finds the end of a window that begins at line `start`, from the lines read for it group by group.

    A window takes lines up to its limit of bytes and shows of them what fits its limit of tokens, often a group less.
    That group is spared only where the lines taken could not have made all units known, for then the total is told.
    """

    def __init__(self, table: UnitTable, start: int, budget: Budget) -> None:
        self._table, self._start, self._budget = table, start, budget
        self._lines: list[str] = []
        self._characters = self._asked = 0

    def add(self, lines: list[str]) -> None:
        """Adds the lines of a group."""
        self._lines += lines
        self._characters += sum(map(len, lines)) + len(lines)

    def is_before(self, group: int) -> bool:
        """Whether a window shows none of the lines from a group on, and nothing is told of them."""
        if self._characters < self._asked + ASKED_EVERY or not self._ends_before_last_unknown(group):
            return False
        self._asked = self._characters
        whole = max(map(len, self._lines)) <= self._budget.longest
        return whole and bool(self._budget.exceeds and self._budget.exceeds(self._start, [*self._lines]))

    def _ends_before_last_unknown(self, group: int) -> bool:
        """Whether a window that goes on at a group is full before the last unknown one: anchors alone take room."""
        unit, lines = self._table.unit, self._table.line_counts
        last = next((number for number in reversed(range(len(lines))) if lines[number] == UNKNOWN), 0) // GROUP
        anchors = (last - group) * GROUP * len(anchor_of(unit, 1)) if unit else 0
        return anchors > 0 and self._characters + anchors > self._budget.characters + 1
