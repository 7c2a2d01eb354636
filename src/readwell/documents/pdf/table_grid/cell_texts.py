"""Grids of words become grids of texts, from right to left where their script runs so."""

import re
from collections.abc import Sequence

from ..page_model import Word

Grid = list[list[list[Word]]]
"""Rows of cells, each a list of words."""

RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff]")
MOSTLY = 0.3
"""The share of right-to-left characters above which the columns of a table run so, too."""
LINE_HEIGHT = 4
"""The raster of baselines, in points, by which words of a right-to-left cell are sorted into lines."""
NEXT_LINE = 0.5
"""How much lower, in ems, the rest of a word that is broken at a line end begins."""


def cell_texts(grid: Grid) -> list[list[str]]:
    """Returns the text of each cell; columns of a right-to-left script are reversed."""
    rows = [[cell_text(cell) for cell in row] for row in grid]
    everything = "".join(text for row in rows for text in row)
    if len(RIGHT_TO_LEFT.findall(everything)) > MOSTLY * len(everything):
        return [row[::-1] for row in rows]
    return rows


def cell_text(words: Sequence[Word]) -> str:
    """Returns the words of a cell as one line; a word broken at a line end is joined, with its hyphen."""
    if [word for word in words if not word.text.isascii() and RIGHT_TO_LEFT.match(word.text)]:
        words = sorted(words, key=lambda word: (round(word.baseline / LINE_HEIGHT), word.char_index))
    text = ""
    last: Word | None = None
    for word in words:
        broken = last and last.text[-1] == "-" and last.text[-2:-1].isalpha() and word.text[0].islower()
        glued = broken and last and word.baseline - last.baseline > NEXT_LINE * last.font.size
        text += word.text if glued or not last else f" {word.text}"
        last = word
    return text
