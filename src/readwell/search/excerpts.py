"""Lines as a search shows them: whole, or a part around the first match."""

from ..model.search import SearchRow

LONGEST = 400
"""Characters shown of a line."""
BEFORE_MATCH = 100
"""Characters shown before the match of a longer line."""


def excerpt_row(line: int, raw: bytes, match: int, before: int = 0) -> SearchRow:
    """Returns a matching line as it is shown: whole, or cut around its first match."""
    column = len(raw[:match].decode(errors="replace"))
    text = raw.decode(errors="replace")
    if len(text) <= LONGEST and not before:
        return SearchRow(line, text, column + 1)
    first = max(0, min(column - BEFORE_MATCH, len(text) - LONGEST))
    return SearchRow(
        line,
        text[first : first + LONGEST],
        match=before + column + 1,
        column=before + first + 1,
        cut=first + LONGEST < len(text),
    )


def neighbour_row(line: int, raw: bytes) -> SearchRow:
    """Returns a line near a match as it is shown."""
    text = raw.decode(errors="replace")
    return SearchRow(line, text[:LONGEST], cut=len(text) > LONGEST)
