"""A directory as lines: its entries, sorted as they are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from ..model import Budget, Lines, Traits
from ..names import listed, printable
from ..source import ENTRIES_A_TICK, Entry, Source, Target, Visibility, VisibilityOf
from ..watch import Watch
from .in_memory import InMemoryText

Row = tuple[str, Entry]
"""An entry, and its name as it is shown."""


class Selection(NamedTuple):
    """Which entries are listed: those behind a name, and at most so many of them."""

    after: str | None = None
    """A name as it is listed."""
    most: int | None = None
    skip_ignored: bool = False


class Listing(InMemoryText):
    """The entries of a directory; beyond the last it goes on behind its name, if there are more."""

    def take(self, start: int, count: int, column: int, budget: Budget) -> Lines:
        """Takes entries from number `start`."""
        lines = super().take(start, count, column, budget)
        if lines.ended and self.lines and self.traits().unlisted:
            return lines._replace(after=self.lines[-1])
        return lines


def list_directory(source: Source, selection: Selection, with_sizes: bool, watch: Watch) -> Listing:
    """Returns the visible entries of a directory as a text, in the order of their names; the rest is counted."""
    left_out: dict[Visibility, int] = {"ignored": 0, "denied": 0}
    entries = _shown(_watched(source.entries(), watch), source.visibility(selection.skip_ignored), left_out)
    show = listed if with_sizes else printable
    rows, unlisted = _first_rows((_row(source, entry, show) for entry in entries), selection)
    names = [shown for shown, _ in rows]
    finish = partial(_with_size, source, rows) if with_sizes else None
    return Listing(names, Traits(unlisted=unlisted, ignored=left_out["ignored"], denied=left_out["denied"]), finish)


def _first_rows(rows: Iterable[Row], selection: Selection) -> tuple[list[Row], int]:
    """Returns the first of the selected rows, sorted, and how many there are behind them; keeps only twice as many."""
    after, most = selection.after, selection.most
    kept: list[Row] = []
    behind = 0
    for row in rows:
        if after is None or _order(row[0]) > _order(after):
            kept.append(row)
        if most and len(kept) >= 2 * most:
            kept.sort(key=_order_of_row)
            behind += len(kept) - most
            del kept[most:]
    kept.sort(key=_order_of_row)
    return kept[:most], behind + (max(0, len(kept) - most) if most else 0)


def _order(shown: str) -> tuple[str, str]:
    """Returns the key by which entries are sorted: without case, then with it."""
    return shown.lower(), shown


def _order_of_row(row: Row) -> tuple[str, str]:
    """Returns the key by which a row is sorted."""
    return _order(row[0])


def _with_size(source: Source, rows: list[Row], number: int) -> str:
    """Returns `name/`, or the name, a tab and its size, or its kind if it is no file."""
    shown, entry = rows[number]
    if shown.endswith("/"):
        return shown
    if entry.kind == "link":
        target = source.follow(entry.name)
        return f"{shown}\t{target.size if target and target.kind == 'file' else 'link'}"
    size = source.size_of(entry.name)
    if size is None:
        return f"{shown}\t{'unreadable' if entry.kind == 'file' else 'special'}"
    return f"{shown}\t{size}"


def _row(source: Source, entry: Entry, show: Callable[[str], str]) -> Row:
    """Returns an entry as it is shown; directories, also behind a link, end in a slash."""
    slash = entry.kind == "directory" or (entry.kind == "link" and _leads_to_directory(source.follow(entry.name)))
    return show(entry.name) + "/" * slash, entry


def _leads_to_directory(target: Target | None) -> bool:
    """Says whether a link leads to a directory."""
    return target is not None and target.kind == "directory"


def _shown(
    entries: Iterator[Entry], visibility_of: VisibilityOf | None, left_out: dict[Visibility, int]
) -> Iterator[Entry]:
    """Yields the entries that are listed, and counts the others."""
    for entry in entries:
        visibility = visibility_of(entry) if visibility_of else "shown"
        if visibility == "shown":
            yield entry
        else:
            left_out[visibility] += 1


def _watched(entries: Iterator[Entry], watch: Watch) -> Iterator[Entry]:
    """Yields entries, and checks the deadline from time to time."""
    for number, entry in enumerate(entries):
        if number % ENTRIES_A_TICK == 0:
            watch.tick(number, 0, "list")
        yield entry
