"""One file searched: what it is read as, and its matching lines as they are shown."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from stringzilla import find, find_first_of

from ..errors import BinaryFile
from ..matches import Row
from ..model import Limits, ReadRequest
from ..readings.document import document_format, plugin_document_format
from ..readings.reading import ReadContext
from ..text.decode import Encoding
from ..text.encoding_detection import CONTAINERS, CONTROLS
from ..text.sniff import encoding_of
from .expression import Expression
from .matching import Scratch, TextSearch
from .neighbours import numbered_lines, with_neighbours
from .pieces import pieces_of

if TYPE_CHECKING:
    from ..model import Rules
    from ..readings import Resources
    from ..source import Source
    from ..watch import Watch

ANY_LINES = Limits(1, 1)
SMALL = 1 << 20
NOT_PLAIN = (*CONTAINERS, b"\xff\xfe", b"\xfe\xff")
"""First bytes of documents, and of texts whose characters have two bytes."""
NOTEBOOK = ".ipynb"
"""The one kind of text that is read by converting it."""
DOCUMENTS = (NOTEBOOK, ".pdf", ".docx", ".pptx", ".xlsx", ".xls", ".odt", ".ods", ".epub")
"""Names of files that are probably documents, and not worth reading to see whether they are text."""


def read_as(source: Source, rules: Rules, means: Resources, watch: Watch) -> Encoding | str:
    """Returns the encoding of a text, or the format of a document; raises BinaryFile for what is neither."""
    try:
        encoding = encoding_of(source, rules, None)
        if not source.name.lower().endswith(NOTEBOOK):
            return encoding
    except BinaryFile:
        encoding = None
    context = ReadContext(source, ReadRequest(source.name, ANY_LINES), rules, means, watch)
    found = document_format(context) or encoding or plugin_document_format(context)
    if found is None:
        raise BinaryFile(size=source.size)
    return found


def is_surely_absent(source: Source, expression: Expression, scratch: Scratch) -> bool:
    """Whether a small file is text without a match, as its bytes alone show: so it is with most files of a search."""
    if source.size > SMALL or source.name.lower().endswith(DOCUMENTS):
        return False
    raw = source.read_at(0, SMALL)
    is_ascii = raw.isascii()
    # Whatever spells letters in another way is decoded first; and so is what may be no text.
    if find(raw, b"\0") >= 0 or find(raw, b"\x1b$") >= 0 or find(raw, b"~{") >= 0 or raw.startswith(NOT_PLAIN):
        return False
    if not is_ascii and find_first_of(raw, CONTROLS) >= 0:
        return False
    expression.note_plain(raw)
    return expression.is_absent_from(raw, is_ascii, scratch.in_small_letters)


def rows_of(search: TextSearch, around: int, source: Source, encoding: Encoding, watch: Watch) -> list[Row]:
    """Returns the matches of a text with so many lines before and after each."""
    if not around or not search.rows:
        return search.rows
    return with_neighbours(search.rows, around, partial(_lines_from, search, source, encoding, watch))


def _lines_from(
    search: TextSearch, source: Source, encoding: Encoding, watch: Watch, line: int
) -> Iterator[tuple[int, bytes]]:
    passed, offset = search.offset_before(line)
    pieces = pieces_of(source, encoding, watch, offset)
    return numbered_lines(((bytes(piece.body), piece.goes_on) for piece in pieces), passed)
