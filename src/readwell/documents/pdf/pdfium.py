"""PDFium called by hand, where a page has thousands of things to ask about.

A page has thousands of characters, so the functions are bound once more, to take addresses as plain numbers and to
keep the interpreter's lock (PDFium allows one thread anyway): that halves what a call costs.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from ctypes import c_double, c_float, c_int, c_uint, c_ulong, c_void_p
from functools import cache
from struct import Struct
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pypdfium2 import PdfPage, PdfTextPage
    from pypdfium2.raw import Handle

PLACE = Struct("10d")
MATRIX = Struct("6f")
NAME_BYTES = 128

PATH, FORM = 2, 5
LINE, CURVE, MOVE = 0, 1, 2

Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


Place = tuple[float, float, float, float, float, float, float, float, float, float]
"""A run of characters in PDF's own coordinates: left, right, bottom, top of its first, the same of its last, origin."""
NOWHERE: Place = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


class Segment(NamedTuple):
    """A step of a path: LINE, CURVE or MOVE to a point, after which the outline may close."""

    kind: int
    x: float
    y: float
    closes: bool


UNKNOWN = Segment(-1, 0.0, 0.0, False)


def address(handle: Handle) -> int:
    """Returns what a handle points to."""
    return ctypes.cast(handle, c_void_p).value or 0


def bound(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    """Returns a function of PDFium that takes addresses as numbers."""
    from pypdfium2 import raw

    return ctypes.PYFUNCTYPE(result, *arguments)(ctypes.cast(getattr(raw, name), c_void_p).value or 0)


class TextCalls(NamedTuple):
    """What is asked about characters; the first number is always the text page's address."""

    characters: Callable[[int], int]
    text: Callable[[int, int, int, int], int]
    unicode: Callable[[int, int], int]
    box: Callable[[int, int, int, int, int, int], int]
    origin: Callable[[int, int, int, int], int]
    text_object: Callable[[int, int], int | None]
    font: Callable[[int], int | None]
    size: Callable[[int, int], float]
    matrix: Callable[[int, int, int], int]
    name: Callable[[int, int, int, int, int], int]
    weight: Callable[[int, int], int]


@cache
def text_calls() -> TextCalls:
    """Binds them, once."""
    at = c_void_p
    return TextCalls(
        characters=bound("FPDFText_CountChars", c_int, at),
        text=bound("FPDFText_GetText", c_int, at, c_int, c_int, at),
        unicode=bound("FPDFText_GetUnicode", c_uint, at, c_int),
        box=bound("FPDFText_GetCharBox", c_int, at, c_int, at, at, at, at),
        origin=bound("FPDFText_GetCharOrigin", c_int, at, c_int, at, at),
        text_object=bound("FPDFText_GetTextObject", at, at, c_int),
        font=bound("FPDFTextObj_GetFont", at, at),
        size=bound("FPDFText_GetFontSize", c_double, at, c_int),
        matrix=bound("FPDFText_GetMatrix", c_int, at, c_int, at),
        name=bound("FPDFText_GetFontInfo", c_ulong, at, c_int, at, c_ulong, at),
        weight=bound("FPDFText_GetFontWeight", c_int, at, c_int),
    )


class Characters:
    """The characters of a page, asked by number."""

    def __init__(self, textpage: PdfTextPage) -> None:
        self._calls = text_calls()
        self._page = address(textpage.raw)
        self._box, self._origin = self._calls.box, self._calls.origin
        self._numbers = (c_double * 10)()
        self._at = tuple(ctypes.addressof(self._numbers) + 8 * number for number in range(10))
        self._matrix = (c_float * 6)()
        self._name = ctypes.create_string_buffer(NAME_BYTES)
        self._flags = c_int()
        self.count = max(0, self._calls.characters(self._page))

    def units(self) -> str:
        """Returns one character for each number; those beyond U+FFFF take two, as surrogates."""
        buffer = ctypes.create_string_buffer(2 * self.count + 2)
        told = self._calls.text(self._page, 0, self.count, ctypes.addressof(buffer))
        if told == self.count + 1:
            text = buffer.raw[: 2 * self.count].decode("utf-16-le", "surrogatepass")
            if len(text) == self.count:
                return text
        unicode, page = self._calls.unicode, self._page
        codes = [unicode(page, number) for number in range(self.count)]
        return "".join(chr(code) if code < 0x110000 else "\ufffd" for code in codes)

    def place(self, first: int, last: int) -> Place:
        """Returns where a run of characters stands; zeroes where PDFium does not know."""
        page = self._page
        left, right, bottom, top, last_left, last_right, last_bottom, last_top, x, y = self._at
        known = self._box(page, first, left, right, bottom, top)
        known &= self._box(page, last, last_left, last_right, last_bottom, last_top)
        known &= self._origin(page, first, x, y)
        return PLACE.unpack(self._numbers) if known else NOWHERE

    def text_object(self, number: int) -> int:
        """Returns the address of the object that draws a character; 0 where PDFium made it up."""
        return self._calls.text_object(self._page, number) or 0

    def font(self, text_object: int) -> int:
        """Returns the address of an object's font."""
        return (self._calls.font(text_object) or 0) if text_object else 0

    def size(self, number: int) -> float:
        """Returns the font size of a character, before its matrix."""
        return self._calls.size(self._page, number)

    def matrix(self, number: int) -> Matrix:
        """Returns how a character is scaled and turned."""
        known = self._calls.matrix(self._page, number, ctypes.addressof(self._matrix))
        return MATRIX.unpack(self._matrix) if known else IDENTITY

    def font_name(self, number: int) -> tuple[str, int]:
        """Returns the name of a character's font and the flags of its descriptor."""
        flags = ctypes.addressof(self._flags)
        length = self._calls.name(self._page, number, ctypes.addressof(self._name), NAME_BYTES, flags)
        name = self._name.value.decode("utf-8", "replace") if 0 < length <= NAME_BYTES else ""
        return name, self._flags.value

    def weight(self, number: int) -> int:
        """Returns how heavy a character's font is, 400 for regular."""
        return self._calls.weight(self._page, number)


class DrawingCalls(NamedTuple):
    """What is asked about the objects of a page; the first number is the address of the page or object."""

    page_objects: Callable[[int], int]
    page_object: Callable[[int, int], int | None]
    form_objects: Callable[[int], int]
    form_object: Callable[[int, int], int | None]
    kind: Callable[[int], int]
    matrix: Callable[[int, int], int]
    paint: Callable[[int, int, int], int]
    colour: Callable[[int, int, int, int, int], int]
    segments: Callable[[int], int]
    segment: Callable[[int, int], int | None]
    segment_kind: Callable[[int], int]
    point: Callable[[int, int, int], int]
    closes: Callable[[int], int]


@cache
def drawing_calls() -> DrawingCalls:
    """Binds them, once."""
    at = c_void_p
    return DrawingCalls(
        page_objects=bound("FPDFPage_CountObjects", c_int, at),
        page_object=bound("FPDFPage_GetObject", at, at, c_int),
        form_objects=bound("FPDFFormObj_CountObjects", c_int, at),
        form_object=bound("FPDFFormObj_GetObject", at, at, c_ulong),
        kind=bound("FPDFPageObj_GetType", c_int, at),
        matrix=bound("FPDFPageObj_GetMatrix", c_int, at, at),
        paint=bound("FPDFPath_GetDrawMode", c_int, at, at, at),
        colour=bound("FPDFPageObj_GetFillColor", c_int, at, at, at, at, at),
        segments=bound("FPDFPath_CountSegments", c_int, at),
        segment=bound("FPDFPath_GetPathSegment", at, at, c_int),
        segment_kind=bound("FPDFPathSegment_GetType", c_int, at),
        point=bound("FPDFPathSegment_GetPoint", c_int, at, at, at),
        closes=bound("FPDFPathSegment_GetClose", c_int, at),
    )


class Drawings:
    """The objects that a page draws, asked by address."""

    def __init__(self, page: PdfPage) -> None:
        self._calls = drawing_calls()
        self._page = address(page.raw)
        self._matrix = (c_float * 6)()
        self._pair = (c_float * 2)()
        self._whole = (c_uint * 4)()

    def on_page(self) -> Iterator[int]:
        """Yields the objects of the page itself."""
        get, page = self._calls.page_object, self._page
        for number in range(self._calls.page_objects(page)):
            yield get(page, number) or 0

    def in_form(self, form: int) -> Iterator[int]:
        """Yields the objects of a form."""
        for number in range(self._calls.form_objects(form)):
            yield self._calls.form_object(form, number) or 0

    def kind(self, item: int) -> int:
        """Returns PATH, FORM or the number of something else."""
        return self._calls.kind(item) if item else 0

    def matrix(self, item: int) -> Matrix:
        """Returns how an object is placed in what holds it."""
        known = self._calls.matrix(item, ctypes.addressof(self._matrix))
        return MATRIX.unpack(self._matrix) if known else IDENTITY

    def painted(self, path: int) -> tuple[bool, bool]:
        """Returns whether a path is filled and whether it is stroked."""
        at = ctypes.addressof(self._whole)
        known = self._calls.paint(path, at, at + 4)
        return (self._whole[0] != 0, self._whole[1] != 0) if known else (False, False)

    def colour(self, path: int) -> tuple[int, int, int]:
        """Returns the red, green and blue of a path's filling."""
        at = ctypes.addressof(self._whole)
        known = self._calls.colour(path, at, at + 4, at + 8, at + 12)
        return (self._whole[0], self._whole[1], self._whole[2]) if known else (0, 0, 0)

    def segments(self, path: int) -> int:
        """Returns how many segments a path has."""
        return max(0, self._calls.segments(path))

    def segment(self, path: int, number: int) -> Segment:
        """Returns one segment of a path."""
        calls, at = self._calls, ctypes.addressof(self._pair)
        segment = calls.segment(path, number) or 0
        if not segment or not calls.point(segment, at, at + 4):
            return UNKNOWN
        kind = calls.segment_kind(segment)
        return Segment(kind, self._pair[0], self._pair[1], kind != MOVE and calls.closes(segment) != 0)
