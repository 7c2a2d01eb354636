"""`ArchiveLookup`: finds the folder or member that a path names inside a packed file; applies deny rules there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Protocol, cast

from ..deadline import Deadline
from ..disk_store import Store
from ..documents import Documents
from ..errors import ConversionFailed, ConverterMissing, NotFound, TooLarge
from ..import_guard import importing_only_from, is_installed
from ..model import LocatedPath
from ..similar_names import similar_names
from ..source import Entry, IdentityCache, Source, SourceExtras, VisibilityOf
from .packing_detection import ZSTD_MODULE, Packing, most_unpacked_bytes, unpacked_name

if TYPE_CHECKING:
    from .archive_tree import ArchiveTree
    from .member_sources import FolderSource, NestedSource
    from .unpacking_stream import UnpackingTools

DEEPEST = 2
"""An archive in an archive opens, one in that does not."""
MAX_STORED = 512 << 20
MAX_LISTING = 256 << 20
ARCHIVES_KEPT = 2
PIECES_VERSION = b"piece002"
INSTALL = 'pip install "readwell[archives]"'


class DenyRules(Protocol):
    """What denies names, also those inside: the opener of the disk, or `rules_inside` of a remote file."""

    def refuse_denied(self, absolute: str, deadline: Deadline) -> None:
        """Raises AccessDenied for a path that a rule denies, whether it exists or not."""
        ...

    def listing_filter_in(self, folder: str, real: str, skip_ignored: bool, deadline: Deadline) -> VisibilityOf | None:
        """Returns the function that decides which entries of a folder are shown."""
        ...


class ArchiveLookup:
    """Finds what is inside of files; `unpack_if_packed` gives a file as what it holds, an archive as its top folder."""

    def __init__(
        self,
        rules: DenyRules,
        documents: Documents,
        folder: str | None,
        unpack_if_packed: Callable[[Source, LocatedPath, Deadline], Source],
    ) -> None:
        self._rules, self._documents, self._folder, self._unpack_if_packed = rules, documents, folder, unpack_if_packed
        self._archives: IdentityCache[ArchiveTree] = IdentityCache(most=ARCHIVES_KEPT)
        self._tools: UnpackingTools | None = None

    def close(self) -> None:
        """Ends what is being unpacked."""
        if self._tools:
            self._tools.streams.close()

    def open_unpacked(self, source: Source, packing: Packing, deadline: Deadline) -> Source:
        """Returns what is compressed in a file; raises where that cannot even be begun."""
        import_path = self._documents.import_path
        if packing.name == "zstd" and not is_installed(ZSTD_MODULE, import_path):
            raise ConverterMissing("zstd", INSTALL)
        with importing_only_from(import_path):
            from .member_opening import cache_key_of
            from .member_sources import DecompressedSource
            from .unpacking_stream import PackedContent, UnpackedContent

        deadline.announce("document", source.size)
        most = most_unpacked_bytes(source.size)
        key = cache_key_of(source, packing.name)
        packed = PackedContent(source, packing.name, b"", file=key, key=key, most=most)
        content = UnpackedContent(packed, self._shared_tools(), deadline)
        unpacked = DecompressedSource(source, unpacked_name(source.name, packing), packing.name, content, most)
        if content.end and content.end.damage and not content.end.size:
            raise ConversionFailed(packing.name, content.end.damage)
        return unpacked

    def top_folder(self, source: Source, packing: str, path: LocatedPath, deadline: Deadline) -> FolderSource:
        """Returns the folder at the top of an archive."""
        deadline.announce("document", source.size)
        archive = self._archives.get(source, partial(self._list_members, packing=packing, deadline=deadline))
        return self._folder_of(source, packing, archive, "", path, deadline)

    def open_below(
        self,
        source: Source,
        names: Sequence[str],
        path: LocatedPath,
        missing: NotFound,
        deadline: Deadline,
        depth: int = 1,
    ) -> Source:
        """Returns what a path leads to inside of a file; raises NotFound where there is nothing of that name."""
        with importing_only_from(self._documents.import_path):
            from .member_opening import open_member
            from .member_sources import FolderSource

        self._rules_in(source).refuse_denied(f"{source.real_path()}/{'/'.join(names)}", deadline)
        top = self._unpack_if_packed(source, path, deadline)
        if not isinstance(top, FolderSource) or ".." in names:
            inside = depth > 1 and ".." not in names
            raise NotFound((), _without_last_names(path.asked, len(names)), through_file=True) if inside else missing
        archive, container = top.members, top.container
        names = [name for name in names if name not in ("", ".")]
        position = archive.find(names)
        if position is None:
            raise self._not_found(top, names, path, deadline)
        number, taken = position
        inner = "/".join(names[:taken])
        if number < 0:
            return self._folder_of(container, top.packing, archive, inner, path, deadline)
        member = open_member(container, top, number, inner, self._shared_tools(), deadline)
        if depth == DEEPEST and taken < len(names):
            raise NotFound((), _without_last_names(path.asked, len(names) - taken), through_file=True)
        return member if depth == DEEPEST else self._open_inside_member(member, names[taken:], path, missing, deadline)

    def _open_inside_member(
        self, member: NestedSource, names: Sequence[str], path: LocatedPath, missing: NotFound, deadline: Deadline
    ) -> Source:
        """Returns what the rest of a path leads to in a member; where that fails, what was begun for it is ended."""
        try:
            if names:
                return self.open_below(member, names, path, missing, deadline, DEEPEST)
            return self._unpack_if_packed(member, path, deadline)
        except BaseException:
            member.release()
            raise

    def _list_members(self, source: Source, packing: str, deadline: Deadline) -> ArchiveTree:
        """Returns the members of an archive as the child lists them."""
        with importing_only_from(self._documents.import_path):
            from .archive_tree import archive_from_listing
            from .member_opening import cache_key_of
            from .member_sources import DecompressedSource
            from .unpacking_stream import UnpackingStream

        container, asked = source, b""
        if isinstance(source, DecompressedSource):  # it is unpacked where it is listed
            container, asked = source.container, source.packing.encode()
        encoded = bytearray()
        with ExitStack() as ending:
            listing = self._documents.start_unpacking(container, packing, asked, deadline)
            ending.callback(listing.close)
            while piece := listing.next_piece(deadline):
                encoded += piece
                if len(encoded) > MAX_LISTING:
                    raise TooLarge(MAX_LISTING)
            archive = archive_from_listing(bytes(encoded), listing.damage or "", packing)
            if packing != "tar":  # its members are most likely read next
                file = cache_key_of(source, packing)
                self._shared_tools().streams.park(UnpackingStream(listing, file, file))
                ending.pop_all()
        return archive

    def _folder_of(
        self, source: Source, packing: str, archive: ArchiveTree, inner: str, path: LocatedPath, deadline: Deadline
    ) -> FolderSource:
        """Returns a folder of an archive, with the rules that hold in it."""
        with importing_only_from(self._documents.import_path):
            from .member_sources import FolderSource

        inside = f"/{inner}".rstrip("/")
        real = source.real_path() + inside

        def listing_filter_in(skip_ignored: bool) -> VisibilityOf | None:
            return self._rules_in(source).listing_filter_in(path.absolute.rstrip("/"), real, skip_ignored, deadline)

        def open_inside(folder: FolderSource, name: str) -> Source:
            return self._open_entry(
                folder, name, path._replace(absolute=f"{path.absolute.rstrip('/')}/{name}"), deadline
            )

        name = (inner or source.name).rpartition("/")[2]
        return FolderSource(
            source,
            name,
            inside,
            packing=packing,
            members=archive,
            listing_filter_in=listing_filter_in,
            open_inside=open_inside,
        )

    def _open_entry(self, folder: FolderSource, name: str, path: LocatedPath, deadline: Deadline) -> Source:
        """Returns an entry of an open folder, by name; an archive in an archive stays a file."""
        with importing_only_from(self._documents.import_path):
            from .member_opening import open_member
            from .member_sources import BorrowedSource

        self._rules_in(folder).refuse_denied(f"{folder.real_path()}/{name}", deadline)
        number, inner = folder.number_of(name), folder.path_of(name)
        container = (
            folder.container
            if isinstance(folder.container, BorrowedSource)
            else cast("Source", BorrowedSource(folder.container))
        )
        if number is None:
            raise NotFound
        if number < 0:
            return self._folder_of(container, folder.packing, folder.members, inner, path, deadline)
        return open_member(container, folder, number, inner, self._shared_tools(), deadline)

    def _not_found(self, top: FolderSource, names: Sequence[str], path: LocatedPath, deadline: Deadline) -> NotFound:
        """Returns the error for a name that an archive does not have, with similar ones beside it."""
        archive, folder = top.members, "/".join(names[:-1])
        if folder not in archive.folders:
            existing = next(
                count for count in range(len(names) - 2, -1, -1) if "/".join(names[:count]) in archive.folders
            )
            return NotFound((), _without_last_names(path.asked, len(names) - existing))
        parent = path.absolute.rstrip("/").rpartition("/")[0]
        visibility_of = self._rules_in(top).listing_filter_in(parent, f"{top.real_path()}/{folder}", False, deadline)
        entries = archive.folders[folder]

        def allowed(name: str) -> bool:
            entry = Entry(name, archive.kind_of(entries[name]))
            return visibility_of is None or visibility_of(entry) == "shown"

        return NotFound(similar_names(names[-1], entries, allowed, deadline.check))

    def _rules_in(self, source: Source) -> DenyRules:
        """Returns what denies names inside of a file."""
        return SourceExtras(source).rules_inside or self._rules

    def _shared_tools(self) -> UnpackingTools:
        """Returns what all unpacking shares, made on first use."""
        with importing_only_from(self._documents.import_path):
            from .piece_cache import PieceCache
            from .unpacking_stream import ParkedStream, UnpackingTools

        if self._tools is None:
            store = Store(self._folder, PIECES_VERSION, MAX_STORED) if self._folder else None
            self._tools = UnpackingTools(self._documents.start_unpacking, PieceCache(store), ParkedStream())
        return self._tools


def _without_last_names(path: str, count: int) -> str:
    """Returns a path without its last names."""
    names = path.rstrip("/").split("/")
    while count:
        count -= names.pop() not in ("", ".")
    return "/".join(names)
