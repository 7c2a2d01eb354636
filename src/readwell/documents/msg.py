"""Outlook messages become Markdown: who wrote what to whom, the text, what is attached; attached messages, too."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from ..errors import ConversionFailed
from .compressed_rtf import unpacked_rtf
from .contract import Converter
from .guessed_encoding import load_encodings
from .html import html_bytes_markdown, html_markdown
from .markdown_blocks import escape_block_starts
from .message_markdown import message_markdown
from .ole_container import OleContainer, Path
from .rtf import rtf_markdown
from .rtf.font_encodings import decoded, encoding_of
from .single_unit import SingleUnit

VERSION = "6"
PROPERTIES, VALUE, EMBEDDED = "__properties_version1.0", "__substg1.0_", "__substg1.0_3701000d"
RECIPIENT, ATTACHMENT = "__recip_version1.0_", "__attach_version1.0_"
SUBJECT, BODY, HTML, PACKED_RTF, HEADERS = 0x0037, 0x1000, 0x1013, 0x1009, 0x007D
SENDERS = ((0x0C1A, 0x5D01, 0x0C1F), (0x0042, 0x5D02, 0x0065))
"""Name, address and address of another kind: of the sender, and of whoever the message is sent for."""
SENT, RECEIVED, CODE_PAGES = 0x0039, 0x0E06, (0x3FFD, 0x3FDE)
SHOWN_TO = {1: ("To", 0x0E04), 2: ("Cc", 0x0E03), 3: ("Bcc", 0x0E02)}
"""Kinds of recipients, and the property that names all of a kind."""
KIND_OF_RECIPIENT, NAME, ADDRESSES = 0x0C15, 0x3001, (0x39FE, 0x3003)
FILE_NAMES, MIME, DATA = (0x3707, 0x3704, 0x3001), 0x370E, 0x3701
TEXT, OLD_TEXT, BYTES = 0x001F, 0x001E, 0x0102
EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
DEEPEST = 3
MAX_MESSAGES = 100


class Properties:
    """The properties of a storage: a message, a recipient or an attachment."""

    def __init__(self, container: OleContainer, path: Path, encoding: str = "cp1252") -> None:
        self._container, self._path, self._encoding = container, path, encoding
        fixed = container.read((*path, PROPERTIES))
        start = 8 if path and not path[-1].startswith(VALUE) else 24 if path else 32
        self._fixed = {
            int.from_bytes(fixed[at + 2 : at + 4], "little"): fixed[at + 8 : at + 16]
            for at in range(start, len(fixed) - 15, 16)
        }
        pages = [encoding_of(self.number(each)) for each in CODE_PAGES if each in self._fixed]
        self._encoding = next((page for page in pages if page), encoding)

    @property
    def encoding(self) -> str:
        """That of texts that are not in Unicode."""
        return self._encoding

    def number(self, tag: int) -> int:
        """Returns a number; 0 where there is none."""
        return int.from_bytes(self._fixed.get(tag, b"")[:4], "little")

    def time(self, tag: int) -> str:
        """Returns a time; empty where there is none, or one that no calendar has."""
        ticks = int.from_bytes(self._fixed.get(tag, b""), "little")
        try:
            return (
                (EPOCH + timedelta(microseconds=ticks // 10)).strftime("%a, %d %b %Y %H:%M:%S +0000") if ticks else ""
            )
        except (OverflowError, ValueError):
            return ""

    def content(self, tag: int) -> bytes:
        """Returns bytes; nothing where there are none."""
        return self._container.read(self._stream_path(tag, BYTES))

    def size(self, tag: int) -> int:
        """Returns how many bytes there are."""
        return self._container.size(self._stream_path(tag, BYTES))

    def text(self, tag: int) -> str:
        """Returns a text; empty where there is none."""
        if raw := self._container.read(self._stream_path(tag, TEXT)):
            return raw.decode("utf-16-le", "replace").rstrip("\0")
        return decoded(self._container.read(self._stream_path(tag, OLD_TEXT)), self._encoding).rstrip("\0")

    def line(self, tag: int) -> str:
        """Returns a text as one line."""
        return " ".join(self.text(tag).split())

    def first_present_line(self, tags: Sequence[int]) -> str:
        """Returns the first of several texts that there is."""
        return next((line for line in map(self.line, tags) if line), "")

    def _stream_path(self, tag: int, kind: int) -> Path:
        """Returns the path of the stream that holds a property."""
        return (*self._path, f"{VALUE}{tag:04X}{kind:04X}")


class MessageReader:
    """Reads a message and those attached to it, up to a number and a depth."""

    def __init__(self, container: OleContainer) -> None:
        self._container, self._left = container, MAX_MESSAGES

    def markdown(self, path: Path, encoding: str = "cp1252") -> str:
        """Returns a message and, behind it, those attached."""
        self._left -= 1
        properties = Properties(self._container, path, encoding)
        attached, inside = self._read_attachments(path, properties.encoding)
        headers = [("From", _sender(properties)), *self._recipients(path, properties)]
        headers.append(("Date", properties.time(SENT) or properties.time(RECEIVED)))
        written = message_markdown(properties.line(SUBJECT), headers, _body(properties), attached)
        return "\n\n".join([written, *inside])

    def _storages_below(self, path: Path, start: str) -> list[Path]:
        """Returns the storages of a kind in a storage, in their order."""
        depth = len(path)
        folders = {
            each[: depth + 1]
            for each in self._container.paths
            if len(each) > depth + 1 and each[:depth] == path and each[depth].startswith(start)
        }
        return sorted(folders)

    def _recipients(self, path: Path, message: Properties) -> list[tuple[str, str]]:
        """Returns the recipients by the kind of line that names them."""
        people: dict[int, list[str]] = {}
        for each in self._storages_below(path, RECIPIENT):
            person = Properties(self._container, each, message.encoding)
            address = person.first_present_line(ADDRESSES)
            people.setdefault(person.number(KIND_OF_RECIPIENT), []).append(_person(person.line(NAME), address))
        return [(name, ", ".join(people.get(kind, [])) or message.line(tag)) for kind, (name, tag) in SHOWN_TO.items()]

    def _read_attachments(self, path: Path, encoding: str) -> tuple[list[str], list[str]]:
        """Returns the names of what is attached, and the messages among it."""
        names: list[str] = []
        messages: list[str] = []
        for each in self._storages_below(path, ATTACHMENT):
            file = Properties(self._container, each, encoding)
            name = file.first_present_line(FILE_NAMES) or "(no name)"
            inner = (*each, EMBEDDED)
            if (*inner, PROPERTIES) not in self._container:
                kind = file.line(MIME)
                names.append(f"{name} ({kind + ', ' if kind else ''}{file.size(DATA):,} bytes)")
                continue
            reason = "nested too deep" if len(path) >= 2 * DEEPEST else "" if self._left > 0 else "one of too many"
            names.append(f"{name} ({f'message, not shown: it is {reason}' if reason else 'message'})")
            if not reason:
                messages.append(self.markdown(inner, encoding))
        return names, messages


def _sender(message: Properties) -> str:
    """Returns who sent a message, by the first of several properties."""
    for name, *addresses in SENDERS:
        person = _person(message.line(name), message.first_present_line(addresses))
        if person:
            return person
    named = [line for line in message.text(HEADERS).splitlines() if line.lower().startswith("from:")]
    return named[0][5:].strip() if named else ""


def _person(name: str, address: str) -> str:
    """Returns a person as mail writes one; an address of Exchange's own directory says nothing."""
    address = "" if address.lower().startswith("/o=") else address
    return f"{name} <{address}>" if name and address and name != address else address or name


def _body(message: Properties) -> str:
    """Returns the text, plain if there is any, else from HTML or RTF."""
    plain = message.text(BODY).strip()
    if plain:
        return escape_block_starts(plain)
    html = message.content(HTML)
    if html or message.text(HTML):
        return html_bytes_markdown("msg", html) if html else html_markdown("msg", message.text(HTML))
    rtf = unpacked_rtf(message.content(PACKED_RTF))
    return rtf_markdown("msg", rtf) if rtf else ""


def open_msg(content: bytes, password: str | None, prepared: bytes) -> SingleUnit:  # noqa: ARG001
    """Opens a message."""
    container = OleContainer("msg", content)
    if (PROPERTIES,) not in container:
        raise ConversionFailed("msg", "it has no properties of a message")
    try:
        return SingleUnit(MessageReader(container).markdown(()))
    except struct.error as error:
        raise ConversionFailed("msg", "it is damaged") from error


MSG = Converter("msg", VERSION, open_msg, load_encodings)
