"""The outline of a directory: its folders with the count and size of all files below."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from heapq import heappop, heappush

from ..errors import DeadlineExceeded, ReadError
from ..model import Notice, Outline, OutlineRow
from ..path_names import entry_path, name_as_listed, readable_size
from ..source import ENTRIES_A_TICK, Source, SourceExtras, VisibilityOf
from ..source.disk_source import DiskSource
from .reading import ReadContext

MAX_ROWS = 200
MAX_SEEN = 200_000
MAX_CHAIN = 1000
"""The most characters of folders in each other that share a row."""
SHARE = 0.7
"""The share of the remaining time for walking the folders."""


class CountedFolder:
    """A folder with the number and size of the files in it and below."""

    __slots__ = ("bytes", "files", "folders", "name", "open_inside", "parent", "path")

    def __init__(self, name: str, path: str, parent: CountedFolder | None) -> None:
        self.name, self.path, self.parent = name, path, parent
        self.open_inside: Callable[[str], Source] | None = None
        """Of a folder in an archive: opens an entry without the way from the root."""
        self.files = self.bytes = 0
        self.folders: list[CountedFolder] = []

    def summary(self) -> str:
        """Returns the number and the size of the files."""
        return f"{self.files} file{'s' * (self.files != 1)}, {readable_size(self.bytes)}"


def folder_outline(context: ReadContext) -> Outline:
    """Returns the tree below a directory, as deep as the rows allow, folders with the most files opened first."""
    walk = _Walk(context)
    root = CountedFolder(".", context.source.repaired or context.request.path, None)
    walk.count_files_below(root)
    return Outline("directory", _choose_rows(root), notices=tuple(walk.notices()))


class _Walk:
    """A walk of all folders below one; counts what it leaves out."""

    def __init__(self, context: ReadContext) -> None:
        self._context, self._deadline = context, context.deadline
        now = context.deadline.clock()
        self._until = now + (context.deadline.expires - now) * SHARE
        self._seen = self._unopened = 0
        self._left_out = {"ignored": 0, "hidden": 0, "denied": 0}
        self._unread = self._keys = 0
        self._kept_open = ExitStack()
        """Folders of an archive, which those in them are opened by; they hold no descriptors."""

    def count_files_below(self, root: CountedFolder) -> None:
        """Walks a folder and all below it, then adds up their files."""
        waiting, folders = [root], [root]
        with self._kept_open:
            while waiting:
                folder = waiting.pop()
                if self._seen > MAX_SEEN or self._deadline.clock() > self._until:
                    self._unopened = len(waiting) + 1
                    break
                self._list_folder(folder)
                waiting += folder.folders
                folders += folder.folders
        for folder in reversed(folders):
            if folder.parent:
                folder.parent.files += folder.files
                folder.parent.bytes += folder.bytes

    def _list_folder(self, folder: CountedFolder) -> None:
        """Lists a folder; one that cannot be opened is counted."""
        if folder.parent is None:
            return self._add_entries(folder, self._context.source)
        opener, open_inside = self._context.resources.opener, folder.parent.open_inside
        try:
            if open_inside:
                return self._add_entries(folder, self._kept_open.enter_context(open_inside(folder.name)))
            with opener.open(opener.locate(folder.path), self._deadline) as source:
                return self._add_entries(folder, source)
        except DeadlineExceeded:
            raise
        except ReadError:
            self._unread += 1

    def _add_entries(self, folder: CountedFolder, source: Source) -> None:
        """Adds the folders and files of a folder, and counts what is left out."""
        visibility_of = _visibility_in(source)
        folder.open_inside = SourceExtras(source).open_inside
        if folder.parent:  # the notice of the first one is that of its source
            self._keys += SourceExtras(source).keys_left_out
        for entry in source.entries():
            self._seen += 1
            if self._seen % ENTRIES_A_TICK == 0:
                self._deadline.check()
            visibility = "hidden" if entry.name.startswith(".") else visibility_of(entry)
            if visibility != "shown":
                self._left_out[visibility] += 1
            elif entry.kind == "directory":
                path = entry_path(folder.path, entry.name)
                folder.folders.append(CountedFolder(entry.name, path, folder))
            elif entry.kind == "file":
                folder.files += 1
                folder.bytes += source.size_of(entry.name) or 0

    def notices(self) -> Iterator[Notice]:
        """Yields notices of what is not counted."""
        told = ", ".join(f"{count} {why}" for why, count in self._left_out.items() if count)
        if told:
            yield Notice("left-out", f"{told}: not counted")
        if self._keys:
            what = "1 entry" if self._keys == 1 else f"{self._keys} entries"
            yield Notice("keys-left-out", f"{what} left out in folders below")
        if self._unread:
            yield Notice("unsearched", f"folders that could not be listed: {self._unread}")
        if self._unopened:
            yield Notice("outline-cut", f"counts are too low: {self._unopened} or more folders were not looked into")


def _visibility_in(source: Source) -> VisibilityOf:
    """Returns the function that decides which entries are counted; ignore files always apply."""
    if isinstance(source, DiskSource):
        return source.search_filter(everything=False).visibility_of
    return source.listing_filter(skip_ignored=True) or (lambda _: "shown")


def _choose_rows(root: CountedFolder) -> list[OutlineRow]:
    """Returns the folders to be shown: those with the most files are opened first, as long as the rows suffice."""
    opened: set[CountedFolder] = set()
    rows = 1
    ahead = [(0, 0, root)]
    number = 0
    while ahead:
        folder = _end_of_chain(heappop(ahead)[2])
        if rows + len(folder.folders) > MAX_ROWS and opened:
            continue
        opened.add(folder)
        rows += len(folder.folders)
        for inner in folder.folders:
            number += 1
            heappush(ahead, (-_end_of_chain(inner).files, number, inner))
    return list(_rows_of_opened(root, opened))


def _rows_of_opened(root: CountedFolder, opened: set[CountedFolder]) -> Iterator[OutlineRow]:
    """Yields a row for each folder, those that are opened with their own below them."""
    waiting = [(root, 0)]
    while waiting:
        folder, depth = waiting.pop()
        end = _end_of_chain(folder)
        yield OutlineRow(None, None, depth, kind="folder", label=f"{_chain_path(folder, end)}/\t{end.summary()}")
        if end in opened:
            inner = sorted(end.folders, key=lambda each: (each.name.lower(), each.name), reverse=True)
            waiting += [(each, depth + 1) for each in inner]


def _end_of_chain(folder: CountedFolder) -> CountedFolder:
    """Returns the end of a chain of folders with a single folder each; the root is never folded."""
    length = len(folder.name)
    while folder.parent and len(folder.folders) == 1 and folder.files == folder.folders[0].files:
        length += 1 + len(folder.folders[0].name)
        if length > MAX_CHAIN:
            break
        folder = folder.folders[0]
    return folder


def _chain_path(first: CountedFolder, last: CountedFolder) -> str:
    """Returns the names of a chain of folders, each with one folder in it, as one path."""
    names: list[str] = []
    folder: CountedFolder | None = last
    while folder and folder is not first.parent:
        names.append(name_as_listed(folder.name))
        folder = folder.parent
    return "/".join(reversed(names))
