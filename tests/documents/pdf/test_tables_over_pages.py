"""Tables that go on over pages: told at both ends, with their head on every page, alone as in the whole."""

import pytest
from made_words import cells, joined_text, word

from corpus.pdf_writer import Page, Writer, pdf, put_page
from readwell.documents.pdf import PDF
from readwell.documents.pdf.continued_table.continuation_marks import MAX_BACK
from readwell.documents.pdf.continued_table.last_rows import find_rest
from readwell.documents.pdf.page_model import Table
from readwell.documents.pdf.pdf_document import UNREADABLE

HEAD = ("Lamp", "Keeper", "Oil")
XS = (72, 200, 340)
TOP, PITCH, FULL = 730, 16, 40
"""The first baseline of a page, the distance of rows, and how many rows fill a page."""
GOES_ON = "<!-- table goes on on page {} -->"
COMES = "<!-- table goes on from page {} -->"
REPEATED = "<!-- head repeated from page {} -->"


def rows(first, count):
    return [(f"Light {first + k}", f"Ada of {'north' if k % 2 else 'south'}", str(310 + k)) for k in range(count)]


def table_page(shown, head=HEAD, *, ruled=False, top=TOP, xs=XS):
    """Prints rows down a page, the head in bold above them; all in a lattice if it is ruled."""
    page = Page()
    shown = [*([head] if head else []), *shown]
    for number, row in enumerate(shown):
        for x, text in zip(xs, row, strict=True):
            page.text(x, top - PITCH * number, text, font="Helvetica-Bold" if head and not number else "Helvetica")
    if ruled:
        page.grid([x - 6 for x in (*xs, 460)], [top + 11 - PITCH * number for number in range(len(shown) + 1)])
    return page


def pages(*made):
    document = PDF.open(pdf(*made), None, b"")
    return [document.markdown(number) for number in range(1, document.count + 1)]


def alone(*made):
    """Returns the pages, each by an opening of its own, with the profile of the first one."""
    content = pdf(*made)
    first = PDF.open(content, None, b"")
    prepared = first.prepared()
    return [PDF.open(content, None, prepared).markdown(number) for number in reversed(range(1, first.count + 1))][::-1]


def table_of(page):
    return [line for line in page.split("\n") if line.startswith("|")]


@pytest.mark.parametrize("ruled", [False, True])
def test_both_pages_say_that_a_table_goes_on_and_the_second_repeats_its_head(ruled):
    first, second = pages(table_page(rows(1, FULL), ruled=ruled), table_page(rows(41, 9), None, ruled=ruled))
    assert first.endswith(f"| Light 40 | Ada of north | 349 |\n\n{GOES_ON.format(2)}")
    assert second.startswith(
        f"{COMES.format(1)}\n{REPEATED.format(1)}\n\n| Lamp | Keeper | Oil |\n| --- | --- | --- |\n"
    )
    assert table_of(second)[2:] == [f"| {' | '.join(row)} |" for row in rows(41, 9)]


def test_a_head_that_every_page_prints_is_not_repeated():
    first, second, third = pages(*(table_page(rows(40 * k, FULL - 2 * (k == 2))) for k in range(3)))
    assert GOES_ON.format(2) in first and GOES_ON.format(3) in second and "goes on on" not in third
    assert second.startswith(f"{COMES.format(1)}\n\n| Lamp |")
    assert [len(table_of(page)) for page in (first, second, third)] == [FULL + 2, FULL + 2, FULL]
    assert "repeated" not in first + second + third


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_last_rows_on_the_next_page_are_told_by_their_columns(count):
    rest = table_page(rows(41, count), None).text(72, 640, "Oil is brought by boat, and lamps are lit at dusk.")
    _, second = pages(table_page(rows(1, FULL)), rest)
    assert table_of(second)[2:] == [f"| {' | '.join(row)} |" for row in rows(41, count)]
    assert second.startswith(COMES.format(1)) and second.endswith(
        "\n\nOil is brought by boat, and lamps are lit at dusk."
    )


@pytest.mark.parametrize("shift, is_rest", [(6, True), (-6, True), (6.25, False)])
def test_the_last_rows_lie_at_most_six_tenths_of_an_em_beside_their_columns(shift, is_rest):
    above = [[[word(text, x, y)] for x, text in ((60, "Light"), (150, "310"))] for y in (100, 114, 128)]
    table = Table(rows=joined_text(above), char_indexes=frozenset(), box=(60, 90, 170, 130), cells=above)
    rest = find_rest(table, cells((60 + shift, 150 + shift), ["Light", "311"]))
    assert (rest.rows if rest else None) == ([["Light", "311"]] if is_rest else None)


def test_running_lines_and_words_that_say_that_it_goes_on_may_stand_between():
    first = table_page(rows(1, 36), top=700).text(72, 760, "Lights of the coast").text(500, 30, "Page 1 of 2")
    first.text(72, 100, "continued on the next page")
    second = table_page(rows(37, 20), None, top=700).text(72, 760, "Lights of the coast").text(500, 30, "Page 2 of 2")
    second.text(72, 730, "Table 1 (continued)")
    one, two = pages(first, second)
    assert GOES_ON.format(2) in one and COMES.format(1) in two and table_of(two)[0] == "| Lamp | Keeper | Oil |"


def test_columns_that_are_empty_on_the_next_page_stay():
    def without_keeper(page):
        for number, (lamp, _, oil) in enumerate(rows(41, 12)):
            page.text(72, TOP - PITCH * number, lamp).text(340, TOP - PITCH * number, oil)
        return page

    _, second = pages(table_page(rows(1, FULL)), without_keeper(Page()))
    assert table_of(second)[0] == "| Lamp | Keeper | Oil |" and table_of(second)[2] == "| Light 41 |  | 310 |"


BELOW = "The keepers of the north are paid by the harbour, those of the south by the town."


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (table_page(rows(1, FULL)), table_page(rows(41, 9), None, top=700).text(72, 735, "Lights of the south", 16)),
        (table_page(rows(1, 12)), table_page(rows(13, 9), None)),
        (table_page(rows(1, 36)).text(72, 60, BELOW), table_page(rows(37, 9), None)),
        (table_page(rows(1, FULL)), table_page(rows(41, 9), None, xs=(72, 160, 260))),
        (table_page(rows(1, FULL)), table_page(rows(41, 9), ("Boat", "Pilot", "Tons"))),
    ],
    ids=["heading between", "ends in the middle", "text below", "other columns", "another head"],
)
def test_tables_of_their_own_are_not_joined(first, second):
    assert "goes on" not in "".join(pages(first, second))


@pytest.mark.slow
def test_pages_read_the_same_alone_as_in_the_whole():
    made = [table_page(rows(40 * k, FULL), HEAD if k == 0 else None) for k in range(MAX_BACK + 4)]
    whole = pages(*made)
    assert alone(*made) == whole
    assert [REPEATED.format(1) in page for page in whole] == [False, *[True] * MAX_BACK, *[False] * 3]
    assert all(COMES.format(number) in page for number, page in enumerate(whole[1:], 1))


def test_a_damaged_neighbour_does_not_keep_a_page_from_being_read():
    writer = Writer()
    tree, at, missing = (writer.reserve() for _ in range(3))
    put_page(writer, table_page(rows(1, FULL)), at, tree, [at], {})
    writer.put("(not a page)", missing)
    writer.put(f"<< /Type /Pages /Kids [{at} 0 R {missing} 0 R] /Count 2 >>", tree)
    document = PDF.open(writer.written(writer.put(f"<< /Type /Catalog /Pages {tree} 0 R >>")), None, b"")
    assert table_of(document.markdown(1))[-1] == "| Light 40 | Ada of north | 349 |"
    assert "goes on" not in document.markdown(1) and document.markdown(2) == UNREADABLE
