"""The geometry of boxes on a page, by numbers that one can check by head."""

import pytest

from readwell.documents.pdf.boxes import area, box_around, shared_area

BOX = (1.0, 2.0, 4.0, 7.0)


def test_an_area_is_width_times_height_and_never_nothing():
    assert area(BOX) == 15
    assert area((1, 2, 1, 7)) == pytest.approx(0.5)
    assert area((1, 2, 4, 2)) == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("other", "common", "both"),
    [
        ((3, 5, 9, 9), 2, (1, 2, 9, 9)),
        ((0, 0, 2, 3), 1, (0, 0, 4, 7)),
        ((2, 3, 3, 5), 2, BOX),
        ((4, 2, 9, 7), 0, (1, 2, 9, 7)),
        ((1, 7, 4, 9), 0, (1, 2, 4, 9)),
        ((8, 9, 9, 11), 0, (1, 2, 9, 11)),
    ],
)
def test_two_boxes_share_what_lies_in_both_and_have_one_box_around_them(other, common, both):
    assert (shared_area(BOX, other), shared_area(other, BOX)) == (common, common)
    assert (box_around(BOX, other), box_around(other, BOX)) == (both, both)
