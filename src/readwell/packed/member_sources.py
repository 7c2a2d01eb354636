"""The `Source` classes of what is inside packed files: a compressed file's content, a member, a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Self

from ..errors import IsDirectory, ReadError
from ..model import Notice
from ..source import Entry, Identity, Source, SourceExtras, State, Target, VisibilityOf, revision_of_names
from ..source.nameless_file import SpooledCopy
from ..source.revision import revision_of
from .archive_tree import FOLDER, ArchiveTree
from .packing_detection import WRONG_CHECKSUM
from .piece_cache import ContentEnd
from .unpacking_stream import PIECE, UnpackedContent


class NestedSource:
    """A source inside another, its `container`, which is closed with it."""

    repaired = address = packing = ""
    size = 0
    is_directory = is_sparse = False
    is_size_known = True
    content_hash: bytes | None = None

    def __init__(self, container: Source, name: str, inside: str) -> None:
        self.container, self.name, self._inside = container, name, inside
        self.address, self.repaired = container.address and f"{container.address}{inside}", container.repaired
        self._spooled = SpooledCopy()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.release()
        self.container.__exit__(kind, error, trace)
        if isinstance(error, ReadError):
            error.opened, error.in_directory = self.real_path(), self.is_directory

    def release(self) -> None:
        """Ends what was begun for it alone; its container stays open."""
        self._spooled.close()

    def real_path(self) -> str:
        """Returns the real path of the file that holds it, and the name inside."""
        return self.container.real_path() + self._inside

    @property
    def identity(self) -> Identity:
        """Identifies this version of the file, and the thing inside."""
        container = self.container.identity
        return container._replace(which=f"{container.which}!{self.packing}{self._inside}")

    @property
    def rules_inside(self) -> Any:
        """What denies names in it, where the file that holds it is not on this disk."""
        return SourceExtras(self.container).rules_inside

    @property
    def identity_shows_changes(self) -> bool:
        """Whether any later change of the file is sure to show in its identity."""
        return self.container.identity_shows_changes

    @property
    def mtime_ms(self) -> int:
        """The time of the last change of the file."""
        return self.container.mtime_ms

    @property
    def remarks(self) -> tuple[Notice, ...]:
        """What whoever reads it must be told."""
        return self.container.remarks

    @property
    def descriptor(self) -> int:
        """A descriptor of a file without a name that holds the same."""
        return self._spooled.descriptor_of(self)

    def change_since_opened(self) -> State:
        """Says whether the file is as it was when opened."""
        return self.container.change_since_opened()

    def read_at(self, offset: int, count: int) -> bytes:  # noqa: ARG002 - of the protocol
        """Returns bytes; here there are none."""
        raise IsDirectory

    def read_into(self, buffer: memoryview, offset: int) -> int:
        """Fills the buffer from an offset on."""
        filled = 0
        while filled < len(buffer):
            # No larger piece is made than needed, so that little is copied.
            piece = self.read_at(offset + filled, min(len(buffer) - filled, PIECE))
            if not piece:
                break
            buffer[filled : filled + len(piece)] = piece
            filled += len(piece)
        return filled

    def next_data_offset(self, offset: int) -> int:
        """Returns the same offset: nothing is left out."""
        return offset

    def revision(self) -> str:
        """Returns a short hash that changes with the content."""
        return revision_of(self)

    def entries(self) -> Iterator[Entry]:
        """Yields nothing: it is a file."""
        return iter(())

    def listing_filter(self, skip_ignored: bool) -> VisibilityOf | None:  # noqa: ARG002 - of the protocol
        """Says that all is shown."""
        return None

    def target_of(self, name: str) -> Target | None:  # noqa: ARG002 - of the protocol
        """Returns None: links inside lead nowhere."""
        return None

    def size_of(self, name: str) -> int | None:  # noqa: ARG002 - of the protocol
        """Returns None: it is a file."""
        return None


class BorrowedSource:
    """A source that somebody else closes."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Leaves it open."""


class UnpackedSource(NestedSource):
    """What is compressed in a file, or a member of an archive that is: its bytes come from an unpacker."""

    def __init__(self, container: Source, name: str, inside: str, content: UnpackedContent, most: int) -> None:
        super().__init__(container, name, inside)
        self._content, self._most = content, most
        self.size = most

    def release(self) -> None:
        """Leaves what is being unpacked to the next call."""
        self._content.close()
        super().release()

    def read_at(self, offset: int, count: int) -> bytes:
        """Returns bytes from an offset on; the size is exact once the end was reached."""
        content = self._content.read_at(offset, count)
        if self._content.end:
            self.size, self.is_size_known = self._content.end.size, True
        return content

    @property
    def remarks(self) -> tuple[Notice, ...]:
        """Tells where it breaks off, once that is known."""
        end, remarks = self.end, self.container.remarks
        return (*remarks, end.notice(0, end.size)) if end and end.damage else remarks

    @property
    def end(self) -> ContentEnd | None:
        """Where the content ends, once that is known."""
        return self._content.end


class DecompressedSource(UnpackedSource):
    """The content of a compressed file. Its size is known once its end was reached."""

    def __init__(self, container: Source, name: str, packing: str, content: UnpackedContent, most: int) -> None:
        super().__init__(container, name, "", content, most + 1)
        self.packing = packing
        self.is_size_known = False
        self.read_at(0, 0)
        if content.end:
            self.size, self.is_size_known = content.end.size, True

    def revision(self) -> str:
        """Returns the revision of the file as it is on the disk, for which nothing need be unpacked."""
        return self.container.revision()


class SliceSource(NestedSource):
    """A part of another source: a member of an archive that is not compressed by itself."""

    def __init__(self, container: Source, name: str, inside: str, start: int, size: int) -> None:
        super().__init__(container, name, inside)
        self._start, self._end, self.size = start, start + size, size

    def read_at(self, offset: int, count: int) -> bytes:
        """Returns bytes from an offset on."""
        wanted = min(count, self.size - offset)
        content = self.container.read_at(self._start + offset, wanted) if wanted > 0 else b""
        if len(content) < wanted:
            self.size = offset + len(content)
        return content

    @property
    def remarks(self) -> tuple[Notice, ...]:
        """Tells where it breaks off, once that is known; what is broken behind it concerns others."""
        archive: Any = self.container
        if not (end := getattr(archive, "end", None)) or not end.damage:
            return archive.remarks
        is_whole = end.size > self._end or (end.size == self._end and end.damage != WRONG_CHECKSUM)
        remarks = archive.container.remarks
        return remarks if is_whole else (*remarks, end.notice(self._start, self._end))


class BlockMember(SliceSource):
    """A member of an archive that is packed together with others."""

    def release(self) -> None:
        """Leaves the block to the next call."""
        super().release()
        block: Any = self.container
        block.release()


class FolderSource(NestedSource):
    """A folder of an archive."""

    is_directory = True

    def __init__(
        self,
        container: Source,
        name: str,
        inside: str,
        packing: str,
        members: ArchiveTree,
        listing_filter_in: Callable[[bool], VisibilityOf | None],
        open_inside: Callable[[FolderSource, str], Source],
    ) -> None:
        super().__init__(container, name, inside)
        self._open_inside = open_inside
        self.packing, self.members, self._listing_filter_in = packing, members, listing_filter_in
        self._folder = members.folders[inside.strip("/")]

    def open_inside(self, name: str) -> Source:
        """Opens an entry, without the way from the root to here; it must be closed before this folder."""
        return self._open_inside(self, name)

    def number_of(self, name: str) -> int | None:
        """Returns the number of an entry in the archive; None where there is none of that name."""
        return self._folder.get(name)

    def path_of(self, name: str) -> str:
        """Returns the path of an entry in the archive."""
        return f"{self._inside}/{name}".lstrip("/")

    @property
    def remarks(self) -> tuple[Notice, ...]:
        """Tells what is damaged, and at the top of the archive what of it is left out."""
        return (*self.container.remarks, *self.members.remarks_in(self._inside))

    def revision(self) -> str:
        """Returns a hash of the names."""
        return revision_of_names(sorted(self._folder))

    def entries(self) -> Iterator[Entry]:
        """Returns the entries of the folder."""
        kinds = map(self.members.kind_of, self._folder.values())
        return map(Entry._make, zip(self._folder, kinds, strict=True))

    def listing_filter(self, skip_ignored: bool) -> VisibilityOf | None:
        """Returns the function that decides which entries are shown."""
        return self._listing_filter_in(skip_ignored)

    def size_of(self, name: str) -> int | None:
        """Returns the size of a member of this folder."""
        number = self._folder.get(name, FOLDER)
        return self.members.sizes[number] if self.members.kind_of(number) == "file" else None
