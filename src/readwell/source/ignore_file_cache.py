"""Loads and parses ignore files (`.gitignore`, `.aiignore`) of the disk, and keeps them until they change."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from stat import S_ISDIR
from time import time_ns

from ..deadline import Deadline
from ..errors import AccessDenied
from ..gitignore import Check, Pattern, Patterns, combine_patterns, parse_pattern
from .confined_open import PROBE_DIRECTORY
from .file_status import MISSING
from .ignore_chain import IgnoreChain, IgnoreFile, Stamp

MAX_BYTES = 65536
MAX_LINES = 2000
MAX_FOLDERS = 4096
SETTLED_NS = 100_000_000
"""A file that changed less than this ago may change again with the same timestamp (decisions/0017).

Longer than for cached contents (`reread_check`): an outdated rule would show what is denied.
"""

OpenFile = Callable[[str], int]
"""Opens a file by its absolute path, inside the roots, without blocking."""
MARKS = ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
"""Byte order marks that some editors write; all other files are UTF-8."""
DOUBTFUL = "[\0\ufffd]|\r(?=[^\r])"
"""Signs that a line was misunderstood: another encoding, other line ends."""
NO_STAMP: Stamp = (0, 0, 0, 0, 0)


class IgnoreFileCache:
    """Parsed ignore files by directory, of those that have one of some names. Safe to share between threads."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = tuple(names)
        self._folders: dict[str, tuple[Stamp, Sequence[IgnoreFile]]] = {}

    def excluding_line(self, root: str, below: str, open_file: OpenFile, deadline: Deadline) -> str | None:
        """Returns the file and line that exclude a path, judged as git does: the deepest file has the last word.

        Everything in an excluded directory is excluded; each kind of ignore file is judged by itself.
        The chain is shared by all paths of one call.
        """
        names = below.split("/") if self._names else []
        chain = self._chain_of_call(root, "judged", deadline)
        for name in names[chain.go_back_to_shared(names) :]:
            self._load_files(chain, open_file, deadline)
            if chain.excludes_nothing:
                return None
            deadline.check()
            line = chain.excluding_line(name, True, deadline.check)
            if line is not None:
                return line
            chain.enter(name)
        return None

    def chain_into(self, root: str, below: str, open_file: OpenFile, deadline: Deadline) -> IgnoreChain:
        """Returns the chain that ends in a directory, its own ignore files included."""
        names = [name for name in below.split("/") if name]
        chain = self._chain_of_call(root, "gone", deadline)
        for name in names[chain.go_back_to_shared(names) :]:
            self._load_files(chain, open_file, deadline)
            chain.enter(name)
        self._load_files(chain, open_file, deadline)
        return chain.copy()

    def _chain_of_call(self, root: str, purpose: str, deadline: Deadline) -> IgnoreChain:
        """Returns the ignore files below a root, collected once for each call."""
        return deadline.once((self, root, purpose), lambda: IgnoreChain(root, self._names))

    def _load_files(self, chain: IgnoreChain, open_file: OpenFile, deadline: Deadline) -> None:
        """Adds the ignore files of the current directory of a chain; there are none behind a link."""
        if not self._names or not chain.may_have_ignore_files:
            return
        deadline.check()
        # Only the root itself may be named by a link.
        files = self._ignore_files_in(chain.folder, os.lstat if chain.parts else os.stat, open_file, deadline.check)
        if files is not None:
            chain.add(files)

    def _ignore_files_in(
        self, folder: str, get_status: Callable[[str], os.stat_result], open_file: OpenFile, check: Check
    ) -> Sequence[IgnoreFile] | None:
        """Returns the ignore files of a directory; None where the path is no directory."""
        try:
            status = get_status(folder or "/")
        except OSError as error:
            return None if error.errno in MISSING else [IgnoreFile(name, NO_STAMP, None) for name in self._names]
        if not S_ISDIR(status.st_mode):
            return None
        stamp, known = _stamp_of(status), self._folders.get(folder)
        if known and known[0] == stamp and all(_stamp_at(f"{folder}/{each.name}") == each.stamp for each in known[1]):
            return known[1]
        began = time_ns()
        present = _present_names(folder or "/", self._names)
        files = [loaded for name in present if (loaded := load_ignore_file(folder, name, open_file, check))]
        if all(began - each[3] > SETTLED_NS for each in (stamp, *(each.stamp for each in files))):
            if len(self._folders) >= MAX_FOLDERS:
                self._folders.clear()
            self._folders[folder] = (stamp, files)
        return files


def _present_names(folder: str, names: Sequence[str]) -> Sequence[str]:
    """Returns those of some names that exist in a directory; faster in deep ones than looking up each by its path."""
    try:
        descriptor = os.open(folder, PROBE_DIRECTORY)
    except OSError:
        return names
    try:
        return [name for name in names if _exists(name, descriptor)]
    finally:
        os.close(descriptor)


def _exists(name: str, folder: int) -> bool:
    """Says whether a name exists in a folder, also one that cannot be looked at."""
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        return error.errno not in MISSING
    return True


def load_ignore_file(folder: str, name: str, open_file: OpenFile, check: Check) -> IgnoreFile | None:
    """Returns an ignore file of a directory; None where there is none."""
    path = f"{folder}/{name}"
    stamp = _stamp_at(path) or NO_STAMP
    try:
        descriptor = open_file(path)
    except OSError as error:
        # A dangling link was meant to be an ignore file.
        return None if error.errno in MISSING and not os.path.islink(path) else IgnoreFile(name, stamp, None)
    except AccessDenied:  # a link that leads out of the roots
        return IgnoreFile(name, stamp, None)
    try:
        return IgnoreFile(name, stamp, parse_ignore_file(_read_up_to(MAX_BYTES + 1, descriptor), check))
    except OSError:  # also a directory of that name
        return IgnoreFile(name, stamp, None)
    finally:
        os.close(descriptor)


def _read_up_to(count: int, descriptor: int) -> bytes:
    """Reads so many bytes, or to the end; a file system over a network may give fewer at a time."""
    content = b""
    while len(content) < count and (more := os.read(descriptor, count - len(content))):
        content += more
    return content


def parse_ignore_file(content: bytes, check: Check) -> Patterns | None:
    """Returns the patterns of an ignore file; None for one that is too long or cannot be understood."""
    lines = _decoded_text(content).split("\n")
    if len(content) > MAX_BYTES or len(lines) > MAX_LINES:
        return None
    rows: list[Pattern] = []
    for line in lines:
        if re.search(DOUBTFUL, line.replace("\ufffd", "") if line.startswith("#") else line):
            return None
        with suppress(ValueError):  # git, too, skips invalid lines
            rows += filter(None, [parse_pattern(line)])
    return combine_patterns(rows, check)


def _decoded_text(content: bytes) -> str:
    """Returns the text of an ignore file, in UTF-16 where it begins with a mark."""
    encoding = next((encoding for mark, encoding in MARKS if content.startswith(mark)), "utf-8")
    return content.decode(encoding, "replace").removeprefix("\ufeff")


def _stamp_at(path: str) -> Stamp | None:
    """Returns what tells one version of a file from another; None where it is missing."""
    try:
        return _stamp_of(os.stat(path))
    except (OSError, ValueError):
        return None


def _stamp_of(status: os.stat_result) -> Stamp:
    """Returns what tells one version of a file from another."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
