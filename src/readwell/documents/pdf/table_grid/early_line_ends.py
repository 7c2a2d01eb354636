"""Lines of a cell that end early: where the next word had room in it, the line was ended on purpose."""

from collections.abc import Iterable, Sequence

from ..page_model import Word

SPACE = 0.3
"""The usual space between words, in ems."""
CLOSE = 0.1
"""How much room, in ems, must be left behind the next word: without it the line may have been full."""


def had_room(above: Sequence[Word], below: Sequence[Word], width: float) -> bool:
    """Whether the first word of a line had fitted into the line above, in a column of this width."""
    em = above[-1].font.size
    needed = above[-1].x1 - above[0].x0 + SPACE * em + below[0].x1 - below[0].x0
    return needed <= width - CLOSE * em


def is_own_entry(above: Sequence[Word], below: Sequence[Word], width: float) -> bool:
    """Whether a single word stands below a single word that had room for it: two entries, no wrapped one."""
    return len(above) == len(below) == 1 and had_room(above, below, width)


def column_width(cells: Iterable[Sequence[Word]]) -> float:
    """Returns the width of a column, from its leftmost to its rightmost word; 0 without any."""
    ends = [(cell[0].x0, cell[-1].x1) for cell in cells if cell]
    return max(end for _, end in ends) - min(start for start, _ in ends) if ends else 0.0
