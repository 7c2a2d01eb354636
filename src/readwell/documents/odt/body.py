"""The body of an ODT, its notes, cells and text boxes become blocks of Markdown; hidden parts are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from ...errors import ConversionFailed
from ..markdown_blocks import MAX_COLUMNS, Blocks, in_one_line, inline
from ..xml_tree import whole_number
from .heading_numbers import HeadingNumbering
from .paragraph import Notes, Paragraph
from .styles import Styles

MAX_REPEATS = 1000
MAX_ROWS = 100_000
MAX_LEVEL = 9
ROWS = ("table:table-header-rows", "table:table-rows", "table:table-row-group")
CELLS = ("table:table-cell", "table:covered-table-cell")
SKIPPED = frozenset(
    "text:tracked-changes office:forms text:sequence-decls text:variable-decls text:user-field-decls".split()
)
MARKDOWN_NUMBER = re.compile(r"[0-9]{1,9}[.)]")


class OdfBodyWriter:
    """Writes the content of a document; notes are gathered until the end."""

    def __init__(self, styles: Styles, outline: HeadingNumbering) -> None:
        self._styles, self._outline = styles, outline
        self._notes = Notes()
        self.left_out = self._notes.left_out
        self._counted: dict[str, int] = {}

    def write_content(self, element: Element, blocks: Blocks) -> None:
        """Adds everything in an element to the blocks."""
        for child in element:
            match child.tag:
                case "text:h":
                    self._write_heading(child, blocks)
                case "text:p":
                    self._write_paragraph(child, blocks)
                case "text:list":
                    self._write_list(child, "", 0, blocks)
                case "table:table":
                    blocks.table(self._rows(child))
                case "draw:frame":
                    self._write_loose_frame(child, blocks)
                case _ if is_hidden_section(child):
                    self._notes.left_out.is_set = True
                case _ if child.tag not in SKIPPED:
                    self.write_content(child, blocks)
                case _:
                    continue

    def write_notes(self, blocks: Blocks) -> None:
        """Adds the notes that the text refers to, and whether anything is hidden."""
        for label, note in self._notes.pending:
            inner = Blocks()
            body = note.find("text:note-body")
            self.write_content(note if body is None else body, inner)
            author = note.findtext("dc:creator") if note.tag == "office:annotation" else None
            told = inner.markdown().replace("\n", "\n    ")
            blocks.raw(f"[^{label}]: " + (f"Comment by {in_one_line(author)}: {told}" if author else told))
        self._notes.left_out.add_comment(blocks)

    def _write_heading(self, element: Element, blocks: Blocks, label: str = "") -> None:
        """Adds a heading with its number: that of the list it stands in, or that of the outline."""
        level = max(1, min(whole_number(element.get("text:outline-level"), 1), MAX_LEVEL))
        paragraph = Paragraph(element, self._styles, self._notes)
        text = inline(paragraph.runs)
        if text.strip() and element.get("text:is-list-header") != "true":
            label = label or self._outline.next_label(level)
        blocks.heading(level, f"{label} {text}")
        self._write_boxes(paragraph, blocks)

    def _write_paragraph(self, element: Element, blocks: Blocks) -> None:
        """Writes a paragraph as what its style makes it, and the boxes beside it."""
        paragraph = Paragraph(element, self._styles, self._notes)
        match self._styles.kind(element.get("text:style-name", "")):
            case "code":
                blocks.code("".join([run.text for run in paragraph.runs]).rstrip())
            case "quote":
                blocks.quote(inline(paragraph.runs))
            case "title":
                blocks.heading(1, inline(paragraph.runs))
            case _:
                blocks.paragraph(inline(paragraph.runs))
        self._write_boxes(paragraph, blocks)

    def _write_boxes(self, paragraph: Paragraph, blocks: Blocks) -> None:
        """Writes the text boxes of a paragraph."""
        for box in paragraph.boxes:
            self.write_content(box, blocks)

    def _write_loose_frame(self, frame: Element, blocks: Blocks) -> None:
        """Adds a frame that hangs on a page instead of a paragraph."""
        around = frame.makeelement("text:p", {})
        around.append(frame)
        self._write_paragraph(around, blocks)

    def _write_list(self, element: Element, style: str, level: int, blocks: Blocks) -> None:
        """Writes a list with its numbers; a continued one goes on counting."""
        style = element.get("text:style-name") or style
        how = self._styles.level(style, level)
        counter = f"{style}/{level}"
        continued = element.get("text:continue-numbering") == "true" or element.get("text:continue-list")
        number = self._counted.get(counter, how.start - 1) if continued else how.start - 1
        for item in element:
            if item.tag not in ("text:list-item", "text:list-header"):
                continue
            number = whole_number(item.get("text:start-value"), number + 1)
            self._write_item(item, style, min(level, MAX_LEVEL), how.label(number), blocks)
        self._counted[counter] = number

    def _write_item(self, item: Element, style: str, level: int, label: str, blocks: Blocks) -> None:
        """Writes an item of a list, with the lists inside it."""
        lines: list[str] = []
        for child in item:
            if child.tag == "text:list":
                _flush_item(lines, level, label, blocks)
                self._write_list(child, style, level + 1, blocks)
            elif child.tag == "text:h":
                self._write_heading(child, blocks, label)
            else:
                inner = Blocks()
                around = child.makeelement("text:section", {})
                around.append(child)
                self.write_content(around, inner)
                lines.append(inner.cell_text())
        _flush_item(lines, level, label, blocks)

    def _rows(self, table: Element) -> list[list[str]]:
        """Returns the rows of a table; empty ones that are repeated are left out."""
        rows: list[list[str]] = []
        for row in _rows_below(table):
            cells = self._row(row)
            repeated = whole_number(row.get("table:number-rows-repeated"), 1)
            if any(cells) and (repeated > MAX_REPEATS or len(rows) > MAX_ROWS):
                raise ConversionFailed("odt", f"a table has more than {MAX_ROWS:,} rows, or repeats one endlessly")
            rows += [cells] * repeated if any(cells) else []
        return rows

    def _row(self, row: Element) -> list[str]:
        """Returns the cells of a row without the empty ones at its end."""
        cells: list[str] = []
        for element in row:
            if element.tag not in CELLS:
                continue
            blocks = Blocks()
            if element.tag == "table:table-cell":
                self.write_content(element, blocks)
            repeated = whole_number(element.get("table:number-columns-repeated"), 1)
            cells += [blocks.cell_text()] * (repeated if len(cells) + repeated <= MAX_COLUMNS else 1)
        while cells and not cells[-1]:
            cells.pop()
        return cells


def _flush_item(lines: list[str], level: int, label: str, blocks: Blocks) -> None:
    """Moves the lines collected of an item to the blocks; the item may go on behind a list within it."""
    text = "\n".join(line for line in lines if line)
    lines.clear()
    shown = bool(label) and not MARKDOWN_NUMBER.fullmatch(label)
    blocks.item(level, "-" if shown or not label else label, f"{label} {text}" if shown and text else text)


def is_hidden_section(element: Element) -> bool:
    """Whether this is a section that is not shown."""
    return element.tag == "text:section" and element.get("text:display", "true") != "true"


def _rows_below(table: Element) -> Iterator[Element]:
    """Yields the rows of a table, also those in groups."""
    for child in table:
        if child.tag == "table:table-row":
            yield child
        elif child.tag in ROWS:
            yield from _rows_below(child)
