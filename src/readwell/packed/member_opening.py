"""Chooses the `member_sources` class for a member by how TAR, ZIP or 7z stores it; refuses encrypted ones."""

from __future__ import annotations

import os

from ..deadline import Deadline
from ..errors import ConversionFailed, DocumentLocked, NotRegularFile, TooLarge
from ..named_tuple import NamedTuple
from ..source import Source
from .archive_tree import SPARSE
from .member_sources import BlockMember, FolderSource, NestedSource, SliceSource, UnpackedSource
from .packing_detection import most_unpacked_bytes
from .unpacking_stream import PackedContent, UnpackedContent, UnpackingTools

ENCRYPTED = 0x1


class Member(NamedTuple):
    """A file in an archive: the file that contains it, its path inside, its size, and where it is."""

    container: Source
    path: str
    size: int
    location: tuple[int, ...]

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path.rpartition("/")[2]

    @property
    def path_inside(self) -> str:
        """Its path as it continues that of the archive."""
        return f"/{self.path}"


def open_member(
    container: Source, top: FolderSource, number: int, path: str, tools: UnpackingTools, deadline: Deadline
) -> NestedSource:
    """Returns a member that is a file; raises a ReadError for others, and for what cannot be unpacked."""
    archive = top.members
    if archive.kind_of(number) != "file":
        raise NotRegularFile(archive.kind_of(number) == "link")
    if archive.kinds[number] == SPARSE:
        raise ConversionFailed(top.packing, "the member is stored without its holes, which is not read")
    location = tuple(column[number] for column in archive.locations)
    member = Member(container, path, archive.sizes[number], location)
    deadline.announce("document", member.size)
    if top.packing == "tar":
        return SliceSource(member.container, member.name, member.path_inside, location[0], member.size)
    return (_open_in_zip if top.packing == "zip" else _open_in_block)(member, tools, deadline)


def _open_in_zip(member: Member, tools: UnpackingTools, deadline: Deadline) -> NestedSource:
    _, packed_size, _, flags, _ = member.location
    _refuse_encrypted_or_large(flags, "zip", member.size, packed_size)
    asked = " ".join(map(str, (member.size, *member.location))).encode()
    content = _content_of(member, "zip", f"zip!{member.path}", asked, member.size, tools, deadline)
    return UnpackedSource(member.container, member.name, member.path_inside, content, member.size)


def _open_in_block(member: Member, tools: UnpackingTools, deadline: Deadline) -> NestedSource:
    """Returns a member of a 7z archive, where many are packed as one block: unpacked once, it serves them all."""
    block, start, flags, block_size, packed_size = member.location
    _refuse_encrypted_or_large(flags, "7z", block_size, packed_size)
    content = _content_of(member, "7z", f"7z!{block}", str(block).encode(), block_size, tools, deadline)
    block_source = UnpackedSource(member.container, member.name, "", content, block_size)
    return BlockMember(block_source, member.name, member.path_inside, start, member.size)


def _refuse_encrypted_or_large(flags: int, packing: str, size: int, packed_size: int) -> None:
    if flags & ENCRYPTED:
        raise DocumentLocked(packing)
    if size > most_unpacked_bytes(packed_size):
        raise TooLarge(most_unpacked_bytes(packed_size))


def _content_of(
    member: Member, packing: str, what: str, asked: bytes, most: int, tools: UnpackingTools, deadline: Deadline
) -> UnpackedContent:
    file, key = cache_key_of(member.container, packing), cache_key_of(member.container, what)
    return UnpackedContent(
        PackedContent(member.container, packing, asked, file=file, key=key, most=most), tools, deadline
    )


def cache_key_of(source: Source, what: str) -> bytes:
    """Returns the key of what is packed in this version of a file; one that may change unseen is never met again."""
    moment = b"" if source.identity_shows_changes else os.urandom(16)
    return repr((*source.identity, what)).encode() + moment
