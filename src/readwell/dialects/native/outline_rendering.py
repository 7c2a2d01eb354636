"""What a model reads of an outline, and of a block: their headers, rows and notes."""

from __future__ import annotations

from ...model import Notice, Outline, OutlineRow, ReadResult
from ...path_names import printable

LONGEST_TITLE = 120


def outline_header(result: ReadResult, outline: Outline, path: str) -> str:
    """Returns the header: what it is, and which rows are shown."""
    window = result.window
    rows = f"outline {window.start}-{window.end} of {window.total}"
    if result.kind == "directory":
        return f"[{path} | {result.packing or 'directory'} | {rows}]"
    path += f" | {result.packing}" if result.packing else ""
    return f"[{path} | {_format_and_length(outline)} | {rows} | rev {result.revision}]"


def _format_and_length(outline: Outline) -> str:
    """Returns the format and length of what an outline is of."""
    count, what = (outline.units, outline.unit) if outline.unit else (outline.lines or 0, "line")
    return f"{outline.format}, {count} {what}{'s' * (count != 1)}{ocr_pages_text(outline.by_ocr)}"


def ocr_pages_text(pages: int) -> str:
    """Returns how many pages were recognised, for the header behind the length of a document."""
    return f", {pages} by ocr" if pages else ""


def block_title(result: ReadResult, units: str) -> str:
    """Returns what a block is, for the header behind its lines; `units` are the pages it lies on, as told there."""
    title = printable(result.block).replace("|", r"\x7c").replace("]", r"\x5d")
    title = title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 1]}…"
    title += f", to line {result.block_end}" if result.window.end < result.block_end else ""
    return f"{units[:-1]}, {title})" if units else f" ({title})"


def notice_remark(notice: Notice) -> str:
    """Returns a notice as a remark; one that stands for rows says so itself."""
    return f"[{notice.message}]" if notice.code == "no-outline" else f"[note: {notice.message}]"


def outline_data(outline: Outline) -> list[dict[str, object]]:
    """Returns the rows for programs."""
    return [_row_data(row) for row in outline.rows]


def _row_data(row: OutlineRow) -> dict[str, object]:
    """Returns a row of an outline as data."""
    pages = {name: value for name, value in (("page", row.page), ("last_page", row.last_page)) if value is not None}
    return {"start": row.start, "end": row.end, **pages, "depth": row.depth, "kind": row.kind, "label": row.label}
