"""Lines around matches: overlapping groups are joined."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from ..model.search import SearchRow
from ..text.line_ends import LF
from .excerpts import LONGEST, neighbour_row

LinesFrom = Callable[[int], Iterator[tuple[int, bytes]]]
"""Yields numbered lines, starting at the given line or somewhere before it."""
MAX_OF_LINE = LONGEST * 4 + 4
"""Bytes of a line that may be shown."""


def with_neighbours(rows: Sequence[SearchRow], around: int, lines_from: LinesFrom) -> list[SearchRow]:
    """Returns the matches with `around` lines before and after each."""
    matching = {row.line: row for row in rows}
    shown: list[SearchRow] = []
    for first, last in _join_ranges(rows, around):
        for line, raw in lines_from(first):
            if line > last:
                break
            if line >= first:
                shown.append(matching.get(line) or neighbour_row(line, raw))
    return shown


def _join_ranges(rows: Sequence[SearchRow], around: int) -> list[tuple[int, int]]:
    """Returns groups of lines around matches; those that touch are one."""
    groups: list[tuple[int, int]] = []
    for row in rows:
        first, last = max(1, row.line - around), row.line + around
        if groups and first <= groups[-1][1] + 1:
            groups[-1] = (groups[-1][0], last)
        else:
            groups.append((first, last))
    return groups


def numbered_lines(bodies: Iterable[tuple[bytes, bool]], passed: int) -> Iterator[tuple[int, bytes]]:
    """Yields numbered lines, cut to what can be shown; `bodies` are pieces with whether their line continues."""
    begun = b""
    for body, goes_on in bodies:
        *lines, rest = body.split(LF)
        if goes_on:
            begun = begun or rest[:MAX_OF_LINE]
            continue
        if rest or begun:
            lines.append(rest)
        for line in lines:
            passed += 1
            yield passed, begun or line[:MAX_OF_LINE]
            begun = b""
