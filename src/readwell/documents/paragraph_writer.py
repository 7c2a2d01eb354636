"""Paragraphs read one after the other, as in RTF and DOC, become blocks of Markdown; in tables they become cells."""

from __future__ import annotations

import re

from ..named_tuple import NamedTuple
from .markdown_blocks import MAX_COLUMNS, Blocks, Run, inline

MARKDOWN_NUMBER = re.compile(r"[0-9]{1,9}[.)]")
LEVELS = 9
ROUND_BULLET = "o"
"""How Word sets the bullet of the second level."""
MAX_NESTED = 8
SAME_EDGE = 60
"""Twips by which the edges of two rows may differ: 3 points."""


class ParagraphProperties(NamedTuple):
    """What its properties say of a paragraph."""

    heading: int = 0
    table_level: int = 0
    list_level: int = 0


PLAIN = ParagraphProperties()


class _OpenTable:
    """A table in the making: its rows, the cells of the last one, and the blocks of the last cell."""

    def __init__(self) -> None:
        self.rows: list[tuple[list[str], list[int]]] = []
        self.cells: list[str] = []
        self.blocks = Blocks()


class Writer:
    """Takes runs, ends of paragraphs, cells and rows in their order; `markdown` is what comes of them."""

    def __init__(self) -> None:
        self._runs: list[Run] = []
        self._label: str | None = None
        self._asides: list[str] = []
        self._body = Blocks()
        self._tables: list[_OpenTable] = []

    def add(self, run: Run) -> None:
        """Adds a run to the paragraph."""
        self._runs.append(run)

    def set_label(self, text: str) -> None:
        """Sets the number or bullet of the paragraph."""
        self._label = text.strip()

    def add_aside(self, markdown: str) -> None:
        """Adds what stands beside the paragraph, a text box: it follows it."""
        self._asides.append(markdown)

    def end_paragraph(self, paragraph: ParagraphProperties) -> None:
        """Writes the paragraph."""
        runs, label = self._runs, self._label
        self._runs, self._label = [], None
        blocks = self._blocks_at_level(paragraph.table_level)
        if any(run.text.strip() for run in runs):
            _write_paragraph(blocks, paragraph, runs, label)
        for aside in self._asides:
            blocks.raw(aside)
        self._asides = []

    def end_cell(self, paragraph: ParagraphProperties) -> None:
        """Ends a cell with its last paragraph."""
        level = max(1, paragraph.table_level)
        self.end_paragraph(paragraph._replace(table_level=level))
        table = self._tables[min(level, MAX_NESTED) - 1]
        if len(table.cells) < MAX_COLUMNS:
            table.cells.append(table.blocks.cell_text())
        table.blocks = Blocks()

    def end_row(self, level: int, right_edges: list[int]) -> None:
        """Ends a row of cells that have such right edges."""
        self._blocks_at_level(max(1, level))
        table = self._tables[-1]
        if table.cells:
            table.rows.append((table.cells, right_edges))
        table.cells = []

    def markdown(self) -> str:
        """Returns all that was written."""
        self.end_paragraph(PLAIN)
        return self._body.markdown()

    def _blocks_at_level(self, level: int) -> Blocks:
        """Returns the blocks of a level of nested tables, those below it closed."""
        level = min(level, MAX_NESTED)
        while len(self._tables) > level:
            table = self._tables.pop()
            above = self._tables[-1].blocks if self._tables else self._body
            if table.cells or table.blocks:
                table.rows.append(([*table.cells, table.blocks.cell_text()], []))
            _write_table(above, table.rows)
        while len(self._tables) < level:
            self._tables.append(_OpenTable())
        return self._tables[-1].blocks if self._tables else self._body


class PlainWriter(Writer):
    """Writes without marks and links: what is named, not shown."""

    def add(self, run: Run) -> None:
        """Adds the text of a run to the paragraph."""
        super().add(Run(run.text))


def _write_paragraph(blocks: Blocks, paragraph: ParagraphProperties, runs: list[Run], label: str | None) -> None:
    """Writes a paragraph as heading, item or text."""
    if paragraph.heading:
        text = inline([run._replace(marks=run.marks.replace("b", "")) for run in runs])
        blocks.heading(paragraph.heading, f"{label} {text}" if label else text)
    elif label is None:
        blocks.paragraph(inline(runs))
    else:
        is_word = label != ROUND_BULLET and any(map(str.isalnum, label))
        shown = is_word and not MARKDOWN_NUMBER.fullmatch(label)
        text = inline(runs)
        level = min(paragraph.list_level, LEVELS - 1)
        blocks.item(level, label if is_word and not shown else "-", f"{label} {text}" if shown else text)


def _write_table(blocks: Blocks, rows: list[tuple[list[str], list[int]]]) -> None:
    """Writes a table; a cell of a single one is a box around its content."""
    if len(rows) == 1 and len(rows[0][0]) == 1:
        blocks.paragraph(rows[0][0][0])
    else:
        blocks.table(_align_cells(rows))


def _align_cells(rows: list[tuple[list[str], list[int]]]) -> list[list[str]]:
    """Returns the cells of all rows in the columns that their edges make; as they are where edges are not told."""
    if any(len(cells) != len(edges) for cells, edges in rows):
        return [cells for cells, _ in rows]
    columns: list[int] = []
    for edge in sorted({edge for _, edges in rows for edge in edges}):
        if not columns or edge - columns[-1] > SAME_EDGE:
            columns.append(edge)
    placed = [_place_in_columns(cells, edges, columns) for cells, edges in rows]
    is_whole = all(row is not None for row in placed) and len(columns) <= MAX_COLUMNS
    return [row for row in placed if row is not None] if is_whole else [cells for cells, _ in rows]


def _place_in_columns(cells: list[str], edges: list[int], columns: list[int]) -> list[str] | None:
    """Returns a row with each cell in the column where it begins; None where two would be in the same."""
    placed = [""] * len(columns)
    column = 0
    for text, edge in zip(cells, edges, strict=True):
        if column >= len(placed):
            return None
        placed[column] = text
        while column < len(columns) and columns[column] < edge - SAME_EDGE:
            column += 1
        column += 1
    return placed
