"""Heads of columns in several lines: groups over several columns, words that go on a head, titles of sections below."""

from ..page_content.word_rows import joined_text
from ..page_model import Word
from ..text_patterns import is_number, is_year
from .column_assignment import Line, filled_columns
from .early_line_ends import had_room


def completes_heads(line: Line, above: Line) -> bool:
    """Whether a line has words of all heads, and those above it are the first words of some, no group over several."""
    words = [joined_text(cell) for cell in line if cell]
    if any(is_number(text) and not is_year(text) for text in words):
        return False
    return {0} != filled_columns(above) < filled_columns(line) and not have_common_heads(line, above)


def is_section_title(line: Line, above: Line, width: float) -> bool:
    """Whether a line below heads is the title of a section: alone in the first column, though its head had room."""
    if filled_columns(line) != {0} or not above[0] or line[0][0].text[0].islower():
        return False
    return had_room(above[0], line[0], width)


def have_common_heads(line: Line, above: Line) -> bool:
    """Whether each header above a line is centred over two or more of its cells, as a common header."""
    heads = sorted(filled_columns(above))
    named: dict[int, list[int]] = {}
    for column in sorted(filled_columns(line)):
        if column >= heads[0]:
            named.setdefault(max(head for head in heads if head <= column), []).append(column)
    over = [_is_over_all(above[head], [line[column] for column in columns]) for head, columns in named.items()]
    return bool(over) and all(over)


def _is_over_all(head: list[Word], cells: list[list[Word]]) -> bool:
    """Whether a header is nearer to the middle of several cells than to that of the first."""
    middle = _middle(head)
    return len(cells) > 1 and abs(middle - _middle(cells[0] + cells[-1])) < abs(middle - _middle(cells[0]))


def _middle(words: list[Word]) -> float:
    """Returns the middle of words."""
    return (min(word.x0 for word in words) + max(word.x1 for word in words)) / 2
