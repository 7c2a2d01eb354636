"""Texts that slides repeat: footers and dates, and what stands on their layouts and masters."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from ..office_relations import Relation, children, relations, target_of_type
from ..xml_tree import at, every
from ..zip_container import Container
from .placeholders import FURNITURE, is_hidden, kind_of

NUMBER, NUMBER_PLACE = "slidenum", "sldNum"


class RepeatedTexts:
    """Finds the repeated texts of slides; each layout, master and slide is looked at once."""

    def __init__(self, container: Container) -> None:
        self._container = container
        self._of_slides: dict[str, list[str]] = {}
        self._of_layouts: dict[str, list[str]] = {}

    def of_slide(self, part: str) -> list[str]:
        """Returns the repeated texts of a slide; none of one that is missing."""
        if part not in self._of_slides:
            root = self._container.xml_if_any(part)
            links = {} if root is None else relations(self._container, part)
            self.note(part, root, links)
        return self._of_slides[part]

    def note(self, part: str, root: Element | None, links: dict[str, Relation]) -> None:
        """Takes the repeated texts of a slide that is open."""
        shows_layout = root is not None and root.get("showMasterSp") not in ("0", "false")
        layout = self._on_layout(target_of_type(links, "slideLayout"), "slideMaster") if shows_layout else []
        self._of_slides[part] = [*_texts(root, of_slide=True), *layout]

    def _on_layout(self, part: str, above: str) -> list[str]:
        """Returns the texts of a layout and of its master, or of a master."""
        if part not in self._of_layouts:
            root = self._container.xml_if_any(part)
            master = ""
            if root is not None and above and root.get("showMasterSp") not in ("0", "false"):
                master = target_of_type(relations(self._container, part), above)
            self._of_layouts[part] = [*_texts(root, of_slide=False), *(self._on_layout(master, "") if master else [])]
        return self._of_layouts[part]


def _texts(root: Element | None, of_slide: bool) -> Iterator[str]:
    """Yields the texts of a slide's footers and the like; of a layout those of shapes that slides do not fill."""
    shapes = _shapes(at(root, "p:cSld", "p:spTree"))
    for shape in shapes:
        if not is_hidden(shape) and (kind_of(shape) in FURNITURE if of_slide else not kind_of(shape)):
            text = " ".join(filter(None, map(_text, every(shape.find("p:txBody"), "a:p"))))
            yield "" if kind_of(shape) == NUMBER_PLACE and text.isdecimal() else text


def _shapes(tree: Element | None) -> Iterator[Element]:
    """Yields the shapes of a slide, also those in groups."""
    for child in children(tree) if tree is not None else ():
        if child.tag == "p:sp":
            yield child
        elif child.tag == "p:grpSp":
            yield from _shapes(child)


def _text(paragraph: Element) -> str:
    """Returns a paragraph without the number of its slide."""
    runs = (child for child in children(paragraph) if child.get("type") != NUMBER)
    return "".join([run.findtext("a:t") or "" for run in runs])
