"""What looks like a table and is none."""

from dataclasses import replace

import pytest
from made_words import PLAIN, word, words

from readwell.documents.pdf.page_content.word_rows import rows_of
from readwell.documents.pdf.table_search.drawings import is_chart, is_figure
from readwell.documents.pdf.table_search.table_filters import KINDS, is_code, is_table, may_hold_table

BODY = [["Name", "Size", "Weight"], ["one", "1", "10"], ["two", "2", "20"], ["three", "3", "30"]]


def grid(rows, font=PLAIN):
    """Returns a grid of cells a hundred points wide."""
    return [
        [
            [
                word(part, 100 * j + 1 + 6 * sum(map(len, text.split()[:n])), 20 * k, 0, k, font)
                for n, part in enumerate(text.split())
            ]
            for j, text in enumerate(row)
        ]
        for k, row in enumerate(rows)
    ]


@pytest.mark.parametrize("kind", ["lattice", "ruled", "whitespace"])
def test_rows_of_names_and_numbers_are_a_table(kind):
    assert is_table(grid(BODY), kind)


@pytest.mark.parametrize("kind", ["lattice", "ruled", "whitespace"])
def test_three_cells_are_no_table(kind):
    assert not is_table(grid([["a word", "1"], ["", "2"]]), kind)


def test_cells_with_wide_white_inside_are_no_cells():
    torn = grid(BODY)
    for row in torn:
        row[1].append(replace(row[1][0], x0=row[1][0].x1 + 20, x1=row[1][0].x1 + 30))
    assert not is_table(torn, "lattice")


def test_scraps_of_a_formula_are_no_table():
    assert not is_table(grid([["x", "="], ["y", "+"], ["a b", "z"], ["q", "r"]]), "ruled")


def test_dates_short_codes_and_amounts_are_a_table():
    row = ["02/07", "Bakery", "Bern", "CH", "Card", "ok", "Paid", "4.20", "1"]
    assert is_table(grid([row] * 4), "whitespace")
    row[2], row[6] = "B.", "P."
    assert not is_table(grid([row] * 4), "whitespace")


def test_calls_below_heads_in_words_are_a_table_between_rules():
    rows = [["Label", "Model", "Object", "Call"], ["A-0", "(g)m", "m", "v(m)"], ["A-1", "(g)m", "m", "v(m, 1)"]]
    rows += [["P", "(g)r", "r", "v(r, 2)"]]
    assert is_table(grid(rows), "ruled")
    assert not is_table(grid(rows), "whitespace")
    assert not is_table(grid(rows[1:]), "ruled")


def test_codes_in_a_lattice_whose_heads_and_labels_span_cells_are_a_table():
    rows = [
        ["Severity", "Exposure", "Control", ""],
        ["", "", "C1", "C2"],
        ["S1", "E1", "QM", "A"],
        ["", "E2", "A", "B"],
    ]
    rows += [["S2", "E1", "QM", "B"], ["", "E2", "B", "C"]]
    assert is_table(grid(rows), "lattice")
    assert not is_table(grid(rows), "whitespace")
    assert not is_table(grid([["S", "E", "C", ""], *rows[1:]]), "lattice")
    assert not is_table(grid([["Severity", "", "Control", ""], *rows[1:]]), "lattice")


def test_a_lattice_may_be_half_empty_but_not_nearly_empty():
    half = [["Name", "", "Size"], ["one", "x1", ""], ["two", "", ""]]
    assert is_table(grid(half), "lattice")
    assert not is_table(grid([["Name", "", ""], ["one", "two", "and"], *[["", "", ""]] * 4]), "lattice")
    assert not is_table(grid([["Name", "Size"], *[["text", ""]] * 5]), "lattice")


def test_text_between_rules_is_no_table():
    long = "a cell of running text that goes on and on, longer than any cell of a table would be, to the end"
    assert not is_table(grid([[long, long]] * 3), "ruled")


def test_lines_of_a_program_are_told_by_their_font():
    mono = replace(PLAIN, mono=True)
    code = [["def read(path):", "# opens"], ["text =", "path.read_text()"], ["return", "text"]]
    assert is_code(grid(code, mono))
    assert not is_code(grid(code))
    assert not is_code(grid(BODY, mono))


@pytest.mark.parametrize(("typewritten", "is_listing"), [(0, False), (1, False), (2, True)])
def test_typewritten_cells_below_heads_that_are_mostly_in_another_font_are_no_program(typewritten, is_listing):
    mono = replace(PLAIN, mono=True)
    heads = [[word("Type", 0, 0, font=mono if number < typewritten else PLAIN)] for number in range(3)]
    assert is_code([heads, *grid([["bool", "char", "NULL"], ["int", "long", "NULL"]], mono)]) == is_listing


def test_numbered_lines_are_no_table():
    assert not is_table(grid([["1:", "begin"], ["2:", "do it"], ["3:", "end"], ["4:", "done"]]), "ruled")
    steps = [["Procedure", "pick"], ["2", "open the box"], ["3", "look inside"], ["4", "close the box"]]
    assert not is_table(grid(steps), "ruled")


def test_numbers_that_do_not_count_are_no_line_numbers():
    rows = [["020: Input", "Python", "16"], ["022: Traversal", "Ruby", "14"], ["077: Command", "C", "9"]]
    assert is_table(grid(rows), "ruled")


def test_a_full_table_may_number_its_rows():
    rows = [
        ["No", "Country", "Capital"],
        ["1", "Norway", "Oslo"],
        ["2", "Sweden", "Stockholm"],
        ["3", "Latvia", "Riga"],
    ]
    assert is_table(grid(rows), "ruled")


@pytest.mark.parametrize("kind", ["ruled", "whitespace"])
def test_a_table_of_contents_is_no_table(kind):
    leaders = [["Introduction ......", "1"], ["Methods ......", "4"], ["Results ......", "9"], ["End ......", "12"]]
    assert not is_table(grid(leaders), kind)
    sections = [["1 Introduction", "1"], ["1.1 Methods", "4"], ["2 Results", "9"], ["3 End", "12"]]
    assert not is_table(grid(sections), kind)


def test_leaders_before_several_columns_are_no_contents():
    rows = [
        ["All ages ......", "12", "34"],
        ["Young ......", "5", "6"],
        ["Old ......", "7", "28"],
        ["Sum ......", "1", "2"],
    ]
    assert is_table(grid(rows), "ruled")


def test_white_alone_asks_for_three_rows_of_numbers_or_four_of_words():
    assert not is_table(grid(BODY[:2]), "whitespace")
    assert is_table(grid([["Name", "Size", "Unit"], ["one", "1", "10"], ["two", "2", "20"]]), "whitespace")
    letters = [["Name", "Town", "Land"], ["Anna", "Oslo", "Norway"], ["Berta", "Riga", "Latvia"]]
    assert not is_table(grid(letters), "whitespace")
    assert is_table(grid([*letters, ["Clara", "Bern", "Switzerland"]]), "whitespace")


@pytest.mark.parametrize(("words", "may_be"), [(27, True), (28, False)])
def test_three_rows_are_a_table_by_white_alone_where_a_tenth_of_the_cells_are_numbers(words, may_be):
    cells = [*["1", "2", "3"], *["word"] * words][::-1]
    width = -(-len(cells) // 3)
    rows = [cells[at : at + width] for at in range(0, len(cells), width)]
    assert is_table(grid([*rows[:2], [*rows[2], *[""] * (width - len(rows[2]))]]), "whitespace") == may_be


def test_columns_of_running_text_are_no_table():
    text = ["some words of one", "and others beside it", "in a third column"]
    assert not is_table(grid([text] * 5), "whitespace")


def test_labels_and_text_are_a_list():
    assert not is_table(grid([[f"({letter})", "an item of some list"] for letter in "abcdef"]), "whitespace")


def test_an_index_is_no_table():
    entries = [["apples, 12", "melons, 3, 7", "plums, 99"]] * 5
    assert not is_table(grid(entries), "whitespace")


def test_formulas_are_no_table():
    assert not is_table(grid([["if α then", "∑ over all", "else stop"]] * 5), "whitespace")


def test_nearly_empty_columns_are_no_columns():
    rows = [["name", "12", "", "", ""]] * 3 + [["name", "13", "x", "y", "z"]]
    assert not is_table(grid(rows * 2), "whitespace")


def test_what_holds_the_title_of_a_picture_is_no_table():
    assert not is_table(grid([*BODY, ["Figure 2: all", "4", "40"]]), "whitespace")


def test_a_scale_below_sparse_rows_is_a_chart():
    bars = [
        ["2001", "", "", "30", "", ""],
        ["2002", "", "20", "", "", ""],
        ["0%", "20%", "40%", "60%", "80%", "100%"],
    ]
    assert is_chart(grid(bars))


def test_years_above_their_columns_are_no_scale():
    years = [["Name", "", "", "", ""], ["", "2001", "2002", "2003", "2004"], *[["one", "1", "4", "2", "8"]] * 3]
    assert not is_chart(grid(years))
    assert not is_chart(grid(BODY))


def test_two_curves_inside_make_a_figure():
    box = (0.0, 0.0, 100.0, 100.0)
    curve, small, outside = (20.0, 20.0, 60.0, 40.0), (20.0, 20.0, 25.0, 25.0), (90.0, 90.0, 190.0, 150.0)
    assert is_figure(box, [curve, curve], 10)
    assert not is_figure(box, [curve, small, outside], 10)


@pytest.mark.parametrize(
    ("rows", "kinds"),
    [
        (["a b c d e f g h"], []),
        (["a b", "c d"], ["lattice"]),
        (["a b c d", "e f g h"], ["lattice", "ruled"]),
        (["a b c", "d e f", "g h"], ["lattice", "ruled", "whitespace"]),
    ],
)
def test_a_region_with_too_few_words_or_rows_for_its_kind_is_not_looked_at(rows, kinds):
    shown = rows_of(words(*((100 + 12 * number, (60, text)) for number, text in enumerate(rows))))
    assert [kind for kind in KINDS if may_hold_table(shown, kind)] == kinds
