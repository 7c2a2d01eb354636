"""The structure of a text file: scanned line by line, or parsed in the child by `structure_converter`; or why none."""

from __future__ import annotations

import json

from ..deadline import Deadline
from ..documents.format_detection import RTF
from ..documents.structure_converter import Structure, StructureQuery, decode_structure, structure_of
from ..errors import ConversionFailed, ConverterMissing, DeadlineExceeded
from ..model import Budget
from ..named_tuple import NamedTuple
from ..source import Source
from ..structure import (
    NEEDS_AST_GREP,
    calendar_parts,
    is_commented_json,
    language_of,
    markdown_parts,
    restructured_parts,
)
from ..window import Text
from .reading import ReadContext

HEAD = 4096
"""Bytes from which the language is detected."""
MAX_CODE, MAX_DATA = 8 << 20, 32 << 20
"""The largest files that are parsed, in bytes."""
MAX_LINES = 200_000
"""Of what is read line by line, which no clock interrupts."""
BY_LINES = {"calendar": calendar_parts, "markdown": markdown_parts, "restructuredtext": restructured_parts}
"""Languages that are read line by line, without a parser."""
SHARE = 0.5
"""The share of the remaining time for parsing."""
WHOLE = Budget(longest=1 << 14, characters=1 << 40)
NOTHING = Structure([])


class FileStructure(NamedTuple):
    """The language of a file and its structure; `why` is the reason if there is none."""

    language: str
    structure: Structure = NOTHING
    why: str = ""


def structure_of_file(context: ReadContext, text: Text, line: int | None = None) -> FileStructure:
    """Returns the rows of a file's outline, or the block around a line."""
    total = text.total()
    language = language_of(context.source.name, context.source.read_at(0, HEAD))
    if language is None:
        return FileStructure("text", why=_describe_plain_text(context.source, total))
    most = MAX_DATA if language not in NEEDS_AST_GREP | set(BY_LINES) else MAX_CODE
    if context.source.size > most:
        return FileStructure(language, why=f"{context.source.size} bytes of {language}, more than {most >> 20} MiB")
    if language in BY_LINES and total > MAX_LINES:
        return FileStructure(language, why=f"{total} lines of {language}, more than {MAX_LINES}")
    if language in BY_LINES:
        lines = text.take(1, total, 1, WHOLE).strings if total else []
        return FileStructure(language, structure_of(iter(BY_LINES[language](lines)), total, line))
    return _parse_in_child(context, text, language, line)


def _describe_plain_text(source: Source, total: int) -> str:
    """Says what a text without structure is, and how to read one whose source is hard to read."""
    lines = f"{total} line{'s' * (total != 1)}"
    is_rtf = source.read_at(0, len(RTF)) == RTF
    if is_rtf or source.name.lower().endswith(".eml"):
        return f'{"rich text" if is_rtf else "mail"}, {lines}, readable with view="markdown"'
    return f"plain text, {lines}"


def _parse_in_child(context: ReadContext, text: Text, language: str, line: int | None) -> FileStructure:
    """Returns the structure as a child parses it, or why it could not."""
    form = "outline-code" if language in NEEDS_AST_GREP else "outline-data"
    traits = text.traits()
    query = StructureQuery(
        language, traits.encoding or "utf-8", traits.bom, line, is_commented=is_commented_json(context.source.name)
    )
    asked = json.dumps(query).encode()
    try:
        told = context.resources.documents.outline_of(
            context.source, form, asked, _earlier_deadline(context.deadline), lasting=line is None
        )
    except DeadlineExceeded:
        context.deadline.check()
        return FileStructure(language, why=f"{context.source.size} bytes of {language} take too long to parse")
    except ConversionFailed as failed:
        if failed.from_outside or isinstance(failed, ConverterMissing):
            raise
        return FileStructure(language, why=f"the parser of {language} failed ({failed.reason})")
    structure = decode_structure([told])
    return FileStructure(
        language, structure, f"a line of {structure.longest_line} characters" if structure.longest_line else ""
    )


def _earlier_deadline(deadline: Deadline) -> Deadline:
    """Returns a deadline that expires early enough to answer without a structure."""
    now = deadline.clock()
    return deadline._replace(expires=now + (deadline.expires - now) * SHARE)
