"""The view `outline`: its rows are lines, which are counted and continued like those of a text."""

from ..errors import InvalidRequest
from ..model import Kind, Outline, OutlineRow, Traits
from ..path_names import printable
from ..structure import shortened
from ..text import InMemoryText
from .document import document_format
from .document_outline import document_outline
from .file_outline import file_outline
from .folder_outline import folder_outline
from .reading import ReadContent, ReadContext, plain_read_context

LONGEST = 1900
"""The most characters of a row, escapes included."""


def outline_content(context: ReadContext) -> ReadContent:
    """Returns the outline of a file, document or directory; raises a ReadError for binary files."""
    if context.request.column > 1:
        raise InvalidRequest("column", context.request.column, "left out: rows of an outline have no columns")
    if context.request.pages is not None:
        raise InvalidRequest("pages", wants="left out: an outline is always of the whole, and its offset counts rows")
    kind, outline = _outline_of(plain_read_context(context))
    rows = InMemoryText([row_text(row, outline.unit) for row in outline.rows], Traits())
    return ReadContent(kind, rows, context.request, outline=outline)


def _outline_of(context: ReadContext) -> tuple[Kind, Outline]:
    """Returns the outline of a directory, a document or a file."""
    if context.source.is_directory:
        return "directory", folder_outline(context)
    form = document_format(context)
    return ("document", document_outline(context, form)) if form else ("file", file_outline(context))


def row_text(row: OutlineRow, unit: str) -> str:
    """Returns a row as shown: lines or pages, a tab, the indented label, escaped so that it is no remark."""
    name = row.label if row.kind == "folder" else printable(row.label)
    if row.start is None and row.page is None and name.startswith("["):
        name = f"\\x5b{name[1:]}"
    label = shortened(f"{'  ' * row.depth}{name}", LONGEST)
    if row.start is not None:
        page = f" ({unit} {row.page})" if row.page and row.kind != unit else ""
        return f"{row.start}-{row.end}\t{label}{page}"
    if row.page is None:
        return label
    pages = f"{row.page}-{row.last_page}" if row.last_page and row.last_page > row.page else f"{row.page}"
    return f"{row.kind} {pages}\t{label}"
