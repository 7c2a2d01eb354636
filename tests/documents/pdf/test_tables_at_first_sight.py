"""Tables of documents that no rule was made for: spaces in drawn cells, rows that wrap, heads, rows at the end."""

import pytest
from made_words import NOTHING, cells, horizontal, vertical, words

from readwell.documents.pdf.page_model import Rulings
from readwell.documents.pdf.page_notices import Notices
from readwell.documents.pdf.table_search.drawings import has_only_scales
from readwell.documents.pdf.table_search.find_tables import find_tables
from readwell.documents.pdf.table_search.table_evidence import TableEvidence
from readwell.documents.pdf.text_patterns import is_number


def found(some, rulings=NOTHING):
    return [table.rows for table in find_tables(some, rulings, Notices())]


def lattice(xs, ys):
    """The ruling lines of a lattice."""
    return Rulings(horizontal(*ys, x0=xs[0], x1=xs[-1]), vertical(*xs, top=ys[0], bottom=ys[-1]), [])


def in_drawn_cells(split, across, behind="// lamp"):
    """Returns the columns of a drawn table: rows with a space in their second cell, and rows whose text runs across it."""
    rows = [[(60, f"FLAG{k}"), (160, f"x{k}"), (183, behind)] for k in range(split)]
    rows += [[(60, f"FLAG{k}"), (160, "text that runs across")] for k in range(split, split + across)]
    some = words(*((100 + 20 * k, *row) for k, row in enumerate(rows)))
    (table,) = found(some, lattice((50, 150, 350), [87 + 20 * k for k in range(len(rows) + 1)]))
    return len(table[0])


@pytest.mark.parametrize(("split", "across", "columns"), [(9, 3, 2), (11, 2, 2), (12, 2, 3), (12, 0, 3)])
def test_a_space_in_drawn_cells_parts_no_columns_where_other_lines_run_across(split, across, columns):
    assert in_drawn_cells(split, across) == columns


def test_numbers_behind_a_space_in_drawn_cells_are_a_column_though_texts_run_across():
    assert in_drawn_cells(9, 3, behind="12.50") == 3


def test_a_frame_alone_does_not_join_the_columns_inside():
    rows = [[(60, f"FLAG{k}"), (160, f"x{k}"), (183, "// lamp")] for k in range(9)]
    rows += [[(60, f"FLAG{k}"), (160, "text that runs across")] for k in range(9, 12)]
    some = words(*((100 + 20 * k, *row) for k, row in enumerate(rows)))
    (table,) = found(some, lattice((50, 350), [87 + 20 * k for k in range(13)]))
    assert len(table[0]) == 3


HEADS = [(60, "Name"), (150, "Release"), (260, "Remark")]
WRAPPED = [
    (101, *HEADS),
    (121, (60, "Light"), (150, "First or second"), (260, "All lamps of the old harbour,")),
    (133, (60, "house"), (150, "of the new year"), (260, "being weary, go out at night.")),
    (153, (60, "Piers"), (150, "Third"), (260, "No lamps.")),
    (165, (60, "of the")),
    (177, (60, "north")),
]


def test_lines_that_wrap_between_the_ruling_lines_of_a_lattice_are_one_row():
    assert found(words(*WRAPPED), lattice((50, 110, 250, 420), (90, 108, 140, 184))) == [
        [
            ["Name", "Release", "Remark"],
            [
                "Light house",
                "First or second of the new year",
                "All lamps of the old harbour, being weary, go out at night.",
            ],
            ["Piers of the north", "Third", "No lamps."],
        ]
    ]


def test_lines_that_had_room_between_the_ruling_lines_of_a_lattice_are_rows():
    lines = [
        (101, *HEADS),
        (121, (60, "One"), (150, "red"), (260, "far")),
        (133, (60, "Two"), (150, "blue"), (260, "near")),
    ]
    lines += [
        (145, (60, "Three"), (150, "dark green"), (260, "seen from the pier")),
        (165, (60, "All"), (150, "of"), (260, "them")),
    ]
    (table,) = found(words(*lines), lattice((50, 110, 250, 420), (90, 108, 152, 172)))
    assert [row[0] for row in table] == ["Name", "One", "Two", "Three", "All"]


def test_labels_below_ruling_lines_are_no_head_of_the_first_column():
    rows = [
        ["", "Asia", "Europe"],
        ["Capital", "Jakarta", "Berlin"],
        ["Currency", "Rupia", "Euro"],
        ["People", "273", "83"],
    ]
    some = cells((60, 150, 260), *rows, pitch=20)
    assert found(some, lattice((50, 140, 250, 350), (90, 107, 127, 147, 167))) == [rows]
    open_above = Rulings(
        sorted(horizontal(107, 127, x0=140) + horizontal(90, 147, 167)),
        vertical(50, 140, 250, 350, top=90, bottom=167),
        [],
    )
    (table,) = found(some, open_above)
    assert table[0][0] == "Capital Currency"


def test_the_shade_of_a_line_does_not_keep_a_label_from_the_head():
    """Of a head over two columns, the rule below it and shades behind single lines; numbers begin below them."""
    some = words(
        (100, (160, "Results")),
        (114, (60, "Name"), (150, "Best"), (200, "Worst")),
        (134, (60, "North"), (150, "31"), (200, "18")),
        (154, (60, "South"), (150, "40"), (200, "22")),
        (174, (60, "East"), (150, "24"), (200, "15")),
    )
    rows = horizontal(90, 121, 141, 161, 181, x1=250)
    walls = vertical(50, 140, 250, top=90, bottom=181)
    (table,) = found(some, Rulings(sorted([*rows, *horizontal(107, x0=50, x1=140)]), walls, []))
    assert table[0][0] == "Name"
    (table,) = found(some, Rulings(sorted([*rows, *horizontal(107, x1=250)]), walls, []))
    assert [row[0] for row in table[:2]] == ["", "Name"]


def with_last_row(*last):
    """Returns the last row found of a table in whitespace whose last row is set apart and reaches into the gutters."""
    rows = [["District", "Green", "Blue", "Other"], *[[f"North {k}", f"1{k}", f"2{k}", f"3{k}"] for k in range(1, 7)]]
    some = cells((60, 150, 200, 250), *rows)
    below = words((100 + 14 * 7 + 6, *last))
    (table, *_) = found([*some, *below])
    return [*filter(None, table[-1])]


def test_a_total_whose_numbers_are_wider_than_those_above_it_ends_a_table():
    total = with_last_row((60, "Total"), (132, "1,234,567"), (183, "1,234,567"), (234, "1,234,567"))
    assert total == ["Total", "1,234,567", "1,234,567", "1,234,567"]


def test_stretched_text_below_a_table_is_no_row_of_it():
    assert (
        with_last_row((60, "Lights"), (110, "that"), (132, "are lit"), (183, "when ships"), (236, "come in"))[0]
        == "North 6"
    )


def in_bands(*second):
    """Returns the first column of a ruled table whose second row has two lines, with numbers at some places of the second."""
    rows = [["Gain", "low", "", "", "16.9", "0.2"], ["", "high", *second]]
    lines = [["Name", "Band", "Least", "Most", "Usual", "Error"], *rows, ["Width", "100", "1", "5", "4", "0.1"]]
    heights = [100, 120, 132, 152]
    xs = (60, 110, 160, 210, 260, 310)
    some = words(
        *(
            (y, *((x, text) for x, text in zip(xs, row, strict=True) if text))
            for y, row in zip(heights, lines, strict=True)
        )
    )
    rulings = Rulings(horizontal(90, 107, 139, 159), vertical(100, 150, 200, 250, 300, top=90, bottom=159), [])
    return [row[0] for row in found(some, rulings)[0]]


def test_a_band_is_of_two_rows_where_as_many_columns_have_two_numbers_as_have_one():
    assert in_bands("14.5", "17.5", "15.9", "0.2") == ["Name", "Gain", "", "Width"]
    assert in_bands("14.5", "17.5", "of all", "0.2") == ["Name", "Gain", "Width"]


@pytest.mark.parametrize("text", ["2.24 ± 0.10", "±5", "0.061±0.002"])
def test_an_amount_with_its_tolerance_is_a_number(text):
    assert is_number(text)


def are_scales(*rows):
    return has_only_scales(TableEvidence([*map(list, rows)], [], 0, 0.0))


def test_the_axes_of_charts_beside_each_other_are_no_table():
    assert are_scales(["50", "100 150 200", "0", "50", "100", "150"], ["data", "", "", "", "theory", ""])
    assert not are_scales(["50", "100 150 200", "0", "50", "100", ""], ["data", "", "", "", "theory", ""])
    assert not are_scales(["50", "100 150 201", "0", "50", "100", "150"], ["data", "", "", "", "theory", ""])


def test_a_number_in_the_name_of_an_axis_is_none_of_its_steps():
    scale = ["0.00", "0.05", "0.10", "0.15", "0.20"]
    assert are_scales(scale, ["", "Loading 1 SVD", "", "", ""])
    assert not are_scales(scale, ["", "1", "", "", ""])
