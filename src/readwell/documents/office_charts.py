"""Charts and diagrams of the Office formats: the numbers and words that they were drawn from."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from ..errors import ConversionFailed, TooLarge
from .markdown_blocks import Blocks
from .office_relations import Relation
from .xml_tree import at, every
from .zip_container import ZipContainer

MAX_POINTS = 1000
MAX_SERIES = 100
UNREAD = "<!-- a {} cannot be read: its part of the file is missing or damaged -->"
CATEGORIES, VALUES = ("c:cat", "c:xVal"), ("c:val", "c:yVal")


def write_chart(container: ZipContainer, relation: Relation | None, blocks: Blocks) -> None:
    """Writes the chart that a relation leads to as a table, or that it cannot be read."""
    if relation and not relation.external:
        try:
            blocks.table(chart_rows(container.xml(relation.target)))
        except (ConversionFailed, TooLarge):
            blocks.raw(UNREAD.format("chart"))


def write_diagram(container: ZipContainer, relation: Relation | None, blocks: Blocks) -> None:
    """Writes the words of the diagram that a relation leads to as a list, or that it cannot be read."""
    if relation and not relation.external:
        try:
            lines = diagram_lines(container.xml(relation.target))
        except (ConversionFailed, TooLarge):
            blocks.raw(UNREAD.format("diagram"))
            return
        for line in lines:
            blocks.item(0, "-", line)


def chart_rows(root: Element | None) -> list[list[str]]:
    """Returns a chart as a table: its title, a column for each series, a row for each category."""
    if root is None:
        return []
    drawn = every(root, "c:ser")
    series = [(_name(each), _points(each, CATEGORIES), _points(each, VALUES)) for each in drawn[:MAX_SERIES]]
    none: dict[int, str] = {}
    categories = next((each for _, each, _ in series if each), none)
    indexes = sorted({index for _, _, values in series for index in values} | set(categories))
    rows = [[_title(root) or " ", *(name for name, _, _ in series)]]
    shown = indexes[:MAX_POINTS]
    rows += [[categories.get(i, str(i + 1)), *(values.get(i, "") for _, _, values in series)] for i in shown]
    left_out = ((len(indexes) - MAX_POINTS, "points"), (len(drawn) - MAX_SERIES, "series"))
    rows += [[f"… {count:,} more {what} are not shown"] for count, what in left_out if count > 0]
    return rows if indexes else []


def diagram_lines(root: Element | None) -> list[str]:
    """Returns the words of a diagram, one line for each of its shapes."""
    if root is None:
        return []
    lines = ("".join(text.text or "" for text in point.iter("a:t")) for point in root.iter("dgm:pt"))
    return [line.strip() for line in lines if line.strip()]


def _title(root: Element) -> str:
    """Returns the title of a chart."""
    title = at(root, "c:chart", "c:title")
    return "" if title is None else "".join(text.text or "" for text in title.iter("a:t"))


def _name(series: Element) -> str:
    """Returns the name of a series."""
    title = series.find("c:tx")
    return "" if title is None else " ".join(text.text or "" for text in title.iter("c:v"))


def _points(series: Element, names: tuple[str, str]) -> dict[int, str]:
    """Returns the values of a series by their number."""
    values = next((index for name in names for index in [series.find(name)] if index is not None), None)
    if values is None:
        return {}
    points: dict[int, str] = {}
    for point in values.iter("c:pt"):
        index, written = point.get("idx", ""), point.find("c:v")
        if index.isdecimal() and len(index) < 10 and written is not None:
            points[int(index)] = written.text or ""
    return points
