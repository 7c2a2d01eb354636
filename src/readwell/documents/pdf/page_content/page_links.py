"""Links of a page to web and mail addresses, by word."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from math import isfinite
from typing import Any
from urllib.parse import quote

import pypdfium2 as pdfium
from pypdfium2 import raw

from ....named_tuple import NamedTuple
from ..page_model import Box, Frame, PageWords, Word
from ..page_notices import Notices

SCHEMES = ("http://", "https://", "mailto:")
MAX_LINKS = 2000
LONGEST_ADDRESS = 2000
KEPT = "!#$%&'*+,-./:;=?@_~"
"""Characters of an address, beside letters and digits, that do not end a link in Markdown."""
ROW = 16
"""The height, in points, of the rows of the page by which links are looked up."""


class Link(NamedTuple):
    """An area of the page that links to an address."""

    box: Box
    address: str


def read_links(
    document: pdfium.PdfDocument, page: pdfium.PdfPage, words: PageWords, notices: Notices
) -> dict[int, str]:
    """Returns the addresses of linked words, by the `char_index` of the word."""
    rows: dict[int, list[Link]] = {}
    for link in _links(document, page, words.frame, notices):
        top, bottom = max(0.0, link.box[1]), min(words.height, link.box[3])
        for row in range(int(top // ROW), int(bottom // ROW) + 1):
            rows.setdefault(row, []).append(link)
    if not rows:
        return {}
    addresses = {word.char_index: _address(word, rows) for word in words.words}
    return {index: address for index, address in addresses.items() if address}


def _address(word: Word, rows: dict[int, list[Link]]) -> str:
    """Returns where the link at a word leads; empty where there is none."""
    x, y = (word.x0 + word.x1) / 2, (word.top + word.bottom) / 2
    for link in rows.get(int(y // ROW), ()):
        left, top, right, bottom = link.box
        if left <= x <= right and top <= y <= bottom:
            return link.address
    return ""


def _links(document: pdfium.PdfDocument, page: pdfium.PdfPage, frame: Frame, notices: Notices) -> Iterator[Link]:
    """Yields the links of a page with their boxes, up to a bound."""
    position, handle = ctypes.c_int(0), raw.FPDF_LINK()
    for _ in range(MAX_LINKS):
        if not raw.FPDFLink_Enumerate(page.raw, ctypes.byref(position), ctypes.byref(handle)):
            return
        address = _uri(document, handle)
        if address:
            boxes = [_box_on_page(corners, frame) for corners in _link_areas(handle) if all(map(isfinite, corners))]
            yield from (Link(box, address) for box in boxes)
    notices.add(f"links are shown as far as the first {MAX_LINKS:,} of this page")


def _uri(document: pdfium.PdfDocument, link: Any) -> str:
    """Returns the address of a link; empty unless it is a web or mail address."""
    action = raw.FPDFLink_GetAction(link)
    if not action or raw.FPDFAction_GetType(action) != raw.PDFACTION_URI:
        return ""
    buffer = ctypes.create_string_buffer(LONGEST_ADDRESS)
    size = raw.FPDFAction_GetURIPath(document.raw, action, buffer, LONGEST_ADDRESS)
    if not 0 < size <= LONGEST_ADDRESS:
        return ""
    address = buffer.value.decode("utf-8", "replace").strip()
    return quote(address, safe=KEPT) if address.lower().startswith(SCHEMES) else ""


def _link_areas(link: Any) -> Iterator[tuple[float, float, float, float]]:
    """Yields the areas of a link, one per printed line, as two opposite corners in PDF coordinates."""
    area = raw.FS_QUADPOINTSF()
    count = raw.FPDFLink_CountQuadPoints(link)
    for number in range(min(count, MAX_LINKS)):
        if raw.FPDFLink_GetQuadPoints(link, number, ctypes.byref(area)):
            xs, ys = (area.x1, area.x2, area.x3, area.x4), (area.y1, area.y2, area.y3, area.y4)
            yield min(xs), min(ys), max(xs), max(ys)
    box = raw.FS_RECTF()
    if count <= 0 and raw.FPDFLink_GetAnnotRect(link, ctypes.byref(box)):
        yield box.left, box.bottom, box.right, box.top


def _box_on_page(corners: tuple[float, float, float, float], frame: Frame) -> Box:
    """Returns a box on the displayed page."""
    xs = [frame.a * x + frame.c * y + frame.e for x, y in (corners[:2], corners[2:])]
    ys = [frame.b * x + frame.d * y + frame.f for x, y in (corners[:2], corners[2:])]
    return min(xs), min(ys), max(xs), max(ys)
