"""What a sheet of an XLSX has beside its cells: comments, drawings, headers and footers of its pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from ...errors import ConversionFailed, TooLarge
from ..beside_cells import BesideCells, Comment, header_text, joined
from ..office_charts import diagram_lines
from ..office_relations import Relation, relations, resolved_children, target_of_type
from ..xml_tree import at, every, local_name, whole_number
from ..zip_container import ZipContainer
from .shared_strings import rich_text

PLACEHOLDER = "tc="
"""How the author of a comment begins that stands for a thread, for programs that know none."""
CHARTS, DIAGRAM = ("c:chart", "chart"), "dgm:relIds"
"""What a frame of a drawing holds: a chart, one of a kind that Office 2016 brought, or a diagram."""
SWITCHES = {"even": "differentOddEven", "first": "differentFirst"}
"""How the names of headers of some pages begin, and what tells that the sheet has such pages."""


def find_beside_cells(container: ZipContainer, part: str, people: dict[str, str] | None) -> BesideCells:
    """Returns what is beside the cells of a sheet; people that are None cannot be read."""
    beside = BesideCells()
    related = _relations_or_note_damage(container, part, beside)
    listed, threaded = (
        _root_or_note_damage(container, target_of_type(related, kind), beside)
        for kind in ("comments", "threadedComment")
    )
    threads = list(_threaded_comments(threaded, people or {}))
    beside.is_damaged |= bool(threads) and people is None
    beside.comments = [*_comments(listed, {thread.cell for thread in threads}), *threads]
    if drawing := target_of_type(related, "drawing"):
        _add_drawing_part(container, drawing, beside)
    return beside


def _add_drawing_part(container: ZipContainer, part: str, beside: BesideCells) -> None:
    """Reads the part with what is drawn on a sheet: counts that, and takes the words of boxes and diagrams."""
    root = _root_or_note_damage(container, part, beside)
    diagrams = [] if root is None else list(_add_drawings(root, beside))
    related = _relations_or_note_damage(container, part, beside) if diagrams else {}
    found = (related.get(diagram.get("r:dm", "")) for diagram in diagrams)
    parts = Counter(relation.target if relation and not relation.external else "" for relation in found)
    for each, count in parts.items():
        words = diagram_lines(_root_or_note_damage(container, each, beside))
        beside.diagrams.append(" ".join(words))
        beside.drawings += 0 if words else count


def _relations_or_note_damage(container: ZipContainer, part: str, beside: BesideCells) -> dict[str, Relation]:
    """Returns the relations of a part; none where they are damaged."""
    try:
        return relations(container, part)
    except (ConversionFailed, TooLarge):
        beside.is_damaged = True
        return {}


def _root_or_note_damage(container: ZipContainer, part: str, beside: BesideCells) -> Element | None:
    """Returns the root element of a part; None where there is none, or it is missing or damaged."""
    try:
        return container.xml(part) if part else None
    except (ConversionFailed, TooLarge):
        beside.is_damaged = True
        return None


def add_page_headers(root: Element, beside: BesideCells) -> None:
    """Takes the headers and footers that a worksheet prints: of even and first pages, where it has such."""
    for pages in (child for child in root if local_name(child) == "headerFooter"):
        unprinted = tuple(kind for kind, switch in SWITCHES.items() if pages.get(switch) not in ("1", "true"))
        for element in (each for each in pages if not local_name(each).startswith(unprinted)):
            texts = beside.headers if local_name(element).endswith("Header") else beside.footers
            texts.append(header_text(element.text or ""))


def _comments(root: Element | None, threads: set[str]) -> Iterator[Comment]:
    """Yields the comments of a sheet, without those that only stand for the threads of these cells."""
    authors = [author.text or "" for author in every(root, "author")]
    for comment in every(root, "comment"):
        number, text = whole_number(comment.get("authorId"), len(authors)), comment.find("text")
        author = authors[number] if number < len(authors) else ""
        cell = comment.get("ref", "")
        if text is not None and not (cell in threads and author.startswith(PLACEHOLDER)):
            yield Comment(cell, author, rich_text(text))


def _threaded_comments(root: Element | None, people: dict[str, str]) -> Iterator[Comment]:
    """Yields the comments that can be answered, and their answers."""
    for comment in every(root, "threadedComment"):
        yield Comment(
            comment.get("ref", ""), people.get(comment.get("personId", ""), ""), comment.findtext("text") or ""
        )


def _add_drawings(element: Element, beside: BesideCells) -> Iterator[Element]:
    """Counts the charts, pictures and other drawings below an element, takes the texts of boxes, yields diagrams."""
    for child in resolved_children(element):
        if child.tag == "graphicFrame":
            content = at(child, "a:graphic", "a:graphicData")
            held = {each.tag: each for each in (resolved_children(content) if content is not None else ())}
            if DIAGRAM in held:
                yield held[DIAGRAM]
            elif held.keys().isdisjoint(CHARTS):
                beside.drawings += 1
            else:
                beside.charts += 1
        elif child.tag == "pic":
            beside.pictures += 1
        elif child.tag == "sp":
            paragraphs = every(child, "a:p")
            beside.boxes.append(joined("".join(text.text or "" for text in each.iter("a:t")) for each in paragraphs))
        else:
            yield from _add_drawings(child, beside)
