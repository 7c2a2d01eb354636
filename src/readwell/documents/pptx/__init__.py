"""PPTX becomes Markdown, slide by slide in the order of the show."""

from __future__ import annotations

from ..contract import Converter
from ..encrypted_office import load_decryption
from ..office_relations import Relation, main_part, relations, target_of_type
from ..xml_tree import at
from ..zip_container import ZipContainer
from .slide import Deck, slide_markdown

VERSION = "8"
USUAL = "ppt/presentation.xml"


class PptxPresentation:
    """An opened presentation."""

    unit = "slide"

    def __init__(self, content: bytes, password: str | None) -> None:
        container = ZipContainer("pptx", content, password=password)
        part = main_part(container, USUAL)
        listed = at(container.xml(part), "p:sldIdLst")
        related = relations(container, part)
        wanted = [slide.get("r:id", "") for slide in (listed if listed is not None else ())]
        self._parts = list(dict.fromkeys(_slide_part(related.get(identity), identity) for identity in wanted))
        self._deck = Deck(container, _authors(container, related))
        self.count = len(self._parts)

    def prepared(self) -> bytes:
        """Returns nothing: the order of the slides is found at once."""
        return b""

    def markdown(self, number: int) -> str:
        """Returns one slide."""
        before = self._parts[number - 2] if number > 1 else ""
        return slide_markdown(self._deck, self._parts[number - 1], before)


def open_pptx(content: bytes, password: str | None, prepared: bytes) -> PptxPresentation:  # noqa: ARG001
    """Opens a presentation."""
    return PptxPresentation(content, password)


def _slide_part(relation: Relation | None, identity: str) -> str:
    """Returns the part of a slide; where the file names none, a name that no part has."""
    return f"//{identity}" if relation is None or relation.external else relation.target


def _authors(container: ZipContainer, related: dict[str, Relation]) -> dict[str, str]:
    """Returns the names of the people who wrote comments."""
    authors: dict[str, str] = {}
    for kind in ("commentAuthors", "authors"):
        root = container.xml_if_any(target_of_type(related, kind))
        authors |= {author.get("id", ""): author.get("name", "") for author in (root if root is not None else ())}
    return authors


PPTX = Converter("pptx", VERSION, open_pptx, load_decryption)
