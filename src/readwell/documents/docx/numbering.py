"""Automatic numbers of a DOCX: the label that a person sees before a paragraph."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from ...named_tuple import NamedTuple
from ..office_relations import val_attribute
from ..xml_tree import at, whole_number
from .styles import Styles

LEVELS = 9
LARGEST = 10_000_000
"""Numbers above are written as they are in every format: letters and Roman numerals would grow with them."""
ROMAN = tuple(
    zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        "m cm d cd c xc l xl x ix v iv i".split(),
        strict=True,
    )
)


class ListLevel(NamedTuple):
    """How one level of a list is numbered."""

    format: str
    text: str
    start: int
    legal: bool


class Numbering:
    """The lists of a document, and how far each has counted."""

    def __init__(self, root: Element | None, styles: Styles) -> None:
        elements = [] if root is None else list(root)
        self._abstract_lists = {e.get("w:abstractNumId", ""): e for e in elements if e.tag == "w:abstractNum"}
        self._lists = {e.get("w:numId", ""): e for e in elements if e.tag == "w:num"}
        self._level_elements = {
            (abstract_id, level.get("w:ilvl", "")): level
            for abstract_id, element in self._abstract_lists.items()
            for level in element.findall("w:lvl")
        }
        self._styled = {
            (abstract_id, val_attribute(level, "w:pStyle")): number
            for (abstract_id, number), level in self._level_elements.items()
        }
        self._overrides = {
            (number, override.get("w:ilvl", "")): override
            for number, element in self._lists.items()
            for override in element.findall("w:lvlOverride")
        }
        self._styles = styles
        self._abstract_ids: dict[str, str] = {}
        self._levels: dict[tuple[str, int], ListLevel | None] = {}
        self._counted: dict[str, list[int | None]] = {}
        self._begun: set[tuple[str, int]] = set()

    def level_of(self, list_id: str, style: str) -> str:
        """Returns the level at which a list numbers the paragraphs of a style; the first where it says nothing."""
        return self._styled.get((self._abstract_id(list_id), style), "0")

    def next_label(self, list_id: str, level: int) -> str | None:
        """Counts one paragraph and returns its label: empty for a bullet, None where none is shown."""
        numbered = self._level(list_id, level)
        if numbered is None:
            return None
        counted = self._counted.setdefault(self._abstract_id(list_id), [None] * LEVELS)
        before = counted[level]
        if before is None or self._restarts(list_id, level):
            counted[level] = numbered.start
        else:
            counted[level] = before + 1
        self._begun.add((list_id, level))
        counted[level + 1 :] = [None] * (LEVELS - level - 1)
        if numbered.format == "bullet":
            return ""
        if numbered.format == "none" or not numbered.text:
            return None
        return re.sub(
            r"%([1-9])", lambda match: self._number(list_id, int(match[1]) - 1, numbered, counted), numbered.text
        )

    def _number(self, list_id: str, level: int, wanted: ListLevel, counted: list[int | None]) -> str:
        """Returns the number of one level, as a label shows it."""
        numbered = self._level(list_id, level)
        number = counted[level] if counted[level] is not None else numbered.start if numbered else 1
        return formatted(number or 0, "decimal" if wanted.legal or not numbered else numbered.format)

    def _restarts(self, list_id: str, level: int) -> bool:
        """Whether this list starts anew here, though another that shares its numbers has counted already."""
        override = self._overrides.get((list_id, str(level)))
        return (list_id, level) not in self._begun and val_attribute(override, "w:startOverride") is not None

    def _level(self, list_id: str, level: int) -> ListLevel | None:
        """Returns how a level of a list is numbered, looked up once."""
        key = (list_id, level)
        if key not in self._levels:
            self._levels[key] = self._resolve_level(list_id, level)
        return self._levels[key]

    def _resolve_level(self, list_id: str, level: int) -> ListLevel | None:
        """Looks up how a level of a list is numbered, by its override or its abstract list; None where neither says."""
        override = self._overrides.get((list_id, str(level)))
        element = at(override, "w:lvl")
        if element is None:
            element = self._level_elements.get((self._abstract_id(list_id), str(level)))
        if element is None:
            return None
        start = val_attribute(override, "w:startOverride") or val_attribute(element, "w:start") or "1"
        return ListLevel(
            val_attribute(element, "w:numFmt") or "decimal",
            val_attribute(element, "w:lvlText") or "",
            whole_number(start, 1),
            element.find("w:isLgl") is not None,
        )

    def _abstract_id(self, list_id: str) -> str:
        """Returns the id of the abstract list that a list is an instance of, looked up once."""
        if list_id not in self._abstract_ids:
            self._abstract_ids[list_id] = self._resolve_abstract_id(list_id)
        return self._abstract_ids[list_id]

    def _resolve_abstract_id(self, list_id: str) -> str:
        """Follows a list to its abstract list; some point to a style that points to another list."""
        abstract_id = val_attribute(self._lists.get(list_id), "w:abstractNumId") or ""
        style = val_attribute(self._abstract_lists.get(abstract_id), "w:numStyleLink")
        linked = self._styles.list_of(style) if style else None
        return val_attribute(self._lists.get(linked or ""), "w:abstractNumId") or abstract_id


def formatted(number: int, how: str) -> str:
    """Returns a number in a format of Word; in digits where the format is none of the usual ones."""
    if not 0 < number < LARGEST:
        return str(number)
    match how:
        case "lowerLetter":
            return _letters(number)
        case "upperLetter":
            return _letters(number).upper()
        case "lowerRoman" if number < 5000:
            return _roman(number)
        case "upperRoman" if number < 5000:
            return _roman(number).upper()
        case "decimalZero":
            return f"{number:02d}"
        case _:
            return str(number)


def _letters(number: int) -> str:
    """Returns a … z, aa, bb …, as Word counts on behind z."""
    if number > 26 * 10:
        return str(number)
    return chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)


def _roman(number: int) -> str:
    """Returns a number in Roman numerals."""
    written = ""
    for size, sign in ROMAN:
        written += sign * (number // size)
        number %= size
    return written
