"""Walks a tree in the order of the paths as shown: one descriptor per folder; links are not followed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Protocol

from ..deadline import Deadline
from ..errors import AccessDenied, BinaryFile, NotFound, ReadError
from ..model.search import SearchPosition, SkippedFiles
from ..named_tuple import NamedTuple
from ..path_names import entry_path, name_as_listed
from ..source import ENTRIES_A_TICK, Entry, Opener, Source, SourceExtras, Visibility, opener_without_unpacking
from ..source.disk_source import DiskSource
from ..source.search_filter import IGNORE_FILES, SearchFilter
from .glob_filter import Glob

ARCHIVE = "archive"
"""What a file looks like that is searched only where it is named."""


class Candidate(NamedTuple):
    """A file to search: its path as shown and as it is, and a function that opens it."""

    shown: str
    path: str
    open: Callable[[], Source]
    is_still_allowed: Callable[[str], bool] | None = None
    """Says whether the real path of the open file may still be searched; None: it was checked before."""


class SkipCounter:
    """Counts the files that a walk does not search."""

    def __init__(self) -> None:
        self.binary = self.denied = self.archives = 0
        self.failed: list[str] = []
        self.unlisted = False

    @property
    def skipped(self) -> SkippedFiles:
        """The counts for the result."""
        return SkippedFiles(self.binary, self.denied, tuple(self.failed), self.archives, self.unlisted)

    def count_failure(self, shown: str, error: ReadError) -> None:
        """Counts a file that could not be searched; one that vanished is not counted."""
        if isinstance(error, BinaryFile):
            is_archive = error.looks_like == ARCHIVE
            self.archives += is_archive
            self.binary += not is_archive
        elif isinstance(error, AccessDenied):
            self.denied += 1
        elif not isinstance(error, NotFound):
            self.failed.append(shown)

    def count_defect(self, shown: str, defect: Exception) -> None:
        """Counts a file at which readwell itself failed: it is named in the reply, and the defect is logged."""
        import logging

        logging.getLogger("readwell").error("a defect of readwell: %s was not searched", shown, exc_info=defect)
        self.failed.append(shown)


class WalkFilter(NamedTuple):
    """Which files of a tree are searched."""

    glob: Glob | None
    everything: bool
    after: SearchPosition | None

    def is_before_start(self, folder: str) -> bool:
        """Whether all files of a folder come before the position to continue from."""
        return self.after is not None and folder < self.after.path and not self.after.path.startswith(folder)


IsStillAllowed = Callable[[str], bool]


class Folder(Protocol):
    """An open folder of the walk."""

    @property
    def source(self) -> Source:
        """The open folder."""
        ...

    @property
    def is_still_allowed(self) -> IsStillAllowed | None:
        """Says whether the real path of an open file may be searched; None: opening checks it."""
        ...

    def visibility_of(self, entry: Entry, /) -> Visibility:
        """Says whether an entry is searched."""
        ...

    def open(self, name: str) -> Source:
        """Opens a file of the folder."""
        ...

    def enter(self, name: str) -> Folder:
        """Opens a folder in this one."""
        ...


class DiskFolder:
    """A folder on disk: its entries are opened by name relative to its descriptor."""

    def __init__(self, source: DiskSource, search_filter: SearchFilter) -> None:
        self.source, self._filter = source, search_filter
        self.visibility_of = search_filter.visibility_of
        self.is_still_allowed: IsStillAllowed | None = search_filter.allows_real_path

    def add_ignore_files(self, names: list[str]) -> None:
        """Loads ignore files of the folder."""
        self._filter.add_ignore_files(names)

    def open(self, name: str) -> Source:
        """Opens a file of the folder."""
        return self.source.open_entry(name, self._filter.refuse_denied_inode)

    def enter(self, name: str) -> DiskFolder:
        """Opens a folder in this one."""
        return DiskFolder(
            self.source.open_entry(name, self._filter.refuse_denied_inode), self._filter.filter_below(name)
        )


class FolderOfOpener:
    """A folder of another store: its entries are opened by their paths."""

    def __init__(self, source: Source, path: str, opener: Opener, everything: bool, deadline: Deadline) -> None:
        # Files are opened as they are: an archive is searched only where it is named.
        self.source, self._path, self._opener = source, path, opener_without_unpacking(opener)
        self._everything, self._deadline = everything, deadline
        # A store that has ignore files of its own knows which of them concern a search.
        extras = SourceExtras(source)
        of_search = extras.search_visibility
        visibility_of = of_search(everything) if of_search else source.listing_filter(skip_ignored=not everything)
        self.visibility_of: Callable[[Entry], Visibility] = visibility_of or (lambda _: "shown")
        self.is_still_allowed: IsStillAllowed | None = None
        self._open_inside = extras.open_inside

    def open(self, name: str) -> Source:
        """Opens a file of the folder."""
        if self._open_inside:
            return self._open_inside(name)
        return self._opener.open(self._opener.locate(entry_path(self._path, name)), self._deadline)

    def enter(self, name: str) -> FolderOfOpener:
        """Opens a folder in this one."""
        path = entry_path(self._path, name)
        return FolderOfOpener(self.open(name), path, self._opener, self._everything, self._deadline)


class _Level(NamedTuple):
    """A folder being walked: its paths, and the entries that are left."""

    folder: Folder
    path: str
    shown: str
    below: str
    """Its path below the folder that is searched."""
    entries: Iterator[tuple[str, Entry]]


class Walk:
    """Walks the files of trees."""

    def __init__(self, wanted: WalkFilter, skip_counter: SkipCounter, deadline: Deadline) -> None:
        self._walk_filter, self._skip_counter, self._deadline = wanted, skip_counter, deadline
        self._seen = 0

    def files(self, top: Folder, path: str, shown: str) -> Iterator[Candidate]:
        """Yields the files below an open folder, which is closed at the end; both names end in a slash or are empty."""
        levels = [_Level(top, path, shown, "", iter(self._sorted_entries(top, shown, "")))]
        try:
            while levels:
                level = levels[-1]
                key, entry = next(level.entries, ("", None))
                if entry is None:
                    levels.pop().folder.source.__exit__(None, None, None)
                elif entry.kind == "file":
                    opening = partial(level.folder.open, entry.name)
                    yield Candidate(level.shown + key, level.path + entry.name, opening, level.folder.is_still_allowed)
                elif inner := self._enter(level, key, entry.name):
                    levels.append(inner)
        finally:
            for level in levels:
                level.folder.source.__exit__(None, None, None)

    def _enter(self, level: _Level, key: str, name: str) -> _Level | None:
        """Enters a folder; one that may not or cannot be entered is counted."""
        shown, below = level.shown + key, level.below + key
        try:
            inner = level.folder.enter(name)
        except AccessDenied:
            self._skip_counter.denied += 1
        except ReadError:
            self._deadline.check()
            self._skip_counter.failed.append(shown)
        else:
            return _Level(inner, f"{level.path}{name}/", shown, below, iter(self._sorted_entries(inner, shown, below)))
        return None

    def _sorted_entries(self, folder: Folder, shown: str, below: str) -> list[tuple[str, Entry]]:
        """Returns the entries to walk, in order; a folder sorts by its name with a slash."""
        self._deadline.check()
        try:
            entries = list(self._list_entries(folder))
        except ReadError:
            self._deadline.check()
            self._skip_counter.failed.append(shown)
            return []
        if isinstance(folder, DiskFolder):
            ignore_files = [entry.name for entry in entries if entry.name in IGNORE_FILES and below]
            if ignore_files:
                folder.add_ignore_files(ignore_files)
        kept: list[tuple[str, Entry]] = []
        for number, entry in enumerate(entries):
            if number % ENTRIES_A_TICK == 0:
                self._deadline.check()
            if entry.kind not in ("file", "directory"):
                continue
            visibility = folder.visibility_of(entry)
            if visibility == "shown":
                key = name_as_listed(entry.name) + "/" * (entry.kind == "directory")
                if self._is_wanted(entry, shown + key, below + key):
                    kept.append((key, entry))
            elif visibility == "denied":
                self._skip_counter.denied += 1
            else:
                self._skip_counter.unlisted = True
        kept.sort(key=_sort_key)
        return kept

    def _list_entries(self, folder: Folder) -> Iterator[Entry]:
        """Yields the entries of a folder, and checks the deadline from time to time."""
        for entry in folder.source.entries():
            self._seen += 1
            if self._seen % ENTRIES_A_TICK == 0:
                self._deadline.check()
            yield entry

    def _is_wanted(self, entry: Entry, shown: str, below: str) -> bool:
        """Says whether an entry is to be searched, or may contain one that is."""
        wanted = self._walk_filter
        if wanted.is_before_start(shown):
            return False
        if wanted.glob:
            return wanted.glob.matches(below) if entry.kind == "file" else wanted.glob.may_contain(below[:-1])
        if wanted.everything or not entry.name.startswith("."):
            return True
        self._skip_counter.unlisted = True
        return False


def _sort_key(entry: tuple[str, Entry]) -> tuple[str, str]:
    """Returns the key that sorts entries: by their path as shown."""
    return entry[0], entry[1].name


def folder_of(source: Source, path: str, opener: Opener, everything: bool, deadline: Deadline) -> Folder:
    """Returns an open folder in the form that a walk needs."""
    if isinstance(source, DiskSource):
        return DiskFolder(source, source.search_filter(everything))
    return FolderOfOpener(source, path, opener, everything, deadline)
