"""What is drawn on a page: rules where lines part cells, figures where something else is drawn."""

import pypdfium2
import pytest
from made_words import horizontal

from corpus.pdf_writer import Page, pdf
from readwell.documents.pdf.page_content.page_coordinates import frame_of
from readwell.documents.pdf.page_content.ruling_lines import merge_ruling_lines, read_rulings
from readwell.documents.pdf.page_model import RulingLine, Rulings
from readwell.documents.pdf.page_notices import Notices


def read(page, rotation=0):
    with pypdfium2.PdfDocument(pdf(page)) as document:
        opened = document[0]
        found = read_rulings(opened, frame_of(opened.get_bbox(), rotation), Notices())
    return Rulings(*(sorted(tuple(round(value) for value in item) for item in items) for items in found))


def test_strokes_are_rules():
    assert read(Page().line(72, 700, 300, 700).line(80, 500, 80, 600)) == ([(92, 72, 300)], [(80, 192, 292)], [])


def test_a_thin_box_is_a_rule():
    assert read(Page().fill(72, 700, 200, 1)) == ([(92, 72, 272)], [], [])


@pytest.mark.parametrize(("thickness", "is_rule"), [(0.5, True), (2.4, True), (3, False)])
def test_a_thin_image_is_a_rule(thickness, is_rule):
    dots = "BI /W 1 /H 1 /IM true /BPC 1 /F /AHx ID 00> EI"
    page = Page().raw(f"q 200 0 0 {thickness} 72 700 cm {dots} Q q {thickness} 0 0 100 80 500 cm {dots} Q")
    found = read(page)
    assert [len(found.horizontal), len(found.vertical)] == [is_rule, is_rule]


def test_a_framed_box_has_four_rules():
    assert read(Page().frame(100, 600, 200, 50)) == (
        [(142, 100, 300), (192, 100, 300)],
        [(100, 142, 192), (300, 142, 192)],
        [],
    )


def test_an_outline_that_closes_itself_has_its_last_edge():
    assert read(Page().raw("100 600 m 300 600 l 300 650 l 100 650 l h S")) == read(Page().frame(100, 600, 200, 50))


def test_a_shaded_area_has_edges():
    found = read(Page().fill(100, 600, 200, 50, (0.8, 0.8, 0.8)))
    assert (found.horizontal, found.vertical) == (
        [(142, 100, 300), (192, 100, 300)],
        [(100, 142, 192), (300, 142, 192)],
    )


def test_an_area_painted_over_the_page_has_the_edges_that_its_clip_shows():
    clip = "q 100 600 200 50 re W n"
    page = Page().raw(clip).fill(0, 0, 612, 792, (0.8, 0.8, 0.8)).raw("Q")
    assert read(page) == read(Page().fill(100, 600, 200, 50, (0.8, 0.8, 0.8)))
    nothing = Page().raw(clip).raw("400 600 50 50 re W n").fill(0, 0, 612, 792, (0.8, 0.8, 0.8)).raw("Q")
    assert read(nothing) == ([], [], [])


def test_a_white_area_has_no_edges():
    assert read(Page().fill(100, 600, 200, 50, (1, 1, 1))) == ([], [], [])


def test_shading_line_by_line_has_no_edges_inside():
    page = Page().fill(100, 600, 200, 50, (0.8, 0.8, 0.8)).fill(110, 610, 100, 12, (0.8, 0.8, 0.8))
    assert read(page) == read(Page().fill(100, 600, 200, 50, (0.8, 0.8, 0.8)))


def test_an_area_of_another_colour_inside_has_edges():
    page = Page().fill(100, 600, 200, 50, (0.8, 0.8, 0.8)).fill(110, 610, 100, 12, (0.5, 0.5, 0.5))
    assert len(read(page).horizontal) == 4


def test_the_ground_and_frame_of_a_page_are_no_rules():
    assert read(Page().fill(5, 5, 600, 780, (0.9, 0.9, 0.9)).frame(20, 20, 570, 750)) == ([], [], [])


def test_a_rule_across_the_whole_page_belongs_to_the_page():
    assert read(Page().line(0, 700, 612, 700)) == ([], [], [])


def test_curves_and_slanted_strokes_are_figures():
    page = Page().curve(100, 600, 120, 650, 180, 650, 200, 600).raw("300 500 m 340 560 l 380 500 l S")
    found = read(page)
    assert (found.horizontal, found.vertical) == ([], [])
    assert found.figures == [(100, 142, 200, 192), (300, 232, 380, 292)]


def test_what_a_form_draws_is_placed_as_the_form_is():
    inner = Page().line(10, 10, 110, 10)
    assert read(Page().form(inner, (2, 0, 0, 2, 50, 100))).horizontal == [(672, 70, 270)]
    outer = Page().form(inner, (2, 0, 0, 2, 50, 100))
    assert read(Page().form(outer, (1, 0, 0, 1, 0, 20))).horizontal == [(652, 70, 270)]


def test_a_thin_box_in_a_form_is_a_rule_unless_the_form_is_slanted():
    inner = Page().fill(10, 10, 100, 1)
    assert read(Page().form(inner, (2, 0, 0, 1, 50, 100))) == ([(682, 70, 270)], [], [])
    assert read(Page().form(inner, (0, 1, -1, 0, 300, 100))) == ([], [(290, 582, 682)], [])
    assert read(Page().form(inner, (0.7, 0.7, -0.7, 0.7, 300, 100))) == ([], [], [(299, 607, 370, 678)])


def test_rules_turn_with_the_page():
    assert read(Page(rotate=90).line(72, 700, 300, 700), 90) == ([], [(700, 72, 300)], [])


def test_pieces_of_a_rule_are_joined():
    pieces = [RulingLine(100.0, 50.0, 90.0), RulingLine(100.5, 92.0, 150.0), RulingLine(101.0, 200.0, 240.0)]
    assert merge_ruling_lines(pieces) == [RulingLine(100.5, 50.0, 150.0), RulingLine(100.5, 200.0, 240.0)]
    assert merge_ruling_lines(horizontal(10, 20)) == horizontal(10, 20)


def test_a_drawing_of_many_thousand_lines_is_read_as_far_as_six_thousand_segments():
    page = Page()
    for k in range(10_000):
        page.line(50 + k % 50, 50 + 0.05 * k, 90 + k % 50, 50 + 0.05 * k)
    assert len(read(page).horizontal) < 3000


@pytest.mark.parametrize("matrix", ["1e38 0 0 1e38 0 0", "0 0 0 0 0 0", "1 0 0 1 1e38 -1e38"])
def test_a_path_under_an_impossible_matrix_is_no_exception(matrix):
    found = read(Page().raw(f"q {matrix} cm 1 1 m 90 1 l 90 90 l h S Q").line(72, 700, 300, 700))
    assert (92, 72, 300) in found.horizontal
