"""Automatic numbers of a Word 97–2003 file: the label that a person sees before a paragraph."""

from __future__ import annotations

import struct

from ...named_tuple import NamedTuple
from ..docx.numbering import LEVELS, formatted

LIST, LEVEL, OVERRIDE = 28, 28, 16
FORMATS = {0: "decimal", 1: "upperRoman", 2: "lowerRoman", 3: "upperLetter", 4: "lowerLetter", 22: "decimalZero"}
BULLET, NO_NUMBER = 23, 255
MAX_LISTS = 10_000


class ListLevel(NamedTuple):
    """How one level of a list is numbered; in its text the characters 0 to 8 stand for the numbers of levels."""

    kind: int
    start: int
    text: str


class Numbering:
    """The lists of a file, and how far each has counted."""

    def __init__(self, lists: bytes, overrides: bytes) -> None:
        self._levels = _levels_by_list(lists)
        count = min(int.from_bytes(overrides[:4], "little"), max(0, len(overrides) - 4) // OVERRIDE)
        self._overrides = [struct.unpack_from("<l", overrides, 4 + OVERRIDE * number)[0] for number in range(count)]
        self._counted: dict[int, list[int]] = {}

    def next_label(self, override: int, level: int) -> str | None:
        """Counts one paragraph and returns its label: empty for a bullet, None where there is no such list.

        A paragraph names its list by the number of a list format override.
        """
        list_id = self._overrides[override - 1] if 0 < override <= len(self._overrides) else None
        levels = self._levels.get(list_id, []) if list_id is not None else []
        if list_id is None or level >= len(levels):
            return None
        counted = self._counted.setdefault(list_id, [each.start - 1 for each in levels])
        counted[level] += 1
        for deeper in range(level + 1, len(levels)):
            counted[deeper] = levels[deeper].start - 1
        if levels[level].kind in (BULLET, NO_NUMBER):
            return "" if levels[level].kind == BULLET else None
        return "".join(self._fill_placeholder(character, levels, counted) for character in levels[level].text)

    def _fill_placeholder(self, character: str, levels: list[ListLevel], counted: list[int]) -> str:
        """Returns a character of a label; a placeholder becomes the number of its level."""
        which = ord(character)
        if which >= min(LEVELS, len(levels)):
            return character
        return formatted(max(counted[which], levels[which].start), FORMATS.get(levels[which].kind, "decimal"))


def _levels_by_list(lists: bytes) -> dict[int, list[ListLevel]]:
    """Returns the levels of each list, by the number that it is known by."""
    count = min(int.from_bytes(lists[:2], "little"), MAX_LISTS, max(0, len(lists) - 2) // LIST)
    at = 2 + LIST * count
    levels_by_list: dict[int, list[ListLevel]] = {}
    for number in range(count):
        head = lists[2 + LIST * number : 2 + LIST * (number + 1)]
        levels: list[ListLevel] = []
        for _ in range(1 if head[26] & 1 else LEVELS):
            if at + LEVEL + 2 > len(lists):
                return levels_by_list
            start, kind = struct.unpack_from("<lB", lists, at)
            at += LEVEL + lists[at + 24] + lists[at + 25]
            length = int.from_bytes(lists[at : at + 2], "little")
            levels.append(ListLevel(kind, start, lists[at + 2 : at + 2 + 2 * length].decode("utf-16-le", "replace")))
            at += 2 + 2 * length
        levels_by_list[struct.unpack_from("<l", head)[0]] = levels
    return levels_by_list
