"""Reads heading tags from the structure tree of a page: words tagged H, H1 to H6 or Title."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import pypdfium2 as pdfium
from pypdfium2 import raw

from .model import Word

MAX_ELEMENTS = 20_000
LEVELS = {"Title": 1, "H": 2, "H1": 1, "H2": 2, "H3": 3, "H4": 4, "H5": 5, "H6": 6}
LONGEST_NAME = 32


def read_tags(page: pdfium.PdfPage, words: list[Word]) -> dict[int, int]:
    """Returns the heading levels of tagged words, by the `char_index` of the word."""
    levels = _marked_levels(page)
    if not levels:
        return {}
    textpage = page.get_textpage()
    try:
        drawn = {word.char_index: raw.FPDFText_GetTextObject(textpage.raw, word.char_index) for word in words}
        marks = {index: raw.FPDFPageObj_GetMarkedContentID(text) for index, text in drawn.items() if text}
    finally:
        textpage.close()
    return {index: levels[mark] for index, mark in marks.items() if mark in levels}


def _marked_levels(page: pdfium.PdfPage) -> dict[int, int]:
    """Returns the heading levels of marked content, by its id."""
    tree = raw.FPDF_StructTree_GetForPage(page.raw)
    if not tree:
        return {}
    try:
        return {mark: level for element, level in _headings(tree) for mark in _marks(element) if mark >= 0}
    finally:
        raw.FPDF_StructTree_Close(tree)


def _headings(tree: Any) -> Iterator[tuple[Any, int]]:
    """Yields the elements inside headings with the level of the innermost one; bounded, for the tree may loop."""
    count = raw.FPDF_StructTree_CountChildren(tree)
    pending = [(raw.FPDF_StructTree_GetChildAtIndex(tree, number), 0) for number in range(min(count, MAX_ELEMENTS))]
    seen = 0
    while pending and seen < MAX_ELEMENTS:
        element, level = pending.pop()
        if not element:
            continue
        seen += 1
        level = LEVELS.get(_name(element), level)
        if level:
            yield element, level
        count = min(raw.FPDF_StructElement_CountChildren(element), MAX_ELEMENTS - seen)
        pending += [(raw.FPDF_StructElement_GetChildAtIndex(element, number), level) for number in range(count)]


def _marks(element: Any) -> Iterator[int]:
    """Yields the ids of an element's own marked content; -1 means none."""
    for number in range(raw.FPDF_StructElement_GetMarkedContentIdCount(element)):
        yield raw.FPDF_StructElement_GetMarkedContentIdAtIndex(element, number)
    for number in range(min(raw.FPDF_StructElement_CountChildren(element), MAX_ELEMENTS)):
        yield raw.FPDF_StructElement_GetChildMarkedContentID(element, number)


def _name(element: Any) -> str:
    buffer = ctypes.create_string_buffer(LONGEST_NAME)
    size = raw.FPDF_StructElement_GetType(element, buffer, LONGEST_NAME)
    return buffer.raw[: size - 2].decode("utf-16-le", "replace") if 2 <= size <= LONGEST_NAME else ""
