"""What a file is searched as, text or document; a quick test for files without a match; lines around matches."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from stringzilla import find, find_first_of

from ..errors import BinaryFile
from ..model import Limits, ReadRequest
from ..model.search import SearchRow
from ..readings.document import DOCUMENT_ENDINGS, document_format, plugin_document_format
from ..readings.reading import ReadContext
from ..text.decode import Encoding
from ..text.encoding_detection import CONTAINERS, CONTROLS
from ..text.text_or_binary import encoding_of
from .context_lines import numbered_lines, with_neighbours
from .file_pieces import pieces_of
from .search_pattern import Expression
from .text_search import Buffers, TextSearch
from .tree_walk import ARCHIVE

if TYPE_CHECKING:
    from ..deadline import Deadline
    from ..model import Rules
    from ..readings import Resources
    from ..source import Source
    from ..text.line_index_cache import IndexCache

ANY_LINES = Limits(1, 1)
SMALL, LARGE = 1 << 20, 8 << 20
NOT_PLAIN = (*CONTAINERS, b"\xff\xfe", b"\xfe\xff")
"""First bytes of documents, and of texts in UTF-16."""
NOTEBOOK = ".ipynb"
"""The one text format that is converted."""
NOT_READ_FIRST = (NOTEBOOK, *DOCUMENT_ENDINGS)
"""How the names of documents end: these files are not read to see whether they are text."""


def encoding_or_format(source: Source, rules: Rules, resources: Resources, deadline: Deadline) -> Encoding | str:
    """Returns the encoding of a text, or the format of a document; raises BinaryFile otherwise."""
    try:
        encoding = encoding_of(source, rules, None)
        if not source.name.lower().endswith(NOTEBOOK):
            return encoding
    except BinaryFile:
        encoding = None
    context = ReadContext(source, ReadRequest(source.name, ANY_LINES), rules, resources, deadline)
    kind = document_format(context) or encoding or plugin_document_format(context)
    if kind is None:
        raise BinaryFile(ARCHIVE if resources.is_archive(source) else "", source.size)
    return kind


def is_surely_without_match(source: Source, expression: Expression, buffers: Buffers) -> bool:
    """Whether the bytes of a small file show that it is text without a match, as most files of a search are."""
    if source.size > SMALL or source.name.lower().endswith(NOT_READ_FIRST):
        return False
    raw = source.read_at(0, SMALL)
    is_ascii = raw.isascii()
    # ISO-2022, HZ and UTF-16 are decoded first; so are files that may be binary.
    if find(raw, b"\0") >= 0 or find(raw, b"\x1b$") >= 0 or find(raw, b"~{") >= 0 or raw.startswith(NOT_PLAIN):
        return False
    if not is_ascii and find_first_of(raw, CONTROLS) >= 0:
        return False
    expression.check_for_literal(raw)
    return expression.is_surely_absent_from(raw, is_ascii, buffers.lower_case)


def start_of_line(line: int, source: Source, rules: Rules, cache: IndexCache, deadline: Deadline) -> tuple[int, int]:
    """Returns where a search from a line on starts: the number of lines before it, and its offset.

    The lines of a large file are counted once, so that a search that time cuts off does not start over again.
    """
    if line <= 1 or source.size <= LARGE:
        return 0, 0
    from ..text.indexed_text import indexed_text

    offset = indexed_text(source, rules, None, cache, deadline).offset_of(line)
    return line - 1, source.size if offset is None else offset


def rows_of(search: TextSearch, around: int, source: Source, encoding: Encoding, deadline: Deadline) -> list[SearchRow]:
    """Returns the matches of a text with `around` lines before and after each."""
    if not around or not search.rows:
        return search.rows
    return with_neighbours(search.rows, around, partial(_lines_from, search, source, encoding, deadline))


def _lines_from(
    search: TextSearch, source: Source, encoding: Encoding, deadline: Deadline, line: int
) -> Iterator[tuple[int, bytes]]:
    """Returns the lines from a number on, read again."""
    passed, offset = search.offset_before(line)
    pieces = pieces_of(source, encoding, deadline, offset)
    return numbered_lines(((bytes(piece.body), piece.goes_on) for piece in pieces), passed)
