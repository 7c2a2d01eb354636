"""Words become rows by height, rows become segments by white, segments leave gutters."""

from dataclasses import replace

import pytest
from made_words import PLAIN, joined_text, word, words

from readwell.documents.pdf.gutters import find_gutters, gutter_middles
from readwell.documents.pdf.page_content.word_index import WordIndex
from readwell.documents.pdf.page_content.word_rows import rows_of, rows_of_sorted
from readwell.documents.pdf.text_patterns import is_caption, is_number

SMALL = replace(PLAIN, size=6.0)


def rows(*found):
    return [" ".join(word.text for word in row.words) for row in rows_of(found)]


def cut(found, gap=0.45):
    [row] = rows_of(found)
    return joined_text([row.segments(gap)])[0]


def test_rows_go_from_the_top_down_and_from_left_to_right():
    assert rows(word("d", 90, 120), word("b", 60, 100), word("c", 10, 120), word("a", 10, 100)) == ["a b", "c d"]


def test_words_a_little_higher_or_lower_are_of_one_row():
    assert rows(word("one", 10, 100), word("row", 40, 102)) == ["one row"]


def test_raised_small_words_belong_to_their_row_and_do_not_stretch_it():
    raised = word("2", 25, 96, font=SMALL)
    assert rows(word("m", 10, 100), raised, word("above", 10, 88), word("below", 10, 112)) == ["above", "m 2", "below"]
    (row,) = rows_of([word("m", 10, 100), raised])
    assert (row.top, row.bottom) == (92.5, 102.2)


@pytest.mark.parametrize("between, joins", [(3, True), (4, False)])
def test_a_word_joins_one_of_the_last_four_rows(between, joins):
    others = [word("other", 10, 300 + 20 * number) for number in range(between)]
    found = rows_of_sorted([word("early", 10, 100), *others, word("late", 90, 101)])
    assert (len(found) == between + 1) is joins


def test_words_without_height_are_no_exception():
    flat = replace(word("flat", 10, 100), top=100.0, bottom=100.0)
    assert rows(flat, word("below", 10, 150)) == ["flat", "below"]


def test_a_row_is_cut_where_the_white_is_wide():
    assert cut(words((100, (10, "two words"), (80, "apart")))) == ["two words", "apart"]


def test_two_numbers_part_sooner_than_two_words():
    assert cut([word("12", 10, 100), word("34", 27, 100)], gap=1.0) == ["12", "34"]
    assert cut([word("ab", 10, 100), word("cd", 27, 100)], gap=1.0) == ["ab cd"]


def test_a_space_of_a_monospaced_font_is_no_gap_between_cells():
    typed, plain = replace(PLAIN, mono=True), PLAIN
    apart = [(typed, typed, 9, ["f(a, b)"]), (typed, typed, 11, ["f(a,", "b)"]), (typed, plain, 9, ["f(a,", "b)"])]
    for one, other, space, parts in apart:
        left = word("f(a,", 10, 100, font=one)
        assert cut([left, word("b)", left.x1 + space, 100, font=other)], gap=0.5) == parts


def test_a_bullet_stays_with_its_text():
    assert cut([word("•", 10, 100), word("item", 40, 100), word("next", 100, 100)]) == ["• item", "next"]


def test_the_space_between_words_is_measured_on_words_not_on_numbers():
    text = words(*((100 + 12 * k, (10, "several words of running text")) for k in range(4)))
    numbers = words(*((200 + 12 * k, (10, "1")) for k in range(9)))
    apart = [word(str(k), 20 + 9 * k, 300, char_index=9000 + k, line=90) for k in range(12)]
    index = WordIndex(text + numbers + apart)
    assert index.space_width(text) == index.space_width(apart) == 0.25


def test_words_are_found_by_where_their_middle_is():
    index = WordIndex(words((100, (10, "in"), (200, "out")), (150, (10, "below"))))
    assert [found.text for found in index.within((0, 90, 100, 110), 0)] == ["in"]
    assert [found.text for found in index.within((0, 90, 100, 110), 110)] == ["in", "out", "below"]


def test_taking_words_out_of_running_text_cuts_it():
    found = words((100, (10, "boxes around words"), (200, "cell")))
    index = WordIndex(found)
    assert index.count_text_cuts(frozenset([found[1].char_index])) == 2
    assert index.count_text_cuts(frozenset([found[3].char_index])) == 0


def test_white_through_all_rows_is_a_gutter():
    table = [[(0, 30), (50, 60)], [(0, 20), (45, 60)]]
    assert find_gutters(table, 5) == [(30, 45)]
    assert find_gutters(table, 16) == []


def test_some_rows_may_cross_a_gutter():
    table = [[(0, 30), (50, 60)]] * 4 + [[(0, 60)]]
    assert find_gutters(table, 5) == []
    assert find_gutters(table, 5, 0.2) == [(30, 50)]


def test_the_narrowest_gutter_is_as_wide_as_is_asked_for():
    table = [[(0, 30), (50, 60)], [(0, 20), (45, 60)]]
    assert (find_gutters(table, 15), find_gutters(table, 15.1)) == ([(30, 45)], [])
    assert find_gutters([[(0, 30), (50, 60)], [(0, 30), (30.01, 60)]], 5, 0.5) == [(30, 50)]
    assert gutter_middles([(30, 50)], [[(0, 40)]], 10) == [40]
    assert gutter_middles([(30, 50)], [[(0, 40)]], 9) == [45]


def test_white_at_the_edge_is_no_gutter():
    assert find_gutters([[(0, 10)], [(30, 40)]], 5) == [(10, 30)]
    assert find_gutters([[(0, 40)], [(30, 40)]], 5) == []


def test_the_core_of_a_gutter_is_where_the_fewest_rows_cross():
    table = [[(0, 30), (50, 60)], [(0, 30), (50, 60)], [(0, 44)]]
    assert gutter_middles([(30, 50)], table, 1) == [47]
    assert gutter_middles([(30, 50)], table, 30) == [40]


@pytest.mark.parametrize(
    "text", ["12", "1,234.5", "(3.1)", "-7 %", "$1.1M", "2001-05", "–", "n/a", "12*", "5a", "x", "1 234"]
)
def test_a_cell_is_a_number(text):
    assert is_number(text)


@pytest.mark.parametrize("text", ["", "Total", "12 months", "A1", "3rd", "no way"])
def test_a_cell_is_no_number(text):
    assert not is_number(text)


@pytest.mark.parametrize("text", ["Table 3", "Figure 1:", "TABLE A.2", "Source: own", "Notes: all", "Algorithm 1:"])
def test_a_line_begins_like_a_caption(text):
    assert is_caption(text)


@pytest.mark.parametrize("text", ["Source", "Notes on", "Chart", "Tables 3", "Table of contents", "Figure out"])
def test_a_column_head_is_no_caption(text):
    assert not is_caption(text)
