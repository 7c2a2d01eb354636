"""What is done with the pixels of a scan: rules, grounds, leader dots, and words that lie askew."""

import pytest

from readwell.documents.pdf.page_bitmap import PageBitmap
from readwell.documents.pdf.page_content.page_coordinates import frame_of
from readwell.documents.pdf.page_model import RulingLine
from readwell.documents.pdf.scans.page_recognition import RecognisedPage, scale_for_tiny_type
from readwell.documents.pdf.scans.pixels_to_points import PixelsToPoints, RecognisedWord, slope_of
from readwell.documents.pdf.scans.ruling_lines_in_pixels import Stroke, Strokes, find_strokes
from readwell.documents.pdf.scans.scan_cleaning import cleaned, with_white_ground

WHITE, GREY, BLACK = 255, 190, 0


class Canvas:
    """An image in grey, row by row, wider than it is."""

    def __init__(self, width=600, height=300, stride=604, ground=WHITE):
        self.size, self.stride = (width, height), stride
        self.rows = bytearray([ground]) * (stride * height)

    def box(self, x0, y0, x1, y1, level=BLACK):
        for row in range(y0, y1):
            self.rows[row * self.stride + x0 : row * self.stride + x1] = bytes([level]) * (x1 - x0)
        return self

    def drawn(self):
        return PageBitmap(self.size, self.stride, bytes(self.rows), True)


def test_rules_are_found_and_letters_are_not():
    canvas = Canvas().box(50, 40, 550, 42).box(50, 40, 52, 240).box(300, 100, 318, 120)
    assert find_strokes(canvas.drawn()) == Strokes([Stroke(50, 40.5, 550, 40.5)], [Stroke(50.5, 40, 50.5, 240)])


def test_a_skewed_rule_is_one_and_a_filled_area_is_none():
    canvas = Canvas().box(100, 200, 400, 240)
    for step in range(12):
        canvas.box(20 + 45 * step, 50 + step, 66 + 45 * step, 52 + step)
    [rule] = find_strokes(canvas.drawn()).horizontal
    assert (rule.x0, rule.x1) == (20, 561) and rule.y1 - rule.y0 == pytest.approx(12, abs=2)


def ends(canvas):
    """The left and right ends of the horizontal ruling lines."""
    return [(rule.x0, rule.x1) for rule in find_strokes(canvas.drawn()).horizontal]


@pytest.mark.parametrize(
    ("second", "found"),
    [
        ((172, 52, 272, 54), [(60, 272)]),
        ((173, 52, 273, 54), [(60, 160), (173, 273)]),
        ((1, 52, 48, 54), [(1, 160)]),
        ((1, 52, 47, 54), [(60, 160)]),
        ((160, 53, 260, 54), [(60, 260)]),
        ((160, 54, 260, 55), [(60, 160), (160, 260)]),
    ],
    ids=["12 to the right", "13 to the right", "12 to the left", "13 to the left", "a row between", "two rows between"],
)
def test_runs_are_one_rule_over_a_small_gap(second, found):
    assert ends(Canvas().box(60, 50, 160, 52).box(*second)) == found


@pytest.mark.parametrize(
    ("boxes", "found"),
    [
        ([(50, 40, 110, 41)], [(50, 110)]),
        ([(50, 40, 109, 41)], []),
        ([(50, 40, 150, 50)], [(50, 150)]),
        ([(50, 40, 150, 51)], []),
        ([(50, 40, 150, 42, 159)], [(50, 150)]),
        ([(50, 40, 150, 42, 160)], []),
        ([(50, 40, 90, 41), (90, 41, 130, 42)], [(50, 130)]),
        ([(50, 40, 89, 41), (89, 41, 128, 42)], []),
    ],
    ids=["long", "short", "thin", "thick", "dark", "light", "whole runs", "parts of letters"],
)
def test_a_rule_is_long_thin_dark_and_of_long_runs(boxes, found):
    canvas = Canvas()
    for box in boxes:
        canvas.box(*box)
    assert ends(canvas) == found


@pytest.mark.parametrize(("steps", "heights"), [(9, (44.5, 44.5)), (10, (40, 50))])
def test_a_rule_that_rises_over_its_thickness_is_askew(steps, heights):
    canvas = Canvas()
    for step in range(steps + 1):
        canvas.box(20 + 45 * step, 40 + step, 65 + 45 * step, 41 + step)
    [rule] = find_strokes(canvas.drawn()).horizontal
    assert (rule.y0, rule.y1) == heights


@pytest.mark.parametrize(("more", "looked_at"), [(0, True), (1, False)])
def test_twenty_thousand_runs_are_looked_at(more, looked_at):
    canvas = Canvas(height=4100)
    for row in range(0, 4000, 2):
        for left in range(0, 600, 60):
            canvas.box(left, row, left + 45, row + 1)
    if more:
        canvas.box(0, 4050, 45, 4051)
    assert (find_strokes(canvas.drawn()) is not None) == looked_at


def test_an_image_full_of_strokes_is_not_looked_at_to_the_end():
    canvas = Canvas(height=3000)
    for row in range(0, 3000, 4):
        for left in range(0, 600, 50):
            canvas.box(left, row, left + 41, row + 3)
    assert find_strokes(canvas.drawn()) is None


def test_a_shaded_row_becomes_white_and_its_letters_stay_dark():
    image = Canvas().box(0, 100, 600, 200, GREY).box(50, 120, 60, 180).drawn()
    lighter = with_white_ground(image)
    assert {*lighter.content} == {BLACK, WHITE}
    assert lighter.content.count(BLACK) == image.content.count(BLACK)


@pytest.mark.parametrize("level", [60, 120])
def test_a_dark_ground_with_light_letters_is_left_alone(level):
    image = Canvas().box(0, 100, 600, 200, level).box(50, 120, 60, 180, WHITE).drawn()
    assert cleaned(image) == image


def test_leader_dots_are_removed_and_letters_beside_them_are_not():
    canvas = Canvas().box(20, 80, 23, 110).box(30, 80, 33, 110).box(40, 80, 43, 110)
    letters = canvas.drawn()
    for dot in range(30):
        canvas.box(60 + 9 * dot, 107, 62 + 9 * dot, 110)
    assert cleaned(canvas.drawn()) == letters


def test_strokes_of_letters_are_no_leader():
    canvas = Canvas()
    for stroke in range(30):
        canvas.box(60 + 9 * stroke, 80, 63 + 9 * stroke, 110)
    assert cleaned(canvas.drawn()) == canvas.drawn()


def askew(slope):
    """Two lines of words that fall by a slope, and a rule below them."""
    words = []
    for line, y in ((1, 100), (2, 140)):
        for x in range(100, 1100, 100):
            top = round(y + slope * x)
            words.append(RecognisedWord("word", (x, top, x + 80, top + 24), top + 24, 30, 95.0, line))
    return words, Strokes([Stroke(100, 180 + slope * 100, 1100, 180 + slope * 1100)], [])


@pytest.mark.parametrize("slope", [0.0175, -0.0175])
def test_a_page_that_lies_askew_is_made_level(slope):
    words, strokes = askew(slope)
    assert slope_of(words) == pytest.approx(slope, abs=0.001)
    layout = PixelsToPoints(words, 2.0, frame_of((0, 0, 612, 792), 0))
    tops = [layout.word(word, number).top for number, word in enumerate(words)]
    assert max(tops[:10]) - min(tops[:10]) < 1 and max(tops[10:]) - min(tops[10:]) < 1
    [rule] = layout.rulings(strokes).horizontal
    assert rule.at == pytest.approx(90, abs=1) and rule.end - rule.start == pytest.approx(500, abs=1)


def test_a_word_of_a_scan_lies_where_it_is_in_the_image():
    recognised = RecognisedWord("word", (100, 200, 180, 224), 220, 30, 95.0, 1)
    word = PixelsToPoints([], 2.0, frame_of((0, 0, 612, 792), 0)).word(recognised, 7)
    assert (word.x0, word.top, word.x1, word.bottom, word.baseline) == (50, 100, 90, 112, 110)
    assert (word.text, word.font.size, word.line, word.char_index) == ("word", 15.0, 1, 7)


def test_a_word_of_a_scan_lies_within_the_page_and_has_a_size_and_an_end():
    recognised = RecognisedWord("w" * 201, (-20, 0, 1300, 1), 1, 0.5, 95.0, 1)
    word = PixelsToPoints([], 2.0, frame_of((0, 0, 612, 792), 0)).word(recognised, 0)
    assert (word.x0, word.x1, word.font.size, len(word.text)) == (0, 612, 1, 200)


def test_lines_that_are_nearly_level_or_far_from_it_are_left_as_they_are():
    assert slope_of(askew(0.001)[0]) == slope_of(askew(0.3)[0]) == slope_of([]) == 0


def test_rules_from_edge_to_edge_are_not_those_of_a_table():
    layout = PixelsToPoints([], 2.0, frame_of((0, 0, 612, 792), 0))
    strokes = Strokes([Stroke(0, 10, 1224, 10), Stroke(100, 20, 500, 20)], [])
    assert layout.rulings(strokes).horizontal == [RulingLine(10.0, 50.0, 250.0)]


def read(height, confidence=95.0, words=20):
    """What was read of a page at two pixels a point: words of a height in pixels."""
    one = RecognisedWord("words", (0, 0, 40, height), height, 20, confidence, 1)
    return RecognisedPage(0, [one] * words, confidence, Canvas().drawn(), 2.0)


@pytest.mark.parametrize(
    "height, side, scale",
    [(8, 792, 6.0), (2, 792, 6.4), (8, 2400, 3.0), (11, 792, 2 * 24 / 11), (12, 792, 0.0), (20, 792, 0.0)],
)
def test_tiny_type_is_drawn_at_the_size_it_needs_within_bounds(height, side, scale):
    assert scale_for_tiny_type(side, read(height)) == pytest.approx(scale)


def test_words_that_are_chance_do_not_tell_how_large_the_type_is():
    assert scale_for_tiny_type(792, read(8, confidence=40.0)) == scale_for_tiny_type(792, read(8, words=0)) == 0.0
