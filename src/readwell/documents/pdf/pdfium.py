"""The only room that calls PDFium by hand.

A page has thousands of characters, so the functions are bound once more, to take addresses as plain numbers and to
keep the interpreter's lock (PDFium allows one thread anyway): that halves what a call costs.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import c_double, c_float, c_int, c_uint, c_ulong, c_void_p
from functools import cache
from struct import Struct
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pypdfium2 import PdfTextPage
    from pypdfium2.raw import Handle

PLACE = Struct("10d")
MATRIX = Struct("6f")
NAME_BYTES = 128

Matrix = tuple[float, float, float, float, float, float]


Place = tuple[float, float, float, float, float, float, float, float, float, float]
"""A run of characters in PDF's own coordinates: left, right, bottom, top of its first, the same of its last, origin."""
NOWHERE: Place = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


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
        return MATRIX.unpack(self._matrix) if known else (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

    def font_name(self, number: int) -> tuple[str, int]:
        """Returns the name of a character's font and the flags of its descriptor."""
        flags = ctypes.addressof(self._flags)
        length = self._calls.name(self._page, number, ctypes.addressof(self._name), NAME_BYTES, flags)
        name = self._name.value.decode("utf-8", "replace") if 0 < length <= NAME_BYTES else ""
        return name, self._flags.value

    def weight(self, number: int) -> int:
        """Returns how heavy a character's font is, 400 for regular."""
        return self._calls.weight(self._page, number)
