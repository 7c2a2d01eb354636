"""Texts whose lines are all in memory: small files, converted documents, directory listings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from sys import maxsize

from ..deadline import Deadline
from ..errors import ColumnPastEnd
from ..model import Budget, Lines, Traits, new_traits
from ..source import Source
from .decode import MARK, Encoding, decoded_text
from .line_ends import count_terminators, has_longer_line, one_byte_per_unit

SMALL = 1 << 16
"""Up to this size, splitting a file is faster than finding a line by an index."""


def take_lines(lines: Iterable[str], start: int, count: int, column: int, budget: Budget) -> Lines:
    """Takes lines, the first of which has the number `start`, within a budget; never says that they ended."""
    strings: list[str] = []
    rests: dict[int, int | None] = {}
    taken = 0
    for line in islice(lines, min(count, maxsize)):
        longest = budget.longest
        if column > 1 and not strings:
            if column > len(line):
                raise ColumnPastEnd(start, column, len(line))
            line, longest = line[column - 1 :], budget.characters
        if len(line) > longest:
            rests[len(strings)] = len(line) - longest
            line = line[:longest]
        strings.append(line)
        taken += len(line) + 1
        if taken - 1 > budget.characters:
            break
    if column > 1 and start == 1 and not strings:
        raise ColumnPastEnd(1, column, 0)
    return Lines(strings, rests, ended=False)


class InMemoryText:
    """A list of lines as a text; `finish`, if given, completes a line when it is taken."""

    def __init__(self, lines: list[str], traits: Traits, finish: Callable[[int], str] | None = None) -> None:
        self._lines, self._traits = lines, traits
        self.lines: Sequence[str] = lines
        """The lines as they were made, not completed."""
        self._finish = finish or lines.__getitem__

    @property
    def known_total(self) -> int:
        """The number of lines."""
        return len(self._lines)

    @property
    def counting_cost(self) -> int:
        """Always 0: the lines are counted."""
        return 0

    def total(self) -> int:
        """The number of lines."""
        return len(self._lines)

    def traits(self) -> Traits:
        """The traits that it was made with."""
        return self._traits

    def take(self, start: int, count: int, column: int, budget: Budget) -> Lines:
        """Takes lines from number `start`."""
        lines = take_lines(map(self._finish, range(start - 1, len(self._lines))), start, count, column, budget)
        return lines._replace(ended=start - 1 + len(lines.strings) >= len(self._lines))

    def tail(self, count: int, column: int, budget: Budget) -> tuple[int, Lines]:
        """Is never called: the total is known, so that the last lines are taken by their numbers."""
        raise NotImplementedError


def small_text(source: Source, encoding: Encoding, validate_utf8: bool, deadline: Deadline) -> SmallText | None:
    """Returns a small file as a text; None for a larger or empty one, or one with bytes that cannot be decoded."""
    if not encoding.bom < source.size <= SMALL or (validate_utf8 and encoding.codec != "utf-8"):
        return None
    deadline.tick(0, source.size, "scan")
    raw = source.read_at(0, SMALL)
    text = decoded_text(raw[encoding.bom :], encoding.codec)
    if MARK in text:
        return None
    terminators = count_terminators(
        raw if encoding.unit == 1 else one_byte_per_unit(raw, encoding.unit, encoding.is_big_endian), False
    )
    ended, valid = text.endswith("\n"), True if validate_utf8 else None
    lone_cr = terminators.cr > terminators.pairs
    traits = new_traits(
        encoding=encoding.codec,
        bom=encoding.bom > 0,
        guess=encoding.guess,
        valid=valid,
        newline=terminators.newline,
        lone_cr=lone_cr,
        final_newline=ended,
        runner_up=encoding.runner_up,
    )
    return SmallText(text, terminators.ends + (not ended), len(raw), traits)


class SmallText:
    """A small file in memory; its total is known only once asked for, or once a window has reached its end."""

    def __init__(self, text: str, total: int, counting_cost: int, traits: Traits) -> None:
        self._text, self._total, self._traits = text, total, traits
        self.counting_cost = counting_cost
        self.known_total: int | None = None

    def total(self) -> int:
        """The number of lines."""
        self.known_total = self._total
        return self._total

    def traits(self) -> Traits:
        """Encoding and line ends."""
        return self._traits

    def take(self, start: int, count: int, column: int, budget: Budget) -> Lines:
        """Takes lines from number `start`."""
        lines = self._take(start, start, count, column, budget)
        if lines.ended:
            self.known_total = self._total
        return lines

    def tail(self, count: int, column: int, budget: Budget) -> tuple[int, Lines]:
        """Takes the last lines."""
        available = min(count, self._total)
        if available == self._total:
            self.known_total = available
        return available, self._take(self._total - available + 1, -available, count, column, budget)

    def _take(self, start: int, reported_start: int, count: int, column: int, budget: Budget) -> Lines:
        """Takes lines; `reported_start` is the number of the first one in the error for a missing column."""
        end = min(start - 1 + count, self._total)
        strings = self._text.split("\n", end)[start - 1 : end]
        ended = start - 1 + len(strings) >= self._total
        if column == 1 and not has_longer_line(self._text, budget.longest):
            return Lines(strings, {}, ended)
        lines = take_lines(strings, reported_start, count, column, budget)
        return lines._replace(ended=ended and len(lines.strings) == len(strings))
