"""Footnotes, endnotes and comments of a DOCX: numbered in the order in which the text refers to them."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from ...named_tuple import NamedTuple
from ..office_relations import Relation, relations, target_of_type
from ..zip_container import ZipContainer

PARTS = {"footnote": ("footnotes", ""), "endnote": ("endnotes", "e"), "comment": ("comments", "c")}
"""The kinds, the relation to the part in which each stands, and the letter before its number."""


class Note(NamedTuple):
    """A note to be written down: its label, its element and the relations of its part."""

    label: str
    element: Element
    relations: dict[str, Relation]


class Notes:
    """The notes of a document, and those referred to so far."""

    def __init__(self, container: ZipContainer, related: dict[str, Relation]) -> None:
        self._elements: dict[tuple[str, str], Element] = {}
        self._relations: dict[str, dict[str, Relation]] = {}
        for kind, (relation, _) in PARTS.items():
            part = target_of_type(related, relation)
            root = container.xml_if_any(part)
            if root is None:
                continue
            self._relations[kind] = relations(container, part)
            self._elements |= {(kind, e.get("w:id", "")): e for e in root if e.tag == f"w:{kind}"}
        self._counts = dict.fromkeys(PARTS, 0)
        self._labels: dict[tuple[str, str], str] = {}
        self._waiting: list[Note] = []

    def refer(self, kind: str, number: str) -> str:
        """Returns the reference to a note; nothing where there is no such note."""
        key = (kind, number)
        element = self._elements.get(key)
        if element is None:
            return ""
        if key not in self._labels:
            self._counts[kind] += 1
            self._labels[key] = f"{PARTS[kind][1]}{self._counts[kind]}"
            self._waiting.append(Note(self._labels[key], element, self._relations[kind]))
        return f"[^{self._labels[key]}]"

    def take_pending(self) -> list[Note]:
        """Returns the notes referred to since the last time."""
        taken, self._waiting = self._waiting, []
        return taken
