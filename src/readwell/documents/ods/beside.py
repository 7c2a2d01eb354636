"""What a sheet of an ODS has beside its cells: comments and drawings."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element

from ..beside_cells import BesideCells, Comment, joined
from ..odf_text import plain_text
from ..sheet_markdown import column_name
from ..xml_tree import every, whole_number
from ..zip_container import ZipContainer
from .rows import CELLS, repeat_count

CHART = "application/vnd.oasis.opendocument.chart"
BOXES = ("draw:text-box", "draw:custom-shape", "draw:caption", "draw:rect", "draw:ellipse", "draw:line")


def add_comments(beside: BesideCells, rows: Iterable[Element], rows_before: int = 0) -> None:
    """Takes the comments of rows, of which the first has the number after `rows_before`."""
    number = rows_before + 1
    for row in rows:
        column = 0
        for cell in (child for child in row if child.tag in CELLS):
            for note in cell.findall("office:annotation"):
                name = f"{column_name(column)}{number}"
                beside.comments.append(Comment(name, note.findtext("dc:creator") or "", _text(note)))
            column += whole_number(cell.get("table:number-columns-repeated"), 1)
        number += repeat_count(row)


def chart_objects(container: ZipContainer) -> frozenset[str]:
    """Returns the names of the embedded objects that are charts, as the manifest of a file tells."""
    entries = every(container.xml_if_sound("META-INF/manifest.xml"), "manifest:file-entry")
    return frozenset(
        entry.get("manifest:full-path", "").strip("/") for entry in entries if entry.get("manifest:media-type") == CHART
    )


def add_drawings(beside: BesideCells, element: Element, charts: frozenset[str]) -> None:
    """Counts the charts, pictures and other objects below an element, and takes the texts of boxes."""
    for child in element:
        if child.tag == "draw:frame" and (embedded := child.find("draw:object")) is not None:
            is_chart = embedded.get("xlink:href", "").removeprefix("./").strip("/") in charts
            beside.charts += is_chart
            beside.drawings += not is_chart
        elif child.tag == "draw:frame" and child.find("draw:image") is not None:
            beside.pictures += 1
        elif child.tag in BOXES:
            beside.boxes.append(_text(child))
        elif child.tag != "office:annotation":
            add_drawings(beside, child, charts)


def _text(element: Element) -> str:
    """Returns the paragraphs of a comment or box."""
    return joined(map(plain_text, element.iter("text:p")))
