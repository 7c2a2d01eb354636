"""Patterns of paths become the files they mean, found folder by folder inside the roots."""

import re
from collections.abc import Iterator, Sequence
from fnmatch import translate
from typing import NamedTuple

from ..errors import DeadlineExceeded, NotFound, ReadError
from ..watch import Watch
from .contract import ENTRIES_A_TICK, Entry, Opener, Source

MOST_FILES = 1000
MOST_SEEN = 100_000
ANY_DEPTH = "**"


class Matches(NamedTuple):
    """The files that a pattern means, sorted; `cut`: there may be more; folders that were not listed; if any fits."""

    paths: list[str]
    cut: bool = False
    unlisted: int = 0
    fits: bool = True


def files_like(pattern: str, opener: Opener, watch: Watch) -> Matches:
    """Returns what a pattern means; the pattern itself where something has this very name, or nothing fits."""
    if opener.follow(opener.admit(pattern), watch) is not None:
        return Matches([pattern])
    search = _Search(pattern, opener, watch)
    found: list[str] = []
    for path in search.files():
        if len(found) == MOST_FILES:
            return Matches(found, True, search.unlisted)
        found.append(path)
    return Matches(found or [pattern], search.seen > MOST_SEEN, search.unlisted, bool(found))


class _Search:
    """A walk along the parts of a pattern; `positions` are those that a folder's entries are compared with."""

    def __init__(self, pattern: str, opener: Opener, watch: Watch) -> None:
        self._opener, self._watch = opener, watch
        self._folder, self._parts = _divided(pattern)
        self._expressions = [re.compile(translate(part)) for part in self._parts]
        self.seen = self.unlisted = 0

    def files(self) -> Iterator[str]:
        """Yields the files in the order of their names; folders stand where their own names do."""
        ahead = [(self._folder, self._reached(0))]
        while ahead:
            path, positions = ahead.pop()
            if len(self._parts) in positions:
                yield path
            elif self.seen <= MOST_SEEN:
                ahead += reversed(self._entries(path, positions))

    def _entries(self, folder: str, positions: frozenset[int]) -> list[tuple[str, frozenset[int]]]:
        """Returns the entries to go on with, sorted: files that fit to the end and folders that may hold such."""
        try:
            with self._opener.open(self._opener.admit(folder or "."), self._watch) as source:
                found = list(self._fitting(source, positions)) if source.is_directory else []
        except DeadlineExceeded:
            raise
        except ReadError as error:
            self.unlisted += not isinstance(error, NotFound)
            return []
        before = folder if folder in ("", "/") else f"{folder}/"
        return [(before + name, fitting) for name, fitting in sorted(found, key=lambda each: each[0])]

    def _fitting(self, source: Source, positions: frozenset[int]) -> Iterator[tuple[str, frozenset[int]]]:
        fates = source.fates(thin=True)
        for entry in source.entries():
            self.seen += 1
            if self.seen > MOST_SEEN:
                return
            if self.seen % ENTRIES_A_TICK == 0:
                self._watch.check()
            fitting = self._onward(source, entry, positions)
            if fitting and (fates is None or fates(entry) == "shown"):
                yield entry.name, fitting

    def _onward(self, source: Source, entry: Entry, positions: frozenset[int]) -> frozenset[int]:
        """Returns where in the pattern an entry leads: to its end for a file, before it for a folder."""
        end = len(self._parts)
        onward = [number + 1 for number in positions if number < end and self._fits(number, entry.name)]
        if entry.kind == "directory" and not entry.name.startswith("."):
            onward += [number for number in positions if number < end and self._parts[number] == ANY_DEPTH]
        if not onward:
            return frozenset()
        kind = _kind_behind(source, entry)
        if kind == "file":
            return frozenset([end]) if end in onward else frozenset()
        within = [number for number in onward if number < end]
        return self._reached(*within) if kind == "directory" else frozenset()

    def _fits(self, number: int, name: str) -> bool:
        part = self._parts[number]
        hidden = name.startswith(".") and not part.startswith(".")
        return part != ANY_DEPTH and not hidden and self._expressions[number].match(name) is not None

    def _reached(self, *numbers: int) -> frozenset[int]:
        """Returns these positions and those behind a `**`, which may stand for no folder at all."""
        found = set(numbers)
        for number in sorted(found):
            while self._parts[number] == ANY_DEPTH:
                number += 1
                found.add(number)
        return frozenset(found)


def _divided(pattern: str) -> tuple[str, Sequence[str]]:
    """Returns the folder that a pattern names plainly, and the parts that follow."""
    names = pattern.split("/")
    first = next(number for number, name in enumerate(names) if re.search(r"[*?[]", name))
    parts = [name for name in names[first:] if name not in ("", ".")]
    if parts[-1] == ANY_DEPTH:
        parts.append("*")
    folder = "/".join(names[:first])
    return folder or "/" * pattern.startswith("/"), parts


def _kind_behind(source: Source, entry: Entry) -> str:
    if entry.kind != "link":
        return entry.kind
    found = source.follow(entry.name)
    return found.kind if found else "other"
