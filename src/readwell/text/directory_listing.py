"""A directory as lines: its entries, sorted as they are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from ..deadline import Deadline
from ..model import Budget, Lines, Traits
from ..path_names import name_as_listed, printable
from ..source import ENTRIES_A_TICK, Entry, Source, Target, Visibility, VisibilityOf
from .lines_in_memory import InMemoryText

AT_ONCE = 4 * ENTRIES_A_TICK


class EntrySelection(NamedTuple):
    """Which entries are listed: those behind a name, and at most so many of them."""

    after: str | None = None
    """A name as it is listed."""
    most: int | None = None
    skip_ignored: bool = False


class DirectoryListing(InMemoryText):
    """The entries of a directory; beyond the last it goes on behind its name, if there are more."""

    def take(self, start: int, count: int, column: int, budget: Budget) -> Lines:
        """Takes entries from number `start`."""
        lines = super().take(start, count, column, budget)
        if lines.ended and self.lines and self.traits().unlisted:
            return lines._replace(after=self.lines[-1])
        return lines


def list_directory(source: Source, selection: EntrySelection, with_sizes: bool, deadline: Deadline) -> DirectoryListing:
    """Returns the visible entries of a directory as a text, in the order of their names; the rest is counted."""
    left_out: dict[Visibility, int] = {"ignored": 0, "denied": 0}
    visibility_of = source.listing_filter(selection.skip_ignored)
    rows = _FirstEntries(source, name_as_listed if with_sizes else printable, selection)
    for entries in _entries_in_batches(source.entries(), deadline):
        rows.add(_visible_entries(entries, visibility_of, left_out))
    unlisted = rows.finish()
    finish = rows.row_with_size if with_sizes else None
    traits = Traits(unlisted=unlisted, ignored=left_out["ignored"], denied=left_out["denied"])
    return DirectoryListing(rows.names, traits, finish)


class _FirstEntries:
    """The first of the selected entries, by their names as they are shown; keeps only twice as many.

    Of most entries only the name is kept: a hundred thousand objects more would double what a listing costs.
    """

    def __init__(self, source: Source, show: Callable[[str], str], selection: EntrySelection) -> None:
        self._source, self._show, self._selection = source, show, selection
        self.names: list[str] = []
        self._entries: dict[str, Entry] = {}
        """Those that are no files, or are shown by other names than they have."""
        self._behind = 0

    def add(self, entries: list[Entry]) -> None:
        """Adds entries where they are wanted."""
        names = [entry.name for entry in entries]
        together = "".join(names)
        are_plain = together.isascii() and together.isprintable() and "\\" not in together and "~" not in names
        if not are_plain or {entry.kind for entry in entries} != {"file"}:
            names = [self._shown_name(entry) for entry in entries]
        after, most = self._selection.after, self._selection.most
        self.names += names if after is None else [name for name in names if _sort_key(name) > _sort_key(after)]
        if most and len(self.names) >= 2 * most:
            self._keep_first(most)

    def finish(self) -> int:
        """Sorts the names; returns how many are behind the last that is wanted."""
        self._keep_first(self._selection.most or len(self.names))
        return self._behind

    def row_with_size(self, number: int) -> str:
        """Returns `name/`, or the name, a tab and its size, or its kind if it is no file."""
        shown = self.names[number]
        if shown.endswith("/"):
            return shown
        entry = self._entries.get(shown) or Entry(shown, "file")
        if entry.kind == "link":
            target = self._source.target_of(entry.name)
            return f"{shown}\t{target.size if target and target.kind == 'file' else 'link'}"
        size = self._source.size_of(entry.name)
        if size is None:
            return f"{shown}\t{'unreadable' if entry.kind == 'file' else 'special'}"
        return f"{shown}\t{size}"

    def _shown_name(self, entry: Entry) -> str:
        """Returns an entry's name as it is shown; of directories, also behind a link, it ends in a slash."""
        shown = self._show(entry.name)
        if entry.kind == "directory":
            return f"{shown}/"
        if entry.kind == "link" and _leads_to_directory(self._source.target_of(entry.name)):
            return f"{shown}/"
        if entry.kind != "file" or shown != entry.name:
            self._entries[shown] = entry
        return shown

    def _keep_first(self, most: int) -> None:
        """Keeps the first names, in their order: without case, then with it."""
        self.names.sort()
        self.names.sort(key=str.lower)
        for name in self.names[most:]:
            self._entries.pop(name, None)
        self._behind += max(0, len(self.names) - most)
        del self.names[most:]


def _sort_key(shown: str) -> tuple[str, str]:
    """Returns the key by which entries are sorted."""
    return shown.lower(), shown


def _leads_to_directory(target: Target | None) -> bool:
    """Says whether a link leads to a directory."""
    return target is not None and target.kind == "directory"


def _visible_entries(
    entries: list[Entry], visibility_of: VisibilityOf | None, left_out: dict[Visibility, int]
) -> list[Entry]:
    """Returns the entries that are listed, and counts the others."""
    if visibility_of is None:
        return entries
    kept: list[Entry] = []
    for entry in entries:
        visibility = visibility_of(entry)
        if visibility == "shown":
            kept.append(entry)
        else:
            left_out[visibility] += 1
    return kept


def _entries_in_batches(entries: Iterator[Entry], deadline: Deadline) -> Iterator[list[Entry]]:
    """Yields entries, some at once, and checks the deadline in between."""
    done = 0
    deadline.tick(done, 0, "list")
    while some := list(islice(entries, AT_ONCE)):
        yield some
        done += len(some)
        deadline.tick(done, 0, "list")
