"""Where tables are looked for: in lattices, between horizontal rules, in whitespace, in each text column separately."""

from dataclasses import replace

import pytest
from made_words import PLAIN, cells, count_calls, horizontal, vertical, word, words

from readwell.documents.pdf.page_content.word_index import WordIndex
from readwell.documents.pdf.page_content.word_rows import rows_of
from readwell.documents.pdf.page_model import RulingLine, Rulings
from readwell.documents.pdf.page_notices import Notices
from readwell.documents.pdf.region import RULING_MARGIN, _ruling_lines_inside
from readwell.documents.pdf.table_search.lattices import find_lattices as all_lattices
from readwell.documents.pdf.table_search.page_zones import page_zones
from readwell.documents.pdf.table_search.stacked_ruling_lines import boxes_between_stacked_lines, is_prose
from readwell.documents.pdf.table_search.table_captions import without_captions
from readwell.documents.pdf.table_search.whitespace_regions import whitespace_regions

LARGE = replace(PLAIN, size=14.0)
PROSE = "this is a line of text that runs across all of the columns"


def lattices(rulings, notices):
    return all_lattices(rulings, notices).whole


def boxes(regions):
    return [tuple(round(value) for value in box) for box in regions]


def heights(regions):
    return [(round(box[1]), round(box[3])) for box in regions]


def test_crossing_rules_are_a_lattice():
    assert lattices(Rulings(horizontal(100, 120, 140), vertical(50, 200, 350, top=100, bottom=140), []), Notices()) == [
        (50, 100, 350, 140)
    ]


def test_rules_that_nearly_touch_cross():
    found = lattices(
        Rulings(horizontal(100, 120, 140, x0=52), vertical(50, 200, 350, top=102, bottom=138), []), Notices()
    )
    assert boxes(found) == [(50, 100, 350, 140)]


def test_two_lattices_apart_are_two():
    first = vertical(50, 200, 350, top=100, bottom=140)
    second = vertical(50, 200, 350, top=300, bottom=340)
    assert heights(lattices(Rulings(horizontal(100, 120, 140, 300, 320, 340), first + second, []), Notices())) == [
        (100, 140),
        (300, 340),
    ]


def test_a_frame_without_inner_rules_is_no_lattice():
    assert lattices(Rulings(horizontal(100, 140), vertical(50, 350, top=100, bottom=140), []), Notices()) == []


def test_one_inner_rule_asks_for_three_horizontal_ones():
    inner = vertical(50, 200, 350, top=100, bottom=140)
    assert lattices(Rulings(horizontal(100, 140), inner, []), Notices()) == []
    assert len(lattices(Rulings(horizontal(100, 120, 140), inner, []), Notices())) == 1


def test_bars_on_the_lines_of_a_scale_are_no_lattice():
    bars = [rule for x in range(60, 340, 20) for rule in vertical(x, top=190 - x // 30, bottom=200)]
    assert (
        lattices(Rulings(horizontal(100, 125, 150, 175, 200), vertical(50, 350, top=100) + bars, []), Notices()) == []
    )


def boxes_side_by_side(apart, *connections):
    """The ruling lines of two boxes, and what connects them."""
    left, right = (50, 150), (150 + apart, 250 + apart)
    across = [rule for x0, x1 in (left, right) for rule in horizontal(100, 120, 140, x0=x0, x1=x1)]
    return Rulings(sorted([*across, *connections]), vertical(*left, 100, *right, top=100, bottom=140), [])


def test_boxes_that_a_line_connects_are_no_lattice():
    assert lattices(boxes_side_by_side(40, *horizontal(125, x0=150, x1=190)), Notices()) == []
    for edge in (100, 140):
        assert len(lattices(boxes_side_by_side(40, *horizontal(edge, x0=150, x1=190)), Notices())) == 1
    assert len(lattices(boxes_side_by_side(12, *horizontal(125, x0=150, x1=162)), Notices())) == 1


@pytest.mark.parametrize(("apart", "count"), [(6, 0), (7, 1)])
def test_a_double_frame_has_no_column_between_its_lines(apart, count):
    walls = vertical(50, 50 + apart, 350 - apart, 350, top=100, bottom=140)
    assert len(lattices(Rulings(horizontal(100, 140), walls, []), Notices())) == count


def test_many_rules_are_grouped_in_bounded_time():
    found = lattices(
        Rulings(horizontal(*range(10, 790, 2)), vertical(*range(50, 350, 2), top=10, bottom=790), []), Notices()
    )
    assert boxes(found) == [(50, 10, 350, 790)]


def test_thousands_of_crossing_strokes_are_a_drawing():
    drawing = Rulings(horizontal(*range(10, 1510)), vertical(*range(50, 1550), top=10, bottom=1510), [])
    assert lattices(drawing, Notices()) == []


def test_stacked_rules_with_equal_ends_are_a_region():
    table = cells((60, 200), ["a", "1"], ["b", "2"], ["c", "3"])
    assert boxes(
        boxes_between_stacked_lines(Rulings(horizontal(88, 104, 140), [], []), WordIndex(table), Notices())
    ) == [(50, 88, 350, 140)]


def test_rules_with_other_ends_are_no_region():
    table = cells((60, 200), ["a", "1"], ["b", "2"])
    assert (
        boxes_between_stacked_lines(
            Rulings(horizontal(88) + horizontal(104, x1=250), [], []), WordIndex(table), Notices()
        )
        == []
    )


def test_prose_between_rules_parts_regions():
    first, second = cells((60, 200), ["a", "1"], ["b", "2"]), cells((60, 200), ["c", "3"], ["d", "4"], y=200)
    between = words(*((140 + 12 * k, (60, PROSE)) for k in range(3)))
    index = WordIndex([*first, *between, *second])
    assert heights(boxes_between_stacked_lines(Rulings(horizontal(88, 120, 188, 220), [], []), index, Notices())) == [
        (88, 120),
        (188, 220),
    ]


def test_a_caption_between_rules_parts_regions():
    first, second = cells((60, 200), ["a", "1"], ["b", "2"]), cells((60, 200), ["c", "3"], ["d", "4"], y=200)
    index = WordIndex([*first, *words((160, (60, "Table 2: more"))), *second])
    assert heights(boxes_between_stacked_lines(Rulings(horizontal(88, 120, 188, 220), [], []), index, Notices())) == [
        (88, 120),
        (188, 220),
    ]


def test_the_rules_of_a_header_above_are_taken_in():
    table = cells((60, 200, 280), ["", "both", ""], ["x", "a", "b"], ["y", "1", "2"])
    found = boxes_between_stacked_lines(
        Rulings(sorted(horizontal(90, x0=190, x1=330) + horizontal(106, 140)), [], []), WordIndex(table), Notices()
    )
    assert heights(found) == [(90, 140)]


def test_the_rule_of_a_total_below_is_taken_in():
    table = cells((60, 200), ["x", "a"], ["y", "1"], ["sum", "1"])
    found = boxes_between_stacked_lines(
        Rulings(sorted(horizontal(88, 121) + horizontal(135, x0=190, x1=330)), [], []), WordIndex(table), Notices()
    )
    assert heights(found) == [(88, 135)]


def between_head_and_foot(bottom, beside=2, inner=()):
    """Returns how many regions are between two ruling lines that hold eight words, with others outside."""
    page = cells((60, 200), *[["one", "two"]] * 4)
    index = WordIndex([*page, *words(*((600 + 14 * k, (60, "outside")) for k in range(beside)))])
    drawn = Rulings([*horizontal(88), *inner, *horizontal(bottom)], [], [])
    return len(boxes_between_stacked_lines(drawn, index, Notices()))


def test_the_ruling_lines_of_head_and_foot_hold_no_table():
    assert between_head_and_foot(388) == 0
    assert between_head_and_foot(387) == 1
    assert between_head_and_foot(388, beside=3) == 1
    assert between_head_and_foot(388, inner=horizontal(104, x1=141)) == 1
    assert between_head_and_foot(388, inner=horizontal(104, x1=139)) == 0


def test_many_stacks_of_ruling_lines_are_compared_in_bounded_time():
    def calls(stacks, height):
        xs = range(stacks)
        rules = [RulingLine(20.0 * k + 0.01 * n, 10.0 * n, 10.0 * n + 100 + n) for n in xs for k in range(height)]
        return count_calls(
            lambda: boxes_between_stacked_lines(Rulings(sorted(rules), [], []), WordIndex([]), Notices())
        )

    assert calls(240, 15) < 2 * calls(60, 60), "ruling lines must not be compared with every stack"


def test_rows_of_long_single_segments_are_prose():
    assert is_prose(rows_of(words((100, (60, PROSE)), (112, (60, PROSE)))))
    assert not is_prose(rows_of(cells((60, 200), ["a", "1"], ["b", "2"])))
    assert not is_prose([])


def test_white_that_goes_down_through_rows_is_a_region():
    table = cells((60, 160, 260), ["a", "1", "2"], ["b", "3", "4"], ["c", "5", "6"])
    text = words((60, (60, PROSE)), (220, (60, PROSE)))
    assert heights(whitespace_regions(rows_of(table + text), 0.25)) == [(92, 130)]


def test_a_row_of_one_segment_may_stand_between():
    table = cells((60, 160, 260), ["a", "1", "2"], ["Section", "", ""], ["c", "5", "6"])
    assert len(whitespace_regions(rows_of(table), 0.25)) == 1


def test_rows_without_a_common_gutter_are_two_regions():
    first = cells((60, 160, 260), ["a", "12345", "1"], ["b", "67890", "2"])
    assert len(whitespace_regions(rows_of(first + words((128, (60, "c"), (160, "1")))), 0.25)) == 1
    crossing = words((128, (60, "it runs over the gutter"), (175, "and over the next ones")))
    assert len(whitespace_regions(rows_of(first + crossing), 0.25)) == 2


def test_wide_white_or_a_caption_ends_a_region():
    first, second = cells((60, 160), ["a", "1"], ["b", "2"]), cells((60, 160), ["c", "3"], ["d", "4"], y=170)
    assert len(whitespace_regions(rows_of(first + second), 0.25)) == 2
    near = cells((60, 160), ["c", "3"], ["d", "4"], y=142)
    captioned = first + words((128, (60, "Table 4"))) + near
    assert len(whitespace_regions(rows_of(first + near), 0.25)) == 1
    assert len(whitespace_regions(rows_of(captioned), 0.25)) == 2


def test_the_last_cell_may_go_on_below_its_row():
    table = cells((60, 160), ["a", "a longer text"], ["b", "that"], ["", "goes on"], pitch=12)
    assert heights(whitespace_regions(rows_of(table), 0.25)) == [(92, 126)]


def test_a_page_in_two_columns_is_read_column_by_column():
    left = [(60, "a line of text in the left column")]
    right = [(320, "and one in the right column here")]
    page = words(*((100 + 12 * k, *left, *right) for k in range(8)))
    parts = page_zones(rows_of(page), 10.0)
    assert [{word.x0 < 300 for row in part for word in row.words} for part in parts] == [{True}, {False}]


TWO_COLUMNS = [(60, "lines of five short words"), (300, "lines of five short words")]
OF_NINE_EMS, SHORTER = (60, "aaaa bbb ccc ddd eee"), (60, "aaa bbb ccc ddd eee")
OF_FOUR_WORDS, OF_THREE = (60, "aaaaa bbbbb ccccc ddddd"), (60, "aaaaa bbbbb cccccccccc")


@pytest.mark.parametrize(
    ("count", "cells", "parts"),
    [
        (6, TWO_COLUMNS, [6, 6]),
        (5, TWO_COLUMNS, [5]),
        (6, [OF_NINE_EMS, TWO_COLUMNS[1]], [6, 6]),
        (6, [SHORTER, TWO_COLUMNS[1]], [6]),
        (6, [OF_FOUR_WORDS, TWO_COLUMNS[1]], [6, 6]),
        (6, [OF_THREE, TWO_COLUMNS[1]], [6]),
    ],
    ids=["six lines", "five lines", "nine ems", "shorter", "four words", "three words"],
)
def test_columns_are_six_long_lines_on_either_side_of_a_gutter(count, cells, parts):
    page = words(*((100 + 12 * k, *cells) for k in range(count)))
    assert [len(part) for part in page_zones(rows_of(page), 10.0)] == parts


@pytest.mark.parametrize(("longest", "parts"), [(2, [7, 8, 8]), (3, [2, 3, 3, 2, 8, 8])], ids=["two", "three"])
def test_three_long_lines_between_rows_of_a_table_are_columns(longest, parts):
    numbers = [(x, "12") for x in range(240, 480, 40)]
    table = [numbers] * 2 + [TWO_COLUMNS] * longest + [numbers] * (5 - longest)
    page = words(*((100 + 12 * k, *row) for k, row in enumerate([*table, *[TWO_COLUMNS] * 8])))
    assert [len(part) for part in page_zones(rows_of(page), 10.0)] == parts


def test_a_line_across_both_columns_stays_whole():
    rows = [
        (100 + 12 * k, (60, "a line of text in the left column"), (320, "and one in the right column"))
        for k in range(8)
    ]
    title = (80, (60, "a title that runs across both of the columns of this page and ends"))
    parts = page_zones(rows_of(words(title, *rows)), 10.0)
    assert [len(part) for part in parts] == [1, 8, 8]


def test_a_page_in_one_column_is_one_zone():
    rows = rows_of(words(*((100 + 12 * k, (60, PROSE)) for k in range(20))))
    assert page_zones(rows, 10.0) == [rows]
    assert page_zones([], 10.0) == [[]]


def test_a_caption_inside_a_frame_is_taken_out():
    inside = words((100, (60, "Table 1: what is shown below"))) + [
        replace(moved, char_index=moved.char_index + 1000, line=moved.line + 10)
        for moved in cells((60, 200), ["a", "1"], ["b", "2"], y=120)
    ]
    assert without_captions((50, 88, 350, 150), WordIndex(inside), horizontal(88, 108, 150)) == (50, 108, 350, 150)


def test_sources_inside_a_frame_are_taken_out():
    table = cells((60, 200), ["a", "1"], ["b", "2"])
    notes = words((132, (60, "Source: an office that")), (144, (60, "counts such things")))
    inside = table + [replace(moved, char_index=moved.char_index + 1000, line=moved.line + 10) for moved in notes]
    assert without_captions((50, 88, 350, 150), WordIndex(inside), horizontal(88, 122, 150)) == (50, 88, 350, 122)


def test_a_frame_without_captions_stays():
    box = (50.0, 88.0, 350.0, 150.0)
    table = cells((60, 200), ["Table 1", "1"], ["Source", "2"])
    assert without_captions(box, WordIndex(table), []) == box
    assert without_captions(box, WordIndex([word("Table 7", 60, 100)]), []) == box


def test_a_label_and_its_title_apart_are_a_caption():
    table = cells((60, 160), ["a", "1"], ["b", "2"], ["c", "3"], y=128)
    titled = words((100, (60, "Table 1:"), (130, "all that was counted")), (112, (130, "in one year")))
    found = whitespace_regions(rows_of(titled + table), 0.25)
    assert heights(found) == [(120, 158)]
    box = (50.0, 90.0, 350.0, 160.0)
    moved = [replace(word, char_index=word.char_index + 1000, line=word.line + 10) for word in table]
    assert round(without_captions(box, WordIndex([*titled, *moved]), [])[1]) == 117


def test_what_stands_below_the_title_of_a_picture_is_no_region():
    chart = cells((60, 160), ["a", "1"], ["b", "2"], ["c", "3"], y=124)
    assert whitespace_regions(rows_of(words((100, (60, "Figure 2")), (112, (60, "by age"))) + chart), 0.25) == []
    assert len(whitespace_regions(rows_of(words((100, (60, "Table 2")), (112, (60, "by age"))) + chart), 0.25)) == 1


def test_long_first_cells_do_not_part_a_table_from_itself():
    text = [
        (300 + 12 * k, (60, "a line of text in the left column"), (320, "and one in the right column"))
        for k in range(8)
    ]
    numbers = [(x, "12") for x in range(240, 480, 40)]
    table = [(100 + 12 * k, *([(60, "a name as long as that")] if k % 2 else numbers)) for k in range(7)]
    parts = page_zones(rows_of(words(*table, *text)), 10.0)
    assert [len(part) for part in parts] == [7, 8, 8]


def test_a_heading_whose_number_stands_apart_is_no_row():
    first = cells((60, 160, 260), ["a", "1", "2"], ["b", "3", "4"], ["c", "5", "6"])
    heading = words((150, (60, "5.1"), (105, "Format examples")), font=LARGE)
    second = cells((60, 160, 260), ["d", "1", "2"], ["e", "3", "4"], ["f", "5", "6"], y=172)
    assert heights(whitespace_regions(rows_of(first + heading + second), 0.25)) == [(92, 130), (164, 202)]
    assert len(whitespace_regions(rows_of(words((150, (60, "5.1"), (105, "Format"))) + second), 0.25)) == 1


def test_a_heading_whose_number_stands_apart_parts_regions_between_rules():
    first, second = cells((60, 200), ["a", "1"], ["b", "2"]), cells((60, 200), ["c", "3"], ["d", "4"], y=200)
    heading = words((160, (52, "5"), (80, "Format examples")), font=LARGE)
    index = WordIndex([*first, *heading, *second])
    assert heights(boxes_between_stacked_lines(Rulings(horizontal(88, 120, 188, 220), [], []), index, Notices())) == [
        (88, 120),
        (188, 220),
    ]
    others = words((160, (52, "5"), (80, "format examples")), font=LARGE)
    index = WordIndex([*first, *others, *second])
    assert heights(boxes_between_stacked_lines(Rulings(horizontal(88, 120, 188, 220), [], []), index, Notices())) == [
        (88, 220)
    ]


def test_the_ruling_lines_of_a_region_are_long_enough_and_near_enough():
    near = [RulingLine(10 - RULING_MARGIN, 0, 5), RulingLine(15, 95, 200), RulingLine(20 + RULING_MARGIN, 40, 60)]
    other = [
        RulingLine(15, 0, 4.5),
        RulingLine(15, 96, 200),
        RulingLine(9 - RULING_MARGIN, 0, 100),
        RulingLine(99, 0, 99),
    ]
    assert _ruling_lines_inside([*other[:2], *near, *other[2:]], (10, 20), (0, 100), 5) == near
