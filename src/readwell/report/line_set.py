"""Sets of line numbers as ranges; runs of lines that were shown equally often."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from ..named_tuple import NamedTuple


class EquallyShownRun(NamedTuple):
    """Lines that follow each other and were shown equally often."""

    first: int
    last: int
    times: int


class LineSet:
    """A set of lines, kept as the edges of its runs: a line is in it behind an odd number of edges."""

    __slots__ = ("_edges",)

    def __init__(self) -> None:
        self._edges = array("q")

    def holds_all(self, first: int, last: int) -> bool:
        """Returns whether all these lines are in the set."""
        at = bisect_right(self._edges, first)
        return at % 2 == 1 and last < self._edges[at]

    def add(self, first: int, last: int) -> None:
        """Adds lines."""
        low, high = bisect_left(self._edges, first), bisect_right(self._edges, last + 1)
        kept = [first] * (low % 2 == 0) + [last + 1] * (high % 2 == 0)
        self._edges[low:high] = array("q", kept)


def count_shown_lines(windows: array[int], last_line: int | None) -> int:
    """Returns how many different lines the windows have, up to the last line there is."""
    count = behind = 0
    for first, last in sorted(zip(windows[::2], windows[1::2], strict=True)):
        if last > behind:
            count += last - max(first - 1, behind)
            behind = last
    return count if last_line is None or behind <= last_line else count_lines(equally_shown_runs(windows, last_line))


def equally_shown_runs(windows: array[int], last_line: int | None) -> list[EquallyShownRun]:
    """Returns how often lines were shown; `windows` are first and last lines in turn, `last_line` is that of the file.

    Lines that were not shown, and those behind the last one, are left out.
    """
    changes: dict[int, int] = {}
    for first, last in zip(windows[::2], windows[1::2], strict=True):
        changes[first] = changes.get(first, 0) + 1
        changes[last + 1] = changes.get(last + 1, 0) - 1
    runs: list[EquallyShownRun] = []
    times, start = 0, 0
    for line in sorted(changes):
        if times:
            end = line - 1 if last_line is None else min(line - 1, last_line)
            if start <= end:
                _append_merged(runs, EquallyShownRun(start, end, times))
        times, start = times + changes[line], line
    return runs


def count_lines(runs: Iterable[EquallyShownRun]) -> int:
    """Returns how many lines the runs have."""
    return sum(run.last - run.first + 1 for run in runs)


def _append_merged(runs: list[EquallyShownRun], run: EquallyShownRun) -> None:
    """Appends a run; one that goes on equally often becomes part of the last."""
    if runs and runs[-1].last + 1 == run.first and runs[-1].times == run.times:
        runs[-1] = EquallyShownRun(runs[-1].first, run.last, run.times)
    else:
        runs.append(run)
