"""What a remote root is read through: ranges of objects, checked against one version, and pages of keys."""

from collections.abc import Iterator
from typing import Protocol

from ..deadline import Deadline
from ..named_tuple import NamedTuple


class Version(NamedTuple):
    """Identifies one version of an object, as far as its server does."""

    size: int
    tag: str
    """The ETag, or what a file system has instead; empty: there is none."""
    modified_ns: int
    """Time of the last change; 0: not known."""


class FetchedRange(NamedTuple):
    """Bytes of an object, and the version that they belong to."""

    content: bytes
    version: Version


ITSELF = "."
"""Stands for a name where a folder is an object as well."""


class ListedEntry(NamedTuple):
    """An entry of a folder: a file with its size, or a folder, whose size is None."""

    name: str
    """Empty: something that no path can name. A dot: the folder itself is an object."""
    size: int | None


class Store(Protocol):
    """A bucket, a container, a server or a file system. Safe to share between threads.

    Failures are ReadErrors and never contain an address or a credential. Nothing is requested before the first call.
    """

    can_list: bool
    store_id: str
    """Tells its server and bucket from all others; nothing secret."""

    def fetch(self, key: str, start: int, count: int, known: Version | None, deadline: Deadline) -> FetchedRange:
        """Returns a range of an object, shorter only at its end; raises NotFound where there is none.

        `known`: the version that the range must belong to; ChangedWhileReading is raised where it does not.
        """
        ...

    def version_of(self, key: str, deadline: Deadline) -> Version:
        """Returns the current version of an object without its content; raises NotFound."""
        ...

    def entries(self, folder: str, deadline: Deadline, name_prefix: str = "") -> Iterator[ListedEntry]:
        """Yields the entries of a folder whose names start so; none for one that does not exist.

        `folder` is empty or ends in a slash.
        """
        ...

    def close(self) -> None:
        """Closes its connections."""
        ...
