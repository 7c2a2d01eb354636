"""The protocols `Source` and `Opener`: all that the engine needs from a disk, an object store or an archive.

`SourceExtras` and `opener_without_unpacking` are what only some of them have, with what is used for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..deadline import Deadline
from ..light_typing import Any, Literal, Protocol, Self
from ..model import LocatedPath, Notice, Root
from ..named_tuple import NamedTuple

State = Literal["steady", "grown", "changed"]
"""How a file compares with what it was when it was opened."""

Visibility = Literal["shown", "denied", "ignored"]
VisibilityOf = Callable[["Entry"], Visibility]
"""Decides whether an entry of a directory is shown."""

ENTRIES_A_TICK = 64
"""A loop over directory entries checks the deadline after so many."""


class Entry(NamedTuple):
    """A directory entry: its name and kind."""

    name: str
    kind: Literal["directory", "file", "link", "other"]


class Target(NamedTuple):
    """The kind and size of what a path leads to, links followed."""

    kind: Literal["directory", "file", "other"]
    size: int
    stamp: str = ""
    """Of an object: tells this version from others; empty where that is not certain."""


class Identity(NamedTuple):
    """Identifies one version of a file: equal identities mean the same file with the same content."""

    where: int | str
    """A device, a bucket."""
    which: int | str
    """An inode, a key."""
    size: int
    changed_ns: int
    """Time of the last write."""
    version: int | str
    """Differs after each change: a ctime, an ETag."""


class Source(Protocol):
    """An open file or directory; a context manager that closes it.

    A ReadError that leaves the block is given the real path of the open file. Failures to read are ReadErrors.
    Bytes appended after the open are never read: `size` is the size at that time.
    """

    name: str
    size: int
    """An upper bound where `is_size_known` is false; exact once a read has reached the end."""
    is_size_known: bool
    packing: str
    """How the content is packed, such as `gzip`; empty for a file that is read as it is."""
    is_directory: bool
    address: str
    """The address of a source that is not on the disk, such as `s3://…`; else empty."""
    repaired: str
    """The path that was opened instead of a missing one that looks the same; else empty."""
    content_hash: bytes | None
    """The SHA-256 of the content, once computed; of the identity, where a server vouches for it."""

    @property
    def identity(self) -> Identity:
        """Identifies this version of the file."""
        ...

    @property
    def identity_shows_changes(self) -> bool:
        """Whether any later change is sure to show in the identity."""
        ...

    @property
    def mtime_ms(self) -> int:
        """The time of the last change, in milliseconds."""
        ...

    @property
    def is_sparse(self) -> bool:
        """Whether parts of the file were never written."""
        ...

    @property
    def descriptor(self) -> int:
        """A file descriptor with this content, for a process that may open no files; closed with the source."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None: ...

    def real_path(self) -> str:
        """Returns the real path of the open file."""
        ...

    def read_at(self, offset: int, count: int) -> bytes:
        """Returns `count` bytes from `offset`, fewer only at the end of the file."""
        ...

    def read_into(self, buffer: memoryview, offset: int) -> int:
        """Fills the buffer from `offset` and returns the number of bytes read."""
        ...

    def next_data_offset(self, offset: int) -> int:
        """Returns the offset of the next bytes that were ever written, from `offset` on; the size if there are none."""
        ...

    def revision(self) -> str:
        """Returns a short hash by which a caller can ask later whether the file has changed."""
        ...

    @property
    def remarks(self) -> tuple[Notice, ...]:
        """What whoever reads it must be told: what is damaged, what was left out."""
        ...

    def change_since_opened(self) -> State:
        """Says whether the file is as it was when opened, has only grown, or has changed in any other way."""
        ...

    def entries(self) -> Iterator[Entry]:
        """Yields the entries of the directory in no order, without following links."""
        ...

    def listing_filter(self, skip_ignored: bool) -> VisibilityOf | None:
        """Returns the function that decides which entries are shown; None: all are.

        `skip_ignored`: entries that version control ignores are left out.
        """
        ...

    def target_of(self, name: str) -> Target | None:
        """Returns what an entry of the directory leads to; None: outside the roots, or nowhere."""
        ...

    def size_of(self, name: str) -> int | None:
        """Returns the size of a regular file of this directory by its name."""
        ...


class Opener(Protocol):
    """Opens paths of one kind, such as those of the disk. Safe to share between threads."""

    @property
    def cwd(self) -> str:
        """Where relative paths start."""
        ...

    @property
    def roots(self) -> tuple[Root, ...]:
        """The directories that it is confined to; empty: it is not confined."""
        ...

    def locate(self, path: str) -> LocatedPath:
        """Returns where a path is relative to the roots, judged by its name alone; nothing is opened."""
        ...

    def open(self, path: LocatedPath, deadline: Deadline) -> Source:
        """Opens a file or directory without leaving the roots; raises a ReadError where it cannot."""
        ...

    def open_repaired(self, path: LocatedPath, deadline: Deadline) -> Source:
        """Like `open`; a missing name is replaced by the one in its directory that looks the same."""
        ...

    def target_of(self, path: LocatedPath, deadline: Deadline) -> Target | None:
        """Returns what a path leads to; None: outside the roots, or nowhere."""
        ...

    def close(self) -> None:
        """Releases its resources; nothing can be opened afterwards."""
        ...


class SourceExtras:
    """What only some sources have, by the same names; a source that has not gets the default."""

    __slots__ = ("_source",)

    def __init__(self, source: Source) -> None:
        self._source = source

    @property
    def search_visibility(self) -> Callable[[bool], VisibilityOf] | None:
        """Of a folder with ignore files of its own: takes whether all is searched; None: `listing_filter` is asked."""
        return getattr(self._source, "search_visibility", None)

    @property
    def open_inside(self) -> Callable[[str], Source] | None:
        """Of a folder in an archive: opens an entry without the way from the root; None: the opener opens its path."""
        return getattr(self._source, "open_inside", None)

    @property
    def rules_inside(self) -> Any:
        """Of a remote file: what denies names in it, where it is an archive; None: the rules of the opener do."""
        return getattr(self._source, "rules_inside", None)

    @property
    def unnamed_keys(self) -> int:
        """Of a remote folder: how many entries no path leads to: keys, or what several begin with."""
        return getattr(self._source, "unnamed_keys", 0)

    @property
    def objects_beside_folders(self) -> Sequence[str]:
        """Of a remote folder: objects that have the name of a folder, too, and are no entries."""
        return getattr(self._source, "objects_beside_folders", ())

    @property
    def keys_left_out(self) -> int:
        """Of a remote folder: how many entries have no row, for either reason."""
        return getattr(self._source, "keys_left_out", 0)


def opener_without_unpacking(opener: Opener) -> Opener:
    """Returns the opener that opens files as they are: the `inner` of one that unpacks, else the opener itself."""
    return getattr(opener, "inner", opener)


def exact_size(source: Source) -> int:
    """Returns the exact size, for which all of a compressed file may have to be unpacked."""
    if not source.is_size_known:
        source.read_at(source.size - 1, 1)
    return source.size
