"""Tables as programs set them: cells centred on their rows or ending with them, rows beyond the rules, wide last columns."""

import pypdfium2
import pytest

from corpus.pdf_documents import PROSE
from corpus.pdf_writer import Page, pdf
from readwell.documents.pdf.page_content.ruling_lines import read_rulings
from readwell.documents.pdf.page_content.words import read_words
from readwell.documents.pdf.page_notices import Notices
from readwell.documents.pdf.table_search.find_tables import find_tables

XS = (80, 200, 280, 360)
PITCH, APART = 11.5, 5
ROWS = [
    ["Light", "Height", "Range", "Seen from"],
    ["North", "31", "18", "the mole and both of|the piers near it"],
    ["East of|the harbour", "24", "15", "the mole"],
    ["South", "40", "22", "all islands, the open|water, the fort and|its long wall"],
    ["West", "12", "9", "the fort"],
]
WHOLE = [[cell.replace("|", " ") for cell in row] for row in ROWS]


def tables(page):
    with pypdfium2.PdfDocument(pdf(page)) as document:
        opened = document[0]
        found = read_words(opened, opened.get_textpage())
        rulings = read_rulings(opened, found.frame, Notices())
        return [table.rows for table in find_tables(found.words, rulings, Notices())]


def printed(page, rows, share, y=600, xs=XS):
    """Prints rows downwards; `share` of the white of a cell stands above its lines. Returns where each row begins."""
    edges = []
    for row in rows:
        edges.append(y + PITCH)
        tallest = max(cell.count("|") for cell in row)
        for x, cell in zip(xs, row, strict=True):
            lines = cell.split("|")
            for k, line in enumerate(lines):
                page.text(x, y - PITCH * (share * (tallest + 1 - len(lines)) + k), line)
        y -= PITCH * (tallest + 1) + APART
    return [*edges, y + PITCH]


@pytest.mark.parametrize("share", [0.5, 1, 0], ids=["centred", "ending together", "beginning together"])
def test_a_cell_of_several_lines_is_one_row_with_those_beside_it(share):
    page = Page()
    printed(page, ROWS, share)
    assert tables(page) == [WHOLE]


def test_the_lines_below_the_title_of_a_section_are_rows_of_their_own():
    rows = [["Lights", ""], ["North", "Red"], ["South", "Green"], ["Buoys", ""], ["East", "White"], ["West", "Blue"]]
    page = Page()
    for k, row in enumerate([["Kind", "Colour"], *rows]):
        for x, text in zip(XS, row, strict=False):
            page.text(x, 600 - PITCH * k - 6 * (k > 3), text)
    assert tables(page) == [[["Kind", "Colour"], *rows]]


NUMBERS = [["Light", "Height", "Range", "Year"], *[[f"Number {k}", f"{k}1", f"{k}2", f"19{k}4"] for k in range(2, 8)]]


def test_a_head_above_the_first_rule_belongs_to_the_rows_below_it():
    page = Page().text(72, 640, PROSE[0])
    for edge in printed(page, NUMBERS, 0)[1:]:
        page.line(76, edge - 1, 400, edge - 1)
    assert tables(page) == [NUMBERS]


def test_a_head_of_two_lines_above_the_first_rule_is_taken_in_whole():
    page = Page()
    rows = [["Light", "Height of|the lamp", "Range", "Year"], *NUMBERS[1:]]
    for edge in printed(page, rows, 0)[1:]:
        page.line(76, edge - 1, 400, edge - 1)
    assert tables(page) == [[["Light", "Height of the lamp", "Range", "Year"], *NUMBERS[1:]]]


def test_a_last_row_that_is_not_shaded_belongs_to_the_shaded_ones():
    page = Page()
    rows = NUMBERS[:6]
    edges = [700 - 16 * k for k in range(len(rows) + 1)]
    for k in range(0, len(rows), 2):
        page.fill(76, edges[k + 1], 330, 16, (0.9, 0.9, 0.9))
    for k, row in enumerate(rows):
        for x, text in zip(XS, row, strict=True):
            page.text(x, edges[k + 1] + 4, text)
    assert tables(page) == [rows]


def test_text_below_the_last_rule_is_no_row():
    page = Page()
    edges = printed(page, NUMBERS, 0)
    for edge in edges:
        page.line(76, edge - 1, 400, edge - 1)
    for k, text in enumerate(PROSE[:3]):
        page.text(80, edges[-1] - 14 - 12 * k, text)
    assert tables(page) == [NUMBERS]


def test_full_lines_where_a_rule_is_missing_are_rows_of_their_own():
    page = Page()
    edges = printed(page, NUMBERS, 0)
    for edge in (*edges[:1], *edges[2:]):
        page.line(76, edge - 1, 400, edge - 1)
    assert tables(page) == [NUMBERS]


def test_a_long_cell_between_rules_is_no_prose():
    long = "all of the islands and the open water|beyond"
    rows = [["Light", "Height", "Range", "Seen from"], *[[f"Number {k}", f"{k}1", f"{k}2", long] for k in range(2, 6)]]
    page = Page()
    for edge in printed(page, rows, 1):
        page.line(76, edge - 1, 560, edge - 1)
    assert tables(page) == [[rows[0], *[[*row[:3], long.replace("|", " ")] for row in rows[1:]]]]


def test_a_cell_of_many_lines_does_not_end_a_table_without_rules():
    long = "|".join("one two three four five six seven".split())
    rows = [["Light", "Height", "Range", "Seen from"], *[[f"Number {k}", f"{k}1", f"{k}2", long] for k in range(2, 6)]]
    page = Page(box=(0, 0, 612, 900))
    printed(page, rows, 0.5, y=800)
    assert tables(page) == [[rows[0], *[[*row[:3], long.replace("|", " ")] for row in rows[1:]]]]


def test_stretched_text_below_a_table_without_rules_is_left_out():
    page = Page()
    end = printed(page, NUMBERS, 0)[-1]
    for k in range(2):
        for x, text in zip((80, 150, 215, 260, 330), "words that are stretched wide".split(), strict=True):
            page.text(x, end - 18 - 12 * k, text)
    assert tables(page) == [NUMBERS]


def test_heads_at_the_other_edge_of_their_columns_name_them_in_order():
    page = Page()
    heads = ["Light", "Height", "Range", "Year"]
    for x, text in zip((80, 170, 270, 370), heads, strict=True):
        page.text(x, 700, text)
    rows = [[f"Number {k}", f"{k}1.50", f"{k}2.25", f"19{k}4"] for k in range(2, 8)]
    for k, row in enumerate(rows):
        for x, text in zip((80, 232, 332, 432), row, strict=True):
            page.text(x, 684 - 16 * k, text)
    assert tables(page) == [[heads, *rows]]
