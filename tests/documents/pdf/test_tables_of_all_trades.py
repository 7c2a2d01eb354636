"""Tables as trades print them: statements, price lists, forms, registers, shaded rows."""

from made_words import NOTHING, cells, horizontal, word, words

from readwell.documents.pdf.page_model import RulingLine, Rulings
from readwell.documents.pdf.page_notices import Notices
from readwell.documents.pdf.table_search.find_tables import find_tables
from readwell.documents.pdf.text_patterns import is_number


def found(some, rulings=NOTHING):
    return [table.rows for table in find_tables(some, rulings, Notices())]


def test_amounts_are_numbers_with_their_currency_before_or_behind():
    assert all(map(is_number, ("8 €", "$ 87,596", "($ 5)", "$(1,234)", "EUR 5.00", "12 kr.")))
    assert not any(map(is_number, ("$", "EUR", "5 apples", "Euro 2024")))


def test_rules_above_totals_do_not_tear_a_statement():
    rows = [
        ["", "2025", "2024"],
        ["Sales", "$ 500", "$ 400"],
        ["Other", "20", "30"],
        ["Total income", "520", "430"],
        ["Wages", "100", "90"],
        ["Rent", "50", "50"],
        ["Total costs", "150", "140"],
        ["Net", "$ 370", "$ 290"],
    ]
    totals = [RulingLine(float(y), 190.0, 340.0) for y in (133, 175, 189)]
    assert found(cells((60, 200, 300), *rows), Rulings(totals, [], [])) == [rows]


def test_sections_with_titles_in_a_price_list_are_rows():
    rows = [["Whites", "Price"], ["Coast", ""], ["House of the hill", "8 €"], ["Valley", ""], ["Mill", "10 €"]]
    rows += [["Island", ""], ["Harbour light", "13 €"]]
    assert found(cells((60, 300), *rows)) == [rows]


def test_sections_of_one_table_are_one_though_white_is_between():
    upper = [["Boats", "1", "10"], ["Nets", "2", "20"], ["Oars", "3", "30"]]
    lower = [["Sails", "4", "40"], ["Ropes", "5", "50"], ["Masts", "6", "60"]]
    some = cells((60, 200, 300), *upper, *[["", "", ""]] * 2, *lower)
    assert found(some) == [upper + lower]


def test_single_words_with_room_are_rows_and_not_one_wrapped_cell():
    rows = [
        ["Outer 1", "Long 1", "Long 2"],
        ["A1", "C1", "D1"],
        ["", "C2", "D2"],
        ["", "C3", "D3"],
        ["", "C4", "D4"],
    ]
    assert found(cells((60, 200, 300), *rows)) == [rows]


def test_numbers_that_end_where_words_begin_are_a_column():
    some = []
    for k, (number, kind, name) in enumerate(
        [("648765", "AAA", "North"), ("82030", "AAB", "East"), ("509462", "BAW", "South"), ("79145", "AAA", "West")] * 2
    ):
        y = 100 + 14 * k
        some += words((y, (96.5 - 5 * len(number), number), (100, kind), (200, name), (300, str(k) + "0")))
    for k, one in enumerate(some):
        one.char_index, one.line = 20 * k, k // 4
    [table] = found(some)
    assert table[0] == ["648765", "AAA", "North", "00"]


def test_a_number_with_its_unit_stays_one_cell():
    some = []
    for k, price in enumerate(["228.41", "5.10", "91.00", "544.66", "7.25", "63.12", "80.00"]):
        some += words((100 + 14 * k, (60, f"Article{k}"), (300 - 5 * len(price), price), (302.5, "EUR")))
    for k, one in enumerate(some):
        one.char_index, one.line = 20 * k, k // 3
    assert [row[1] for row in found(some)[0]][:2] == ["228.41 EUR", "5.10 EUR"]


def test_the_fields_of_a_form_are_no_table_nor_part_of_one():
    form = [["Number:", "2024-113", "", ""], ["Customer:", "Adler", "", ""], ["Date:", "03.04.2024", "", ""]]
    rows = [
        ["Item", "", "Count", "Price"],
        ["Lamp", "", "2", "9.00"],
        ["Rope", "", "3", "4.00"],
        ["Oil", "", "1", "7.50"],
    ]
    assert found(cells((60, 160, 260, 340), *form, *rows)) == [[[row[0], *row[2:]] for row in rows]]


def test_every_second_row_shaded_is_one_table():
    rows = [
        ["Task", "Adler", "Keller"],
        ["Plan", "R", "A"],
        ["Build", "C", "R"],
        ["Check", "I", "I"],
        ["Ship", "A", "C"],
    ]
    across = [y for k in (0, 2, 4) for y in (90.0 + 14 * k, 104.0 + 14 * k)]
    down = [RulingLine(x, y, y + 14) for y in across[::2] for x in (50.0, 150.0, 250.0, 350.0)]
    assert found(cells((60, 160, 260), *rows), Rulings(horizontal(*across), down, [])) == [rows]


def test_a_grid_of_letters_is_a_table():
    rows = [["", "A", "B"], ["1", "Y", "N"], ["2", "N", "Y"], ["3", "Y", "Y"]]
    rulings = Rulings(
        horizontal(90, 104, 118, 132, 146), [RulingLine(x, 90.0, 146.0) for x in (50.0, 150.0, 250.0, 350.0)], []
    )
    assert found(cells((60, 160, 260), *rows), rulings) == [rows]


def test_a_line_centred_over_columns_is_their_head():
    rows = [["Kind", "2025", "2024"], ["Boats", "1", "10"], ["Nets", "2", "20"], ["Oars", "3", "30"]]
    some = cells((60, 200, 300), *rows)
    head = [word("Year", 240, 86, 900, 90), word("ended", 262, 86, 920, 90)]
    assert found(head + some)[0][0][1] == "Year ended"


def test_a_ruled_row_keeps_the_lines_of_its_cells():
    """Dates that break over two lines hold numbers, but the rules say where a row ends."""
    rows = [
        ["Delhi", "1.12.2009", "8"],
        ["Gujarat", "20.12.2009 to", "6"],
        ["", "3.1.2010", ""],
        ["Kerala", "23.2.2010 to", "9"],
    ]
    rows += [["", "11.3.2010", ""], ["Total", "", "23"]]
    rulings = Rulings(
        horizontal(90, 104, 132, 160, 174), [RulingLine(x, 90.0, 174.0) for x in (50.0, 150.0, 250.0, 350.0)], []
    )
    [table] = found(cells((60, 160, 260), *rows), rulings)
    assert table[1:3] == [["Gujarat", "20.12.2009 to 3.1.2010", "6"], ["Kerala", "23.2.2010 to 11.3.2010", "9"]]
