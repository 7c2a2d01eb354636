"""Lines that follow each other on a page: those of one heading, and running text that only looks like one."""

from __future__ import annotations

from collections.abc import Sequence

from ..page_content.text_lines import Line
from ..page_model import Table
from .heading_patterns import begins_like_section

MAX_LINES = 4
"""The most lines of a heading."""
LINE_DISTANCE = 1.8
"""The largest distance between the lines of one heading, as a multiple of the font size."""
TEXT_WORDS, SENTENCE_ENDS = 20, (".", "!", "?")
"""The fewest words of running text, and what ends it: no heading says so much."""
LINE_WORDS = 6
"""The fewest words a line of more lines than a heading has, if they are running text."""

Flow = Sequence[Line | Table]
"""The lines and tables of a page in reading order."""


def line_at(flow: Flow, number: int) -> Line | None:
    """Returns the line at a position; None for a table or none."""
    item = flow[number] if 0 <= number < len(flow) else None
    return item if isinstance(item, Line) else None


def goes_on(line: Line, above: Line) -> bool:
    """Whether a line is directly below another in the same font."""
    near = 0 < line.baseline - above.baseline < LINE_DISTANCE * line.size
    return near and (line.size, line.bold) == (above.size, above.bold) and not begins_like_section(line.text)


def count_text_lines(flow: Flow, number: int) -> int:
    """Returns the number of lines that go on from this one if they are running text; 0 where they may be a heading."""
    count, words = 0, 0
    line, above = line_at(flow, number), None
    if line and begins_like_section(line.text):
        return 0
    while line and (above is None or goes_on(line, above)):
        count, words = count + 1, words + len(line.words)
        line, above = line_at(flow, number + count), line
    ends = above is not None and above.text.endswith(SENTENCE_ENDS)
    is_long = count > MAX_LINES and words >= LINE_WORDS * count
    return count if count > 1 and words >= TEXT_WORDS and (ends or is_long) else 0
