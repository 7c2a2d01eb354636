"""Tables as typesetters and printers of web pages set them: wide leading, rules over amounts, shaded sections."""

from made_words import NOTHING, cells, horizontal, word, words

from readwell.documents.pdf.page_model import RulingLine, Rulings
from readwell.documents.pdf.page_notices import Notices
from readwell.documents.pdf.table_search.find_tables import find_tables


def found(some, rulings=NOTHING):
    return [table.rows for table in find_tables(some, rulings, Notices())]


def test_rules_over_amounts_alone_do_not_tear_a_statement_with_a_column_of_notes():
    rows = [
        ["", "Note", "2025", "2024"],
        ["Sales", "1", "500", "400"],
        ["Other", "", "20", "30"],
        ["Total income", "", "520", "430"],
        ["Wages", "2", "100", "90"],
        ["Rent", "", "50", "50"],
        ["Total costs", "", "150", "140"],
        ["Net", "", "370", "290"],
    ]
    totals = [RulingLine(float(y), 250.0, 400.0) for y in (133, 175, 189)]
    assert found(cells((60, 200, 270, 360), *rows), Rulings(totals, [], [])) == [rows]


def test_a_sign_that_is_alone_in_its_column_is_no_column_of_a_statement():
    rows = [["", "Note", "2025", "2024"], ["Sales", "1", "500", "400"], ["Other", "", "20", "30"]]
    rows += [["Total income", "", "520", "430"], ["Wages", "2", "100", "90"], ["Rent", "", "50", "50"]]
    rows += [["Total costs", "", "150", "140"], ["Net", "", "370", "290"]]
    totals = [RulingLine(float(y), 250.0, 400.0) for y in (133, 175, 189)]
    some = [*cells((60, 200, 290, 360), *rows), word("€", 255, 156, 999)]
    (table,) = found(some, Rulings(totals, [], []))
    assert [row[0] for row in table] == [row[0] for row in rows]


def test_what_stands_beside_a_ruled_table_is_no_part_of_it():
    """Three columns more than those below the lines are no labels."""
    rows = [["a11", "a12", "a13", "Lamp", "10", "20"], ["a21", "a22", "a23", "Oar", "30", "40"]]
    rows += [["a31", "a32", "a33", "Net", "50", "60"], ["a41", "a42", "a43", "Rope", "70", "80"]]
    some = cells((60, 100, 140, 220, 280, 340), *rows)
    (first, *_) = found(some, Rulings(horizontal(88, 104, 118, x0=215, x1=360), [], []))
    assert first[0] == ["Lamp", "10", "20"]


HEAD = ["Number", "Article", "Price"]


def between_rules(*rows, pitch=16):
    """Returns the tables found where only the head and the whole are between ruling lines."""
    below = 100 + pitch * len(rows) - pitch / 2
    return found(cells((60, 120, 360), *rows, pitch=pitch), Rulings(horizontal(88, 107, below, x1=400), [], []))


def test_text_in_wide_leading_goes_on_in_its_cell():
    rows = [
        ["Lamp 1", "The light of the old harbour is seen", "10.00"],
        ["", "from all boats that come in before the", ""],
        ["", "night.", ""],
        ["Lamp 2", "A lamp.", "12.00"],
        ["Lamp 3", "The oil for lamps that are lit at the", "14.00"],
        ["", "mouth of the river.", ""],
        ["Lamp 4", "Another lamp.", "16.00"],
    ]
    long = "The light of the old harbour is seen from all boats that come in before the night."
    whole = [HEAD, ["Lamp 1", long, "10.00"], ["Lamp 2", "A lamp.", "12.00"]]
    whole += [["Lamp 3", "The oil for lamps that are lit at the mouth of the river.", "14.00"]]
    assert between_rules(HEAD, *rows) == [[*whole, ["Lamp 4", "Another lamp.", "16.00"]]]


def test_entries_in_wide_leading_that_had_room_above_are_rows():
    rows = [["Lamp 1", "Lamp of brass", "10.00"], ["", "Oil", ""], ["Lamp 2", "Oar of ash and of woods", "12.00"]]
    rows += [["Lamp 3", "Nets", "14.00"], ["Lamp 4", "Ropes", "15.00"]]
    assert between_rules(HEAD, *rows) == [[HEAD, *rows]]


def test_a_section_below_the_head_is_a_row():
    rows = [
        ["Analysis", "Result", "Unit"],
        ["Blood", "", ""],
        ["Iron in the blood", "16.7", "mg"],
        ["Salt", "6.1", "g"],
    ]
    rows += [["Sugar", "5.5", "g"]]
    assert found(cells((60, 200, 300), *rows, pitch=12)) == [rows]


def test_heads_end_in_one_line_though_some_begin_above_it_in_wide_leading():
    rows = [["", "Land and", "Plant and", ""], ["Thousands", "buildings", "machinery", "Total"]]
    body = [["Boats", "10", "20", "30"], ["Nets", "11", "21", "32"], ["Oars", "12", "22", "34"]]
    expected = [["Thousands", "Land and buildings", "Plant and machinery", "Total"], *body]
    assert found(cells((60, 200, 280, 360), *rows, *body, pitch=15)) == [expected]


def test_a_head_in_a_box_belongs_to_the_rows_below_the_title_of_their_first_section():
    heads = [["", "Land and", "Plant and", "Other"], ["Kind of goods", "buildings", "machinery", "tools"]]
    rows = [["Boats", "", "", ""], ["Large", "10", "20", "2"], ["Small", "30", "40", "4"], ["Old", "50", "60", "6"]]
    rows += [["New", "70", "80", "8"]]
    some = cells((60, 200, 280, 360), *heads, *rows)
    (table,) = found(some, Rulings(horizontal(90, 118, x0=50, x1=400), [], []))
    assert table[-5:] == rows


def test_lines_with_several_numbers_are_rows_beside_a_text_of_many_lines():
    head = [["No.", "Service", "Hours", "Rate"]]
    rows = [["1", "The light of", "50", "295.19"], ["", "the harbour", "", ""], ["", "is repaired", "", ""]]
    rows += [["", "by night", "", ""], ["", "and by day", "", ""], ["2", "Oil", "35", "453.39"]]
    rows += [["", "is brought", "", ""], ["", "for lamps", "", ""], ["", "of all kinds", "", ""]]
    last = [["", "", "Sum", "748.58"], ["", "", "Tax", "50.00"], ["", "", "Due", "798.58"]]
    some = cells((60, 100, 200, 280), *head, *rows, *last, pitch=12)
    walls = [RulingLine(float(x), 88.0, 244.0) for x in (50, 90, 190, 270, 330)]
    ruled = Rulings(horizontal(88, 103, 211, 223, 235, 247, x0=50, x1=330), walls, [])
    (table,) = found(some, ruled)
    assert [row[0] for row in table] == ["No.", "1", "2", "", "", ""]


def test_cells_that_are_wider_than_the_others_do_not_end_a_table():
    some = cells((60, 90, 160), *([str(k), f"Lamp {k}", f"{k}.50"] for k in range(1, 8)))
    some += words((203, (62, "8"), (92, "Lamp 8"), (160, "8.50")))
    assert [row[0] for row in found(some)[0]][-1] == "8"


def test_text_goes_on_below_the_second_word_where_a_number_is_close_to_it():
    heads = [["No.", "Service", "Hours"], ["1", "Lamps", "3"]]
    some = cells((60, 80, 240), *heads)
    some += words((128, (70, "22"), (80, "The long"), (240, "5")))
    some += words(*((140 + 12 * k, (80, text)) for k, text in enumerate(("light of", "the old", "harbour"))))
    some += words((178, (70, "23"), (80, "Oars"), (240, "7")), (194, (70, "24"), (80, "Nets"), (240, "9")))
    assert [row[-1] for row in found(some)[0]] == ["Hours", "3", "5", "7", "9"]


def test_a_title_in_one_shaded_cell_is_a_row_of_a_table_whose_every_second_row_is_shaded():
    codes = [["Build", "R", "A", "C"], ["Test", "A", "R", "I"], ["Ship", "C", "C", "R"], ["Paint", "A", "I", "R"]]
    codes += [["Sell", "R", "I", "A"]]
    rows = [["Task", "Anna", "Bert", "Carl"], ["Phase one", "", "", ""], *codes, ["Phase two", "", "", ""], *codes[:4]]
    edges, across, upright = (50.0, 180.0, 230.0, 280.0, 330.0), [], []
    for number in range(1, len(rows), 2):
        top, bottom = 88.0 + 14 * number, 102.0 + 14 * number
        across += [RulingLine(top, 50.0, 330.0), RulingLine(bottom, 50.0, 330.0)]
        inner = edges if rows[number][1] else (edges[0], edges[-1])
        upright += [RulingLine(x, top, bottom) for x in inner]
    some = cells((60, 190, 240, 290), *rows)
    assert found(some, Rulings(sorted(across), sorted(upright), [])) == [rows]
