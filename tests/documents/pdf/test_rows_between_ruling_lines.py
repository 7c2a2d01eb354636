"""Which lines of a table between ruling lines are rows, and which belong to the row above."""

from made_words import cells, horizontal, joined_text

from readwell.documents.pdf.page_content.word_index import WordIndex
from readwell.documents.pdf.page_model import Rulings
from readwell.documents.pdf.page_notices import Notices
from readwell.documents.pdf.table_grid.grid_builder import build_grid


def grid(found, ruling_lines):
    box = ruling_lines[0].start, ruling_lines[0].at, ruling_lines[0].end, ruling_lines[-1].at
    return joined_text(build_grid(box, WordIndex(found), Rulings(ruling_lines, [], []), Notices()))


def test_lines_between_rules_that_fill_all_columns_and_end_early_are_rows():
    rows = [["", "to points", "to lines"], ["of points", "s", "r"], ["of lines", "r", "s:x"], ["of areas", "s", "r"]]
    rows += [["of pixels", "s:x", "s:y"], ["of grids", "r", "r:x"]]
    assert grid(cells((60, 160, 260), *rows, pitch=12), horizontal(90, 104, 152, 164)) == rows


def test_labels_over_their_values_between_rules_are_one_row():
    rows = [["The city and its district", "The county"], ["City", "County"], ["Ulm", "Elm"], ["Street", "Number"]]
    made = grid(cells((60, 260), *rows, pitch=12), horizontal(90, 104, 128, 140))
    assert made == [rows[0], ["City Ulm", "County Elm"], rows[3]]


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
