"""`IgnoreChain`: the parsed ignore files from a root down to a directory; matches names, reads nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..gitignore import Check, FolderMatchState, Patterns, folded_path
from ..named_tuple import NamedTuple

Stamp = tuple[int, int, int, int, int]
"""Device, inode, size and times of a file: they change with its content."""


class IgnoreFile(NamedTuple):
    """A parsed ignore file; patterns None: it cannot be read, and excludes everything."""

    name: str
    stamp: Stamp
    patterns: Patterns | None


class ActiveIgnoreFile(NamedTuple):
    """An ignore file of a chain and how far its patterns have matched; None: it cannot be read."""

    depth: int
    """How many directories below the root it is."""
    state: FolderMatchState | None


class IgnoreChain:
    """The directories from a root to another, and the ignore files in them; there are none behind a link."""

    def __init__(self, root: str, ignore_names: Sequence[str]) -> None:
        self.folder = root
        self._names: list[str] = []
        self.parts: list[str] = []
        self.folders_searched = 0
        """In how many directories ignore files were looked for, the root included."""
        self._files: dict[str, list[ActiveIgnoreFile]] = {kind: [] for kind in ignore_names}

    def copy(self) -> IgnoreChain:
        """Returns a chain that does not change with this one."""
        copied = IgnoreChain(self.folder, ())
        copied._names, copied.parts, copied.folders_searched = [*self._names], [*self.parts], self.folders_searched
        copied._files = {
            kind: [each._replace(state=each.state and each.state.for_folders(copied.parts)) for each in files]
            for kind, files in self._files.items()
        }
        return copied

    @property
    def ignore_names(self) -> Iterable[str]:
        """The names of the ignore files that it applies."""
        return self._files

    @property
    def has_ignore_files(self) -> bool:
        """Whether the chain contains an ignore file."""
        return any(self._files.values())

    def without_ignore_files(self) -> IgnoreChain:
        """Returns a chain through the same directories without their ignore files."""
        chain = IgnoreChain(self.folder, tuple(self._files))
        for name in self._names:
            chain.enter(name)
        chain.folder = self.folder
        return chain

    @property
    def unreadable_file(self) -> str | None:
        """The name of an ignore file that cannot be read, and so excludes everything below."""
        return next((kind for kind, files in self._files.items() if any(each.state is None for each in files)), None)

    @property
    def may_have_ignore_files(self) -> bool:
        """Whether no link was passed, so that the directory may have ignore files."""
        return self.folders_searched == len(self.parts)

    @property
    def excludes_nothing(self) -> bool:
        """Whether nothing below can be excluded: there are no ignore files so far, and there will be none."""
        return self.folders_searched <= len(self.parts) and not any(self._files.values())

    def add(self, files: Sequence[IgnoreFile]) -> None:
        """Adds the ignore files of the current directory."""
        for each in files:
            state = None if each.patterns is None else FolderMatchState(each.patterns, self.parts, len(self.parts))
            self._files[each.name].append(ActiveIgnoreFile(len(self.parts), state))
        self.folders_searched += 1

    def enter(self, name: str) -> None:
        """Goes into a directory."""
        self._names.append(name)
        self.parts.append(folded_path(name))
        self.folder = f"{self.folder}/{name}"

    def go_back_to_shared(self, names: Sequence[str]) -> int:
        """Goes back to the last directory that is also on another path; returns how many of its names are shared."""
        shared = next((n for n, (one, other) in enumerate(zip(self._names, names, strict=False)) if one != other), None)
        shared = min(len(self._names), len(names)) if shared is None else shared
        if shared < len(self._names):
            left = self._names[shared:]
            self.folder = self.folder[: -sum(map(len, left)) - len(left)]
            del self._names[shared:], self.parts[shared:]
            self.folders_searched = min(self.folders_searched, shared + 1)
            for kind, files in self._files.items():
                self._files[kind] = [each for each in files if each.depth <= shared]
                for each in self._files[kind]:
                    if each.state:
                        each.state.reset()
        return shared

    def excluding_line(self, name: str, may_be_folder: bool, check: Check) -> str | None:
        """Returns the file and line that exclude a name in the current directory, whose parents are not asked."""
        path = folded_path(name)
        for kind, files in self._files.items():
            line = _excluding_line(files, path, may_be_folder, check)
            if line is not None:
                return f"{kind}: {line}"
        return None


def _excluding_line(files: Sequence[ActiveIgnoreFile], name: str, may_be_folder: bool, check: Check) -> str | None:
    """Returns the line that excludes a name; an ignore file that cannot be read excludes everything."""
    for each in reversed(files):
        if each.state is None:
            return "it cannot be read"
        row = each.state.deciding_pattern(name, may_be_folder, check)
        if row:
            return None if row.negated else row.text
    return None
