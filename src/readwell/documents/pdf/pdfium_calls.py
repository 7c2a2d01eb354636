"""Direct calls of PDFium for characters and drawn objects, of which a page has thousands.

The functions are bound a second time: without argument types, which ctypes would look up and convert on each call,
and without releasing the interpreter lock (PDFium allows one thread anyway). A call then costs less than half.
Handles and output buffers are passed unchanged, numbers as `int`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from ctypes import byref, c_char, c_double, c_float, c_int, c_uint, c_ulong, c_void_p
from functools import cache, partial
from math import dist
from struct import Struct
from typing import TYPE_CHECKING, Any

from ...named_tuple import NamedTuple

if TYPE_CHECKING:
    from pypdfium2 import PdfPage, PdfTextPage

RUN_BOX = Struct("10d")
MATRIX, ORIENTATION = Struct("6f"), Struct("4f")
POINT = Struct("2f")
CHANNELS = Struct("4I")
NAME_BYTES = 128

TEXT, PATH, IMAGE, SHADING, FORM = 1, 2, 3, 4, 5
LINE, CURVE, MOVE = 0, 1, 2

Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
Orientation = tuple[float, float, float, float]
UPRIGHT: Orientation = (1.0, 0.0, 0.0, 1.0)

RunBox = tuple[float, float, float, float, float, float, float, float, float, float]
"""A run of characters in PDF coordinates: left, right, bottom, top of the first, the same of the last, origin."""
NO_BOX: RunBox = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

Paint = tuple[int, tuple[int, ...] | None]
"""The render mode of a text, and its fill colour as red, green, blue and opacity, None where it is no plain colour."""

Step = tuple[int, float, float]
"""A step of a path: LINE, CURVE or MOVE to a point. A closed outline ends with a step to its first point."""
UNKNOWN: Step = (-1, 0.0, 0.0)


class ObjectHandle(c_void_p):
    """A handle of a page object. A subclass, so that ctypes returns a handle and not a number; false where null."""


def bind_function(name: str, result: Any) -> Callable[..., Any]:
    """Binds a function of PDFium without argument types; `result` is its ctypes result type."""
    from pypdfium2 import raw

    return ctypes.PYFUNCTYPE(result)(ctypes.cast(getattr(raw, name), c_void_p).value or 0)


class TextCalls(NamedTuple):
    """PDFium's functions about characters; their first argument is the text page."""

    characters: Callable[[Any], int]
    text: Callable[[Any, int, int, Any], int]
    unicode: Callable[[Any, int], int]
    box: Callable[[Any, int, Any, Any, Any, Any], int]
    origin: Callable[[Any, int, Any, Any], int]
    made_up: Callable[[Any, int], int]
    text_object: Callable[[Any, int], int | None]
    font: Callable[[c_void_p], int | None]
    size: Callable[[Any, int], float]
    matrix: Callable[[Any, int, Any], int]
    name: Callable[[Any, int, Any, c_ulong, Any], int]
    weight: Callable[[Any, int], int]
    render_mode: Callable[[c_void_p], int]
    colour: Callable[[c_void_p, Any, Any, Any, Any], int]


@cache
def text_calls() -> TextCalls:
    """Binds the functions about characters, once."""
    return TextCalls(
        characters=bind_function("FPDFText_CountChars", c_int),
        text=bind_function("FPDFText_GetText", c_int),
        unicode=bind_function("FPDFText_GetUnicode", c_uint),
        box=bind_function("FPDFText_GetCharBox", c_int),
        origin=bind_function("FPDFText_GetCharOrigin", c_int),
        made_up=bind_function("FPDFText_IsGenerated", c_int),
        text_object=bind_function("FPDFText_GetTextObject", c_void_p),
        font=bind_function("FPDFTextObj_GetFont", c_void_p),
        size=bind_function("FPDFText_GetFontSize", c_double),
        matrix=bind_function("FPDFText_GetMatrix", c_int),
        name=bind_function("FPDFText_GetFontInfo", c_ulong),
        weight=bind_function("FPDFText_GetFontWeight", c_int),
        render_mode=bind_function("FPDFTextObj_GetTextRenderMode", c_int),
        colour=bind_function("FPDFPageObj_GetFillColor", c_int),
    )


class Characters:
    """The characters of a page, by index."""

    def __init__(self, textpage: PdfTextPage) -> None:
        self._calls = text_calls()
        self._page = byref(textpage.raw.contents)  # the handle as an argument
        self._box, self._origin = self._calls.box, self._calls.origin
        self.text_object = partial(self._calls.text_object, self._page)
        """Returns the address of the object that draws a character; None for characters that PDFium generated."""
        self.unicode = partial(self._calls.unicode, self._page)
        """Returns the code of a character."""
        self._numbers = (c_double * 10)()
        self._into = tuple(byref(self._numbers, 8 * number) for number in range(10))
        self._matrix = (c_float * 6)()
        self._name = ctypes.create_string_buffer(NAME_BYTES)
        self._flags = c_int()
        self._channels = (c_uint * 4)()
        self._into_channels = tuple(byref(self._channels, 4 * number) for number in range(4))
        self.count = max(0, self._calls.characters(self._page))

    def utf16_units(self) -> str:
        """Returns the text with one UTF-16 unit per index: characters beyond U+FFFF are two surrogates."""
        buffer = bytearray(2 * self.count + 2)
        written = self._calls.text(self._page, 0, self.count, byref(c_char.from_buffer(buffer)))
        if written == self.count + 1:
            text = buffer[: 2 * self.count].decode("utf-16-le", "surrogatepass")
            if len(text) == self.count:
                return text
        codes = [self.unicode(number) for number in range(self.count)]
        return "".join(chr(code) if code < 0x110000 else "\ufffd" for code in codes)

    def run_box(self, first: int, last: int) -> RunBox:
        """Returns the boxes of the first and last character of a run and its origin; zeroes where PDFium has none."""
        page = self._page
        left, right, bottom, top, last_left, last_right, last_bottom, last_top, x, y = self._into
        known = self._box(page, first, left, right, bottom, top)
        known &= self._box(page, last, last_left, last_right, last_bottom, last_top)
        known &= self._origin(page, first, x, y)
        return RUN_BOX.unpack(self._numbers) if known else NO_BOX

    def is_made_up(self, number: int) -> bool:
        """Whether PDFium made up a character, such as a space where letters stand apart."""
        return self._calls.made_up(self._page, number) == 1

    def distance(self, one: int, other: int) -> float:
        """Returns how far apart two characters begin, in points."""
        return dist(self.run_box(one, one)[8:], self.run_box(other, other)[8:])

    def font(self, text_object: c_void_p) -> int:
        """Returns the address of a text object's font; 0 where there is none."""
        return self._calls.font(text_object) or 0

    def paint(self, text_object: c_void_p) -> Paint:
        """Returns how a text object is painted."""
        red, green, blue, opacity = self._into_channels
        known = self._calls.colour(text_object, red, green, blue, opacity)
        colour = CHANNELS.unpack(self._channels) if known else None
        return self._calls.render_mode(text_object), colour

    def size(self, number: int) -> float:
        """Returns the font size of a character before its matrix is applied."""
        return self._calls.size(self._page, number)

    def orientation(self, number: int) -> Orientation:
        """Returns the matrix of a character without its translation: scale and rotation."""
        known = self._calls.matrix(self._page, number, self._matrix)
        return ORIENTATION.unpack_from(self._matrix) if known else UPRIGHT

    def font_name(self, number: int) -> tuple[str, int]:
        """Returns the name of a character's font and the flags of its descriptor."""
        length = self._calls.name(self._page, number, self._name, c_ulong(NAME_BYTES), byref(self._flags))
        name = self._name.value.decode("utf-8", "replace") if 0 < length <= NAME_BYTES else ""
        return name, self._flags.value

    def weight(self, number: int) -> int:
        """Returns the weight of a character's font, 400 for regular."""
        return self._calls.weight(self._page, number)


class DrawingCalls(NamedTuple):
    """PDFium's functions about page objects; their first argument is the page or object."""

    page_objects: Callable[[Any], int]
    page_object: Callable[[Any, int], ObjectHandle]
    form_objects: Callable[[ObjectHandle], int]
    form_object: Callable[[ObjectHandle, c_ulong], ObjectHandle]
    kind: Callable[[ObjectHandle], int]
    matrix: Callable[[ObjectHandle, Any], int]
    paint: Callable[[ObjectHandle, Any, Any], int]
    colour: Callable[[ObjectHandle, Any, Any, Any, Any], int]
    bounds: Callable[[ObjectHandle, Any, Any, Any, Any], int]
    segments: Callable[[ObjectHandle], int]
    segment: Callable[[ObjectHandle, int], ObjectHandle]
    segment_kind: Callable[[ObjectHandle], int]
    point: Callable[[ObjectHandle, Any, Any], int]


@cache
def drawing_calls() -> DrawingCalls:
    """Binds the functions about page objects, once."""
    return DrawingCalls(
        page_objects=bind_function("FPDFPage_CountObjects", c_int),
        page_object=bind_function("FPDFPage_GetObject", ObjectHandle),
        form_objects=bind_function("FPDFFormObj_CountObjects", c_int),
        form_object=bind_function("FPDFFormObj_GetObject", ObjectHandle),
        kind=bind_function("FPDFPageObj_GetType", c_int),
        matrix=bind_function("FPDFPageObj_GetMatrix", c_int),
        paint=bind_function("FPDFPath_GetDrawMode", c_int),
        colour=bind_function("FPDFPageObj_GetFillColor", c_int),
        bounds=bind_function("FPDFPageObj_GetBounds", c_int),
        segments=bind_function("FPDFPath_CountSegments", c_int),
        segment=bind_function("FPDFPath_GetPathSegment", ObjectHandle),
        segment_kind=bind_function("FPDFPathSegment_GetType", c_int),
        point=bind_function("FPDFPathSegment_GetPoint", c_int),
    )


class Drawings:
    """The page objects of a page, also those inside forms."""

    def __init__(self, page: PdfPage) -> None:
        self._calls = drawing_calls()
        self._page = byref(page.raw.contents)
        self._matrix = (c_float * 6)()
        self._point = (c_float * 2)()
        self._into_point = byref(self._point), byref(self._point, 4)
        self._edges = (c_float * 4)()
        self._into_edges = tuple(byref(self._edges, 4 * number) for number in range(4))
        self._whole = (c_uint * 4)()
        self._into = tuple(byref(self._whole, 4 * number) for number in range(4))

    def objects_on_page(self) -> Iterator[tuple[int, ObjectHandle]]:
        """Yields kind (PATH, FORM or another number) and handle of each object of the page itself."""
        get, kind, page = self._calls.page_object, self._calls.kind, self._page
        for number in range(self._calls.page_objects(page)):
            item = get(page, number)
            yield kind(item) if item else 0, item

    def objects_in_form(self, form: ObjectHandle) -> Iterator[tuple[int, ObjectHandle]]:
        """Yields kind and handle of each object of a form."""
        get, kind = self._calls.form_object, self._calls.kind
        for number in range(self._calls.form_objects(form)):
            item = get(form, c_ulong(number))
            yield kind(item) if item else 0, item

    def matrix(self, item: ObjectHandle) -> Matrix:
        """Returns the matrix of an object within its page or form."""
        known = self._calls.matrix(item, self._matrix)
        return MATRIX.unpack(self._matrix) if known else IDENTITY

    def paint_modes(self, path: ObjectHandle) -> tuple[bool, bool]:
        """Returns whether a path is filled and whether it is stroked."""
        known = self._calls.paint(path, *self._into[:2])
        return (self._whole[0] != 0, self._whole[1] != 0) if known else (False, False)

    def colour(self, path: ObjectHandle) -> tuple[int, int, int]:
        """Returns the fill colour of a path as red, green and blue."""
        known = self._calls.colour(path, *self._into)
        return (self._whole[0], self._whole[1], self._whole[2]) if known else (0, 0, 0)

    def bounds(self, item: ObjectHandle) -> tuple[float, float, float, float]:
        """Returns left, bottom, right and top of an object within its page or form."""
        known = self._calls.bounds(item, *self._into_edges)
        return ORIENTATION.unpack(self._edges) if known else (0.0, 0.0, 0.0, 0.0)

    def count_steps(self, path: ObjectHandle) -> int:
        """Returns the number of steps of a path."""
        return max(0, self._calls.segments(path))

    def steps(self, path: ObjectHandle, count: int) -> Iterator[Step]:
        """Yields the first steps of a path."""
        segment, point, segment_kind = self._calls.segment, self._calls.point, self._calls.segment_kind
        into_x, into_y = self._into_point
        for number in range(count):
            step = segment(path, number)
            if not step or not point(step, into_x, into_y):
                yield UNKNOWN
                continue
            x, y = POINT.unpack(self._point)
            yield segment_kind(step), x, y
