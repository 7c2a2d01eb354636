"""A PDF's bookmarks as rows of an outline, by pages; no page is converted for them."""

from __future__ import annotations

import ctypes
import json
from typing import Any

import pypdfium2 as pdfium
from pypdfium2 import raw

from ...named_tuple import NamedTuple
from ..contract import Converter
from ..single_unit import SingleUnit
from . import SAMPLE
from .document_facts.bookmark_titles import bookmark_entries, page_index_of, title_of
from .pdf_loading import load_pdf

VERSION = "2"
NEAR_TOP = 0.85
"""A heading above this part of the page begins it: what comes before ends on the page before."""


class Bookmark(NamedTuple):
    """A title, its depth from 0, its page from 1 or 0 for none, and whether it begins that page."""

    title: str
    depth: int
    page: int
    at_top: bool


def open_bookmarks(content: bytes, password: str | None, prepared: bytes) -> SingleUnit:  # noqa: ARG001
    """Returns the pages of the document, and its bookmarks as `[depth, first page, last page, title]`."""
    document = load_pdf(content, password)
    marks = [mark for entry, level in bookmark_entries(document) if (mark := _bookmark(document, entry, level - 1))]
    return SingleUnit(json.dumps([len(document), _bookmark_page_spans(_placed_bookmarks(marks), len(document))]))


def _placed_bookmarks(marks: list[Bookmark]) -> list[Bookmark]:
    """Gives a title without a page that of the first one below it; leaves out those with none below."""
    placed: list[Bookmark] = []
    for mark in reversed(marks):
        if not mark.page and placed and placed[-1].depth > mark.depth:
            mark = mark._replace(page=placed[-1].page, at_top=placed[-1].at_top)
        if mark.page:
            placed.append(mark)
    return placed[::-1]


def _bookmark_page_spans(marks: list[Bookmark], pages: int) -> list[tuple[int, int, int, str]]:
    """Returns bookmarks with the pages up to the next one of the same or a higher level."""
    rows: list[tuple[int, int, int, str]] = []
    following: list[Bookmark] = []
    """Later bookmarks that may end the one at hand, the nearest last."""
    for mark in reversed(marks):
        while following and following[-1].depth > mark.depth:
            following.pop()
        end = following[-1].page - following[-1].at_top if following else pages
        rows.append((mark.depth, mark.page, max(mark.page, end), mark.title))
        following.append(mark)
    return rows[::-1]


def _bookmark(document: pdfium.PdfDocument, entry: Any, depth: int) -> Bookmark | None:
    """Returns an entry of the outline, its page 0 where it leads to none of this document; None without a title."""
    page, title = page_index_of(document, entry), " ".join(title_of(entry).split())
    if not title:
        return None
    if page < 0 or page >= len(document):
        return Bookmark(title, depth, 0, at_top=True)
    return Bookmark(title, depth, page + 1, _begins_page(document, entry, page))


def _begins_page(document: pdfium.PdfDocument, entry: Any, page: int) -> bool:
    """Whether a bookmark leads to the top of its page; so it is where it names no height."""
    target = raw.FPDFBookmark_GetDest(document.raw, entry)
    if not target:
        action = raw.FPDFBookmark_GetAction(entry)
        target = raw.FPDFAction_GetDest(document.raw, action) if action else None
    flags = [ctypes.c_int() for _ in range(3)]
    x, y, zoom = (ctypes.c_float() for _ in range(3))
    if not target or not raw.FPDFDest_GetLocationInPage(target, *flags, x, y, zoom) or not flags[1].value:
        return True
    size = raw.FS_SIZEF()
    if not raw.FPDF_GetPageSizeByIndexF(document.raw, page, size) or size.height <= 0:
        return True
    return y.value >= NEAR_TOP * size.height or y.value <= 0


BOOKMARKS = Converter("outline", VERSION, open_bookmarks, lambda: SAMPLE)
