"""EPUB becomes Markdown, chapter by chapter in the order of the book's spine."""

from __future__ import annotations

from posixpath import dirname, join, normpath
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from ..errors import ConversionFailed, DocumentLocked
from .container import Container
from .contract import Converter
from .html import decoded, html_markdown
from .tree import every

VERSION = "2"
PAGES = ("application/xhtml+xml", "text/html", "application/xml", "text/xml", "")
RIGHTS = ("META-INF/rights.xml", "META-INF/sinf.xml")


class Book:
    """An opened book."""

    unit = "chapter"

    def __init__(self, content: bytes) -> None:
        self._container = Container("epub", content)
        self._parts = _spine(self._container)
        _refuse_locked(self._container, self._parts)
        self.count = len(self._parts)

    def prepared(self) -> bytes:
        """Returns nothing: the spine is found at once."""
        return b""

    def markdown(self, number: int) -> str:
        """Returns one chapter; one that the book names and does not hold is told so."""
        part = self._parts[number - 1]
        if part not in self._container:
            return "*This chapter is missing from the file.*"
        return html_markdown("epub", decoded(self._container.read(part)))


def open_epub(content: bytes, password: str | None, prepared: bytes) -> Book:  # noqa: ARG001
    """Opens a book."""
    return Book(content)


def _spine(container: Container) -> list[str]:
    """Returns the parts that are read one after the other, each once."""
    listing = container.xml("META-INF/container.xml")
    package = next((found.get("full-path", "") for found in every(listing, "ocf:rootfile")), "")
    root = container.xml(package)
    items = {item.get("id", ""): item for item in every(root, "opf:item")}
    wanted = [items.get(reference.get("idref", "")) for reference in every(root, "opf:itemref")]
    parts = [_target(package, item) for item in wanted if item is not None and item.get("media-type", "") in PAGES]
    if not parts:
        raise ConversionFailed("epub", "its spine names no chapter")
    return list(dict.fromkeys(parts))


def _target(package: str, item: Element) -> str:
    target = unquote(item.get("href", "").partition("#")[0])
    return normpath(join("/", dirname(package), target)).lstrip("/")


def _refuse_locked(container: Container, parts: list[str]) -> None:
    """Refuses a book whose chapters are encrypted; fonts may be."""
    root = container.xml_if_any("META-INF/encryption.xml")
    locked = {unquote(found.get("URI", "")) for found in every(root, "enc:CipherReference")}
    if locked.intersection(parts) or any(part in container for part in RIGHTS):
        raise DocumentLocked("epub")


EPUB = Converter("epub", VERSION, open_epub)
