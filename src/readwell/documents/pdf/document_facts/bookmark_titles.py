"""The titles of a document's bookmarks by page: lines that have one are headings."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import pypdfium2 as pdfium
from pypdfium2 import raw

from ....named_tuple import NamedTuple
from ..page_content.text_lines import letters

MAX_ENTRIES = 20_000
DEEPEST = 8
MIN_LETTERS = 3
MAX_TITLE_BYTES = 2000


class Title(NamedTuple):
    """A title's letters and its depth in the outline, from 1."""

    letters: str
    level: int


def read_bookmark_titles(document: pdfium.PdfDocument) -> dict[int, list[Title]]:
    """Returns the titles by the number, from 1, of the page that they point to."""
    titles: dict[int, list[Title]] = {}
    for entry, level in bookmark_entries(document):
        text = letters(title_of(entry))
        page = page_index_of(document, entry)
        if len(text) >= MIN_LETTERS and page >= 0:
            titles.setdefault(page + 1, []).append(Title(text, min(6, level)))
    return titles


def bookmark_entries(document: pdfium.PdfDocument) -> Iterator[tuple[Any, int]]:
    """Yields the entries with their levels, from top to bottom; each once, for an outline may loop."""
    seen: set[int] = set()
    pending = [(raw.FPDFBookmark_GetFirstChild(document.raw, None), 1)]
    while pending and len(seen) < MAX_ENTRIES:
        entry, level = pending.pop()
        if not entry or ctypes.addressof(entry.contents) in seen:
            continue
        seen.add(ctypes.addressof(entry.contents))
        yield entry, level
        pending.append((raw.FPDFBookmark_GetNextSibling(document.raw, entry), level))
        if level < DEEPEST:
            pending.append((raw.FPDFBookmark_GetFirstChild(document.raw, entry), level + 1))


def title_of(entry: Any) -> str:
    """Returns the title of an entry; empty where it is too long for one."""
    size = min(raw.FPDFBookmark_GetTitle(entry, None, 0), MAX_TITLE_BYTES)
    buffer = ctypes.create_string_buffer(MAX_TITLE_BYTES)
    if raw.FPDFBookmark_GetTitle(entry, buffer, MAX_TITLE_BYTES) > MAX_TITLE_BYTES:
        return ""
    return buffer.raw[: max(0, size - 2)].decode("utf-16-le", "replace")


def page_index_of(document: pdfium.PdfDocument, entry: Any) -> int:
    """Returns the index of the page that an entry points to, -1 where it points to none of this document."""
    target = raw.FPDFBookmark_GetDest(document.raw, entry)  # also that of its action
    return raw.FPDFDest_GetDestPageIndex(document.raw, target) if target else -1
