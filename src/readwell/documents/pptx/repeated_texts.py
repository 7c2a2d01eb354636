"""Texts that slides repeat: footers and dates, and what stands on their layouts and masters."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from xml.etree.ElementTree import Element

from ...errors import ConversionFailed, TooLarge
from ..left_out_texts import left_out_comment
from ..office_relations import Relation, relations, resolved_children, target_of_type
from ..xml_tree import at, every
from ..zip_container import ZipContainer
from .placeholders import FURNITURE, is_hidden, placeholder_kind

NUMBER, NUMBER_PLACE = "slidenum", "sldNum"
DAMAGED = "\0"
"""Stands among the texts for those of a damaged part: no text of a document has this character."""
UNREAD = "<!-- texts of the layout or master cannot be read: their part of the file is damaged -->"


class RepeatedTexts:
    """Finds the repeated texts of slides; each layout, master and slide is looked at once."""

    def __init__(self, container: ZipContainer) -> None:
        self._container = container
        self._of_slides: dict[str, list[str]] = {}
        self._of_layouts: dict[str, list[str]] = {}

    def new_texts_comment(self, part: str, before: str) -> str:
        """Returns the comments that name the repeated texts of a slide that the one before it has not."""
        known = set(self._texts_of_slide(before))
        new = dict.fromkeys(text for text in self._texts_of_slide(part) if text not in known)
        comments = (
            left_out_comment("repeated text", (text for text in new if text != DAMAGED)),
            UNREAD * (DAMAGED in new),
        )
        return "\n".join(filter(None, comments))

    def _texts_of_slide(self, part: str) -> list[str]:
        """Returns the repeated texts of a slide; none of one that is missing or damaged."""
        if part not in self._of_slides:
            root, links = self._container.xml_if_sound(part), dict[str, Relation]()
            with suppress(ConversionFailed, TooLarge):
                links = relations(self._container, part) if root is not None else links
            self.record_slide(part, root, links)
        return self._of_slides[part]

    def record_slide(self, part: str, root: Element | None, links: dict[str, Relation]) -> None:
        """Records the repeated texts of a slide that is already parsed."""
        shows_layout = root is not None and root.get("showMasterSp") not in ("0", "false")
        layout = self._texts_of_layout(target_of_type(links, "slideLayout"), "slideMaster") if shows_layout else []
        self._of_slides[part] = [*_texts(root, of_slide=True), *layout]

    def _texts_of_layout(self, part: str, above: str) -> list[str]:
        """Returns the texts of a layout and of its master, or of a master, and whether one of these is damaged."""
        if part not in self._of_layouts:
            self._of_layouts[part] = texts = list[str]()
            try:
                root = self._container.xml_if_any(part)
                texts += _texts(root, of_slide=False)
                if root is not None and above and root.get("showMasterSp") not in ("0", "false"):
                    texts += self._texts_of_layout(target_of_type(relations(self._container, part), above), "")
            except (ConversionFailed, TooLarge):
                texts.append(DAMAGED)
        return self._of_layouts[part]


def _texts(root: Element | None, of_slide: bool) -> Iterator[str]:
    """Yields the texts of a slide's footers and the like; of a layout those of shapes that slides do not fill."""
    shapes = _shapes(at(root, "p:cSld", "p:spTree"))
    for shape in shapes:
        if not is_hidden(shape) and (placeholder_kind(shape) in FURNITURE if of_slide else not placeholder_kind(shape)):
            text = " ".join(filter(None, map(_text, every(shape.find("p:txBody"), "a:p"))))
            yield "" if placeholder_kind(shape) == NUMBER_PLACE and text.isdecimal() else text


def _shapes(tree: Element | None) -> Iterator[Element]:
    """Yields the shapes of a slide, also those in groups."""
    for child in resolved_children(tree) if tree is not None else ():
        if child.tag == "p:sp":
            yield child
        elif child.tag == "p:grpSp":
            yield from _shapes(child)


def _text(paragraph: Element) -> str:
    """Returns a paragraph without the number of its slide."""
    runs = (child for child in resolved_children(paragraph) if child.get("type") != NUMBER)
    return "".join([" " if run.tag == "a:br" else run.findtext("a:t") or "" for run in runs])
