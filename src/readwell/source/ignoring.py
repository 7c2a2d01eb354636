"""Ignore files on the way to a path: found folder by folder, kept as long as folder and file stay as they are."""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from stat import S_ISDIR
from time import time_ns
from typing import NamedTuple

from ..errors import AccessDenied
from ..patterns import Pattern, Patterns, folded, row_of, together
from .source import MISSING

MOST_BYTES = 65536
MOST_LINES = 2000
MOST_FOLDERS = 4096
SETTLED_NS = 100_000_000
"""What is looked at so soon after its last change may change again within the same tick of its clock (decisions/0017).

Longer than for what is remembered of contents (`settled.py`): a rule that is out of date shows what is denied.
"""

OpenFile = Callable[[str], int]
"""Opens a file by its absolute path, inside the roots, without blocking."""
Stamp = tuple[int, int, int, int, int]
MARKS = ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
"""First bytes of files that some editors save; all others are UTF-8."""
DOUBTFUL = re.compile("[\0\ufffd]|\r(?=[^\r])")
"""What no line of an ignore file holds that was understood: another encoding, other line ends."""
NO_STAMP: Stamp = (0, 0, 0, 0, 0)


class Kept(NamedTuple):
    """An ignore file of a folder: its name, its stamp, its patterns; None: it cannot be read and excludes all."""

    name: str
    stamp: Stamp
    patterns: Patterns | None


class Way(NamedTuple):
    """The folders that lead somewhere, folded, and the ignore files of each as far as they are real folders."""

    parts: tuple[str, ...]
    kept: tuple[Sequence[Kept], ...]

    @property
    def unreadable(self) -> str | None:
        """The name of an ignore file that cannot be read, and so excludes whatever comes."""
        return next((each.name for kept in self.kept for each in kept if each.patterns is None), None)


class IgnoreFiles:
    """Says what the ignore files of some names exclude. Safe to share between threads."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = tuple(names)
        self._folders: dict[str, tuple[Stamp, Sequence[Kept]]] = {}

    def excludes(self, root: str, below: str, open_file: OpenFile) -> str | None:
        """Returns the file and line that exclude a path, judged as git does: the deepest file has the last word.

        What lies in an excluded folder stays excluded; each name of an ignore file counts by itself.
        """
        names = below.split("/")
        way = Way((), ())
        for depth, name in enumerate(names):
            way = self.further(way, "/".join([root, *names[:depth]]), open_file)
            line = self.excludes_child(way, name, True)
            if line is not None:
                return line
            way = way._replace(parts=(*way.parts, folded(name)))
        return None

    def further(self, way: Way, folder: str, open_file: OpenFile) -> Way:
        """Returns the way with the ignore files of one more folder; there are none behind a link."""
        if len(way.kept) < len(way.parts):
            return way
        # Only the root itself may be named by a link.
        kept = self._of_folder(folder, os.lstat if way.parts else os.stat, open_file)
        return way if kept is None else Way(way.parts, (*way.kept, kept))

    def way_into(self, root: str, below: str, open_file: OpenFile) -> Way:
        """Returns the way into a folder, its own ignore files included."""
        way = self.further(Way((), ()), root, open_file)
        names = [name for name in below.split("/") if name]
        for depth, name in enumerate(names, 1):
            way = way._replace(parts=(*way.parts, folded(name)))
            way = self.further(way, "/".join([root, *names[:depth]]), open_file)
        return way

    def excludes_child(self, way: Way, name: str, may_be_folder: bool) -> str | None:
        """Returns the file and line that exclude a name at the end of a way, its parents not asked."""
        if not any(way.kept):
            return None
        path = (*way.parts, folded(name))
        for kind in self._names:
            line = _last_word(kind, way.kept, path, may_be_folder)
            if line is not None:
                return f"{kind}: {line}"
        return None

    def _of_folder(
        self, folder: str, look: Callable[[str], os.stat_result], open_file: OpenFile
    ) -> Sequence[Kept] | None:
        """Returns the ignore files of a folder; None where there is no folder by that name."""
        try:
            found = look(folder or "/")
        except OSError as error:
            return None if error.errno in MISSING else [Kept(name, NO_STAMP, None) for name in self._names]
        if not S_ISDIR(found.st_mode):
            return None
        stamp, known = _stamp_of(found), self._folders.get(folder)
        if known and known[0] == stamp and all(_stamp(f"{folder}/{kept.name}") == kept.stamp for kept in known[1]):
            return known[1]
        began = time_ns()
        kept = [loaded for name in self._names if (loaded := _load(folder, name, open_file))]
        if all(began - each[3] > SETTLED_NS for each in (stamp, *(each.stamp for each in kept))):
            if len(self._folders) >= MOST_FOLDERS:
                self._folders.clear()
            self._folders[folder] = (stamp, kept)
        return kept


def _last_word(kind: str, kept: Sequence[Sequence[Kept]], path: Sequence[str], may_be_folder: bool) -> str | None:
    """Returns the line that excludes this very path; an ignore file that cannot be read excludes everything."""
    for depth in range(len(kept) - 1, -1, -1):
        for each in kept[depth]:
            if each.name != kind:
                continue
            if each.patterns is None:
                return "it cannot be read"
            row = each.patterns.last_word(path[depth:], may_be_folder)
            if row:
                return None if row.negated else row.text
    return None


def _load(folder: str, name: str, open_file: OpenFile) -> Kept | None:
    path = f"{folder}/{name}"
    stamp = _stamp(path) or NO_STAMP
    try:
        descriptor = open_file(path)
    except OSError as error:
        # A link that leads nowhere was meant to be an ignore file.
        return None if error.errno in MISSING and not os.path.islink(path) else Kept(name, stamp, None)
    except AccessDenied:  # a link that leads out of the roots
        return Kept(name, stamp, None)
    try:
        return Kept(name, stamp, _patterns(os.read(descriptor, MOST_BYTES + 1)))
    except OSError:  # a folder, too: whoever made it wanted a file
        return Kept(name, stamp, None)
    finally:
        os.close(descriptor)


def _patterns(content: bytes) -> Patterns | None:
    """Returns what an ignore file says; None for what is too much or cannot be understood."""
    lines = _decoded(content).split("\n")
    if len(content) > MOST_BYTES or len(lines) > MOST_LINES:
        return None
    rows: list[Pattern] = []
    for line in lines:
        if DOUBTFUL.search(line.replace("\ufffd", "") if line.startswith("#") else line):
            return None
        with suppress(ValueError):  # git, too, passes over what is no pattern
            rows += filter(None, [row_of(line)])
    return together(rows)


def _decoded(content: bytes) -> str:
    encoding = next((encoding for mark, encoding in MARKS if content.startswith(mark)), "utf-8")
    return content.decode(encoding, "replace").removeprefix("\ufeff")


def _stamp(path: str) -> Stamp | None:
    try:
        return _stamp_of(os.stat(path))
    except (OSError, ValueError):
        return None


def _stamp_of(found: os.stat_result) -> Stamp:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
