"""`UnpackingOpener`, the way in: opens files, sees which are packed, and sends paths into them to `archive_lookup`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice

from ..deadline import Deadline
from ..documents import Documents, is_zip_archive
from ..errors import DeadlineExceeded, InvalidRequest, NotFound, ReadError
from ..light_typing import TYPE_CHECKING
from ..model import LocatedPath, Root
from ..source import IdentityCache, Opener, Source, SourceExtras, Target
from .packing_detection import HEAD, archive_format_of, compression_of, is_packed_tar, may_be_packed

if TYPE_CHECKING:
    from .archive_lookup import ArchiveLookup, DenyRules

SMALL = 1 << 16
"""Up to this size a file is read at once: whatever reads it next wants all of it."""
ELSEWHERE = "://"
"""In the addresses of what is not on this disk."""
READ_AHEAD = 1 << 16
"""Bytes read to see whether a file is compressed: of most files all, so that a search reads them once."""


class UnpackingOpener:
    """Opens compressed files as what they hold, and paths through archives as through folders.

    `rules` deny names inside, too; `folder` is that of the cache on disk, None for none. What unpacks is started with
    the first packed file. `inner` opens files as they are, packed or not. Safe to share between threads.
    """

    def __init__(self, inner: Opener, rules: DenyRules, documents: Documents, folder: str | None) -> None:
        self.inner = inner
        self._rules, self._documents, self._folder = rules, documents, folder
        self._made: dict[str, ArchiveLookup] = {}
        self._remote: IdentityCache[bool] = IdentityCache()
        """Which objects may be packed: one that is known is not asked for its first bytes again."""

    @property
    def _lookup(self) -> ArchiveLookup:
        """What finds things inside of files; made with the first packed one."""
        if not self._made:
            from .archive_lookup import ArchiveLookup

            # Of two threads that come at once, one makes it in vain.
            self._made.setdefault(
                "lookup", ArchiveLookup(self._rules, self._documents, self._folder, self._unpack_if_packed)
            )
        return self._made["lookup"]

    @property
    def cwd(self) -> str:
        """Where relative paths start."""
        return self.inner.cwd

    @property
    def roots(self) -> tuple[Root, ...]:
        """The directories that it is confined to."""
        return self.inner.roots

    def locate(self, path: str) -> LocatedPath:
        """Returns where a path is relative to the roots, by its name alone."""
        return self.inner.locate(path)

    def open(self, path: LocatedPath, deadline: Deadline) -> Source:
        """Opens a file or directory, or what is inside of a packed file."""
        return self._open(path, deadline, self.inner.open)

    def open_repaired(self, path: LocatedPath, deadline: Deadline) -> Source:
        """Like `open`; a missing name, on the disk or inside, is replaced by the one that looks the same."""
        if "\\" in path.asked:
            self._refuse_ambiguous(path, deadline)
        try:
            return self._open(path, deadline, self.inner.open_repaired)
        except NotFound:
            repaired = self._repaired_path(path, deadline)
            if repaired is None:
                raise
        source = self.open(self.locate(repaired), deadline)
        source.repaired = repaired
        return source

    def target_of(self, path: LocatedPath, deadline: Deadline) -> Target | None:
        """Returns what a path leads to; None: outside the roots, or nowhere."""
        target = self.inner.target_of(path, deadline)
        if target or self._file_on_the_way(path, deadline) is None:
            return target
        try:
            with self.open(path, deadline) as source:
                return Target("directory" if source.is_directory else "file", source.size)
        except DeadlineExceeded:
            raise
        except ReadError:
            return None

    def unpack_if_compressed(self, source: Source, deadline: Deadline) -> Source:
        """Returns a file as what it holds, if it is compressed; an archive stays a file."""
        if source.packing or _is_never_unpacked(source):
            return source
        packing = compression_of(source.read_at(0, READ_AHEAD)[:HEAD])
        if packing and source.address and is_packed_tar(source.name, packing):
            return source  # it is fetched only where it is named
        return (
            _step_or_close(source, lambda file: self._lookup.open_unpacked(file, packing, deadline))
            if packing
            else source
        )

    def is_archive(self, source: Source) -> bool:
        """Says whether a file, as `unpack_if_compressed` returns it, is an archive that is a folder by name."""
        if _is_never_unpacked(source):
            return False
        head = _first_bytes(source)
        archive, packing = archive_format_of(head, source.name), compression_of(head)
        if packing and source.address and is_packed_tar(source.name, packing):
            return True
        return archive == "tar" if source.packing else _is_archive_not_document(archive, source)

    def close(self) -> None:
        """Ends what is being unpacked."""
        if self._made:
            self._lookup.close()
        self.inner.close()

    def _open(
        self, path: LocatedPath, deadline: Deadline, open_file: Callable[[LocatedPath, Deadline], Source]
    ) -> Source:
        """Opens a file, or what is inside of one on the way."""
        try:
            source = open_file(path, deadline)
        except NotFound as missing:
            outer = self._file_on_the_way(path, deadline)
            if outer is None:
                return self._archive_with_slash(path, deadline, missing)
            names = path.asked.strip("/").split("/")[len(outer.asked.strip("/").split("/")) :]
            find = partial(self._lookup.open_below, names=names, path=path, missing=missing, deadline=deadline)
            return _step_or_close(
                _step_or_close(self.inner.open(outer, deadline), find), partial(_refuse_file_with_slash, path)
            )
        except InvalidRequest as unlisted:  # a folder where none can be listed
            if ELSEWHERE not in path.absolute or "." not in path.asked.rstrip("/").rpartition("/")[2]:
                raise
            return self._archive_with_slash(path, deadline, unlisted)
        if _is_never_unpacked(source) or not self._may_be_packed(source):
            return source
        return _step_or_close(source, partial(self._unpack_if_packed, path=path, deadline=deadline))

    def _refuse_ambiguous(self, path: LocatedPath, deadline: Deadline) -> None:
        """Raises InvalidRequest for a path that is shown for another one, where both exist, also inside of files."""
        from ..source.missing_names import refuse_ambiguous

        refuse_ambiguous(path.asked, partial(self._exists, deadline))

    def _repaired_path(self, path: LocatedPath, deadline: Deadline) -> str | None:
        """Returns the only path through an archive that exists and looks the same; None where there is none."""
        from ..source.missing_names import repaired_path

        may_be_escaped = "\\" in path.asked and ELSEWHERE not in path.absolute
        if not may_be_escaped and self._file_on_the_way(path, deadline) is None:
            return None
        return repaired_path(path.asked, partial(self._names_in, deadline), partial(self._exists, deadline))

    def _exists(self, deadline: Deadline, path: str) -> bool:
        """Says whether a path leads to something that may be read."""
        return self.target_of(self.locate(path), deadline) is not None

    def _names_in(self, deadline: Deadline, folder: str) -> list[str] | None:
        """Returns the names in a folder, on the disk or in an archive; None where it cannot be listed."""
        from ..source.missing_names import MAX_NAMES

        try:
            with self.open(self.locate(folder), deadline) as source:
                names = (entry.name for entry in source.entries())
                return list(islice(names, MAX_NAMES)) if source.is_directory else None
        except DeadlineExceeded:
            raise
        except ReadError:
            return None

    def _archive_with_slash(self, path: LocatedPath, deadline: Deadline, missing: ReadError) -> Source:
        """Opens an archive whose path ends in a slash, as headers show it; raises `missing` for anything else."""
        name = path.asked.rstrip("/")
        if not name or name == path.asked:
            raise missing
        try:
            source = self._open(self.inner.locate(name), deadline, self.inner.open)
        except DeadlineExceeded:
            raise
        except ReadError:
            raise missing from None
        if source.is_directory:
            return source
        source.__exit__(None, None, None)
        raise missing

    def _file_on_the_way(self, path: LocatedPath, deadline: Deadline) -> LocatedPath | None:
        """Returns the file that a path leads through; None where it leads through none.

        Elsewhere each name costs a request, so only such as have an extension are taken for files.
        """
        is_remote = ELSEWHERE in path.absolute
        names = path.asked.rstrip("/").split("/")
        for count in range(len(names) - 1, 0, -1):
            outer = "/".join(names[:count])
            if not outer:
                return None
            located = self.inner.locate(outer)
            if is_remote and not located.below:
                return None
            if is_remote and "." not in names[count - 1].strip("."):
                continue
            if target := self.inner.target_of(located, deadline):
                return located if target.kind == "file" else None
        return None

    def _may_be_packed(self, source: Source) -> bool:
        """Looks at the first bytes of a file just opened; closes it where they cannot be read."""
        try:
            if source.address:
                return self._remote.get(source, lambda file: may_be_packed(_first_bytes(file), file.name))
            return may_be_packed(_first_bytes(source), source.name)
        except BaseException as error:
            source.__exit__(type(error), error, None)
            raise

    def _unpack_if_packed(self, source: Source, path: LocatedPath, deadline: Deadline) -> Source:
        """Returns a packed file unpacked, an archive as the folder at its top, and any other file as it is."""
        if _is_never_unpacked(source):
            return source
        head = _first_bytes(source)
        if packing := compression_of(head):
            unpacked = self._lookup.open_unpacked(source, packing, deadline)
            is_tar = archive_format_of(unpacked.read_at(0, HEAD), unpacked.name) == "tar"
            return self._lookup.top_folder(unpacked, "tar", path, deadline) if is_tar else unpacked
        archive = archive_format_of(head, source.name)
        return (
            self._lookup.top_folder(source, archive, path, deadline)
            if _is_archive_not_document(archive, source)
            else source
        )


def _is_archive_not_document(archive: str, source: Source) -> bool:
    """Says whether a file that begins like an archive of this kind is no document: many of these are ZIP."""
    return archive != "" and (archive != "zip" or is_zip_archive(source))


def _is_never_unpacked(source: Source) -> bool:
    """Says whether nothing is looked for in it: a folder, or from elsewhere without rules for what is inside."""
    return source.is_directory or (source.address != "" and SourceExtras(source).rules_inside is None)


def _first_bytes(source: Source) -> bytes:
    """Returns the first bytes of a file, by which its packing is known."""
    return source.read_at(0, HEAD if source.size > SMALL else SMALL)


def _refuse_file_with_slash(path: LocatedPath, source: Source) -> Source:
    """Raises NotFound for a member that is a file, where the path ends as that of a folder."""
    if not source.is_directory and path.asked.endswith(("/", "/.")):
        name = path.asked.rstrip("/")
        while name.endswith("/."):
            name = name[:-2].rstrip("/")
        raise NotFound((), name, through_file=True)
    return source


def _step_or_close(source: Source, step: Callable[[Source], Source]) -> Source:
    """Takes a step from a source to another that closes it; closes it where that fails."""
    try:
        return step(source)
    except BaseException as error:
        source.__exit__(type(error), error, None)
        raise
