"""The body of a DOCX, its notes, cells and text boxes become blocks of Markdown; charts and diagrams, too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from ...named_tuple import NamedTuple
from ..markdown_blocks import MAX_COLUMNS, Blocks, HiddenContentFlag, Run, in_one_line, inline
from ..office_charts import write_chart, write_diagram
from ..office_relations import Relation, resolved_children, switched_on, val_attribute
from ..xml_tree import at, whole_number
from ..zip_container import ZipContainer
from .notes import Notes
from .numbering import LEVELS, Numbering
from .paragraph import ParagraphReader
from .styles import ParagraphLook, Styles

TRANSPARENT = frozenset("w:sdt w:sdtContent w:customXml w:ins w:moveTo w:smartTag".split())
INSERTED = "<!-- left out: a part in another format, which stands here -->"
GONE = ("w:del", "w:moveFrom")
MARKDOWN_NUMBER = re.compile(r"[0-9]{1,9}[.)]")
LOOKS_LIKE_CODE = re.compile(r"[{};=<>\\]|\w\(|^(?: {2}|\t)", re.M)


class Context(NamedTuple):
    """What is the same for the whole document."""

    container: ZipContainer
    styles: Styles
    numbering: Numbering
    notes: Notes
    left_out: HiddenContentFlag


class DocxBodyWriter:
    """Writes the content of one part."""

    def __init__(self, context: Context, relations: dict[str, Relation]) -> None:
        self._context, self._relations = context, relations
        self._paragraphs = ParagraphReader(relations, context.styles, context.notes, context.left_out)
        self._carried: list[Run] = []

    def write_content(self, element: Element, blocks: Blocks) -> None:
        """Adds everything in an element to the blocks."""
        self._write_children(element, blocks)
        if self._carried:
            runs, self._carried = self._carried, []
            self._write_runs(None, runs, blocks)

    def _write_children(self, element: Element, blocks: Blocks) -> None:
        """Writes the paragraphs and tables below an element."""
        for child in resolved_children(element):
            if child.tag == "w:p":
                self._write_paragraph(child, blocks)
            elif child.tag == "w:tbl":
                self._write_table(child, blocks)
            elif child.tag == "w:altChunk":
                blocks.raw(INSERTED)
            elif child.tag in TRANSPARENT:
                self._write_children(child, blocks)

    def _write_paragraph(self, element: Element, blocks: Blocks) -> None:
        """Writes a paragraph; one whose end is deleted continues in the next one."""
        properties = element.find("w:pPr")
        runs, asides = self._paragraphs.read(element)
        self._carried += runs
        if at(properties, "w:rPr", "w:del") is None:
            runs, self._carried = self._carried, []
            if runs or all(element.find(name) is None for name in GONE):
                self._write_runs(properties, runs, blocks)
        for aside in asides:
            self._write_aside(aside, blocks)

    def _write_runs(self, properties: Element | None, runs: list[Run], blocks: Blocks) -> None:
        """Writes a paragraph as what its style and numbering make it: heading, item, code, quotation or text."""
        style = val_attribute(properties, "w:pStyle")
        look = self._context.styles.look(style)
        own = whole_number(val_attribute(properties, "w:outlineLvl"), LEVELS)
        if own < LEVELS:
            look = look._replace(level=own + 1)
        label, level = self._label_and_level(properties, look, style or "")
        if not any(run.text.strip() for run in runs):
            return
        if look.level:
            text = inline([run._replace(marks=run.marks.replace("b", "")) for run in runs])
            blocks.heading(look.level, f"{label} {text}" if label else text)
        elif label is not None:
            shown = bool(label) and not MARKDOWN_NUMBER.fullmatch(label)
            text = inline(runs)
            blocks.item(level, "-" if shown or not label else label, f"{label} {text}" if shown else text)
        else:
            _write_unlabelled(look, runs, blocks)

    def _label_and_level(self, properties: Element | None, look: ParagraphLook, style: str) -> tuple[str | None, int]:
        """Returns the number or bullet before a paragraph, and its level; None without one."""
        list_id = val_attribute(properties, "w:numPr", "w:numId") or look.list_id
        if not list_id or list_id == "0":
            return None, 0
        numbering = self._context.numbering
        written = (
            val_attribute(properties, "w:numPr", "w:ilvl") or look.list_level or numbering.level_of(list_id, style)
        )
        level = min(whole_number(written, 0), LEVELS - 1)
        return numbering.next_label(list_id, level), level

    def _write_aside(self, aside: Element, blocks: Blocks) -> None:
        """Writes what floats beside a paragraph: a text box, a chart, words set as a drawing, or a diagram."""
        if aside.tag == "w:txbxContent":
            DocxBodyWriter(self._context, self._relations).write_content(aside, blocks)
        elif aside.tag == "v:textpath":
            blocks.paragraph(aside.get("string", ""))
        elif aside.tag == "c:chart":
            write_chart(self._context.container, self._relations.get(aside.get("r:id", "")), blocks)
        else:
            write_diagram(self._context.container, self._relations.get(aside.get("r:dm", "")), blocks)

    def _write_table(self, element: Element, blocks: Blocks) -> None:
        """Adds a table; one of a single cell is a box around its content."""
        rows = [row for row in _rows_or_cells(element, "w:tr") if at(row, "w:trPr", "w:del") is None]
        seen = [row for row in rows if not switched_on(row, "w:trPr", "w:hidden")]
        if len(seen) < len(rows):
            rows, self._context.left_out.is_set = seen, True
        cells = list(_rows_or_cells(rows[0], "w:tc")) if len(rows) == 1 else []
        if len(cells) == 1:
            self.write_content(cells[0], blocks)
        else:
            blocks.table([self._row(row) for row in rows])

    def _row(self, row: Element) -> list[str]:
        """Returns the cells of a table row; those that a merged cell covers are empty."""
        cells = [""] * _column_count(val_attribute(row, "w:trPr", "w:gridBefore"), 0)
        for element in _rows_or_cells(row, "w:tc"):
            properties = element.find("w:tcPr")
            cells.append("" if _is_merged_with_above(properties) else self._cell(element))
            cells += [""] * (_column_count(val_attribute(properties, "w:gridSpan"), 1) - 1)
        return cells

    def _cell(self, element: Element) -> str:
        """Returns the text of a cell in one line."""
        blocks = Blocks()
        self.write_content(element, blocks)
        return blocks.cell_text()


def write_notes(context: Context, blocks: Blocks) -> None:
    """Adds the notes that the text refers to, and those that these refer to."""
    while taken := context.notes.take_pending():
        for note in taken:
            inner = Blocks()
            DocxBodyWriter(context, note.relations).write_content(note.element, inner)
            author = note.element.get("w:author") if note.element.tag == "w:comment" else None
            told = inner.markdown().replace("\n", "\n    ")
            blocks.raw(f"[^{note.label}]: " + (f"Comment by {in_one_line(author)}: {told}" if author else told))


def _write_unlabelled(look: ParagraphLook, runs: list[Run], blocks: Blocks) -> None:
    """Writes a paragraph without heading or number: code, a quotation or text."""
    text = "".join([run.text for run in runs])
    monospaced = all("c" in run.marks or not run.text.strip() for run in runs)
    if look.kind == "code" or (monospaced and LOOKS_LIKE_CODE.search(text)):
        blocks.code(text.rstrip())
        return
    if monospaced:
        runs = [run._replace(marks=run.marks.replace("c", "")) for run in runs]
    (blocks.quote if look.kind == "quote" else blocks.paragraph)(inline(runs))


def _rows_or_cells(element: Element, tag: str) -> Iterator[Element]:
    """Yields the rows of a table or the cells of a row, also those within a content control."""
    for child in resolved_children(element):
        if child.tag == tag:
            yield child
        elif child.tag in TRANSPARENT:
            yield from _rows_or_cells(child, tag)


def _is_merged_with_above(properties: Element | None) -> bool:
    """Whether a cell belongs to the one above."""
    merged = at(properties, "w:vMerge")
    return merged is not None and val_attribute(merged) in (None, "continue")


def _column_count(written: str | None, otherwise: int) -> int:
    """Returns a number of columns; one that no table has is not believed."""
    columns = whole_number(written, otherwise)
    return columns if columns <= MAX_COLUMNS else otherwise
