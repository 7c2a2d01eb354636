"""The outline of a text file: its structure, or a note where it has none."""

from __future__ import annotations

from collections.abc import Iterator

from ..documents.structure_converter import Structure
from ..model import Notice, Outline, OutlineRow
from ..structure.json_tokens import MAX_ITEMS
from ..text import open_as_text
from .file_structure import structure_of_file
from .reading import ReadContext

HEADINGS, KEYS = ("markdown", "restructuredtext", "html"), ("json", "yaml", "toml", "xml", "csv", "jsonl", "calendar")
WITHOUT: dict[str, str] = {**dict.fromkeys(HEADINGS, "headings"), **dict.fromkeys(KEYS, "keys")}
"""What an empty outline says that the file lacks."""


def file_outline(context: ReadContext) -> Outline:
    """Returns the outline of a text, with a note if it has no rows; raises BinaryFile for other files."""
    text = open_as_text(
        context.source, context.rules, context.request.encoding, context.resources.index_cache, context.deadline
    )
    total = text.total()
    language, structure, why = structure_of_file(context, text)
    rows = [_end_within_file(row, total) for row in structure.rows if (row.start or 0) <= total]
    if not rows and not why and structure.bad_line is None:
        why = f"{language}, {total} line{'s' * (total != 1)} without {WITHOUT.get(language, 'definitions')}"
    notices = [_no_outline_notice(why)] if why else []
    return Outline(language, rows, total, notices=(*notices, *_left_out_notices(structure)))


def _end_within_file(row: OutlineRow, total: int) -> OutlineRow:
    """Returns a row that ends with the file at the latest."""
    return row if row.end is None or row.end <= total else row._replace(end=total)


def _no_outline_notice(why: str) -> Notice:
    """Tells why there is no outline."""
    return Notice("no-outline", f"no outline: {why}; search it")


def _left_out_notices(structure: Structure) -> Iterator[Notice]:
    """Yields notices of what an outline leaves out."""
    if structure.bad_line is not None:
        what = f"line {structure.bad_line} does not parse: what is told is what did"
        yield Notice("unparsed", what, (structure.bad_line,))
    if structure.depth is not None:
        yield Notice("deeper", f"levels below {structure.depth + 1} are left out")
    if structure.hidden_items:
        what = f"of each array the first {MAX_ITEMS} items are rows: {structure.hidden_items} more are left out"
        yield Notice("items-left-out", what)
    if structure.left_out:
        yield Notice("rows-left-out", f"{structure.left_out} more rows are left out")
