"""What the limits of a page leave out is told in the page; odd pages are read all the same."""

import time

import pytest
from lost_words import names
from made_words import NOTHING, word

from corpus.pdf_documents import PROSE
from corpus.pdf_writer import LETTER, Page, Writer, pdf, put_page
from readwell.documents.pdf import PDF
from readwell.documents.pdf.page_content.word_index import WordIndex
from readwell.documents.pdf.page_notices import TOO_MUCH_DRAWN, Notices, running_lines_notice
from readwell.documents.pdf.table_grid.grid_builder import build_grid

GUARD = 60
TOLD = f"<!-- {TOO_MUCH_DRAWN} -->"


def pages(content):
    begun = time.monotonic()
    document = PDF.open(content, None, b"")
    found = [document.markdown(number) for number in range(1, document.count + 1)]
    alone = [PDF.open(content, None, document.prepared()).markdown(number) for number in (1, document.count)]
    assert alone == [found[0], found[-1]]
    assert time.monotonic() - begun < GUARD
    return found


def crowded(count):
    page = Page((0, 0, 612, 3200))
    for row in range(count // 100):
        page.text(10, 3180 - 2.8 * row, " ".join(["wd"] * 100), 2)
    return pdf(page, Page().text(72, 700, "the next page"))


def test_a_page_of_very_many_words_says_that_its_tables_were_not_looked_for():
    crowd, beside = pages(crowded(14_200))
    assert crowd.split("\n")[:2] == ["<!-- tables were not looked for: 14,200 words on this page -->", ""]
    assert (crowd.count("wd"), beside) == (14_200, "# the next page")


@pytest.mark.slow
def test_a_page_of_a_hundred_thousand_words_keeps_them_all():
    crowd, _ = pages(crowded(100_000))
    assert crowd.startswith("<!-- tables were not looked for: 100,000 words on this page -->\n")
    assert crowd.count("wd") == 100_000


def lit(page):
    return page.text(72, 700, "Lit all night", 10, "Times-Roman")


def strokes(page):
    for k in range(6100):
        page.line(50 + k % 50, 50 + 0.05 * k, 90 + k % 50, 50 + 0.05 * k)


def crossing(page):
    for k in range(1450):
        page.line(50, 50 + 2.2 * k, 500, 50 + 2.2 * k).line(50 + 2.2 * k, 50, 50 + 2.2 * k, 500)


def shades(page):
    for k in range(900):
        page.fill(50 + 12 * (k % 40), 50 + 12 * (k // 40), 10, 10, (0.5, 0.5, 0.001 * k))


def uneven(page):
    for k in range(500):
        page.line(20 + 7 * (k % 40), 40 + 5 * k, 120 + 7 * (k // 40) + 7 * (k % 40), 40 + 5 * k)


@pytest.mark.parametrize("draw", [strokes, crossing, shades, uneven])
def test_a_page_with_more_drawn_than_is_looked_at_says_so(draw):
    page = lit(Page((0, 0, 4000, 4000) if draw in (crossing, uneven) else LETTER))
    draw(page)
    assert pages(pdf(page)) == [f"{TOLD}\n\nLit all night"]


@pytest.mark.slow
def test_objects_without_end_are_told_too():
    inner, outer = Page().raw("BI /W 1 /H 1 /BPC 8 /CS /G ID x EI\n" * 1000), lit(Page())
    for _ in range(201):
        outer.form(inner)
    assert pages(pdf(outer)) == [f"{TOLD}\n\nLit all night"]


def test_a_grid_of_too_many_rows_or_columns_says_so():
    for found in (
        [word("x", 60 + 50 * (k % 2), 10 + 12 * (k // 2), k, k // 2) for k in range(8000)],
        [word("x", 60 + 50 * (k % 310), 10 + 12 * (k // 310), k, k // 310) for k in range(930)],
    ):
        notices = Notices()
        assert build_grid((0, 0, 20_000, 60_000), WordIndex(found), NOTHING, notices) is None
        assert notices.markdown == "<!-- a table may be missing: it has over 3,000 rows or 300 columns -->"


@pytest.mark.parametrize(
    ("letters", "height", "is_told"), [(299, 396, True), (300, 396, False), (299, 395, False), (299, 792, True)]
)
def test_an_image_over_half_a_page_is_told_where_fewer_than_300_letters_stand_with_it(letters, height, is_told):
    page = Page().raw(f"q 612 0 0 {height} 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q")
    for row in range(0, letters, 50):
        page.text(50, 750 - row / 2, "x" * min(50, letters - row), 8)
    (shown,) = pages(pdf(page))
    assert shown.count("x") >= letters
    assert ('mostly an image, whose text is not read: see view="image"' in shown) == is_told


def test_very_many_links_say_how_far_they_are_shown():
    page = lit(Page())
    for k in range(2001):
        page.link(72, 698, 84, 710, f"https://lights.test/{k}")
    (shown,) = pages(pdf(page))
    notice = "<!-- links are shown as far as the first 2,000 of this page -->"
    assert shown == f"{notice}\n\n[Lit](https://lights.test/0) all night"


def noted(*notes):
    """A page with typed notes, and nothing else on it but a line."""
    writer = Writer()
    tree, at = writer.reserve(), writer.reserve()
    put_page(writer, lit(Page()), at, tree, [at], {})
    typed = [f"<< /Type /Annot /Subtype /FreeText /Rect [0 0 9 9] /Contents ({note}) >>" for note in notes]
    listed = " ".join(f"{writer.put(note)} 0 R" for note in typed)
    writer.put(writer.objects[at - 1][:-2] + f"/Annots [{listed}] >>".encode(), at)
    writer.put(f"<< /Type /Pages /Kids [{at} 0 R] /Count 1 >>", tree)
    return writer.written(writer.put(f"<< /Type /Catalog /Pages {tree} 0 R >>"))


def test_very_many_notes_say_how_many_were_looked_at():
    (shown,) = pages(noted(*["seen"] * 5001))
    first, _, line, *rest = shown.split("\n")
    assert first == "<!-- of 5,001 notes and fields on this page the first 5,000 were looked at -->"
    assert (line, rest.count("- seen")) == ("Lit all night", 5000)


def test_a_very_long_note_says_how_long_it_is():
    (shown,) = pages(noted("x" * 99_000, "x" * 100_000))
    *_, long, too_long = shown.split("\n")
    assert (long, too_long) == ("- " + "x" * 99_000, "- <!-- 100,000 characters are not shown -->")


def test_images_that_are_not_all_counted_are_at_least_so_many():
    picture = Page().raw("BI /W 1 /H 1 /BPC 8 /CS /G ID x EI\n" * 10_100)
    (_, shown) = pages(pdf(lit(Page()), picture))
    assert shown == "<!-- no text on this page: at least 10,000 images -->"


SHOWN = "\n".join(PROSE[:3])


def told(page):
    for k, text in enumerate(PROSE[:3]):
        page.text(72, 700 - 12 * k, text, 10, "Times-Roman")
    return page


@pytest.mark.parametrize(
    "odd",
    [
        "0 0 0 0 re S 100 100 0 0 re f 72 650 0 50 re S",
        "q nan 0 0 nan 0 0 cm 1 1 m 90 90 l S Q",
        "q 1e38 0 0 1e38 0 0 cm 1 1 m 90 1 l 90 90 l h S Q",
        "q 0 0 0 0 0 0 cm 0 0 90 90 re f Q",
        "q 1 0 0 1 1e38 -1e38 cm 0 0 90 90 re S Q",
        "BT /Times-Roman 0 Tf 72 600 Td () Tj ET",
    ],
)
def test_odd_shapes_and_matrices_change_nothing(odd):
    assert pages(pdf(told(Page().raw(odd)))) == [SHOWN]


@pytest.mark.parametrize("matrix", ["nan nan nan nan 72 600", "0 0 0 0 72 600", "1e38 0 0 1e38 0 0", "1 0 0 1 nan nan"])
def test_words_under_an_impossible_matrix_do_not_hurt_the_others(matrix):
    page = told(Page()).raw(f"BT /Times-Roman 10 Tf {matrix} Tm (lost) Tj ET")
    assert SHOWN in pages(pdf(page))[0]


def test_what_lies_outside_the_visible_page_is_told():
    page = told(Page(crop=(50, 100, 500, 700))).text(10, 400, "cut here")
    assert pages(pdf(page)) == [f"<!-- left out: 2 words outside the visible page -->\n\n{SHOWN}"]
    blank = Page(crop=(50, 100, 500, 700)).text(10, 400, "mark")
    assert pages(pdf(told(Page()), blank))[1] == (
        "<!-- left out: 1 word outside the visible page -->\n\n<!-- no text on this page -->"
    )


@pytest.mark.parametrize("text", ['say "so"', "a -- b", "x -->", "--->", "back\\slash", "- ends -", "<!-- page 9 -->"])
def test_words_of_a_document_end_neither_their_quotes_nor_the_comment(text):
    notice = running_lines_notice({text: False})
    assert "--" not in notice and list(names(f"<!-- {notice} -->")) == [(text, False)]


def test_fonts_without_names_are_read():
    content = pdf(told(Page()))
    assert pages(content.replace(b"/BaseFont /Times-Roman", b"/BaseFint /Times-Roman")) == [SHOWN]
    assert pages(content.replace(b"/BaseFont /Times-Roman", b"/BaseFont /           ")) == [SHOWN]


@pytest.mark.parametrize("box", [None, (0, 0, 0, 0), (612, 792, 0, 0), (0, 0, -5, -5), (1e30, 1e30, 2e30, 2e30)])
def test_pages_without_a_reasonable_box_are_read(box):
    assert pages(pdf(told(Page(box)))) == [SHOWN]


@pytest.mark.slow
def test_ten_thousand_pages_are_read_one_by_one():
    content = pdf(*[Page().text(72, 700, f"this is page {number}") for number in range(1, 10_001)])
    begun = time.monotonic()
    document = PDF.open(content, None, b"")
    found = [document.markdown(number) for number in (1, 5000, 10_000)]
    assert (document.count, found) == (10_000, ["this is page 1", "this is page 5000", "this is page 10000"])
    assert time.monotonic() - begun < GUARD
