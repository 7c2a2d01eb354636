"""ZIP containers of documents: judged by their directory before anything is inflated, then read part by part."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from io import BytesIO
from xml.etree.ElementTree import Element
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from ..errors import ConversionFailed, DocumentLocked, TooLarge
from ..path_names import quoted
from .encrypted_office import decrypt_office
from .xml_tree import parse_xml

MAX_PART = 64 << 20
MAX_TOTAL = 256 << 20
MAX_STREAMED = 4 << 30
"""Of all parts together, where the large ones are read piece by piece and never held."""
MAX_PARTS = 10_000
MAX_RATIO = 100
RATIO_COUNTS_FROM = 1 << 20
ENTRY = b"PK\x01\x02"
LOCAL_HEADER = 30
ENCRYPTED = 0x1
OLE = b"\xd0\xcf\x11\xe0"
PIECE = 1 << 18
DAMAGE = (BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError)
LOCKED_PACKAGE = "EncryptedPackage".encode("utf-16-le")


class ZipContainer:
    """The parts of a document of some `format`, by name; `/` and `\\` are the same, and so are upper and lower case."""

    def __init__(
        self, format_name: str, content: bytes, max_total: int = MAX_TOTAL, password: str | None = None
    ) -> None:
        self.format = format_name
        if content.startswith(OLE) and LOCKED_PACKAGE in content:
            content = decrypt_office(format_name, content, password)
        self._zip = _opened(format_name, content)
        members = self._zip.infolist()
        _refuse_locked_or_unsafe(format_name, members, len(content), max_total)
        self._parts = {_folded(member.filename): member for member in members}

    def __contains__(self, part: str) -> bool:
        return _folded(part) in self._parts

    @property
    def names(self) -> list[str]:
        """The names of all parts, in the order of the directory."""
        return [member.filename for member in self._parts.values()]

    def size(self, part: str) -> int:
        """Returns how many bytes a part has when it is inflated."""
        return self._member(part).file_size

    def read(self, part: str) -> bytes:
        """Returns a part; inflating stops at the size that its entry declares."""
        member = self._member(part)
        if member.file_size > MAX_PART:
            raise TooLarge(MAX_PART)
        try:
            return self._zip.read(member)
        except DAMAGE as error:
            raise ConversionFailed(self.format, f"its part {quoted(part)} is damaged") from error

    def pieces(self, part: str) -> Iterator[bytes]:
        """Yields a part piece by piece, for those that are too large to be held."""
        member = self._member(part)
        try:
            with self._zip.open(member) as file:
                while piece := file.read(PIECE):
                    yield piece
        except DAMAGE as error:
            raise ConversionFailed(self.format, f"its part {quoted(part)} is damaged") from error

    def xml(self, part: str) -> Element:
        """Returns the root element of a part."""
        return parse_xml(self.format, part, self.read(part))

    def _member(self, part: str) -> ZipInfo:
        """Returns the entry of a part; raises ConversionFailed where it is missing."""
        member = self._parts.get(_folded(part))
        if member is None:
            raise ConversionFailed(self.format, f"its part {quoted(part)} is missing")
        return member

    def xml_if_any(self, part: str) -> Element | None:
        """Returns the root element of a part; None where there is no such part."""
        return self.xml(part) if part and part in self else None

    def xml_if_sound(self, part: str) -> Element | None:
        """Returns the root element of a part; None where there is no such part, or a damaged one."""
        try:
            return self.xml_if_any(part)
        except (ConversionFailed, TooLarge):
            return None


def _opened(format_name: str, content: bytes) -> ZipFile:
    """Opens a container; raises ConversionFailed where it has no readable directory."""
    if content.startswith(OLE):
        raise ConversionFailed(format_name, "it is an Office file of the old binary kind")
    if content.count(ENTRY) > MAX_PARTS:
        raise ConversionFailed(format_name, f"it has more than {MAX_PARTS:,} parts")
    try:
        return ZipFile(BytesIO(content))
    except DAMAGE as error:
        raise ConversionFailed(format_name, "it is damaged: it has no readable directory of its parts") from error


def _refuse_locked_or_unsafe(format_name: str, members: list[ZipInfo], size: int, max_total: int) -> None:
    """Refuses what is locked, packed in an unusual way, too large when unpacked, or made of parts that overlap."""
    if any(member.flag_bits & ENCRYPTED for member in members):
        raise DocumentLocked(format_name)
    if any(member.compress_type not in (ZIP_STORED, ZIP_DEFLATED) for member in members):
        raise ConversionFailed(format_name, "its parts are packed in a way that no document uses")
    for member in members:
        most = max(RATIO_COUNTS_FROM, MAX_RATIO * member.compress_size)
        if member.file_size > most:
            raise TooLarge(most)
    if sum(member.file_size for member in members) > max_total:
        raise TooLarge(max_total)
    _refuse_overlaps(format_name, members, size)


def _refuse_overlaps(format_name: str, members: list[ZipInfo], size: int) -> None:
    """Refuses parts that share bytes: a few bytes could stand for any number of parts."""
    end = 0
    for member in sorted(members, key=lambda member: member.header_offset):
        if member.header_offset < end:
            raise ConversionFailed(format_name, "its parts overlap")
        end = member.header_offset + LOCAL_HEADER + len(member.filename.encode()) + member.compress_size
    if end > size:
        raise ConversionFailed(format_name, "it is damaged: a part ends behind the end of the file")


def _folded(part: str) -> str:
    """Returns the name of a part as parts are compared."""
    return part.replace("\\", "/").lstrip("/").lower()
