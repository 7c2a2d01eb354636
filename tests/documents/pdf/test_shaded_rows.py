"""Tables whose every second row is shaded: the shade draws a box around a row, and nothing around the others."""

from itertools import chain, pairwise

import pytest
from made_words import horizontal, joined_text, vertical, words

from readwell.documents.pdf.page_content.word_index import WordIndex
from readwell.documents.pdf.page_model import Rulings
from readwell.documents.pdf.page_notices import Notices
from readwell.documents.pdf.table_grid.grid_builder import build_grid

XS = (60, 110, 200, 330)
PITCH = 11
LEFT, RIGHT = 50, 390
"""The edges of the shades; the region may be wider."""
HEADS = [["", "", "PREMISE", ""], ["NO", "NAME", "ADDRESS", "SINCE"]]
LAST = [["101", "Abel", "STREET", "2014"], ["102", "Bell", "AVENUE", "2011"], ["103", "Cole", "ROAD", "2015"]]
ADDRESSES = ["18 NORTHWEST CACHE", "22 WEST HARRISON", "62 EAST 61ST"]


def grid(rows, region=(40, 88, 420, 300)):
    """The grid of rows, each a list of its lines; every second one is shaded."""
    lines = [*HEADS, *chain.from_iterable(rows)]
    heights = [100 + PITCH * number for number in range(len(lines))]
    found = words(*((y, *((x, text) for x, text in zip(XS, line) if text)) for y, line in zip(heights, lines)))
    starts = [len(HEADS) + sum(map(len, rows[:number])) for number in range(len(rows) + 1)]
    shades = [(100 + PITCH * start - 8, 100 + PITCH * end - 8) for start, end in list(pairwise(starts))[1::2]]
    walls = [wall for top, bottom in shades for wall in vertical(LEFT, RIGHT, top=top, bottom=bottom)]
    rulings = Rulings(horizontal(*chain(*shades), x0=LEFT, x1=RIGHT), walls, [])
    return joined_text(build_grid(region, WordIndex(found), rulings, Notices()))


def wrapped(number, below=False):
    """The lines of a row whose address has two; the other cells stand beside the last line, or beside the first."""
    last = LAST[number % 3]
    alone = ["", "", ADDRESSES[number % 3], ""]
    if below:
        return [[last[0], last[1], alone[2], last[3]], ["", "", last[2], ""]]
    return [alone, last]


def expected(number):
    one, two, three, four = LAST[number % 3]
    return [one, two, f"{ADDRESSES[number % 3]} {three}", four]


@pytest.mark.parametrize("below", [False, True])
def test_wrapped_rows_are_rows_and_the_first_is_no_head(below):
    made = grid([wrapped(number, below) for number in range(7)])
    assert made == [["NO", "NAME", "PREMISE ADDRESS", "SINCE"], *map(expected, range(7))]


def test_a_line_alone_in_a_shade_stays_in_its_column_however_it_lies_in_the_box():
    """It is near the middle of the shade, as a title would be; beside the other line of its box stand other words."""
    made = grid([wrapped(number) for number in range(7)], region=(LEFT, 88, RIGHT, 300))
    assert [row[2] for row in made[1:]] == [expected(number)[2] for number in range(7)]


def test_a_title_alone_in_a_shade_is_the_first_cell_of_its_row():
    rows = [
        [LAST[0]],
        [["", "Shops of the city of Tulsa and of its suburbs", "", ""]],
        [LAST[1]],
        [LAST[2]],
        [LAST[0]],
        [LAST[1]],
        [LAST[2]],
    ]
    assert ["Shops of the city of Tulsa and of its suburbs", "", "", ""] in grid(rows)


def test_a_head_that_begins_where_its_column_does_stands_over_it():
    """Though it is centred over other columns, too."""
    made = grid([[line] for line in LAST + LAST])
    assert made[0] == ["NO", "NAME", "PREMISE ADDRESS", "SINCE"]
