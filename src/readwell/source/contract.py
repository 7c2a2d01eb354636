"""What a source and an opener are: all that the engine asks of a disk, a store of objects or an archive."""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, Protocol, Self

from ..model import AdmittedPath, Root
from ..watch import Watch

State = Literal["steady", "grown", "changed"]
"""What became of a file since it was opened."""

Fate = Literal["shown", "denied", "ignored"]
Fates = Callable[["Entry"], Fate]
"""What becomes of an entry in a listing."""

ENTRIES_A_TICK = 64
"""Entries of a directory after which whoever goes through them looks at the clock."""


class Entry(NamedTuple):
    """A name in a directory and what stands behind it."""

    name: str
    kind: Literal["directory", "file", "link", "other"]


class Target(NamedTuple):
    """What a path leads to."""

    kind: Literal["directory", "file", "other"]
    size: int


class Identity(NamedTuple):
    """What a file must keep to be the same and unchanged."""

    where: int | str
    """A device, a bucket."""
    which: int | str
    """An inode, a key."""
    size: int
    changed_ns: int
    """When the content was written last."""
    version: int | str
    """What differs after each change: the time of the last change of status, an ETag."""


class Source(Protocol):
    """An open file or directory; a context manager that closes it.

    A ReadError that leaves the block learns the real path of what was open. Failures to read are ReadErrors.
    Bytes appended after the open are never seen: `size` is that of the open.
    """

    name: str
    size: int
    is_directory: bool
    address: str
    """What it is asked for by where that is no path of the disk, as `s3://…`; else empty."""
    repaired: str
    """The path it was opened by, where the one asked for is missing and this one looks the same; else empty."""
    content_hash: bytes | None
    """The SHA-256 of the content, once somebody has computed it."""

    @property
    def identity(self) -> Identity:
        """What to know it again by."""
        ...

    @property
    def is_settled(self) -> bool:
        """Whether a later change is sure to show in the identity."""
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
        """An open file with this content, for a process that may open none; closed with the source."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None: ...

    def real_path(self) -> str:
        """Returns where the opened thing really is."""
        ...

    def read_at(self, offset: int, count: int) -> bytes:
        """Returns `count` bytes from `offset`, fewer only at the end of the file."""
        ...

    def read_into(self, buffer: memoryview, offset: int) -> int:
        """Fills the buffer from `offset` and returns how many bytes it holds then."""
        ...

    def next_data(self, offset: int) -> int:
        """Returns where the next written bytes start: `offset` itself if they do there, the size if nowhere."""
        ...

    def revision(self) -> str:
        """Returns a short mark of the content, so that a caller can ask whether what it holds still stands."""
        ...

    def since_opened(self) -> State:
        """What became of the file since it was opened."""
        ...

    def entries(self) -> Iterator[Entry]:
        """Yields what the directory holds, in no order; links are not followed here."""
        ...

    def fates(self, thin: bool) -> Fates | None:
        """Returns what says which entries are shown, `thin`: without ignored ones; None: all are."""
        ...

    def follow(self, name: str) -> Target | None:
        """Looks at what a name in the directory leads to; None: out of the roots, or nowhere."""
        ...

    def size_of(self, name: str) -> int | None:
        """Returns the size of a regular file of this directory by its name."""
        ...


class Opener(Protocol):
    """Opens paths of one kind of root. Safe to share between threads."""

    @property
    def cwd(self) -> str:
        """Where relative paths start."""
        ...

    @property
    def roots(self) -> tuple[Root, ...]:
        """What it is confined to; none: nothing is."""
        ...

    def admit(self, path: str) -> AdmittedPath:
        """Locates a path by its name, before anything is opened; refuses one that starts nowhere."""
        ...

    def open(self, path: AdmittedPath, watch: Watch) -> Source:
        """Opens a file or directory once, without leaving the roots; raises a ReadError where it cannot."""
        ...

    def open_repaired(self, path: AdmittedPath, watch: Watch) -> Source:
        """Like `open`; a missing name may stand for the one beside it that only looks the same."""
        ...

    def follow(self, path: AdmittedPath, watch: Watch) -> Target | None:
        """Looks at what a path leads to, inside the roots; None where it leads out or nowhere."""
        ...

    def close(self) -> None:
        """Gives back what it holds; nothing can be opened afterwards."""
        ...
