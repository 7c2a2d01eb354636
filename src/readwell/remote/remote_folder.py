"""A folder of a remote root, and what it has in common with a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Self

from ..errors import ReadError
from ..model import Notice
from ..named_tuple import NamedTuple
from ..path_names import quoted
from ..source import Entry, Identity, State, Target, VisibilityOf

MAX_NAMED = 5
"""Objects that have the name of a folder, as far as they are named."""


class RemoteSource:
    """What files and folders of remote roots have in common."""

    repaired = packing = ""
    is_size_known = True
    is_sparse = False
    is_directory = False

    def __init__(self, address: str) -> None:
        self.address = address
        self.name = address.rpartition("/")[2]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ReadError):
            error.opened, error.in_directory = self.address, self.is_directory
        self.close()

    def close(self) -> None:
        """Gives back what it holds."""

    @property
    def remarks(self) -> tuple[Notice, ...]:
        """What whoever reads it must be told."""
        return ()

    def real_path(self) -> str:
        """Returns the address."""
        return self.address

    def next_data_offset(self, offset: int) -> int:
        """Returns the offset: there are no holes."""
        return offset


class RemoteListing(NamedTuple):
    """The entries of a folder by name, with their sizes; those of folders are None."""

    entries: Mapping[str, int | None]
    exists: bool
    shadowed: Sequence[str] = ()
    """Objects that have the name of a folder, too."""
    unnamed: int = 0
    """Entries that no path can name."""


class RemoteFolder(RemoteSource):
    """What the names of objects begin with; its entries were listed when it was opened."""

    is_directory = True
    identity_shows_changes = False
    size = mtime_ms = 0
    content_hash: bytes | None = None

    def __init__(
        self,
        address: str,
        listing: RemoteListing,
        listing_filter_in: Callable[[bool], VisibilityOf | None],
        search_visibility: Callable[[bool], VisibilityOf],
    ) -> None:
        super().__init__(address)
        self._listing, self._listed, self._listing_filter_in = listing, listing.entries, listing_filter_in
        self.search_visibility = search_visibility
        self.identity = Identity(address, "", 0, 0, 0)

    @property
    def remarks(self) -> tuple[Notice, ...]:
        """Tells how many entries have no row, and why; an entry may be what many keys begin with."""
        unnamed, beside = self.unnamed_keys, self.objects_beside_folders
        if not unnamed and not beside:
            return ()
        why = [f"no path leads to {unnamed}"] if unnamed else []
        if beside:
            more = f" and {len(beside) - MAX_NAMED} more" if len(beside) > MAX_NAMED else ""
            named = f"{', '.join(map(quoted, beside[:MAX_NAMED]))}{more}"
            have = "has" if len(beside) == 1 else "have"
            why.append(f"{len(beside)} {have} the name of a folder (read by name: {named})")
        count = unnamed + len(beside)
        return (
            Notice("keys-left-out", f"{'1 entry' if count == 1 else f'{count} entries'} left out: {', '.join(why)}"),
        )

    @property
    def keys_left_out(self) -> int:
        """How many entries have no row."""
        return self.unnamed_keys + len(self.objects_beside_folders)

    @property
    def unnamed_keys(self) -> int:
        """How many of them no path leads to."""
        return self._listing.unnamed

    @property
    def objects_beside_folders(self) -> list[str]:
        """The objects that have the name of a folder, too: they are read by name, but have no row."""
        shadowed = self._listing.shadowed
        visibility_of = self._listing_filter_in(False) if shadowed else None
        return [name for name in shadowed if not visibility_of or visibility_of(Entry(name, "file")) == "shown"]

    @property
    def descriptor(self) -> int:
        """Raises IsADirectoryError: a folder has no content."""
        raise IsADirectoryError

    def read_at(self, offset: int, count: int) -> bytes:
        """Returns nothing."""
        del offset, count
        return b""

    def read_into(self, buffer: memoryview, offset: int) -> int:
        """Returns 0."""
        del buffer, offset
        return 0

    def revision(self) -> str:
        """Returns nothing: the revision of a folder is that of its listing."""
        return ""

    def change_since_opened(self) -> State:
        """Always steady: it was listed once."""
        return "steady"

    def entries(self) -> Iterator[Entry]:
        """Yields the entries."""
        for name, size in self._listed.items():
            yield Entry(name, "directory") if size is None else Entry(name, "file")

    def listing_filter(self, skip_ignored: bool) -> VisibilityOf | None:
        """Returns the function that decides which entries are shown; None: all are."""
        return self._listing_filter_in(skip_ignored)

    def target_of(self, name: str) -> Target | None:
        """Returns what an entry is."""
        if name not in self._listed:
            return None
        size = self._listed[name]
        return Target("directory", 0) if size is None else Target("file", size)

    def size_of(self, name: str) -> int | None:
        """Returns the size of a file."""
        return self._listed.get(name)
