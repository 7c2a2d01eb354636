"""Where columns of a region are parted: in gutters and at long ruling lines."""

import pytest
from made_words import cells, vertical

from readwell.documents.pdf.page_content.word_rows import rows_of
from readwell.documents.pdf.region import Region
from readwell.documents.pdf.table_grid.column_separators import find_separators, gutters_between_columns


def region(*rules, top=90.0, bottom=190.0):
    rows = rows_of(cells((60, 160), ["ab", "12"], ["cd", "34"], ["ef", "56"]))
    return Region(60.0, top, 170.0, bottom, rows, [row.segments(0.45) for row in rows], 10.0, 0.25, [], [*rules])


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        ((115, 90, 190), [115]),
        ((115, 90, 120), [115]),
        ((115, 90, 119), [115]),
        ((68, 90, 190), [68]),
        ((67, 90, 190), [67, 115]),
        ((162, 90, 190), [162]),
        ((163, 90, 190), [115, 163]),
        ((62, 90, 190), [62, 115]),
        ((61, 90, 190), [115]),
        ((168, 90, 190), [115, 168]),
        ((169, 90, 190), [115]),
    ],
)
def test_a_long_rule_parts_columns_in_the_place_of_its_gutter(rule, found):
    x, top, bottom = rule
    assert find_separators(region(*vertical(x, top=top, bottom=bottom))) == found


def test_rules_side_by_side_are_one_as_long_as_both():
    side_by_side = vertical(112, top=90, bottom=105) + vertical(114, top=105, bottom=120)
    apart = vertical(112, top=90, bottom=105) + vertical(114.5, top=105, bottom=120)
    assert (find_separators(region(*side_by_side)), find_separators(region(*apart))) == ([112], [115])


CELLS, ACROSS = [(0, 30), (40, 60)], [(0, 60)]


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([CELLS, ACROSS], []),
        ([CELLS, CELLS, ACROSS], [(30, 40)]),
        ([CELLS, ACROSS, ACROSS], []),
        ([CELLS] * 4 + [ACROSS] * 2, []),
        ([CELLS] * 6 + [ACROSS] * 2, [(30, 40)]),
    ],
)
def test_a_few_rows_may_span_columns(rows, found):
    assert gutters_between_columns(rows, 10.0) == found


@pytest.mark.parametrize(("count", "width", "parts"), [(4, 2, True), (4, 1.9, False), (2, 3.5, True), (2, 3.4, False)])
def test_a_gutter_of_few_rows_is_wider(count, width, parts):
    rows = [[(0, 30), (30 + width, 60)]] * count
    assert bool(gutters_between_columns(rows, 10.0)) == parts
