"""EPUB becomes Markdown, chapter by chapter in the order of the book's spine."""

from __future__ import annotations

from posixpath import dirname, join, normpath
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from ..errors import ConversionFailed, DocumentLocked
from ..path_names import quoted
from .contract import Converter
from .guessed_encoding import load_encodings
from .html import html_bytes_markdown
from .left_out_texts import left_out_comment
from .xml_tree import every
from .zip_container import ZipContainer

VERSION = "7"
PAGES = ("application/xhtml+xml", "text/html", "application/xml", "text/xml", "")
NAMES = (".xhtml", ".html", ".htm")
"""How the name of a chapter ends, whatever type the book gives it."""
MAX_NAMED = 100
"""How many of the pages that it does not list are named."""
RIGHTS = ("META-INF/rights.xml", "META-INF/sinf.xml")


class Book:
    """An opened book."""

    unit = "chapter"

    def __init__(self, content: bytes) -> None:
        self._container = ZipContainer("epub", content)
        self._chapters, unlisted = _spine_and_unlisted(self._container)
        self._left_out = left_out_comment("unlisted page", unlisted, most=MAX_NAMED)
        _refuse_locked(self._container, [part for part, _ in self._chapters])
        self.count = len(self._chapters)

    def prepared(self) -> bytes:
        """Returns nothing: the spine is found at once."""
        return b""

    def markdown(self, number: int) -> str:
        """Returns one chapter; the first one names the pages that the order of the book leaves out."""
        written = self._chapter_markdown(number)
        return f"{self._left_out}\n\n{written}" if self._left_out and number == 1 else written

    def _chapter_markdown(self, number: int) -> str:
        """Returns one chapter; one that the book names and does not hold is told so, and one that is no text."""
        part, kind = self._chapters[number - 1]
        if not part or part not in self._container:
            return "*This chapter is missing from the file.*"
        if kind not in PAGES and not part.lower().endswith(NAMES):
            return f"*This chapter is no text ({quoted(kind)}).*"
        return html_bytes_markdown("epub", self._container.read(part))


def open_epub(content: bytes, password: str | None, prepared: bytes) -> Book:  # noqa: ARG001
    """Opens a book."""
    return Book(content)


def _spine_and_unlisted(container: ZipContainer) -> tuple[list[tuple[str, str]], list[str]]:
    """Returns the parts that are read one after the other, each once, and their types; no name: it is not there.

    With the pages that are not among them, but for the table of contents.
    """
    listing = container.xml("META-INF/container.xml")
    package = next((rootfile.get("full-path", "") for rootfile in every(listing, "ocf:rootfile")), "")
    root = container.xml(package)
    items = {item.get("id", ""): item for item in every(root, "opf:item")}
    wanted = dict.fromkeys(reference.get("idref", "") for reference in every(root, "opf:itemref"))
    if not wanted:
        raise ConversionFailed("epub", "its spine names no chapter")
    chapters = {identity: _part_and_type(package, items.get(identity)) for identity in wanted}
    listed = {part or identity: (part, kind) for identity, (part, kind) in chapters.items()}
    others = [_target(package, item) for item in items.values() if _is_page(item)]
    return list(listed.values()), [part for part in others if part not in listed and part in container]


def _is_page(item: Element) -> bool:
    """Whether an item of the book is a page of text, not its table of contents."""
    return item.get("media-type") in PAGES[:2] and "nav" not in item.get("properties", "").split()


def _part_and_type(package: str, item: Element | None) -> tuple[str, str]:
    """Returns the part that an item of the book names, and its type."""
    if item is None:
        return "", ""
    return _target(package, item), item.get("media-type", "")


def _target(package: str, item: Element) -> str:
    """Returns the part that an item of the book leads to."""
    target = unquote(item.get("href", "").partition("#")[0])
    return normpath(join("/", dirname(package), target)).lstrip("/")


def _refuse_locked(container: ZipContainer, parts: list[str]) -> None:
    """Refuses a book whose chapters are encrypted; fonts may be."""
    root = container.xml_if_any("META-INF/encryption.xml")
    locked = {unquote(reference.get("URI", "")) for reference in every(root, "enc:CipherReference")}
    if locked.intersection(parts) or any(part in container for part in RIGHTS):
        raise DocumentLocked("epub")


EPUB = Converter("epub", VERSION, open_epub, load_encodings)
