"""Pages of keys, as object stores list them: XML from outside, read without trusting it."""

from __future__ import annotations

from collections.abc import Iterator
from errno import EIO
from urllib.parse import unquote_plus
from xml.parsers.expat import ExpatError, ParserCreate

from ..deadline import Deadline
from ..errors import Unreadable
from ..named_tuple import NamedTuple
from .store_contract import ITSELF, ListedEntry

MAX_OF_A_PAGE = 16 << 20
MAX_OF_A_NAME = 4096
MAX_ELEMENTS = 100_000
"""Elements taken of a page; stores send at most 5000."""
MAX_DEPTH = 32
PIECE = 1 << 16
LONGEST_TOKEN = 1 << 18
"""Bytes of a tag or comment; expat takes a whole one in a single step, which nothing can interrupt."""
ABOUT_PAGE = ("EncodingType", "IsTruncated", "NextContinuationToken", "NextMarker")


class ListingPage(NamedTuple):
    """Some entries of a folder, and how to ask for those behind them; empty: there are none."""

    entries: list[ListedEntry]
    continuation: str


def parse_s3_page(content: bytes, folder: str, deadline: Deadline) -> ListingPage:
    """Reads a page of S3's second protocol of listing; raises Unreadable for what is none."""
    elements = _read_elements(content, {"Contents": ("Key", "Size"), "CommonPrefixes": ("Prefix",)}, deadline)
    decode = unquote_plus if _first_value(elements, "EncodingType") == "url" else str
    entries = [
        *_folder_entries(
            (decode(fields.get("Prefix", "")) for kind, fields in elements if kind == "CommonPrefixes"), folder
        ),
        *_file_entries(
            (
                (decode(fields.get("Key", "")), fields.get("Size", ""))
                for kind, fields in elements
                if kind == "Contents"
            ),
            folder,
        ),
    ]
    continuation = (
        _first_value(elements, "NextContinuationToken") if _first_value(elements, "IsTruncated") == "true" else ""
    )
    return ListingPage(entries, continuation)


def parse_azure_page(content: bytes, folder: str, deadline: Deadline) -> ListingPage:
    """Reads a page of Azure's listing; raises Unreadable for what is none."""
    elements = _read_elements(content, {"Blob": ("Name", "Content-Length"), "BlobPrefix": ("Name",)}, deadline)
    entries = [
        *_folder_entries((fields.get("Name", "") for kind, fields in elements if kind == "BlobPrefix"), folder),
        *_file_entries(
            ((fields.get("Name", ""), fields.get("Content-Length", "")) for kind, fields in elements if kind == "Blob"),
            folder,
        ),
    ]
    return ListingPage(entries, _first_value(elements, "NextMarker"))


Element = tuple[str, dict[str, str]]
"""The name of an XML element and its fields; one of the whole page has its own name for a field."""


def _read_elements(content: bytes, kinds: dict[str, tuple[str, ...]], deadline: Deadline) -> list[Element]:
    """Returns the elements of a page of keys; raises Unreadable for anything else."""
    reader = _PageReader(kinds)
    parser = ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.StartDoctypeDeclHandler = _refuse_document_type
    try:
        for start in range(0, len(content), PIECE):
            deadline.check()
            parser.Parse(content[start : start + PIECE])
            reader.refuse_excess(start - parser.CurrentByteIndex)
        parser.Parse(b"", True)
    except (ExpatError, ValueError):
        raise Unreadable(EIO, "the server sent no list of keys") from None
    return reader.elements


def _refuse_document_type(*_: object) -> None:
    """Refuses a document type."""
    raise ValueError("a list of keys needs no document type")


class _PageReader:
    """Takes the fields of some elements, and those of the page itself."""

    def __init__(self, kinds: dict[str, tuple[str, ...]]) -> None:
        self._kinds, self._depth = kinds, 0
        self._kind, self._fields, self._words = "", dict[str, str](), list[str]()
        self.elements: list[Element] = []

    def refuse_excess(self, unfinished: int) -> None:
        """Raises ValueError for what no store sends; `unfinished`: bytes of the tag that has no end yet."""
        if unfinished > LONGEST_TOKEN or self._depth > MAX_DEPTH or len(self.elements) > MAX_ELEMENTS:
            raise ValueError("a list of keys has no such tags, none so deep, and not so many")

    def start(self, name: str, _attributes: object) -> None:
        """Notes where a field begins."""
        self._depth += 1
        own = name.rpartition(" ")[2]
        if not self._kind and own in self._kinds:
            self._kind, self._fields = own, {}
        self._words = []

    def end(self, name: str) -> None:
        """Takes a field, or the element that is complete."""
        self._depth -= 1
        own = name.rpartition(" ")[2]
        if self._kind == own:
            self.elements.append((own, self._fields))
            self._kind = ""
        elif self._kind and own in self._kinds[self._kind]:
            self._fields[own] = "".join(self._words)
        elif not self._kind and self._depth <= 1 and own in ABOUT_PAGE:
            self.elements.append((own, {own: "".join(self._words)}))

    def text(self, words: str) -> None:
        """Collects the text of a field."""
        self._words.append(words)


def _first_value(elements: list[Element], name: str) -> str:
    """Returns the first value of a name; empty where there is none."""
    return next((fields[name] for kind, fields in elements if kind == name), "")


def _folder_entries(prefixes: Iterator[str], folder: str) -> Iterator[ListedEntry]:
    """Yields the folders of a page."""
    for prefix in prefixes:
        if prefix.startswith(folder):
            yield ListedEntry(valid_name_or_empty(prefix.removesuffix("/")[len(folder) :]), None)


def _file_entries(keys: Iterator[tuple[str, str]], folder: str) -> Iterator[ListedEntry]:
    """Yields the files of a page with their sizes."""
    for key, size in keys:
        if key.startswith(folder):
            number = int(size) if size.isascii() and size.isdecimal() and len(size) < 19 else 0
            yield ListedEntry(valid_name_or_empty(key[len(folder) :]) if key != folder else ITSELF, number)


def valid_name_or_empty(name: str) -> str:
    """Returns the name of an entry; nothing for one that no path can name: keys may hold `..`, or end in a slash."""
    can_be_named = name not in (".", "..") and "/" not in name and "\0" not in name and len(name) <= MAX_OF_A_NAME
    return name if can_be_named else ""
