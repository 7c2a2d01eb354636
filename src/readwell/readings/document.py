"""A document: a converter gives its lines, and it has pages."""

from typing import TYPE_CHECKING

from ..documents import markdown_view_format, notebook_format, plugin_format, recognise
from ..errors import BinaryFile, InvalidRequest
from ..model import ReadRequest, Span
from ..text import InMemoryText, plain_text
from .reading import Case, Found, found_lines

if TYPE_CHECKING:
    from ..documents import PagedText


def read_document(case: Case) -> Found | None:
    """Claims documents that are to be converted; refuses them where the rules say so."""
    format_name = document_format(case)
    return _converted(case, format_name) if format_name else None


def read_plugin_document(case: Case) -> Found | None:
    """Claims a binary file for which another package brought a converter."""
    format_name = plugin_document_format(case)
    return _converted(case, format_name) if format_name else None


def plugin_document_format(case: Case) -> str | None:
    """Returns the format for which another package brought a converter; None: it is not to be converted."""
    if case.rules.documents != "convert" or case.request.view is not None:
        return None
    return plugin_format(case.source, case.means.documents.places)


def document_format(case: Case) -> str | None:
    """Returns the format from which the file is to be converted; None: it is read as it is."""
    source, view, documents = case.source, case.request.view, case.rules.documents
    if documents == "ignore" or view == "source":
        return None
    format_name = recognise(source)
    if format_name and documents == "refuse":
        raise BinaryFile(f"{format_name.upper()} document", source.size)
    if format_name or view is not None:
        return format_name or _rendered_from(case)
    return notebook_format(source) if case.rules.notebooks else None


def _rendered_from(case: Case) -> str | None:
    """Returns the format of a text that has a Markdown view; raises what the file is where it is no text at all."""
    try:
        return markdown_view_format(case.source, case.means.documents.places)
    except InvalidRequest:
        plain_text(case.source, case.rules, None, case.means.index_cache, case.watch)
        raise


def _converted(case: Case, format_name: str) -> Found:
    text = case.means.documents.text_of(case.source, format_name, case.watch)
    if isinstance(text, InMemoryText):
        return found_lines("document", text, case.request)
    case.at_end.append(text.close)
    pages = case.request.pages
    return _by_pages(case.request, pages, text) if pages else Found("document", text, case.request, part_of=text.part)


def _by_pages(request: ReadRequest, pages: Span, text: "PagedText") -> Found:
    """Returns pages as lines of the document, or of their own where those before cannot be counted in time."""
    placed = text.lines_of(pages, request.exact_up_to, request.limits.lines)
    if placed is None:
        uncounted = text.uncounted(pages)
        return Found("document", uncounted, uncounted.request(request), part_of=uncounted.part)
    start, count = placed
    limits = request.limits._replace(lines=min(count, request.limits.lines))
    placed_request = request._replace(start=start, last=-start if start < 0 else None, limits=limits)
    return Found("document", text, placed_request, part_of=text.part)
