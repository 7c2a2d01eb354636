"""A slide becomes Markdown: its title, then its shapes in the order in which they are read aloud, then notes."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from ..markdown_blocks import Blocks, HiddenContentFlag, image
from ..office_charts import write_chart, write_diagram
from ..office_relations import Relation, relations, resolved_children, target_of_type
from ..xml_tree import at, every
from ..zip_container import ZipContainer
from .paragraphs import plain_text, table_rows, write_paragraphs
from .placeholders import FURNITURE, has_no_bullets, is_hidden, placeholder_index, placeholder_kind
from .repeated_texts import RepeatedTexts

TITLES = ("title", "ctrTitle")


class Deck:
    """What all slides share: the container, the authors of comments, and layouts, each read once."""

    def __init__(self, container: ZipContainer, authors: dict[str, str]) -> None:
        self.container, self.authors = container, authors
        self.repeated = RepeatedTexts(container)
        self._without_bullets: dict[str, set[str]] = {}

    def placeholders_without_bullets(self, layout: str) -> set[str]:
        """Returns the indexes of the placeholders of a layout whose paragraphs have no bullets."""
        if layout not in self._without_bullets:
            shapes = every(self.container.xml_if_sound(layout), "p:sp")
            self._without_bullets[layout] = {placeholder_index(shape) for shape in shapes if has_no_bullets(shape)}
        return self._without_bullets[layout]


def slide_markdown(deck: Deck, part: str, before: str) -> str:
    """Returns a slide, naming repeated texts that the one before it has not; a missing one is told so."""
    container = deck.container
    if part not in container:
        return "*This slide is missing from the file.*"
    root = container.xml(part)
    links = relations(container, part)
    left_out = HiddenContentFlag()
    slide = _SlideWriter(
        container, links, deck.placeholders_without_bullets(target_of_type(links, "slideLayout")), left_out
    )
    blocks = Blocks()
    if root.get("show") in ("0", "false"):
        blocks.paragraph("*Hidden slide*")
    tree = at(root, "p:cSld", "p:spTree")
    if tree is not None:
        slide.write_title(tree, blocks)
        slide.write_shapes(tree, blocks)
    _write_notes(container, links, blocks)
    _write_comments(container, links, deck.authors, blocks)
    deck.repeated.record_slide(part, root, links)
    blocks.raw(deck.repeated.new_texts_comment(part, before))
    left_out.add_comment(blocks)
    return blocks.markdown()


class _SlideWriter:
    """Writes the shapes of one slide."""

    def __init__(
        self,
        container: ZipContainer,
        links: dict[str, Relation],
        without_bullets: set[str],
        left_out: HiddenContentFlag,
    ) -> None:
        self._container, self._links, self._without_bullets, self._left_out = (
            container,
            links,
            without_bullets,
            left_out,
        )

    def write_title(self, tree: Element, blocks: Blocks) -> None:
        """Adds the title, wherever it stands among the shapes that are shown."""
        for shape in resolved_children(tree):
            if is_hidden(shape):
                continue
            if shape.tag == "p:grpSp":
                self.write_title(shape, blocks)
            elif shape.tag == "p:sp" and placeholder_kind(shape) in TITLES:
                blocks.heading(1, plain_text(shape.find("p:txBody"), self._links))

    def write_shapes(self, tree: Element, blocks: Blocks) -> None:
        """Adds the shapes of a slide or a group."""
        for shape in resolved_children(tree):
            if is_hidden(shape):
                self._left_out.is_set = True
                continue
            match shape.tag:
                case "p:sp":
                    self._write_shape(shape, blocks)
                case "p:grpSp":
                    self.write_shapes(shape, blocks)
                case "p:graphicFrame":
                    self._write_frame(shape, blocks)
                case "p:pic":
                    blocks.paragraph(image(_alt_text(shape, "p:nvPicPr")))
                case _:
                    continue

    def _write_shape(self, shape: Element, blocks: Blocks) -> None:
        """Writes the text of a shape, with bullets where its layout has them."""
        kind, body = placeholder_kind(shape), shape.find("p:txBody")
        if body is None or kind in TITLES or kind in FURNITURE:
            return
        bulleted = (
            kind in ("body", "obj")
            and placeholder_index(shape) not in self._without_bullets
            and not has_no_bullets(shape)
        )
        write_paragraphs(body, self._links, bulleted, blocks)
        blocks.end_list()

    def _write_frame(self, frame: Element, blocks: Blocks) -> None:
        """Writes the table, chart or diagram in a frame."""
        content = at(frame, "a:graphic", "a:graphicData")
        if content is None:
            return
        for child in resolved_children(content):
            match child.tag:
                case "a:tbl":
                    blocks.table(table_rows(child, self._links))
                case "c:chart":
                    write_chart(self._container, self._links.get(child.get("r:id", "")), blocks)
                case "dgm:relIds":
                    write_diagram(self._container, self._links.get(child.get("r:dm", "")), blocks)
                case _:
                    blocks.paragraph(image(_alt_text(frame, "p:nvGraphicFramePr")))


def _write_notes(container: ZipContainer, links: dict[str, Relation], blocks: Blocks) -> None:
    """Writes the notes of a slide."""
    part = target_of_type(links, "notesSlide")
    root = container.xml_if_any(part)
    bodies = [shape.find("p:txBody") for shape in every(root, "p:sp") if placeholder_kind(shape) not in FURNITURE]
    own = relations(container, part)
    said = [body for body in bodies if body is not None and plain_text(body, own)]
    if said:
        blocks.raw("Notes:")
    for body in said:
        write_paragraphs(body, own, False, blocks)


def _write_comments(
    container: ZipContainer, links: dict[str, Relation], authors: dict[str, str], blocks: Blocks
) -> None:
    """Writes the comments on a slide with their authors."""
    root = container.xml_if_any(target_of_type(links, "comments"))
    comments = [] if root is None else [comment for comment in root.iter() if comment.tag in ("p:cm", "cm", "reply")]
    if comments:
        blocks.raw("Comments:")
    for comment in comments:
        body = comment.find("txBody")
        text = comment.findtext("p:text") or plain_text(body, links)
        author = authors.get(comment.get("authorId", ""))
        blocks.item(0, "-", f"{author}: {text}" if author else text)


def _alt_text(shape: Element, properties: str) -> str:
    """Returns the description of a shape; else its title or name."""
    named = at(shape, properties, "p:cNvPr")
    return "" if named is None else named.get("descr") or named.get("title") or named.get("name") or ""
