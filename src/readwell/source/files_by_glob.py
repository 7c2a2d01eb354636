"""Finds the files that match a glob pattern, directory by directory inside the roots."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fnmatch import translate
from functools import partial

from ..deadline import Deadline
from ..errors import DeadlineExceeded, InvalidRequest, NotFound, ReadError
from ..named_tuple import NamedTuple
from ..path_names import HOME, escape_backslashes
from .contract import ENTRIES_A_TICK, Entry, Opener, Source, VisibilityOf
from .missing_names import Exists, paths_shown_as

MAX_FILES = 1000
MAX_SEEN = 100_000
ANY_DEPTH = "**"
NO_PATTERNS = "names of files, no patterns: an HTTP root cannot be listed"


class GlobMatches(NamedTuple):
    """The files that a pattern matches, sorted."""

    paths: list[str]
    cut: bool = False
    """There may be more."""
    unlisted: int = 0
    """Directories that could not be listed."""
    matched: bool = True
    """Whether any file matches; else `paths` is the pattern itself."""


class WildcardRules(NamedTuple):
    """What wildcards do not match, beside what is denied."""

    listing_filter_in: Callable[[Source, str], VisibilityOf | None]
    """Returns the function that decides which entries of an open folder, whose path is given, are there to match."""
    match_hidden: bool = False
    """Whether names that begin with a dot are matched."""
    match_links: bool = True
    """Whether links are matched."""


def _visibility_as_listed(folder: Source, path: str) -> VisibilityOf | None:
    """Lets wildcards match what a listing shows."""
    del path
    return folder.listing_filter(skip_ignored=True)


AS_LISTED = WildcardRules(_visibility_as_listed)


def matching_files(
    pattern: str, opener: Opener, deadline: Deadline, most: int = MAX_FILES, rules: WildcardRules = AS_LISTED
) -> GlobMatches:
    """Returns at most so many files that match; the pattern itself where a file has that name, or none matches."""
    exists = partial(_exists, opener, deadline)
    if exists(pattern) or paths_shown_as(pattern, exists):
        return GlobMatches([pattern])
    walk = _GlobWalk(pattern, opener, deadline, rules)
    paths: list[str] = []
    for path in walk.files():
        if len(paths) == most:
            return GlobMatches(paths, True, walk.unlisted)
        paths.append(path)
    return GlobMatches(paths or [pattern], walk.seen > MAX_SEEN, walk.unlisted, bool(paths))


def unambiguous_paths(matches: GlobMatches, pattern: str, opener: Opener, deadline: Deadline) -> list[str]:
    """Returns the paths that a pattern matches, each so that it cannot be taken for how another one is shown."""
    exists = partial(_exists, opener, deadline)
    return [path if path == pattern else _unambiguous_path(path, exists) for path in matches.paths]


def _unambiguous_path(path: str, exists: Exists) -> str:
    path = escape_backslashes(path) if paths_shown_as(path, exists) else path
    return f"./{path}" if path.partition("/")[0] == HOME else path


def _exists(opener: Opener, deadline: Deadline, path: str) -> bool:
    return opener.target_of(opener.locate(path), deadline) is not None


class _GlobWalk:
    """A walk through directories along the parts of a pattern.

    `positions` are the numbers of the parts that the entries of a directory are matched with.
    """

    def __init__(self, pattern: str, opener: Opener, deadline: Deadline, rules: WildcardRules) -> None:
        self._opener, self._deadline, self._rules = opener, deadline, rules
        self._folder, self._parts = _split_pattern(pattern)
        self._expressions = [re.compile(translate(part)) for part in self._parts]
        self.seen = self.unlisted = 0

    def files(self) -> Iterator[str]:
        """Yields the files in the order of their names, those of a directory where its own name would be."""
        ahead = [(self._folder, self._past_double_stars(0))]
        while ahead:
            path, positions = ahead.pop()
            if len(self._parts) in positions:
                yield path
            elif self.seen <= MAX_SEEN:
                ahead += reversed(self._entries_to_visit(path, positions))

    def _entries_to_visit(self, folder: str, positions: frozenset[int]) -> list[tuple[str, frozenset[int]]]:
        """Returns the entries to go on with, sorted: files that match, and directories that may contain some."""
        try:
            with self._opener.open(self._opener.locate(folder or "."), self._deadline) as source:
                entries = list(self._matching_entries(source, folder or ".", positions)) if source.is_directory else []
        except DeadlineExceeded:
            raise
        except ReadError as error:
            if isinstance(error, InvalidRequest) or (isinstance(error, NotFound) and error.unlisted):
                raise InvalidRequest("paths", wants=NO_PATTERNS) from None
            self.unlisted += not isinstance(error, NotFound)
            return []
        before = folder if folder in ("", "/") else f"{folder}/"
        return [(before + name, onward) for name, onward in sorted(entries, key=lambda each: each[0])]

    def _matching_entries(
        self, source: Source, folder: str, positions: frozenset[int]
    ) -> Iterator[tuple[str, frozenset[int]]]:
        """Yields the entries of a directory that match so far, with the parts they have matched."""
        visibility_of = self._rules.listing_filter_in(source, folder)
        for entry in source.entries():
            self.seen += 1
            if self.seen > MAX_SEEN:
                return
            if self.seen % ENTRIES_A_TICK == 0:
                self._deadline.check()
            onward = self._positions_after(source, entry, positions)
            if onward and (visibility_of is None or visibility_of(entry) == "shown"):
                yield entry.name, onward

    def _positions_after(self, source: Source, entry: Entry, positions: frozenset[int]) -> frozenset[int]:
        """Returns the positions after an entry: the end of the pattern for a file, earlier ones for a directory."""
        end = len(self._parts)
        onward = [number + 1 for number in positions if number < end and self._entry_matches_part(number, entry)]
        if entry.kind == "directory" and (self._rules.match_hidden or not entry.name.startswith(".")):
            onward += [number for number in positions if number < end and self._parts[number] == ANY_DEPTH]
        if not onward:
            return frozenset()
        kind = _kind_through_link(source, entry)
        if kind == "file":
            return frozenset([end]) if end in onward else frozenset()
        within = [number for number in onward if number < end]
        return self._past_double_stars(*within) if kind == "directory" else frozenset()

    def _entry_matches_part(self, number: int, entry: Entry) -> bool:
        """Says whether an entry matches a part of the pattern."""
        part, name, rules = self._parts[number], entry.name, self._rules
        hidden = name.startswith(".") and not (part.startswith(".") or rules.match_hidden)
        link = entry.kind == "link" and not (name == part or rules.match_links)  # one that is written out is followed
        if part == ANY_DEPTH or hidden or link:
            return False
        return self._expressions[number].match(name) is not None

    def _past_double_stars(self, *numbers: int) -> frozenset[int]:
        """Returns these positions and those behind a `**`, which also matches no directory at all."""
        positions = set(numbers)
        for number in sorted(positions):
            while self._parts[number] == ANY_DEPTH:
                number += 1
                positions.add(number)
        return frozenset(positions)


def _split_pattern(pattern: str) -> tuple[str, Sequence[str]]:
    """Returns the directory before the first wildcard, and the parts that follow."""
    names = pattern.split("/")
    first = next(number for number, name in enumerate(names) if re.search(r"[*?[]", name))
    parts: list[str] = []
    for name in names[first:]:
        if name not in ("", ".") and not (name == ANY_DEPTH and parts[-1:] == [ANY_DEPTH]):
            parts.append(name)
    if parts[-1] == ANY_DEPTH:
        parts.append("*")
    folder = "/".join(names[:first])
    return folder or "/" * pattern.startswith("/"), parts


def _kind_through_link(source: Source, entry: Entry) -> str:
    """Returns the kind of an entry; of a link that of its target."""
    if entry.kind != "link":
        return entry.kind
    target = source.target_of(entry.name)
    return target.kind if target else "other"
