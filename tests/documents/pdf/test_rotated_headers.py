"""Column headers that are printed sideways, above the numbers they belong to."""

from dataclasses import replace
from math import pi

import pytest
from made_words import PLAIN, joined_text, word

from readwell.documents.pdf.table_grid.rotated_headers import with_rotated_headers

SIDEWAYS = replace(PLAIN, angle=pi / 2)
XS = (60, 150, 250)
BODY = [["Boats", "1", "10"], ["Nets", "2", "20"]]


def grid(*rows, y=100):
    """A grid of these texts; an empty one is a blank."""
    return [
        [[word(text, x, y + 14 * number)] if text else [] for x, text in zip(XS, row, strict=True)]
        for number, row in enumerate(rows)
    ]


def sideways(text, x, bottom):
    """A word that is read from below, above the column at x."""
    return replace(word(text, x, bottom, font=SIDEWAYS), x0=x - 4, x1=x + 6, top=bottom - 5 * len(text), bottom=bottom)


HEADERS = [sideways("Count", 150, 98), sideways("Mass", 250, 98)]


def test_they_fill_the_empty_cells_of_the_row_beside_them():
    assert joined_text(with_rotated_headers(grid(["Item", "", ""], *BODY), HEADERS)) == [
        ["Item", "Count", "Mass"],
        *BODY,
    ]


def test_they_are_a_row_of_their_own_where_a_cell_beside_them_is_full():
    head = ["Item", "pieces", ""]
    assert joined_text(with_rotated_headers(grid(head, *BODY), HEADERS)) == [["", "Count", "Mass"], head, *BODY]


def test_a_title_above_them_stays_above_them():
    title = grid(["Of the harbour", "", ""], y=60)
    body = grid(["Item", "", ""], *BODY)
    assert joined_text(with_rotated_headers(title + body, HEADERS)) == [
        ["Of the harbour", "", ""],
        ["Item", "Count", "Mass"],
        *BODY,
    ]


@pytest.mark.parametrize(
    "words",
    [HEADERS[:1], [sideways("Count", 150, 60), sideways("Mass", 250, 60)], [word("Count", 150, 80), word("Mass", 250, 80)]],
    ids=["one alone", "too far above", "upright"],
)  # fmt: skip
def test_other_words_above_a_table_are_no_headers(words):
    made = grid(["Item", "", ""], *BODY)
    assert with_rotated_headers(made, words) == made
