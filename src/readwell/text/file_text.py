"""A file as a text: a small one in memory, a larger one by an index of its lines, which is loaded when needed."""

from __future__ import annotations

from ..model import Rules
from ..source import Source
from ..watch import Watch
from .in_memory import SMALL, SmallText, small_text
from .index_cache import IndexCache
from .sniff import encoding_of, refuse_by_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .plain import PlainText


def plain_text(
    source: Source, rules: Rules, asked: str | None, cache: IndexCache, watch: Watch
) -> PlainText | SmallText:
    """Returns a file as a text, with its cached index; raises BinaryFile where it is no text."""
    refuse_by_name(source, rules)
    is_small = source.size <= SMALL
    encoding = encoding_of(source, rules, asked) if is_small else None
    if encoding and (small := small_text(source, encoding, rules.validate_whole_file, watch)):
        return small
    from .index import LineIndex, block_size
    from .plain import PlainText

    options = (
        asked,
        rules.decoding,
        rules.sample_bytes,
        rules.control_percent,
        rules.refuse_boms,
        rules.validate_whole_file,
    )
    index = None if is_small else cache.get(source, options)
    if index is None:
        encoding = encoding or encoding_of(source, rules, asked)
        index = LineIndex(source.size, encoding, block_size(source.size), rules.validate_whole_file)
    return PlainText(source, index, watch, None if is_small else cache, options)
