"""Reads a document as a text: its lines come from a converter, and it may have pages."""

from __future__ import annotations

from ..documents import detect_format, markdown_view_format, notebook_format, plugin_format
from ..documents.format_detection import EXTENSIONS
from ..errors import BinaryFile, InvalidRequest, TooLarge
from ..light_typing import TYPE_CHECKING
from ..model import Notice, ReadRequest, Span
from ..source import exact_size
from ..text import InMemoryText, open_as_text
from .reading import ReadContent, ReadContext, unpaged_content

if TYPE_CHECKING:
    from ..documents import PagedText

DOCUMENT_ENDINGS = tuple(f".{extension}" for extension in sorted(EXTENSIONS))
"""How the names of documents end."""


def read_document(context: ReadContext) -> ReadContent | None:
    """Claims documents that are to be converted; refuses them where the rules say so."""
    format_name = document_format(context)
    if format_name and context.request.view and (detect_format(context.source) or notebook_format(context.source)):
        context.request = context.request._replace(view=None)  # it is Markdown, asked for or not: so is what follows
    return _convert(context, format_name) if format_name else None


def read_plugin_document(context: ReadContext) -> ReadContent | None:
    """Claims a binary file for which a plug-in has a converter."""
    format_name = plugin_document_format(context)
    return _convert(context, format_name) if format_name else None


def plugin_document_format(context: ReadContext) -> str | None:
    """Returns the format for which another package brought a converter; None: it is not to be converted."""
    if context.rules.documents != "convert" or context.request.view is not None:
        return None
    return plugin_format(context.source, context.resources.documents.import_path)


def document_format(context: ReadContext) -> str | None:
    """Returns the format from which the file is to be converted; None: it is read as it is."""
    source, view, documents = context.source, context.request.view, context.rules.documents
    if documents == "ignore" or view == "source":
        return None
    format_name = detect_format(source)
    if format_name and documents == "refuse":
        raise BinaryFile(f"{format_name.upper()} document", source.size)
    if format_name or view is not None:
        return format_name or _markdown_view_format(context)
    return notebook_format(source) if context.rules.notebooks else None


def _markdown_view_format(context: ReadContext) -> str | None:
    """Returns the format of a text that has a Markdown view; raises what the file is where it is no text at all."""
    try:
        return markdown_view_format(context.source, context.resources.documents.import_path)
    except InvalidRequest:
        open_as_text(context.source, context.rules, None, context.resources.index_cache, context.deadline)
        longest = context.rules.markdown_of_texts
        if not longest:
            raise
    if exact_size(context.source) > longest:
        raise TooLarge(longest)
    return None


def _convert(context: ReadContext, format_name: str) -> ReadContent:
    """Returns the Markdown of a document, or the pages that are asked for."""
    if format_name == "sqlite":
        _add_journal_notice(context)
    text = context.resources.documents.text_of(context.source, format_name, context.deadline)
    if isinstance(text, InMemoryText):
        return unpaged_content("document", text, context.request)
    context.cleanups.append(text.close)
    pages = context.request.pages
    return (
        _page_content(context.request, pages, text)
        if pages
        else ReadContent("document", text, context.request, part_of=text.part)
    )


def _add_journal_notice(context: ReadContext) -> None:
    """Adds a notice where a journal beside a database may hold newer rows, which are not read."""
    opener, request = context.resources.opener, context.request
    path = context.source.repaired or request.path
    journal = opener.target_of(opener.locate(f"{path}-wal"), context.deadline)
    if journal and journal.kind == "file" and journal.size:
        told = Notice("journal", "a journal (-wal) beside the file may hold newer rows: they are not read")
        context.request = request._replace(notices=(*request.notices, told))


def _page_content(request: ReadRequest, pages: Span, text: PagedText) -> ReadContent:
    """Returns pages as lines of the document, or of their own where those before cannot be counted in time."""
    placed = text.line_range(pages, request.exact_up_to, request.limits.lines)
    if placed is None:
        uncounted = text.pages_as_own_text(pages)
        return ReadContent("document", uncounted, uncounted.adapt_request(request), part_of=uncounted.part)
    start, count = placed
    limits = request.limits._replace(lines=min(count, request.limits.lines))
    placed_request = request._replace(start=start, last_lines=-start if start < 0 else None, limits=limits)
    return ReadContent("document", text, placed_request, part_of=text.part)
