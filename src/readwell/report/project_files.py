"""The project on the disk, as the policy lets an agent see it: its files, and their text where it is still the same."""

from __future__ import annotations

import os
from collections.abc import Callable
from time import monotonic

from ..deadline import Deadline, new_deadline
from ..errors import BinaryFile, DeadlineExceeded, ReadError
from ..model import Budget, Rules
from ..named_tuple import NamedTuple
from ..policy import Denials
from ..search.tree_walk import SkipCounter, Walk, WalkFilter, folder_of
from ..source import DiskOpener, Source
from ..text import IndexCache, open_as_text

MAX_FILES = 200_000
WALK_S = 20.0
"""Time for looking through the project."""
LOOK_S = 10.0
LONGEST_LINE = 4000
"""Characters of a line that are shown."""


class FileText(NamedTuple):
    """A file as it is now; `lines` are its text unless it is too large."""

    revision: str
    total: int | None
    lines: list[str] | None


class Project:
    """A root directory under a policy. Raises ValueError if it is no directory."""

    def __init__(self, root: str, denials: Denials) -> None:
        self.root = os.path.realpath(root)
        self._opener = DiskOpener((root,), None, None, denials)
        self._indexes = IndexCache()

    def close(self) -> None:
        """Closes the root."""
        self._opener.close()

    def file_sizes(self) -> tuple[dict[str, int], bool]:
        """Returns the size of each file that a search looks through, by relative path, and whether these are all."""
        sizes: dict[str, int] = {}
        deadline = _deadline_after(WALK_S)
        try:
            top = self._opener.open(self._opener.locate("."), deadline)
        except ReadError:  # the root was moved since
            return sizes, False
        folder = folder_of(top, ".", self._opener, False, deadline)
        candidates = Walk(WalkFilter(None, False, None), SkipCounter(), deadline).files(folder, "", "")
        try:
            for candidate in candidates:
                if len(sizes) >= MAX_FILES:
                    return sizes, False
                size = _size_of(candidate.open)
                if size is not None:
                    sizes[candidate.path] = size
        except DeadlineExceeded:
            return sizes, False
        return sizes, True

    def size_of(self, name: str) -> int | None:
        """Returns the size of a file; None if it is not there, or denied. Raises DeadlineExceeded."""
        return _size_of(lambda: self._opener.open(self._opener.locate(name), _deadline_after(LOOK_S)))

    def current_text(self, name: str, most_bytes: int) -> FileText | None:
        """Returns a text file as it is now, with its lines if it is not larger; None if there is none to be read."""
        deadline = _deadline_after(LOOK_S)
        try:
            with self._opener.open(self._opener.locate(name), deadline) as source:
                if source.is_directory:
                    return None
                revision = self._indexes.revision_of(source)
                return self._text_of(source, revision, most_bytes, deadline)
        except (ReadError, ValueError):  # a name from a record may be none that a file can have
            return None

    def _text_of(self, source: Source, revision: str, most_bytes: int, deadline: Deadline) -> FileText:
        """Returns the text of a file, as far as it is short enough."""
        try:
            text = open_as_text(source, Rules(), None, self._indexes, deadline)
        except BinaryFile:
            return FileText(revision, None, None)
        total = text.total()
        if source.size > most_bytes or not total:
            return FileText(revision, total, None)
        budget = Budget(longest=LONGEST_LINE, characters=most_bytes)
        return FileText(revision, total, text.take(1, total, 1, budget).strings)


def _size_of(open_source: Callable[[], Source]) -> int | None:
    """Returns the size of a file; None where it cannot be opened."""
    try:
        with open_source() as source:
            return None if source.is_directory else source.size
    except DeadlineExceeded:
        raise
    except (ReadError, ValueError):  # a name from a record may be none that a file can have
        return None


def _deadline_after(seconds: float) -> Deadline:
    return new_deadline(clock=monotonic, expires=monotonic() + seconds, seconds=seconds)
