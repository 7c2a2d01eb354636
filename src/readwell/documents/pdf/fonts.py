"""How the characters of a page are set: each font is looked at once, each text object asked once."""

import re
from math import atan2, hypot, isfinite, pi, radians

from .model import Font
from .pdfium import Characters

FIXED_PITCH, FORCE_BOLD = 1 << 0, 1 << 18
BOLD_WEIGHT = 600
BOLD_NAME = re.compile(r"bold|black|heavy|demi|-semi|^(?:[a-z]{6}\+)?(?:cmbx|sfbx)|[.,-](?:b|bd|bi)$", re.I)
MONO_NAME = re.compile(r"courier|mono|consol|cmtt|sftt|typewriter|menlo|inconsolata", re.I)
ITALIC_NAME = re.compile(r"ital|obli", re.I)
UNKNOWN_SIZE = 10.0
LARGEST_SIZE = 5000.0


class Fonts:
    """Tells the font of a character; `rotation` is that of the page, so that angles are those the reader sees."""

    def __init__(self, characters: Characters, rotation: int) -> None:
        self._characters = characters
        self._text_object = characters.text_object
        self._turn = radians(rotation)
        self._of_object: dict[int | None, Font] = {}
        self._of_setting: dict[tuple[object, ...], Font] = {}
        self._looks: dict[int, tuple[bool, bool, bool, str]] = {}

    def font(self, number: int) -> Font:
        """Returns how a character is set."""
        text_object = self._text_object(number)
        known = self._of_object.get(text_object)
        if known is None:
            known = self._read(number, text_object)
            if text_object:
                self._of_object[text_object] = known
        return known

    def _read(self, number: int, text_object: int | None) -> Font:
        characters = self._characters
        handle = characters.font(text_object)
        setting = (handle, characters.size(number), characters.turn(number))
        if handle and setting in self._of_setting:
            return self._of_setting[setting]
        looks = self._look(number, handle)
        font = Font(_scaled(setting[1], setting[2]), *looks, _angle(setting[2], self._turn))
        self._of_setting[setting] = font
        return font

    def _look(self, number: int, handle: int) -> tuple[bool, bool, bool, str]:
        """Returns bold, mono, italic and name."""
        if not handle or handle not in self._looks:
            name, flags = self._characters.font_name(number)
            bold = self._characters.weight(number) >= BOLD_WEIGHT or flags & FORCE_BOLD or BOLD_NAME.search(name)
            mono = flags & FIXED_PITCH or MONO_NAME.search(name)
            self._looks[handle] = bool(bold), bool(mono), bool(ITALIC_NAME.search(name)), name
        return self._looks[handle]


def _scaled(size: float, matrix: tuple[float, ...]) -> float:
    """Returns the size as printed, to half a point, so that one size has one number."""
    scaled = abs(size) * (hypot(matrix[2], matrix[3]) or 1)
    if not isfinite(scaled) or scaled > LARGEST_SIZE:
        return UNKNOWN_SIZE
    return round(scaled * 2) / 2 or UNKNOWN_SIZE


def _angle(matrix: tuple[float, ...], turn: float) -> float:
    """Returns the angle of the baseline as the page is looked at; upright text leans by minus the page's rotation."""
    angle = atan2(matrix[2], matrix[0]) + turn if isfinite(matrix[0]) and isfinite(matrix[2]) else 0.0
    return round((angle + pi) % (2 * pi) - pi, 2)
