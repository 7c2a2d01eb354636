"""Automatic numbers of the headings of an ODT."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from ..xml_tree import every, whole_number
from .styles import ListLevel, list_level

LEVELS = 10


class HeadingNumbering:
    """How headings are numbered, and how far they have counted."""

    def __init__(self, roots: list[Element]) -> None:
        level_styles = [element for root in roots for element in every(root, "text:outline-level-style")]
        self._levels = {element.get("text:level", ""): list_level(element) for element in level_styles}
        self._shown = {
            element.get("text:level", ""): element.get("text:display-levels", "1") for element in level_styles
        }
        self._counted = [0] * LEVELS

    def next_label(self, level: int) -> str:
        """Counts one heading and returns its number; nothing where headings of its level have none."""
        depth = min(level, LEVELS)
        how = self._level(depth)
        before = self._counted[depth - 1]
        self._counted[depth - 1] = before + 1 if before else how.start
        self._counted[depth:] = [0] * (LEVELS - depth)
        if not how.format:
            return ""
        shown = min(whole_number(self._shown.get(str(depth)), 1), depth)
        numbers = [self._number(above) for above in range(depth - shown + 1, depth + 1)]
        return (how.prefix + ".".join(filter(None, numbers)) + how.suffix).strip()

    def _level(self, level: int) -> ListLevel:
        """Returns how headings of a level are numbered."""
        return self._levels.get(str(level)) or ListLevel("", "", "", 1)

    def _number(self, level: int) -> str:
        """Returns the number of one level, as a label shows it."""
        how = self._level(level)
        return how._replace(prefix="", suffix="").label(self._counted[level - 1] or how.start)
