"""A region becomes a grid: what is one cell, one row, one column, and where spanning cells begin."""

from dataclasses import replace

from made_words import NOTHING, cells, horizontal, joined_text, vertical, word, words

from readwell.documents.pdf.page_content.word_index import WordIndex
from readwell.documents.pdf.page_model import Rulings
from readwell.documents.pdf.page_notices import Notices
from readwell.documents.pdf.table_grid.grid_builder import build_grid

PAGE = (0.0, 0.0, 600.0, 800.0)
XS = (60, 160, 260)


def grid(found, rulings=NOTHING, box=None):
    box = box or (
        min(word.x0 for word in found),
        min(word.top for word in found),
        max(word.x1 for word in found),
        max(word.bottom for word in found),
    )
    made = build_grid(box, WordIndex(found), rulings, Notices())
    return made and joined_text(made)


def test_aligned_segments_are_columns():
    rows = [["Name", "Size", "Weight"], ["one", "1", "10"], ["two", "2", "20"], ["three", "3", "30"]]
    assert grid(cells(XS, *rows)) == rows


def test_every_word_of_a_region_stands_in_its_grid():
    found = cells(XS, ["a head across two columns", "", "x"], ["one", "1", "10"], ["two", "", "20"], ["", "3", "30"])
    made = build_grid((0, 0, 600, 800), WordIndex(found), NOTHING, Notices())
    assert sorted(word.char_index for row in made for cell in row for word in cell) == [
        word.char_index for word in found
    ]


def test_one_column_is_no_grid():
    assert grid(cells((60,), ["one"], ["two"])) is None
    assert build_grid((0, 0, 10, 10), WordIndex([]), NOTHING, Notices()) is None


def test_an_upright_rule_parts_columns_without_white():
    found = words(*((100 + 14 * k, (60, "ab"), (73, "cd")) for k in range(4)))
    assert grid(found, Rulings([], vertical(71.5), [])) == [["ab", "cd"]] * 4


def test_all_long_upright_rules_in_one_gutter_part_columns():
    found = cells((60, 110, 300), ["a", "1", "x"], ["b", "2", "y"], ["c", "", "z"], ["d", "", "w"])
    made = grid(found, Rulings([], vertical(90, 200), []))
    assert made == [["a", "1", "x"], ["b", "2", "y"], ["c", "", "z"], ["d", "", "w"]]


def test_a_header_that_spans_columns_does_not_hide_them():
    body = [["one", "1", "10"], ["two", "2", "20"], ["three", "3", "30"], ["four", "4", "40"]]
    found = words((86, (60, "Name"), (165, "a head over both of them"))) + [
        replace(found, char_index=found.char_index + 1000, line=found.line + 10) for found in cells(XS, *body)
    ]
    assert grid(found) == [["Name", "a head over both of them", ""], *body]


def test_a_spanning_header_stands_over_the_first_of_its_columns_by_the_rule_below_it():
    rules = Rulings(horizontal(104, x0=150, x1=300), [], [])
    found = cells(XS, ["", "", ""], ["Name", "n", "m"], ["one", "1", "10"], ["two", "2", "20"], ["six", "6", "60"])
    found += [word("Both", 220, 100, 5000, 50)]
    assert grid(found, rules)[0] == ["Name", "Both", ""]


def test_years_that_head_columns_span_them():
    head = words((86, (60, "Name"), (185, "2005"), (385, "2010")))
    body = cells(
        (60, 160, 220, 360, 420),
        ["", "n", "%", "n", "%"],
        ["one", "10", "1", "11", "2"],
        ["two", "20", "3", "21", "4"],
        ["six", "60", "5", "61", "6"],
        y=103,
    )
    found = head + [replace(moved, char_index=moved.char_index + 1000, line=moved.line + 10) for moved in body]
    assert grid(found)[:2] == [["Name", "2005", "", "2010", ""], ["", "n", "%", "n", "%"]]


def test_what_names_the_first_column_reaches_up_to_the_top_of_the_header():
    rules = Rulings(horizontal(107, x0=150, x1=300), [], [])
    found = cells(XS, ["", "Both", ""], ["Name", "n", "m"], ["one", "1", "10"], ["two", "2", "20"], ["six", "6", "60"])
    assert grid(found, rules)[:2] == [["Name", "Both", ""], ["", "n", "m"]]


def test_the_title_of_a_section_is_no_header():
    found = cells(
        XS, ["", "Both", "x"], ["Name", "n", "m"], ["Section", "", ""], ["one", "1", "10"], ["two", "2", "20"], pitch=16
    )
    assert grid(found)[2] == ["Section", "", ""]


def test_stacked_lines_of_a_header_are_one_row():
    found = cells(
        XS, ["", "Size", "Weight"], ["Name", "(cm)", "(kg)"], ["one", "1", "10"], ["two", "2", "20"], pitch=12
    )
    assert grid(found)[0] == ["Name", "Size (cm)", "Weight (kg)"]


def test_text_goes_on_in_the_line_below():
    found = cells(
        XS, ["Name", "Text", "n"], ["one", "a text that", "1"], ["", "goes on", ""], ["two", "short", "2"], pitch=12
    )
    assert grid(found)[1:] == [["one", "a text that goes on", "1"], ["two", "short", "2"]]


def test_a_line_with_a_number_begins_a_row():
    found = cells(XS, ["Name", "a", "b"], ["one", "1", "2"], ["", "3", ""], ["two", "4", "5"], pitch=12)
    assert grid(found)[2] == ["", "3", ""]


def test_lines_between_rules_are_one_row():
    found = cells(
        XS, ["A", "B", "C"], ["one", "text", "here"], ["more", "text", "there"], ["two", "last", "one"], pitch=16
    )
    rules = Rulings(horizontal(90, 106, 138, 154), [], [])
    assert grid(found, rules) == [["A", "B", "C"], ["one more", "text text", "here there"], ["two", "last", "one"]]


def test_lines_of_numbers_between_rules_are_rows_of_their_own():
    rows = [["A", "B", "C"], ["one", "1", "2"], ["two", "3", "4"], ["sum", "4", "6"]]
    assert grid(cells(XS, *rows, pitch=16), Rulings(horizontal(90, 106, 138, 154), [], [])) == rows


def test_a_cell_beside_two_rows_begins_in_the_first():
    found = words(
        (100, (60, "A"), (160, "B")),
        (120, (160, "one")),
        (130, (60, "both")),
        (140, (160, "two")),
        (160, (60, "x"), (160, "y")),
    )
    rules = Rulings(
        sorted(horizontal(90, 110, 150, 170) + horizontal(131, x0=140)), vertical(50, 140, 350, top=90, bottom=170), []
    )
    made = grid(found, rules, (50, 90, 350, 170))
    assert made == [["A", "B"], ["both", "one"], ["", "two"], ["x", "y"]]


def test_spaces_as_wide_as_those_of_the_text_do_not_part_a_header_at_a_separator():
    wide = [(100, "A B"), (120, "male female")]
    body = cells(
        (60, 160, 220), ["", "male", "female"], ["one", "10", "20"], ["two", "30", "40"], ["six", "50", "60"], y=114
    )
    letters = [word(text, 60 + 14 * k, 300, 9000 + 10 * k, 90) for k, text in enumerate(["a"] * 20)]
    head = [word("Grand", 165, 100, 8000, 80), word("people", 196, 100, 8001, 80)]
    made = build_grid((50, 90, 300, 170), WordIndex([*head, *body, *letters]), NOTHING, Notices())
    assert wide and joined_text(made)[0] == ["", "Grand people", ""]


def test_thousands_of_rows_are_left_alone():
    found = [word("x", 60 + 50 * (k % 2), 10 + 12 * (k // 2), k, k // 2) for k in range(8000)]
    assert build_grid((0, 0, 600, 60_000), WordIndex(found), NOTHING, Notices()) is None


def test_a_head_wider_than_its_column_stands_in_it():
    head = words((100, (60, "Name"), (130, "Kind"), (158, "a wide head")))
    body = cells(
        (60, 130, 200), ["one", "x1", "10"], ["two", "x2", "20"], ["six", "x6", "60"], ["ten", "x0", "70"], y=116
    )
    found = head + [replace(moved, char_index=moved.char_index + 1000, line=moved.line + 10) for moved in body]
    assert grid(found)[0] == ["Name", "Kind", "a wide head"]


def test_heads_without_rules_over_two_columns_each_are_a_row_of_their_own():
    head = words((88, (185, "left"), (385, "right")))
    body = cells(
        (60, 160, 220, 360, 420),
        ["Name", "n", "p", "n", "p"],
        ["one", "10", "1", "11", "2"],
        ["two", "20", "3", "21", "4"],
        ["six", "60", "5", "61", "6"],
    )
    found = head + [replace(moved, char_index=moved.char_index + 1000, line=moved.line + 10) for moved in body]
    assert grid(found)[:2] == [["Name", "left", "", "right", ""], ["", "n", "p", "n", "p"]]


def test_stacked_heads_over_their_own_columns_are_one_row():
    head = words((102, (160, "Margin"), (300, "Margin")))
    body = cells(
        (60, 160, 230, 300, 370),
        ["Name", "error", "count", "error", "count"],
        ["one", "10", "1", "11", "2"],
        ["two", "20", "3", "21", "4"],
        ["six", "60", "5", "61", "6"],
        y=114,
    )
    found = head + [replace(moved, char_index=moved.char_index + 1000, line=moved.line + 10) for moved in body]
    assert grid(found)[0] == ["Name", "Margin error", "count", "Margin error", "count"]


def test_a_line_of_a_head_that_is_flush_right_belongs_to_its_column():
    found = words(
        (100, (330, "American")),
        (106, (60, "Offense"), (300, "Indian/Alaskan"), (380, "Asian Pacific")),
        (112, (60, "charged"), (271, "Black"), (340, "Native"), (405, "Islander")),
        (130, (60, "Robbery"), (251, "1,234,567"), (335, "150,544"), (410, "123,656")),
        (144, (60, "Fraud"), (251, "2,234,567"), (335, "250,544"), (410, "223,656")),
        (158, (60, "Arson"), (251, "3,234,567"), (335, "350,544"), (410, "323,656")),
        (172, (60, "Theft"), (251, "4,234,567"), (335, "450,544"), (410, "423,656")),
    )
    assert grid(found)[0] == ["Offense charged", "Black", "American Indian/Alaskan Native", "Asian Pacific Islander"]


def test_a_word_of_a_stretched_head_is_no_column():
    head = words((100, (60, "Name"), (160, "Size"), (195, "in")))
    body = cells((60, 160), ["one", "1"], ["two", "2"], ["six", "6"], ["ten", "7"], y=116)
    found = head + [replace(moved, char_index=moved.char_index + 1000, line=moved.line + 10) for moved in body]
    assert grid(found)[0] == ["Name", "Size in"]


def test_a_head_may_be_aligned_otherwise_than_the_rows_below_it():
    head = [(100, (160, "Dose")), (106, (60, "Name"), (260, "Remarks")), (112, (160, "(grams)"))]
    body = [
        (130, (60, "oak"), (160, "24"), (260, "spread on the field")),
        (142, (60, "bark")),
        (156, (60, "elm"), (160, "12"), (260, "stir in water and")),
        (168, (60, "leaf"), (260, "wait for an hour")),
        (180, (260, "before use")),
        (194, (60, "ash"), (160, "6"), (260, "do not spread on")),
        (206, (60, "root"), (260, "wet soil")),
    ]
    rules = Rulings(horizontal(90, 117, 220), [], [])
    assert grid(words(*head, *body), rules) == [
        ["Name", "Dose (grams)", "Remarks"],
        ["oak bark", "24", "spread on the field"],
        ["elm leaf", "12", "stir in water and wait for an hour before use"],
        ["ash root", "6", "do not spread on wet soil"],
    ]


def test_cells_on_both_sides_of_a_wall_are_aligned_separately_though_they_touch_it():
    body = [
        (130, (60, "oak"), (160, "counterbalances"), (236.5, "wait")),
        (142, (160, "straightforward"), (236.5, "for an")),
        (154, (236.5, "hour")),
        (168, (60, "elm"), (160, "acknowledgement"), (236.5, "use")),
        (180, (236.5, "at once")),
        (194, (60, "ash"), (160, "congratulations"), (236.5, "do")),
        (206, (160, "rationalization"), (236.5, "not")),
    ]
    assert grid(words(*body), Rulings([], vertical(235.8, top=120, bottom=220), [])) == [
        ["oak", "counterbalances straightforward", "wait for an hour"],
        ["elm", "acknowledgement", "use at once"],
        ["ash", "congratulations rationalization", "do not"],
    ]


def test_a_wall_that_parts_the_heads_parts_columns_however_short_it_is():
    rows = [["Kind", "Old", "New"], ["oak", "two or three", "five"]]
    rows += [[f"kind {k}", "a text across both of the columns", ""] for k in range(8)]
    found = cells((60, 160, 242), *rows, pitch=16)
    ys = [90 + 16 * k for k in range(11)]
    short = vertical(238, top=90, bottom=122)
    walls = vertical(50, 150, 350, top=90, bottom=250)
    assert grid(found, Rulings(horizontal(*ys), sorted(walls + short), []), box=(50, 90, 350, 250)) == rows


def test_a_wall_within_the_rows_of_a_form_parts_no_columns():
    rows = [["Kind", "of all"]] + [[f"kind {k}", "a text across all of it"] for k in range(8)]
    found = cells((60, 160), *rows, pitch=16)
    inside = vertical(230, top=106, bottom=138)
    walls = vertical(50, 150, 350, top=90, bottom=234)
    rules = Rulings(horizontal(*(90 + 16 * k for k in range(10))), sorted(walls + inside), [])
    assert grid(found, rules, box=(50, 90, 350, 234)) == rows


def test_a_head_behind_a_wall_stays_over_its_empty_column():
    """In a drawn lattice a column may be empty as far as the page goes."""
    found = cells((60, 100, 140), ["Dist 1", "Dist 2", "Dist 3"], ["15", "", "80"], ["5", "", "68"], ["21", "", "90"])
    walls = vertical(50, 94, 134, 175, top=90, bottom=150)
    drawn = Rulings(horizontal(90, 104, 118, 132, 146, x1=175), walls, [])
    assert grid(found, drawn, (50, 90, 175, 150))[0] == ["Dist 1", "Dist 2", "Dist 3"]
    assert grid(found, Rulings(drawn.horizontal, [], []), (50, 90, 175, 150))[0] == ["Dist 1 Dist 2", "Dist 3"]


def test_a_head_beside_one_of_two_lines_does_not_span_its_column():
    """Though it is centred over both: its line is half above and half below the lines of the other."""
    body = [["01", "Asientos"], ["02", "Calvillo"], ["03", "San Francisco de los Romo, Aguascalientes"]]
    lower = [
        replace(each, char_index=each.char_index + 1000, line=each.line + 10) for each in cells((70, 110), *body, y=130)
    ]
    two_lines = words((100, (60, "Clave")), (107, (160, "Nombre")), (114, (60, "Estado"))) + lower
    assert grid(two_lines)[0] == ["Clave Estado", "Nombre"]
