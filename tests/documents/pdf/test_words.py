"""What is read of a page: words, where they stand as the page is looked at, and how they are set."""

import time

import pypdfium2
import pytest
from made_words import word

from corpus.pdf_writer import Page, pdf
from readwell.documents.pdf.page_content.page_coordinates import frame_of
from readwell.documents.pdf.page_content.words import _without_overprints, read_words
from readwell.documents.pdf.page_model import Frame


def read(page):
    with pypdfium2.PdfDocument(pdf(page)) as document:
        opened = document[0]
        return read_words(opened, opened.get_textpage())


def texts(page):
    return [word.text for word in read(page).words]


def where(found):
    return [(word.text, round(word.x0), round(word.baseline), word.line) for word in found.words]


def test_words_are_cut_at_spaces_and_keep_their_line_and_place():
    found = read(Page().text(72, 700, "Two words").text(72, 680, "below"))
    assert where(found) == [("Two", 72, 92, 0), ("words", 94, 92, 0), ("below", 73, 112, 1)]
    assert [word.char_index for word in found.words] == [0, 4, 11]


def test_a_word_is_as_high_as_its_font_not_as_its_letters():
    low, high = read(Page().text(72, 700, "ace Ålg")).words
    assert (low.top, low.bottom) == (high.top, high.bottom) == (92 - 7.5, 92 + 2.2)


def test_words_are_told_with_their_font():
    page = (
        Page().text(72, 700, "plain").text(72, 680, "bold", 12, "Helvetica-Bold").text(72, 660, "code", 9.2, "Courier")
    )
    fonts = [(font.size, font.bold, font.mono, font.italic) for font in (word.font for word in read(page).words)]
    assert fonts == [(10, False, False, False), (12, True, False, False), (9, False, True, False)]
    (slanted,) = read(Page().text(72, 700, "slanted", 10, "Times-Italic")).words
    assert (slanted.font.italic, slanted.font.name) == (True, "Times-Italic")


@pytest.mark.parametrize(("angle", "size", "shown"), [(0, 0.5, 10), (1, 0.5, 10), (0, 0.3, 6), (0, 0.05, 1)])
def test_letters_that_a_document_draws_itself_are_as_large_as_they_are_seen(angle, size, shown):
    words = read(Page().text(72, 400, "drawn letters", size, "Drawn", angle)).words
    assert [(word.text, word.font.size, word.font.tiny) for word in words] == [
        ("drawn", shown, False),
        ("letters", shown, False),
    ]


@pytest.mark.parametrize(("text", "is_mono"), [("filmed", True), ("mill", True), ("mmmm", False), ("filled", False)])
def test_a_font_is_typewriting_if_its_narrow_letters_are_as_wide_as_its_broad_ones(text, is_mono):
    assert [word.font.mono for word in read(Page().text(72, 400, text, 0.5, "Drawn")).words] == [is_mono]


def test_a_font_of_letters_of_many_widths_is_no_typewriting():
    assert not any(word.font.mono for word in read(Page().text(72, 400, "filmed with lamps", 10, "Times-Roman")).words)


def test_letters_below_a_point_are_tiny_whoever_draws_them():
    assert all(word.font.tiny for word in read(Page().text(72, 400, "drawn letters", 0.03, "Drawn")).words)
    assert all(word.font.tiny for word in read(Page().text(72, 400, "plain letters", 0.5)).words)


def test_a_font_changes_inside_a_line():
    page = Page().text(72, 700, "Note:", 10, "Times-Bold").text(105, 700, "this", 10, "Times-Roman")
    assert [(word.text, word.font.bold) for word in read(page).words] == [("Note:", True), ("this", False)]


@pytest.mark.parametrize(
    ("rotate", "angle", "x", "y", "size"),
    [
        (0, 0, 72, 700, (612, 792)),
        (90, 1, 92, 72, (792, 612)),
        (180, 2, 540, 92, (612, 792)),
        (270, 3, 520, 720, (792, 612)),
    ],
)
def test_a_turned_page_is_read_upright(rotate, angle, x, y, size):
    found = read(Page(rotate=rotate).text(x, y, "Upright text", angle=angle))
    assert (found.width, found.height) == size
    assert where(found) == [("Upright", 73, 92, 0), ("text", 107, 92, 0)]
    assert all(word.font.horizontal for word in found.words)


def set_text(operators):
    """Returns a page that sets one text by operators of its own."""
    page = Page()
    page.fonts.add("Helvetica")
    return page.raw(f"BT {operators} Tj ET")


def test_text_of_a_negative_size_that_is_turned_round_is_upright():
    found = read(set_text("/Helvetica -10 Tf -1 0 0 -1 72 700 Tm (Upright text)"))
    assert found.frame.rotation == 0
    assert where(found) == [("Upright", 73, 92, 0), ("text", 107, 92, 0)]
    assert all(word.font.horizontal and word.font.size == 10 for word in found.words)


@pytest.mark.parametrize("slant", [-0.33, 0.21, 0.33])
@pytest.mark.parametrize(("rotate", "along"), [(0, (1, 0)), (90, (0, 1))])
def test_slanted_letters_are_level_and_no_larger(slant, rotate, along):
    across, up = along
    matrix = f"{across} {up} {slant * across - up} {slant * up + across}"
    page = set_text(f"/Helvetica 10 Tf {matrix} 300 300 Tm (slanted)")
    page.rotate = rotate
    (word,) = read(page).words
    assert (word.text, word.font.horizontal, word.font.angle, word.font.size) == ("slanted", True, 0, 10)


def test_a_table_printed_sideways_is_turned():
    page = Page().text(300, 100, "most of this page is printed sideways", angle=1).text(20, 20, "footer")
    found = read(page)
    assert found.frame.rotation == 90
    assert [
        word.text for word in found.words if word.font.horizontal
    ] == "most of this page is printed sideways".split()


def test_a_sideways_margin_note_does_not_turn_the_page():
    page = Page().text(72, 700, "a page with some lines of level text").text(20, 300, "margin note", angle=1)
    found = read(page)
    assert found.frame.rotation == 0
    assert [word.text for word in found.words if not word.font.horizontal] == ["margin", "note"]


def test_places_count_from_the_crop_box():
    found = read(Page(box=(0, 0, 612, 792), crop=(50, 100, 400, 700)).text(72, 600, "inside"))
    assert (found.width, found.height) == (350, 600)
    assert where(found) == [("inside", 23, 100, 0)]


def test_a_page_without_a_box_is_a_letter():
    found = read(Page(box=None).text(72, 700, "anything"))
    assert (found.width, found.height) == (612, 792)


@pytest.mark.parametrize("box", [(0, 0, 0, 0), (0, 0, float("nan"), 9), (5, 5, 5, float("inf"))])
def test_a_box_that_encloses_nothing_is_a_letter(box):
    assert frame_of(box, 0) == Frame(1, 0, 0, -1, 0, 792, 612, 792, 0)


def test_characters_beyond_the_basic_plane_stay_whole():
    page = Page().text(72, 700, "a😀b c", font="Unicode")
    assert [(word.text, word.char_index) for word in read(page).words] == [("a😀b", 0), ("c", 5)]


def test_any_script_is_read():
    assert texts(Page().text(72, 700, "漢字 Ωμέγα", font="Unicode")) == ["漢字", "Ωμέγα"]


def test_letters_of_neighbouring_cells_are_two_words():
    page = Page().raw("BT /Helvetica 10 Tf 72 700 Td [(X) -900 (Y)] TJ ET")
    page.fonts.add("Helvetica")
    assert texts(page) == ["X", "Y"]


@pytest.mark.parametrize(
    ("apart", "shown"),
    [(7.4, ["mwmwm"]), (7.8, ["mwmwm"]), (8.2, ["mwmwm"]), (8.6, ["m", "w", "m", "w", "m"])],
)
def test_letters_of_typewriting_that_are_set_a_little_apart_are_one_word(apart, shown):
    """PDFium takes each for a word from 7.6 points on."""
    page = Page()
    for number, letter in enumerate("mwmwm"):
        page.text(72 + apart * number, 700, letter, font="Courier")
    assert texts(page) == shown


def test_letters_of_typewriting_that_stand_further_apart_than_their_line_are_words_of_their_own():
    page = Page()
    for number, letter in enumerate("ABC"):
        page.text(72 + 8 * number, 700, letter, font="Courier")
    page.text(72, 680, "then", font="Courier").text(98, 680, "y", font="Courier")
    page.raw("BT /Courier 10 Tf -4 Tw 72 660 Td (then y is) Tj ET")
    page.text(72, 640, "typewriter", font="Courier").text(132, 640, ",").text(138, 640, "y", font="Courier")
    assert texts(page) == ["A", "B", "C", "then", "y", "then", "y", "is", "typewriter,", "y"]


def test_a_listing_in_wide_typewriting_has_the_spaces_that_are_wider():
    page = Page()
    for number, letter in enumerate("f(a.b, (c))"):
        page.text(72 + 7.6 * number + (0.4 if letter in "(.," else 0), 700, letter, font="Courier")
    page.raw("BT /Courier-Bold 10 Tf 1 Tc 72 680 Td (print) Tj /Courier 10 Tf [-80 (\\(x,) -700 (y\\))] TJ ET")
    page.fonts.add("Courier-Bold")
    assert texts(page) == ["f(a.b,", "(c))", "print(x,", "y)"]


def test_a_word_broken_at_the_end_of_a_line_is_two_words_in_two_lines():
    page = Page().text(72, 700, "some hyphen-").text(72, 688, "ation here")
    found = read(page)
    assert [(word.text, word.line) for word in found.words] == [
        ("some", 0),
        ("hyphen-", 0),
        ("ation", 1),
        ("here", 1),
    ]
    assert [round(word.baseline) for word in found.words] == [92, 92, 104, 104]


def test_text_printed_twice_for_boldness_is_read_once():
    page = Page().text(72, 700, "Shadow").text(72.4, 699.8, "Shadow").text(72, 600, "Shadow")
    assert [round(word.baseline) for word in read(page).words] == [92, 192]


def test_the_same_word_beside_itself_is_read_twice():
    kept = _without_overprints([word("no", 10, 50), word("no", 25, 50), word("no", 10.5, 50.5)])
    assert [found.x0 for found in kept] == [10, 25]


def test_narrow_words_side_by_side_are_no_overprints():
    assert texts(Page().text(72, 700, "i i i i i . . . . . | | |")) == list("iiiii.....|||")


@pytest.mark.parametrize(("dx", "dy", "shown"), [(2.4, 0, 1), (2.6, 0, 2), (0, 2.4, 1), (0, 2.6, 2)])
def test_an_overprint_is_at_most_a_quarter_of_an_em_away(dx, dy, shown):
    assert len(_without_overprints([word("no", 10.2, 50.2), word("no", 10.2 + dx, 50.2 + dy)])) == shown


CROPPED = (50, 100, 400, 700)


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
@pytest.mark.parametrize(("x", "y"), [(10, 400), (420, 400), (72, 720), (72, 60), (-300, 400), (72, 900)])
def test_words_outside_the_crop_box_are_counted_and_not_read(x, y, rotate):
    found = read(Page(crop=CROPPED, rotate=rotate).text(72, 600, "inside").text(x, y, "mark 7"))
    assert ([word.text for word in found.words], found.outside) == (["inside"], 2)


def test_a_word_that_the_crop_box_cuts_is_read():
    found = read(Page(crop=CROPPED).text(40, 600, "across").text(390, 500, "across").text(72, 695, "above"))
    assert ([word.text for word in found.words], found.outside) == (["across", "across", "above"], 0)


def test_a_slug_printed_sideways_outside_the_page_does_not_turn_it():
    page = Page(crop=CROPPED).text(72, 600, "inside").text(20, 100, "a long slug of the printer " * 3, angle=1)
    assert [word.text for word in read(page).words] == ["inside"]


def test_an_empty_page_has_no_words():
    assert read(Page()).words == []


@pytest.mark.parametrize(
    "matrix", ["0 0 0 0 72 700", "1e30 0 0 1e30 72 700", "1 0 0 1 1e38 1e38", "1e-30 0 0 1e-30 9 9"]
)
def test_text_under_an_impossible_matrix_is_no_exception(matrix):
    page = Page().text(72, 500, "sound").raw(f"BT /Helvetica 10 Tf {matrix} Tm (odd one) Tj ET")
    found = read(page)
    assert "sound" in [word.text for word in found.words]


@pytest.mark.slow
def test_a_page_of_a_hundred_thousand_words_is_read_in_bounded_time():
    page = Page()
    for k in range(1000):
        page.text(10, 780 - 0.7 * k, "w " * 100, size=0.5)
    started = time.perf_counter()
    found = read(page)
    assert len(found.words) > 50_000
    assert time.perf_counter() - started < 30


@pytest.mark.parametrize(
    ("drawn", "shown"),
    [
        (r"(d\264) 333 (ephasage)", "déphasage"),  # a third of an em back: over the next letter
        (r"(na\250) 300 (ive)", "naïve"),
        (r"(sole) 400 (\264) 0 (s)", "solés"),
        (r"(d\264) 0 (ephasage)", "d´ephasage"),  # before it
        (r"(`quoted')", "`quoted'"),
        (r"(\264) 333 (4)", "´4"),
        (r"(q\264) 333 (q)", "q´q"),  # there is no such letter
    ],
)
@pytest.mark.parametrize("rotate", [0, 90])
def test_an_accent_over_a_letter_is_part_of_it(drawn, shown, rotate):
    page = Page(rotate=rotate).raw(f"BT /Helvetica 10 Tf 72 700 Td [{drawn}] TJ ET")
    page.fonts.add("Helvetica")
    assert texts(page) == [shown]
