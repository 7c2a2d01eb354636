"""Which lines of a table between ruling lines are rows, and which belong to the row above."""

from made_words import cells, horizontal, joined_text

from readwell.documents.pdf.page_content.word_index import WordIndex
from readwell.documents.pdf.page_model import Rulings
from readwell.documents.pdf.page_text.page_notices import Notices
from readwell.documents.pdf.table_grid.grid_builder import build_grid


def grid(found, ruling_lines):
    box = ruling_lines[0].start, ruling_lines[0].at, ruling_lines[0].end, ruling_lines[-1].at
    return joined_text(build_grid(box, WordIndex(found), Rulings(ruling_lines, [], []), Notices()))


def test_an_entry_beside_a_long_cell_begins_a_row_where_its_column_had_ended():
    found = cells(
        (60, 130, 200, 270),
        ["Type", "Law", "Method", "Description"],
        ["linear", "normal", "exact", "a regression that is"],
        ["", "", "", "fitted at once"],
        ["", "", "robust", "the same with weights"],
        ["", "", "", "for single points"],
        ["mixed", "normal", "exact", "with random effects"],
        pitch=12,
    )
    assert grid(found, horizontal(90, 104, 164, x1=400))[1:] == [
        ["linear", "normal", "exact", "a regression that is fitted at once"],
        ["", "", "robust", "the same with weights for single points"],
        ["mixed", "normal", "exact", "with random effects"],
    ]
