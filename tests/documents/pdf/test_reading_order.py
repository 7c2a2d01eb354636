"""Lines that come too early or too late in a PDF stand where a person reads them; all others stay in the PDF's order."""

import pytest
from made_lines import line, table

from readwell.documents.pdf.page_text.reading_order import MAX_ITEMS, in_reading_order

PROSE = [
    "The lamp is lit at dusk by the keeper of",
    "the night, who climbs the tower and cleans",
    "the glass with a dry cloth before that.",
]


def down(texts, top=100, pitch=12, **more):
    return [line(text, top + pitch * number, **more) for number, text in enumerate(texts)]


def test_what_goes_down_the_page_stays():
    prose = down(PROSE)
    assert in_reading_order(prose) == prose


def test_a_notice_at_the_top_that_is_drawn_last_comes_first():
    body, notice = down(PROSE, 200), down(["This book may be copied by anyone who", "leaves this notice in it."], 60)
    assert in_reading_order([*body, *notice]) == [*notice, *body]


def test_a_run_that_jumps_up_moves_into_the_gap_that_it_fits():
    above, below = down(PROSE, 100), down(PROSE, 300)
    gap = down(["Figure 2: the tower from the sea, drawn", "by the keeper of the south light."], 200)
    assert in_reading_order([*above, *below, *gap]) == [*above, *gap, *below]


def test_a_run_that_fits_no_gap_stays():
    above, below = down(PROSE, 100), down(PROSE, 140)
    late = [line("A remark across the lines of the text", 130)]
    assert in_reading_order([*above, *below, *late]) == [*above, *below, *late]


def test_the_second_column_is_no_jump():
    left, right = down(PROSE * 3, 100), down(PROSE * 3, 100, x=340)
    assert in_reading_order([*left, *right]) == [*left, *right]


def test_a_footer_that_is_drawn_first_comes_last_also_below_two_columns():
    left, right, foot = down(PROSE, 100), down(PROSE, 100, x=340), [line("Lights of the coast, page 7", 700)]
    assert in_reading_order([*foot, *left, *right]) == [*left, *right, *foot]


def test_a_column_that_goes_on_beside_it_is_no_footer():
    left, right = down(PROSE[:2], 300), down(PROSE[2:], 100, x=340)
    assert in_reading_order([*left, *right]) == [*left, *right]


def test_a_caption_drawn_behind_its_table_stands_above_it():
    cells = down(["Lamp Oil", "North 310"], 120)
    rows = table(["Lamp", "Oil"], ["North", "310"], of=cells)
    caption = line("Table 1. Lamps and their oil", 90)
    assert in_reading_order([rows, caption]) == [caption, rows]


def test_short_labels_do_not_move_into_gaps():
    flow = [*down(PROSE, 100), *down(PROSE, 300), line("x3", 200), *down(PROSE, 400)]
    assert in_reading_order(flow) == flow


def test_labels_of_a_figure_move_behind_the_paragraph_that_they_interrupt():
    first, *rest = down(PROSE, 100)
    labels = [line("lamp", 400), line("glass", 430)]
    assert in_reading_order([first, *labels, *rest]) == [first, *rest, *labels]


def test_parts_of_a_formula_stay_within_their_sentence():
    first, *rest = down(["the flame burns for as long as", "times the oil lasts in the lamp"], 100)
    raised = line("n", 96, x=230)
    assert in_reading_order([first, raised, *rest]) == [first, raised, *rest]


@pytest.mark.parametrize("count", [MAX_ITEMS, MAX_ITEMS + 1])
def test_pages_of_very_many_lines_stay_as_they_are(count):
    upwards = [line(f"The light of night {number}", 5000 - 20 * number) for number in range(count)]
    assert (in_reading_order(upwards) == upwards) == (count > MAX_ITEMS)
