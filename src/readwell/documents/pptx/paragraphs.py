"""Text of drawings, as slides hold it: paragraphs, bullets by level, tables."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from ..markdown_blocks import Blocks, Run, inline
from ..office_maths import latex
from ..office_relations import Relation, resolved_children
from ..xml_tree import at, whole_number

MAX_LEVEL = 8


def runs_of(paragraph: Element, links: dict[str, Relation]) -> list[Run]:
    """Returns the runs of a paragraph."""
    runs: list[Run] = []
    for child in resolved_children(paragraph):
        if child.tag in ("a:r", "a:fld"):
            runs.append(_run(child, links))
        elif child.tag == "a:br":
            runs.append(Run("\n"))
        elif child.tag == "a14:m":
            runs.extend(Run(f"${latex(formula)}$") for formula in child.iter("m:oMath"))
    return runs


def _run(element: Element, links: dict[str, Relation]) -> Run:
    """Returns a run of text with its marks and link."""
    text = element.findtext("a:t") or ""
    properties = element.find("a:rPr")
    if properties is None:
        return Run(text.replace("\v", "\n"))
    marks = "".join(mark for mark in "bi" if properties.get(mark) in ("1", "true"))
    if properties.get("strike", "noStrike") != "noStrike":
        marks += "s"
    raised = properties.get("baseline", "0")
    if raised not in ("0", "0%"):
        marks += "_" if raised.startswith("-") else "^"
    click = properties.find("a:hlinkClick")
    link = None if click is None else links.get(click.get("r:id", ""))
    return Run(text.replace("\v", "\n"), marks, link.target if link and link.external else "")


def plain_text(body: Element | None, links: dict[str, Relation]) -> str:
    """Returns the text of a body without any marks, a line for each paragraph."""
    if body is None:
        return ""
    lines = ["".join(run.text for run in runs_of(paragraph, links)) for paragraph in body.findall("a:p")]
    return "\n".join(lines).strip()


def write_paragraphs(body: Element, links: dict[str, Relation], bulleted: bool, blocks: Blocks) -> None:
    """Adds the paragraphs of a body; where none says otherwise, they are items of a list if it is `bulleted`."""
    counted: list[int] = []
    for paragraph in body.findall("a:p"):
        text = inline(runs_of(paragraph, links))
        properties = paragraph.find("a:pPr")
        level = _level(properties)
        label = _label(properties, bulleted, level, counted) if text.strip() else None
        if label:
            blocks.item(level, label, text)
        else:
            counted.clear()
            blocks.paragraph(text)


def _level(properties: Element | None) -> int:
    """Returns how deep a paragraph is indented."""
    return 0 if properties is None else min(whole_number(properties.get("lvl"), 0), MAX_LEVEL)


def _label(properties: Element | None, bulleted: bool, level: int, counted: list[int]) -> str:
    """Returns `-`, a number, or nothing; `counted` holds how far each level has got."""
    del counted[level + 1 :]
    counted += [0] * (level + 1 - len(counted))
    numbered = at(properties, "a:buAutoNum")
    if numbered is not None:
        counted[level] = counted[level] + 1 if counted[level] else whole_number(numbered.get("startAt"), 1)
        return f"{counted[level]}."
    counted[level] = 0
    if at(properties, "a:buNone") is not None:
        return ""
    drawn = at(properties, "a:buChar") is not None or at(properties, "a:buBlip") is not None
    return "-" if drawn or bulleted else ""


def table_rows(element: Element, links: dict[str, Relation]) -> list[list[str]]:
    """Returns the cells of a table; those covered by another are empty."""
    return [[_cell(cell, links) for cell in row.findall("a:tc")] for row in element.findall("a:tr")]


def _cell(element: Element, links: dict[str, Relation]) -> str:
    """Returns the text of a cell in one line; empty where a merged cell covers it."""
    body = element.find("a:txBody")
    if body is None or "1" in (element.get("hMerge"), element.get("vMerge")):
        return ""
    blocks = Blocks()
    write_paragraphs(body, links, False, blocks)
    return blocks.cell_text()
