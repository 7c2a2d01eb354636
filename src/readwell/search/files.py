"""One file searched: what it is read as, and its matching lines as they are shown."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from stringzilla import find

from ..errors import BinaryFile
from ..matches import Row
from ..model import Limits, Part, ReadRequest
from ..readings.document import document_format, plugin_document_format
from ..readings.reading import ReadContext
from ..text import InMemoryText
from ..text.decode import Encoding
from ..text.encoding_detection import CONTAINERS
from ..text.sniff import encoding_of
from .expression import Expression
from .matching import TextSearch
from .neighbours import numbered_lines, with_neighbours
from .pieces import pieces_of

if TYPE_CHECKING:
    from ..model import Rules
    from ..readings import Resources
    from ..source import Source
    from ..watch import Watch

ANY_LINES = Limits(1, 1)
SMALL = 1 << 20
NOT_PLAIN = (b"\0", b"\x1b$", b"~{")
"""What ASCII holds only where it stands for something else."""
NOTEBOOK = ".ipynb"
"""The one kind of text that is read by converting it."""


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


def is_surely_absent(source: Source, expression: Expression) -> bool:
    """Whether a small file is plain ASCII and holds no match: most files are told by this alone."""
    if source.size > SMALL or source.name.lower().endswith(NOTEBOOK):
        return False
    raw = source.read_at(0, SMALL)
    if not raw.isascii() or raw.startswith(CONTAINERS) or any(find(raw, each) >= 0 for each in NOT_PLAIN):
        return False
    expression.note_plain(raw)
    return expression.is_absent_from(raw)


def document_units(source: Source, form: str, means: Resources, watch: Watch) -> tuple[list[list[str]], Part]:
    """Returns the lines of a document by its units, and what these are."""
    text = means.documents.text_of(source, form, watch)
    if isinstance(text, InMemoryText):
        return [list(text.lines)], Part(form, unit="", units=1, first=1, last=1)
    try:
        return list(text.units()), text.whole()
    finally:
        text.close()


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
