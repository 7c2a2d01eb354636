"""The nouns of a search, in the order in which a search meets them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .light_typing import Literal
from .model import Notice, Part
from .named_tuple import NamedTuple

Ending = Literal["end", "matches", "files", "tokens", "bytes", "time"]
"""Why a reply ends where it does; `files` where a row is a file."""


class Place(NamedTuple):
    """Where a search goes on: behind a line of a file, which need not be there any more."""

    path: str
    line: int
    document: bool = False
    """Documents are searched after all texts, so that a place among them is behind every text."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}{'*' * self.document}"


class Row(NamedTuple):
    """A line of a file as it is shown, or the part of it around its first match."""

    line: int
    text: str
    match: int | None = None
    """The column of the first match, from 1; None: a neighbour of a match."""
    column: int = 1
    """The column of the first character shown."""
    cut: bool = False
    """Characters behind the last one shown are left out."""
    unit: int | None = None
    """The page of a document, or what its parts are called."""


class FileMatches(NamedTuple):
    """The matches of one file that a reply shows."""

    path: str
    """As it is shown, and as a read takes it."""
    rows: Sequence[Row]
    found: int
    """Matches; more than there are rows where a row is a file."""
    last: int
    """The line of the last of them."""
    revision: str
    part: Part | None = None
    """What a document is divided into."""

    @property
    def is_document(self) -> bool:
        """Whether the lines are those of a converted document."""
        return self.part is not None


Fits = Callable[[Sequence[FileMatches]], Ending | None]
"""Says which budget the files exceed as a dialect shows them; None: they fit."""


class SearchRequest(NamedTuple):
    """What is looked for and where, in readwell's words."""

    pattern: str
    paths: tuple[tuple[str, bool], ...]
    """Files and directories, each with whether it may be a glob."""
    limit: int
    """Matches at most; files where only files are wanted."""
    fits: Fits
    literal: bool = False
    ignore_case: bool = False
    glob: str | None = None
    around: int = 0
    """Lines shown before and after each match."""
    only_files: bool = False
    everything: bool = False
    """Hidden and ignored files, too."""
    after: Place | None = None
    notices: tuple[Notice, ...] = ()
    max_tokens: int = 0

    @property
    def path(self) -> str:
        """The first of the paths."""
        return self.paths[0][0]


class Skipped(NamedTuple):
    """What was met and not searched."""

    binary: int = 0
    denied: int = 0
    failed: tuple[str, ...] = ()
    """The names of documents that could not be converted, and of files that could not be read."""


class Match(NamedTuple):
    """A matching line: where it is, and as much of it as is shown."""

    path: str
    line: int
    column: int
    text: str
    page: int | None = None


class SearchResult(NamedTuple):
    """What was found, before any words."""

    request: SearchRequest
    where: str
    """What was searched, as it is shown: a path, or how many of them."""
    is_file: bool
    """One file was searched, and `where` is its path."""
    files: Sequence[FileMatches]
    total: int | None
    """Matches from here on; None: not all was searched."""
    next: Place | None
    reason: Ending
    searched: int
    """Files that were searched to their end, or to the end of the reply."""
    known: int = 0
    """Files that there are to search; only where time ran out."""
    all_known: bool = True
    seconds: float = 0.0
    skipped: Skipped = Skipped()
    pieces: Sequence[Place] = ()
    """Lines that were too long to be searched whole."""
    changed: Sequence[str] = ()
    """Files that changed while they were searched."""
    as_literal: int = 0
    """Matching lines if the pattern were plain text, where it found nothing as an expression."""
    revision: str = ""
    """Of the one file that was searched."""

    @property
    def count(self) -> int:  # pyright: ignore[reportIncompatibleMethodOverride] - what a tuple counts is no match
        """How many matches the reply stands for."""
        return sum(each.found for each in self.files)

    @property
    def complete(self) -> bool:
        """Whether nothing is left to search."""
        return self.next is None

    @property
    def matches(self) -> list[Match]:
        """The matching lines, one by one."""
        return [
            Match(each.path, row.line, row.match, row.text, row.unit)
            for each in self.files
            for row in each.rows
            if row.match is not None
        ]
