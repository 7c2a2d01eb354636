"""All lines of a document as one text in UTF-8, as a search reads them."""

from __future__ import annotations

from collections.abc import Sequence

from ..light_typing import TYPE_CHECKING
from ..model import ShownPart
from ..named_tuple import NamedTuple
from ..text import InMemoryText

if TYPE_CHECKING:
    from .paged_text import PagedText


class WholeText(NamedTuple):
    """The lines of a document in UTF-8, with line feeds between them."""

    text: bytes
    line_counts: Sequence[int]
    """How many lines each unit has; empty for a document without units."""
    part: ShownPart


def whole_text_of(text: PagedText | InMemoryText, format_name: str) -> WholeText:
    """Joins the lines of a document; converts the units that are not cached, and closes the text."""
    if isinstance(text, InMemoryText):
        units, part = [list(text.lines)], ShownPart(format_name, unit="", units=1, first=1, last=1)
    else:
        try:
            units, part = list(text.units()), text.whole_part()
            part = part._replace(by_ocr=sum(map(was_read_from_image, units)))
        finally:
            text.close()
    joined = "\n".join(line for unit in units for line in unit)
    return WholeText(joined.encode(errors="replace"), [len(unit) for unit in units] if part.unit else [], part)


def was_read_from_image(lines: Sequence[str]) -> bool:
    """Says whether a page of a PDF was read from its image: the line below its anchor tells."""
    return len(lines) > 1 and lines[1].startswith("<!-- page ") and ": read from an image (" in lines[1]
