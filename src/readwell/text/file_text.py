"""Chooses how a file is read as a text: a small one whole (`lines_in_memory`), others by index (`indexed_text`)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ..deadline import Deadline
from ..model import Rules
from ..source import Source
from .line_index_cache import IndexCache
from .lines_in_memory import SMALL, SmallText, small_text
from .text_or_binary import encoding_of, refuse_by_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .indexed_text import IndexedText


def open_as_text(
    source: Source, rules: Rules, asked: str | None, index_cache: IndexCache, deadline: Deadline
) -> IndexedText | SmallText:
    """Returns a file as a text, with its cached index; raises BinaryFile where it is no text."""
    refuse_by_name(source, rules)
    if source.size > SMALL:
        return _load_indexed_text()(source, rules, asked, index_cache, deadline)
    encoding = encoding_of(source, rules, asked)
    small = small_text(source, encoding, rules.validate_whole_file, deadline)
    return small or _load_indexed_text()(source, rules, asked, None, deadline)


@cache
def _load_indexed_text() -> Callable[[Source, Rules, str | None, IndexCache | None, Deadline], IndexedText]:
    """Returns the function that reads other texts; cached, since importing it takes longer than calling it."""
    from .indexed_text import indexed_text

    return indexed_text
