"""Data types of a search: request, position, rows, result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..errors import NotFound
from ..light_typing import Literal
from ..named_tuple import NamedTuple
from . import Notice, ShownPart

Ending = Literal["end", "matches", "files", "tokens", "bytes", "time"]
"""Why a reply ends where it does; `files`: the limit counts files."""


class SearchPosition(NamedTuple):
    """The position after which a search continues: a line of a file, which may have vanished."""

    path: str
    line: int
    document: bool = False
    """Whether it is in a document; documents are searched after all text files."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}{'*' * self.document}"


class SearchRow(NamedTuple):
    """A line of a file as it is shown, or the part of it around its first match."""

    line: int
    text: str
    match: int | None = None
    """The column of the first match, from 1; None: the line only surrounds a match."""
    column: int = 1
    """The column of the first character shown."""
    cut: bool = False
    """Whether the end of the line is left out."""
    unit: int | None = None
    """The number of the page, slide, sheet or chapter of a document."""


class FileMatches(NamedTuple):
    """The matches of one file that a reply shows."""

    path: str
    """As it is shown, and as a read takes it."""
    rows: Sequence[SearchRow]
    match_count: int
    """The number of matches; more than there are rows where only files are listed."""
    last: int
    """The line of the last match."""
    revision: str
    part: ShownPart | None = None
    """What a document is divided into."""
    real: str = ""
    """The real path for the audit record; empty where no records are kept, and never in a reply."""

    @property
    def is_document(self) -> bool:
        """Whether the lines are those of a converted document."""
        return self.part is not None


Fits = Callable[[Sequence[FileMatches]], Ending | None]
"""Returns the budget that the files exceed in the form of a dialect; None: they fit."""


class SearchRequest(NamedTuple):
    """A search as a dialect parsed it."""

    pattern: str
    paths: tuple[tuple[str, bool], ...]
    """Files and directories, each with whether it may be a glob."""
    limit: int
    """The most matches; the most files where only files are listed."""
    fits: Fits
    literal: bool = False
    ignore_case: bool = False
    glob: str | None = None
    around: int = 0
    """Lines shown before and after each match."""
    only_files: bool = False
    everything: bool = False
    """Whether hidden and ignored files are searched."""
    after: SearchPosition | None = None
    notices: tuple[Notice, ...] = ()
    max_tokens: int = 0

    @property
    def path(self) -> str:
        """The first of the paths."""
        return self.paths[0][0]


class SkippedFiles(NamedTuple):
    """Files that were not searched."""

    binary: int = 0
    denied: int = 0
    failed: tuple[str, ...] = ()
    """The names of documents that could not be converted, and of files that could not be read."""
    archives: int = 0
    """Archives that were met: they are searched only where they are named."""
    unlisted: bool = False
    """Whether hidden or ignored entries were passed over, which `everything` would search."""


class Match(NamedTuple):
    """A matching line: where it is, and as much of it as is shown."""

    path: str
    line: int
    column: int
    text: str
    page: int | None = None


class LessContext(NamedTuple):
    """A match around which fewer lines are shown than were asked for, since more do not fit: first and last lines."""

    position: SearchPosition
    shown: tuple[int, int]
    wanted: tuple[int, int]


class SearchResult(NamedTuple):
    """The result of a search, before a dialect renders it."""

    request: SearchRequest
    where: str
    """What was searched, as it is shown: a path, or the number of paths."""
    is_file: bool
    """Whether one file was searched, whose path is `where`."""
    files: Sequence[FileMatches]
    total: int | None
    """Matches from `after` on; None: not everything was searched."""
    next: SearchPosition | None
    reason: Ending
    searched: int
    """Files that were searched to their end, or to the end of the reply."""
    known: int = 0
    """Files to search in all; only where time ran out."""
    all_known: bool = True
    seconds: float = 0.0
    skipped: SkippedFiles = SkippedFiles()
    pieces: Sequence[SearchPosition] = ()
    """Lines that were too long to be searched whole."""
    told: Mapping[str, Sequence[str]] = {}
    """Files of which something must be told, by its code: `damaged` and `checksum` of what is packed, `changed` while
    it was searched, `undecodable` bytes where the pattern has characters beyond ASCII."""
    remarks: tuple[Notice, ...] = ()
    """What is to be told of the archives that were named."""
    missing: Sequence[NotFound] = ()
    """Paths that do not exist, where several were named; `asked` says which."""
    unmatched_globs: tuple[str, ...] = ()
    """Alternatives of `glob` that match no file."""
    as_literal: int = 0
    """Lines that would match with `literal`, where the expression matches none."""
    revision: str = ""
    """The revision of the one file that was searched."""
    less_context: LessContext | None = None

    @property
    def count(self) -> int:  # pyright: ignore[reportIncompatibleMethodOverride] - what a tuple counts is no match
        """The number of matches in the reply."""
        return sum(each.match_count for each in self.files)

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
