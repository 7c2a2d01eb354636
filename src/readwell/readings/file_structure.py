"""What a text file is made of, found in the cage or line by line; or why that is not known."""

from __future__ import annotations

import json

from ..documents.outlines import Asked, Structure, read_structure, structure_of
from ..errors import ConversionFailed, ConverterMissing, DeadlineExceeded
from ..model import Budget
from ..named_tuple import NamedTuple
from ..structure import PARSED_BY_OTHERS, language_of, markdown_parts, restructured_parts
from ..watch import Watch
from ..window import Text
from .reading import ReadContext

HEAD = 4096
"""Bytes by which a language is judged."""
MOST_CODE, MOST_DATA = 8 << 20, 32 << 20
"""Bytes of a file that is parsed for its structure."""
BY_LINES = {"markdown": markdown_parts, "restructuredtext": restructured_parts}
"""Languages that are read line by line, without a parser."""
SHARE = 0.5
"""The part of the time left in which a file is parsed."""
WHOLE = Budget(longest=1 << 14, characters=1 << 40)
NOTHING = Structure([])


class FileStructure(NamedTuple):
    """The language of a file and its structure; `why` says what stands in the way of one."""

    language: str
    structure: Structure = NOTHING
    why: str = ""


def structure_of_file(context: ReadContext, text: Text, line: int | None = None) -> FileStructure:
    """Returns the rows of a file's outline, or the block around a line."""
    total = text.total()
    language = language_of(context.source.name, context.source.read_at(0, HEAD))
    if language is None:
        return FileStructure("text", why=f"plain text, {total} line{'s' * (total != 1)}")
    most = MOST_DATA if language not in PARSED_BY_OTHERS | set(BY_LINES) else MOST_CODE
    if context.source.size > most:
        return FileStructure(language, why=f"{context.source.size} bytes of {language}, more than {most >> 20} MiB")
    if language in BY_LINES:
        lines = text.take(1, total, 1, WHOLE).strings if total else []
        return FileStructure(language, structure_of(iter(BY_LINES[language](lines)), total, line))
    return _parsed(context, text, language, line)


def _parsed(context: ReadContext, text: Text, language: str, line: int | None) -> FileStructure:
    form = "outline-code" if language in PARSED_BY_OTHERS else "outline-data"
    traits = text.traits()
    asked = json.dumps(Asked(language, traits.encoding or "utf-8", traits.bom, line)).encode()
    try:
        told = context.resources.documents.outline_of(
            context.source, form, asked, _sooner(context.watch), lasting=line is None
        )
    except DeadlineExceeded:
        context.watch.check()
        return FileStructure(language, why=f"{context.source.size} bytes of {language} take too long to parse")
    except ConversionFailed as failed:
        if failed.from_outside or isinstance(failed, ConverterMissing):
            raise
        return FileStructure(language, why=f"the parser of {language} failed ({failed.reason})")
    found = read_structure([told])
    return FileStructure(language, found, f"a line of {found.longest} characters" if found.longest else "")


def _sooner(watch: Watch) -> Watch:
    """Returns a watch that ends while there is time left to say so."""
    now = watch.clock()
    return watch._replace(expires=now + (watch.expires - now) * SHARE)
