"""Reads the structure tree of a page: words tagged H, H1 to H6 or Title, and alternative texts of images."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import pypdfium2 as pdfium
from pypdfium2 import raw

from ..page_model import Word

MAX_ELEMENTS = 20_000
LEVELS = {"Title": 1, "H": 2, "H1": 1, "H2": 2, "H3": 3, "H4": 4, "H5": 5, "H6": 6}
LONGEST_NAME, LONGEST_TEXT = 32, 4096
"""Bytes of UTF-16."""

T = TypeVar("T")


def read_heading_tags(page: pdfium.PdfPage, words: list[Word]) -> dict[int, int]:
    """Returns the heading levels of tagged words, by the `char_index` of the word."""
    levels = _levels_by_content_id(page)
    if not levels:
        return {}
    textpage = page.get_textpage()
    try:
        drawn = {word.char_index: raw.FPDFText_GetTextObject(textpage.raw, word.char_index) for word in words}
        marks = {index: raw.FPDFPageObj_GetMarkedContentID(text) for index, text in drawn.items() if text}
    finally:
        textpage.close()
    return {index: levels[mark] for index, mark in marks.items() if mark in levels}


def read_alternatives(page: pdfium.PdfPage) -> dict[int, str]:
    """Returns the alternative texts of marked content, by its id."""
    with _tree(page) as tree:
        elements = _elements(tree, lambda element, outer: _text(raw.FPDF_StructElement_GetAltText, element) or outer)
        return {mark: text for element, text in elements for mark in _marked_content_ids(element) if mark >= 0}


def _levels_by_content_id(page: pdfium.PdfPage) -> dict[int, int]:
    """Returns the heading levels of marked content, by its id."""
    with _tree(page) as tree:
        headings = _elements(tree, lambda element, outer: LEVELS.get(_element_type(element)) or outer)
        return {mark: level for element, level in headings for mark in _marked_content_ids(element) if mark >= 0}


@contextmanager
def _tree(page: pdfium.PdfPage) -> Generator[Any]:
    """Opens the structure tree of a page; None where it has none."""
    tree = raw.FPDF_StructTree_GetForPage(page.raw)
    try:
        yield tree
    finally:
        if tree:
            raw.FPDF_StructTree_Close(tree)


def _elements(tree: Any, judge: Callable[[Any, T | None], T | None]) -> Iterator[tuple[Any, T]]:
    """Yields elements with what `judge` says of each, given what it said of the one around; bounded: trees may loop."""
    count = raw.FPDF_StructTree_CountChildren(tree) if tree else 0
    roots = (raw.FPDF_StructTree_GetChildAtIndex(tree, number) for number in range(min(count, MAX_ELEMENTS)))
    pending: list[tuple[Any, T | None]] = [(root, None) for root in roots]
    seen = 0
    while pending and seen < MAX_ELEMENTS:
        element, outer = pending.pop()
        if not element:
            continue
        seen += 1
        said = judge(element, outer)
        if said:
            yield element, said
        count = min(raw.FPDF_StructElement_CountChildren(element), MAX_ELEMENTS - seen)
        pending += [(raw.FPDF_StructElement_GetChildAtIndex(element, number), said) for number in range(count)]


def _marked_content_ids(element: Any) -> Iterator[int]:
    """Yields the ids of an element's own marked content; -1 means none."""
    for number in range(raw.FPDF_StructElement_GetMarkedContentIdCount(element)):
        yield raw.FPDF_StructElement_GetMarkedContentIdAtIndex(element, number)
    for number in range(min(raw.FPDF_StructElement_CountChildren(element), MAX_ELEMENTS)):
        yield raw.FPDF_StructElement_GetChildMarkedContentID(element, number)


def _element_type(element: Any) -> str:
    """Returns the type of an element of the structure tree."""
    return _text(raw.FPDF_StructElement_GetType, element, LONGEST_NAME)


def _text(ask: Any, element: Any, longest: int = LONGEST_TEXT) -> str:
    """Returns a text of an element; empty where it has none, or a longer one."""
    buffer = ctypes.create_string_buffer(longest)
    size = ask(element, buffer, longest)
    return buffer.raw[: size - 2].decode("utf-16-le", "replace") if 2 <= size <= longest else ""
