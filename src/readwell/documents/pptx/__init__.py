"""PPTX becomes Markdown, slide by slide in the order of the show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..contract import Converter

if TYPE_CHECKING:
    from ..container import Container
    from ..ooxml import Relation

VERSION = "1"
USUAL = "ppt/presentation.xml"


class Slides:
    """An opened presentation."""

    unit = "slide"

    def __init__(self, content: bytes) -> None:
        from ..container import Container
        from ..ooxml import at, main_part, relations

        self._container = Container("pptx", content)
        part = main_part(self._container, USUAL)
        listed = at(self._container.xml(part), "p:sldIdLst")
        found = relations(self._container, part)
        wanted = [found.get(slide.get("r:id", "")) for slide in (listed if listed is not None else ())]
        self._parts = list(dict.fromkeys(slide.target for slide in wanted if slide and not slide.external))
        self._authors = _authors(self._container, found)
        self.count = len(self._parts)

    def prepared(self) -> bytes:
        """Returns nothing: the order of the slides is found at once."""
        return b""

    def markdown(self, number: int) -> str:
        """Returns one slide."""
        from .slide import slide_markdown

        return slide_markdown(self._container, self._parts[number - 1], self._authors)


def open_pptx(content: bytes, password: str | None, prepared: bytes) -> Slides:  # noqa: ARG001
    """Opens a presentation; one with a password is refused, since its parts cannot be told from noise."""
    return Slides(content)


def _authors(container: Container, found: dict[str, Relation]) -> dict[str, str]:
    from ..ooxml import target_of_type

    authors: dict[str, str] = {}
    for kind in ("commentAuthors", "authors"):
        root = container.xml_if_any(target_of_type(found, kind))
        authors |= {author.get("id", ""): author.get("name", "") for author in (root if root is not None else ())}
    return authors


PPTX = Converter("pptx", VERSION, open_pptx)
