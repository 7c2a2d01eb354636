"""Ignore files on the way to a path: found folder by folder, kept as long as folder and file stay as they are."""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from stat import S_ISDIR
from time import time_ns
from typing import NamedTuple

from ..errors import AccessDenied
from ..patterns import Check, Pattern, Patterns, Trail, folded, row_of, together
from ..watch import Watch
from .beneath import FOLDER
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


class Found(NamedTuple):
    """An ignore file on a way: how many folders below the root, and how far it has come; None: it cannot be read."""

    depth: int
    trail: Trail | None


class Way:
    """The folders from a root to a place, folded, and the ignore files on the way, as far as they are real folders."""

    def __init__(self, root: str, kinds: Sequence[str]) -> None:
        self.folder = root
        self._names: list[str] = []
        self.parts: list[str] = []
        self.looked_into = 0
        """How many folders ignore files were looked for in, the root among them."""
        self._files: dict[str, list[Found]] = {kind: [] for kind in kinds}

    def copy(self) -> "Way":
        """Returns a way that stays here when this one goes on."""
        found = Way(self.folder, ())
        found._names, found.parts, found.looked_into = [*self._names], [*self.parts], self.looked_into
        found._files = {
            kind: [each._replace(trail=each.trail and each.trail.along(found.parts)) for each in files]
            for kind, files in self._files.items()
        }
        return found

    @property
    def kinds(self) -> Iterable[str]:
        """The names of the ignore files that count here."""
        return self._files

    @property
    def has_files(self) -> bool:
        """Whether there are ignore files on the way."""
        return any(self._files.values())

    def without_files(self) -> "Way":
        """Returns the same way as if there were no ignore files on it."""
        found = Way(self.folder, tuple(self._files))
        for name in self._names:
            found.enter(name)
        found.folder = self.folder
        return found

    @property
    def unreadable(self) -> str | None:
        """The name of an ignore file that cannot be read, and so excludes whatever comes."""
        return next((kind for kind, files in self._files.items() if any(each.trail is None for each in files)), None)

    @property
    def looks_on(self) -> bool:
        """Whether all folders so far are real, so that there may be ignore files in the next."""
        return self.looked_into == len(self.parts)

    @property
    def is_free(self) -> bool:
        """Whether nothing that follows can be excluded: there is no ignore file so far, and none to come."""
        return self.looked_into <= len(self.parts) and not any(self._files.values())

    def look(self, kept: Sequence[Kept]) -> None:
        """Takes the ignore files of the folder that it has come to."""
        for each in kept:
            trail = None if each.patterns is None else Trail(each.patterns, self.parts, len(self.parts))
            self._files[each.name].append(Found(len(self.parts), trail))
        self.looked_into += 1

    def enter(self, name: str) -> None:
        """Goes into a folder."""
        self._names.append(name)
        self.parts.append(folded(name))
        self.folder = f"{self.folder}/{name}"

    def shares(self, names: Sequence[str]) -> int:
        """Goes back as far as another way parts from this one; returns how many folders they share."""
        shared = next((n for n, (one, other) in enumerate(zip(self._names, names, strict=False)) if one != other), None)
        shared = min(len(self._names), len(names)) if shared is None else shared
        if shared < len(self._names):
            left = self._names[shared:]
            self.folder = self.folder[: -sum(map(len, left)) - len(left)]
            del self._names[shared:], self.parts[shared:]
            self.looked_into = min(self.looked_into, shared + 1)
            for kind, files in self._files.items():
                self._files[kind] = [each for each in files if each.depth <= shared]
                for each in self._files[kind]:
                    if each.trail:
                        each.trail.rewind()
        return shared

    def excludes(self, name: str, may_be_folder: bool, check: Check) -> str | None:
        """Returns the file and line that exclude a name at its end, the folders themselves not asked."""
        path = folded(name)
        for kind, files in self._files.items():
            line = _last_word(files, path, may_be_folder, check)
            if line is not None:
                return f"{kind}: {line}"
        return None


class IgnoreFiles:
    """Says what the ignore files of some names exclude. Safe to share between threads."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = tuple(names)
        self._folders: dict[str, tuple[Stamp, Sequence[Kept]]] = {}

    def excludes(self, root: str, below: str, open_file: OpenFile, watch: Watch) -> str | None:
        """Returns the file and line that exclude a path, judged as git does: the deepest file has the last word.

        What lies in an excluded folder stays excluded; each name of an ignore file counts by itself.
        What was found on the way to one path stands for the next one of the same call.
        """
        names = below.split("/") if self._names else []
        way = self._way(root, "judged", watch)
        for name in names[way.shares(names) :]:
            self._look(way, open_file, watch)
            if way.is_free:
                return None
            watch.check()
            line = way.excludes(name, True, watch.check)
            if line is not None:
                return line
            way.enter(name)
        return None

    def way_into(self, root: str, below: str, open_file: OpenFile, watch: Watch) -> Way:
        """Returns the way into a folder, its own ignore files included."""
        names = [name for name in below.split("/") if name]
        way = self._way(root, "gone", watch)
        for name in names[way.shares(names) :]:
            self._look(way, open_file, watch)
            way.enter(name)
        self._look(way, open_file, watch)
        return way.copy()

    def _way(self, root: str, what_for: str, watch: Watch) -> Way:
        return watch.once((self, root, what_for), lambda: Way(root, self._names))

    def _look(self, way: Way, open_file: OpenFile, watch: Watch) -> None:
        """Looks for the ignore files of the folder that a way has come to; there are none behind a link."""
        if not self._names or not way.looks_on:
            return
        watch.check()
        # Only the root itself may be named by a link.
        kept = self._of_folder(way.folder, os.lstat if way.parts else os.stat, open_file, watch.check)
        if kept is not None:
            way.look(kept)

    def _of_folder(
        self, folder: str, look: Callable[[str], os.stat_result], open_file: OpenFile, check: Check
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
        present = _present(folder or "/", self._names)
        kept = [loaded for name in present if (loaded := load_ignore_file(folder, name, open_file, check))]
        if all(began - each[3] > SETTLED_NS for each in (stamp, *(each.stamp for each in kept))):
            if len(self._folders) >= MOST_FOLDERS:
                self._folders.clear()
            self._folders[folder] = (stamp, kept)
        return kept


def _last_word(files: Sequence[Found], name: str, may_be_folder: bool, check: Check) -> str | None:
    """Returns the line that excludes this very path; an ignore file that cannot be read excludes everything."""
    for each in reversed(files):
        if each.trail is None:
            return "it cannot be read"
        row = each.trail.last_word(name, may_be_folder, check)
        if row:
            return None if row.negated else row.text
    return None


def _present(folder: str, names: Sequence[str]) -> Sequence[str]:
    """Returns those of some names that a folder holds: looking for each by its whole path takes long in deep ones."""
    try:
        descriptor = os.open(folder, FOLDER)
    except OSError:
        return names
    try:
        return [name for name in names if _is_there(name, descriptor)]
    finally:
        os.close(descriptor)


def _is_there(name: str, folder: int) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        return error.errno not in MISSING
    return True


def load_ignore_file(folder: str, name: str, open_file: OpenFile, check: Check) -> Kept | None:
    """Returns an ignore file of a folder; None where there is none."""
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
        return Kept(name, stamp, _patterns(os.read(descriptor, MOST_BYTES + 1), check))
    except OSError:  # a folder, too: whoever made it wanted a file
        return Kept(name, stamp, None)
    finally:
        os.close(descriptor)


def _patterns(content: bytes, check: Check) -> Patterns | None:
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
    return together(rows, check)


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
