"""The fonts of the characters of a page; each font and each text object is queried once."""

import re
from ctypes import c_void_p
from functools import lru_cache
from math import atan2, hypot, isfinite, pi, radians

from ..page_model import Font
from ..pdfium_calls import Characters, Paint

FIXED_PITCH, FORCE_BOLD = 1 << 0, 1 << 18
BOLD_WEIGHT = 600
BOLD_NAME = re.compile(r"bold|black|heavy|demi|-semi|^(?:[a-z]{6}\+)?(?:cmbx|sfbx)|[.,-](?:b|bd|bi)$", re.I)
MONO_NAME = re.compile(
    r"courier|mono|consol|nimbusmon|(?:cm(?:sl|i)?|sf|t1xb?)tt|sfst|typewriter|menlo|inconsolata", re.I
)
ITALIC_NAME = re.compile(r"ital|obli", re.I)
NARROW, BROAD = frozenset(map(ord, "fijlrtI")), frozenset(map(ord, "mwGMOQW"))
UNEQUAL = NARROW | BROAD
COMPARED_LETTERS, SAME_WIDTH = 200, 0.03
"""How many letters are looked through for such, and the largest difference of two, as a share of their width, that are
equally wide.
"""
KEPT_NAMES = 256
UNKNOWN_SIZE = 10.0
LARGEST_SIZE = 5000.0
SMALLEST_SIZE = 1.0
"""The height of letters, in points, below which they cannot be seen."""
MEASURED_LETTERS, TALL_LETTERS, ASCENDER = 200, 0.9, 0.7
"""How many letters are measured, the share of them that is no taller than a letter with an ascender, and the height of
such a letter, in ems.
"""


class Fonts:
    """Returns the fonts of characters, with angles on the displayed page; `rotation` is that of the page."""

    def __init__(self, characters: Characters, rotation: int) -> None:
        self._characters = characters
        self._text_object = characters.text_object
        self._page_angle = radians(rotation)
        self._by_object: dict[int | None, Font] = {}
        self.paints: dict[int, Paint] = {}
        """How each text object is painted."""
        self._by_setting: dict[tuple[object, ...], Font] = {}
        self._styles: dict[int, tuple[bool, bool, bool, str]] = {}

    @property
    def has_turned_font(self) -> bool:
        """Whether a font is used at an angle."""
        return any(font.angle for font in self._by_setting.values())

    def font(self, number: int) -> Font:
        """Returns the font of a character."""
        text_object = self._text_object(number)
        known = self._by_object.get(text_object)
        if known is None:
            if not text_object:
                return self._read(number, 0)
            handle = c_void_p(text_object)
            known = self._by_object[text_object] = self._read(number, self._characters.font(handle))
            self.paints[text_object] = self._characters.paint(handle)
        return known

    def _read(self, number: int, handle: int) -> Font:
        """Returns the font of a character; each combination of font and size is read once. 0 is no font."""
        characters = self._characters
        setting = handle, characters.size(number), characters.orientation(number)
        known = self._by_setting.get(setting) if handle else None
        if known:
            return known
        bold, mono, italic, name = self._style(number, handle)
        tiny = _is_tiny(setting[1], setting[2])
        measured = self._measured_size(number, setting) if tiny and handle else 0.0
        font = Font(
            size=measured or _size_on_page(setting[1], setting[2]),
            bold=bold,
            mono=mono,
            italic=italic,
            name=name,
            angle=_angle(setting[1], setting[2], self._page_angle),
            tiny=tiny and not measured,
        )
        self._by_setting[setting] = font
        return font

    def _measured_size(self, number: int, setting: tuple[int, float, tuple[float, ...]]) -> float:
        """Returns the size of a font by the height of its letters; 0 where they cannot be seen.

        Letters that a document draws itself (Type 3) may be of any size in a font of size 1.
        """
        heights: list[float] = []
        for other in range(number, min(number + MEASURED_LETTERS, self._characters.count)):
            text_object = self._text_object(other)
            if text_object and self._characters.font(c_void_p(text_object)) == setting[0]:
                left, right, bottom, top = self._characters.run_box(other, other)[:4]
                a, b, _, _ = setting[2]
                heights.append(top - bottom if abs(a) >= abs(b) else right - left)
        size = sorted(heights)[int(TALL_LETTERS * len(heights))] / ASCENDER if heights else 0.0
        return round(size * 2) / 2 if isfinite(size) and SMALLEST_SIZE <= size < LARGEST_SIZE else 0.0

    def _style(self, number: int, handle: int) -> tuple[bool, bool, bool, str]:
        """Returns whether a font is bold, monospaced and italic, and its name."""
        if not handle or handle not in self._styles:
            name, flags = self._characters.font_name(number)
            bold, mono, italic = _style_named(name)
            bold = bold or self._characters.weight(number) >= BOLD_WEIGHT or bool(flags & FORCE_BOLD)
            mono = mono or bool(flags & FIXED_PITCH) or (handle > 0 and self._has_one_width(number, handle))
            self._styles[handle] = bold, mono, italic, name
        return self._styles[handle]

    def _has_one_width(self, number: int, handle: int) -> bool:
        """Whether the narrow letters of a font are as wide as its broad ones, as printed from a character on."""
        characters = self._characters
        first, narrow, broad = 0.0, False, False
        for other in range(number, min(number + COMPARED_LETTERS, characters.count - 1)):
            code = characters.unicode(other)
            if code not in UNEQUAL:
                continue
            text_object = self._text_object(other)
            if not text_object or text_object != self._text_object(other + 1):
                continue
            if characters.font(c_void_p(text_object)) != handle:
                continue
            width = characters.distance(other, other + 1)
            first = first or width
            if abs(width - first) > SAME_WIDTH * first:
                return False
            narrow, broad = narrow or code in NARROW, broad or code in BROAD
            if narrow and broad:
                return True
        return False


@lru_cache(KEPT_NAMES)
def _style_named(name: str) -> tuple[bool, bool, bool]:
    """Returns whether a font is bold, monospaced and italic by its name; the pages of a document repeat the names."""
    return bool(BOLD_NAME.search(name)), bool(MONO_NAME.search(name)), bool(ITALIC_NAME.search(name))


def _size_on_page(size: float, matrix: tuple[float, ...]) -> float:
    """Returns the printed size rounded to half a point, so that equal sizes compare equal.

    It is measured at right angles to the baseline: slanted letters are no higher than upright ones.
    """
    a, b, c, d = matrix
    along = hypot(a, b)
    scaled = abs(size) * ((abs(a * d - b * c) / along if along else hypot(c, d)) or 1)
    if not isfinite(scaled) or scaled > LARGEST_SIZE:
        return UNKNOWN_SIZE
    return round(scaled * 2) / 2 or UNKNOWN_SIZE


def _is_tiny(size: float, matrix: tuple[float, ...]) -> bool:
    """Whether letters are too small to be seen: below a point."""
    return abs(size) * max(map(abs, matrix)) < SMALLEST_SIZE


def _angle(size: float, matrix: tuple[float, ...], page_angle: float) -> float:
    """Returns the angle of the baseline on the displayed page.

    The baseline runs along the first axis of the matrix: the second leans where letters are slanted. A negative size
    turns text round once more.
    """
    a, b, _, _ = matrix
    turned = pi if size < 0 else 0.0
    angle = atan2(-b, a) + turned + page_angle if isfinite(a) and isfinite(b) else 0.0
    return round((angle + pi) % (2 * pi) - pi, 2)
