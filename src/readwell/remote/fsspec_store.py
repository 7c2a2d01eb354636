"""A file system that the caller brings, in the protocol of fsspec, which is not imported here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from errno import EACCES, EIO
from functools import partial
from typing import Any, TypeVar, cast

from ..deadline import Deadline
from ..errors import AccessDenied, ChangedWhileReading, NotFound, ReadError, Unreadable
from .deadline_threads import AbandonableCalls
from .key_pages import valid_name_or_empty
from .store_contract import FetchedRange, ListedEntry, Version

MOST = 8
"""Calls of one file system at a time."""
LARGEST = 1 << 60
TAGS = ("ETag", "etag", "version", "version_id", "generation", "md5", "uid", "ino")
TIMES = ("LastModified", "mtime", "modified", "last_modified", "created")

T = TypeVar("T")


class FsspecStore:
    """Ranges and folders of an fsspec file system below `top`; the version is asked for again behind each range.

    A file system that tells which paths are links, as the local one does, is asked so of each folder on the way: a link
    may lead anywhere, and is refused.
    """

    can_list = True

    def __init__(self, filesystem: Any, top: str) -> None:
        self._filesystem, self._top = filesystem, top
        self._calls = AbandonableCalls(MOST)
        self.store_id = (
            f"{type(filesystem).__module__}.{type(filesystem).__name__} {getattr(filesystem, '_fs_token', '')}"
        )

    def close(self) -> None:
        """Leaves the file system to its owner."""

    def fetch(self, key: str, start: int, count: int, known: Version | None, deadline: Deadline) -> FetchedRange:
        """Returns a range of a file."""
        version = known or self.version_of(key, deadline)
        end = min(start + count, version.size)
        content: object = b""
        if start < end:
            content = self._call(deadline, self._filesystem.cat_file, key, start=start, end=end)
            _expect(isinstance(content, (bytes, bytearray, memoryview)))
        if (known or content) and self.version_of(key, deadline) != version:
            raise ChangedWhileReading
        fetched = bytes(cast("bytes", content))
        if len(fetched) != max(0, end - start):
            raise Unreadable(EIO, "the file system sent another number of bytes than was asked for")
        return FetchedRange(fetched, version)

    def version_of(self, key: str, deadline: Deadline) -> Version:
        """Returns the version of a file; raises NotFound for a folder, too."""
        told = self._info_of(key, deadline)
        if told.get("type") == "directory":
            raise NotFound
        if not 0 <= _whole_number_or(told.get("size"), -1) <= LARGEST:
            raise Unreadable(EIO, "the file system does not tell the size")
        tag = next((f"{name}={told[name]}" for name in TAGS if told.get(name)), "")
        when = next((told[name] for name in TIMES if told.get(name)), None)
        return Version(told["size"], tag, _time_ns(when))

    def entries(self, folder: str, deadline: Deadline, name_prefix: str = "") -> Iterator[ListedEntry]:
        """Yields the entries of a folder."""
        path = folder.rstrip("/") or "/"[: folder.startswith("/")]
        self._invalidate_cache(path)
        try:
            listed = self._call(deadline, self._filesystem.ls, path, detail=True)
        except NotFound:
            return
        _expect(isinstance(listed, (list, tuple)))
        _expect(all(isinstance(row, Mapping) for row in cast("Sequence[object]", listed)))
        rows = cast("Sequence[Mapping[str, Any]]", listed)
        if folder != self._top and any("islink" in row for row in rows):
            self._info_of(path, deadline)
        for row in rows:
            name = valid_name_or_empty(str(row.get("name", "")).rstrip("/").rpartition("/")[2])
            if name.startswith(name_prefix):
                is_folder = row.get("type") == "directory"
                yield ListedEntry(name, None if is_folder else max(0, _whole_number_or(row.get("size"), 0)))

    def _info_of(self, path: str, deadline: Deadline) -> Mapping[str, Any]:
        """Returns what the file system tells of a path; raises AccessDenied where it leads through a link."""
        self._invalidate_cache(path)
        told = self._call(deadline, self._filesystem.info, path)
        _expect(isinstance(told, Mapping))
        told = cast("Mapping[str, Any]", told)
        if told.get("islink") or told.get("type") == "link":
            raise AccessDenied
        above = path.rpartition("/")[0]
        if "islink" in told and len(above) > len(self._top):
            self._info_of(above, deadline)
        return told

    def _invalidate_cache(self, path: str) -> None:
        """Drops what the file system remembers of a folder: it may have changed."""
        forget = getattr(self._filesystem, "invalidate_cache", None)
        if forget:
            forget(path.rpartition("/")[0] or None)

    def _call(self, deadline: Deadline, function: Callable[..., T], *given: object, **named: object) -> T:
        """Calls the file system in a thread, because it knows no deadline; what it raises becomes a ReadError."""
        try:
            return self._calls.call(partial(function, *given, **named), deadline)
        except ReadError:
            raise
        except (FileNotFoundError, NotADirectoryError):
            raise NotFound from None
        except PermissionError:
            raise Unreadable(EACCES, "the file system refuses") from None
        except Exception as error:  # noqa: BLE001 - foreign code may raise anything, and name credentials in it
            raise Unreadable(EIO, f"the file system failed ({type(error).__name__})") from None


def _expect(holds: bool) -> None:
    """Raises Unreadable where a file system answers something else than its protocol says."""
    if not holds:
        raise Unreadable(EIO, "the file system sent an answer that is not understood")


def _whole_number_or(number: object, otherwise: int) -> int:
    return number if isinstance(number, int) else otherwise


def _time_ns(when: object) -> int:
    """Returns a time as the file system tells it; 0 where that is none."""
    try:
        seconds = when.timestamp() if isinstance(when, datetime) else when
        return int(seconds * 1_000_000) * 1000 if isinstance(seconds, (int, float)) else 0
    except (ValueError, OverflowError, OSError):
        return 0
