"""Tables of whole pages, from words and rules to Markdown."""

import time
from dataclasses import replace

import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_words import NOTHING, PLAIN, cells, horizontal, vertical, word, words

from corpus.pdf_writer import Page, pdf
from effort import examples
from readwell.documents.pdf.page_content.ruling_lines import read_rulings
from readwell.documents.pdf.page_content.words import read_words
from readwell.documents.pdf.page_model import RulingLine, Rulings, Table
from readwell.documents.pdf.page_notices import Notices
from readwell.documents.pdf.page_text.inline_markdown import table_markdown_lines
from readwell.documents.pdf.table_grid.cell_texts import cell_text, cell_texts
from readwell.documents.pdf.table_search.find_tables import find_tables

ROWS = [["Name", "Size", "Weight"], ["one", "1", "10"], ["two", "2", "20"], ["three", "3", "30"]]
XS = (60, 160, 260)
PROSE = "this is a line of text that runs across all of the columns"


def tables(content):
    with pypdfium2.PdfDocument(content) as document:
        page = document[0]
        found = read_words(page, page.get_textpage())
        return [table.rows for table in find_tables(found.words, read_rulings(page, found.frame, Notices()), Notices())]


def printed(page, rows=ROWS, xs=(80, 180, 280), y=700):
    for k, row in enumerate(rows):
        for x, text in zip(xs, row, strict=True):
            page.text(x, y - 16 * k, text)
    return page


def later(found, by=1000):
    return [replace(moved, char_index=moved.char_index + by, line=moved.line + by) for moved in found]


def test_a_lattice_is_read_from_a_page():
    page = printed(Page()).grid([72, 172, 272, 372], [714, 696, 680, 664, 648])
    assert tables(pdf(page)) == [ROWS]


def test_a_table_between_rules_is_read_from_a_page():
    page = printed(Page()).line(72, 714, 372, 714).line(72, 696, 372, 696).line(72, 648, 372, 648)
    assert tables(pdf(page)) == [ROWS]


def test_a_table_in_white_is_read_from_a_page():
    page = printed(Page().text(72, 760, PROSE)).text(72, 580, PROSE)
    assert tables(pdf(page)) == [ROWS]


def test_a_table_printed_sideways_is_read():
    page = Page()
    for k, row in enumerate(ROWS):
        for j, text in enumerate(row):
            page.text(100 + 16 * k, 80 + 100 * j, text, angle=1)
    assert tables(pdf(page)) == [ROWS]


def test_heads_printed_sideways_name_their_columns():
    page = Page().grid([72, 172, 202, 232, 262], [660, 644, 628, 612]).line(72, 740, 262, 740)
    for k, (name, *marks) in enumerate([["Reader", "x", "", "x"], ["Writer", "", "x", "x"], ["Owner", "x", "x", "x"]]):
        page.text(80, 648 - 16 * k, name)
        for j, mark in enumerate(marks):
            page.text(184 + 30 * j, 648 - 16 * k, mark)
    for j, head in enumerate(["may read", "may write", "may list"]):
        page.text(190 + 30 * j, 666, head, angle=1)
    assert tables(pdf(page)) == [
        [
            ["", "may read", "may write", "may list"],
            ["Reader", "x", "", "x"],
            ["Writer", "", "x", "x"],
            ["Owner", "x", "x", "x"],
        ]
    ]


def test_a_note_in_the_margin_is_no_head():
    page = printed(Page()).grid([72, 172, 272, 372], [714, 696, 680, 664, 648])
    assert tables(pdf(page.text(60, 660, "sideways", angle=1).text(290, 500, "below", angle=1))) == [ROWS]


def test_a_page_of_text_has_no_tables():
    page = Page()
    for k in range(30):
        page.text(72, 740 - 14 * k, PROSE)
    assert tables(pdf(page)) == []


def test_a_table_knows_the_words_that_stand_in_it():
    text, table = words((50, (60, PROSE))), later(cells(XS, *ROWS))
    (found,) = find_tables([*text, *table], NOTHING, Notices())
    assert found.char_indexes == {word.char_index for word in table}
    assert tuple(map(round, found.box)) == (60, 92, 290, 144)


def test_tables_come_from_the_top_down():
    below, above = cells(XS, *ROWS, y=400), cells(XS, *ROWS[::-1], y=100)
    found = find_tables([*below, *later(above)], NOTHING, Notices())
    assert [table.rows for table in found] == [ROWS[::-1], ROWS]


def test_of_nested_lattices_the_larger_is_a_table():
    outer = vertical(50, 150, 250, 350, top=88, bottom=150)
    inner = vertical(155, 200, 245, top=106, bottom=118)
    rules = Rulings(
        sorted(horizontal(88, 104, 120, 134, 150) + horizontal(106, 112, 118, x0=155, x1=245)), outer + inner, []
    )
    assert [table.rows for table in find_tables(cells(XS, *ROWS), rules, Notices())] == [ROWS]


def test_a_header_drawn_apart_from_its_body_is_put_on_top_of_it():
    head = Rulings(horizontal(88, 104), vertical(50, 150, 250, 350, top=88, bottom=104), [])
    assert [table.rows for table in find_tables(cells(XS, *ROWS), head, Notices())] == [ROWS]


def test_a_picture_is_no_table():
    curves = [(70.0, 100.0, 250.0, 130.0), (80.0, 95.0, 240.0, 125.0)]
    assert find_tables(cells(XS, *ROWS), Rulings([], [], curves), Notices()) == []


def test_boxes_around_words_of_a_sentence_are_no_table():
    text = words(*((100 + 12 * k, (60, "some words in boxes of a sentence")) for k in range(2)))
    rules = Rulings(horizontal(90, 104, 116, x0=84, x1=160), vertical(84, 112, 130, 160, top=90, bottom=116), [])
    assert find_tables(text, rules, Notices()) == []


def test_a_program_in_a_frame_is_no_table_unless_the_whole_page_is_typewritten():
    mono = replace(PLAIN, mono=True)
    rows = [(100 + 14 * k, (60, name), (160, text)) for k, (name, text) in enumerate([("read", "opens")] * 4)]
    code, text = words(*rows, font=mono), later(words(*((400 + 12 * k, (60, PROSE)) for k in range(9))))
    rules = Rulings(horizontal(88, 104, 120, 134, 150), vertical(50, 150, 350, top=88, bottom=150), [])
    assert find_tables([*code, *text], rules, Notices()) == []
    typed = [replace(word, font=mono) for word in text]
    assert [table.rows for table in find_tables([*code, *typed], rules, Notices())] == [[["read", "opens"]] * 4]


def test_tables_side_by_side_in_one_frame_are_several():
    xs = (60, 120, 180, 240)
    rows = [["Age", "People", "Age", "People"], ["1", "10", "3", "30"], ["2", "20", "4", "40"]]
    rules = Rulings(horizontal(88, 104, 120, 134, x1=300), vertical(50, 110, 170, 230, 300, top=88, bottom=134), [])
    found = find_tables(cells(xs, *rows), rules, Notices())
    assert [table.rows for table in found] == [
        [["Age", "People"], ["1", "10"], ["2", "20"]],
        [["Age", "People"], ["3", "30"], ["4", "40"]],
    ]


def test_marks_of_footnotes_stand_with_what_they_mark():
    table = cells(XS, *ROWS) + [word("(1)", 172, 114, 900, 1), word("(2)", 172, 142, 901, 3)]
    rules = Rulings(horizontal(88, 104, 120, 134, 150), vertical(50, 150, 250, 350, top=88, bottom=150), [])
    (found,) = find_tables(table, rules, Notices())
    assert [row[1] for row in found.rows] == ["Size", "1 (1)", "2", "3 (2)"]


def test_columns_of_a_script_read_from_the_right_are_turned_round():
    names = [["שם", "עיר"], ["דנה", "חיפה"], ["יוסי", "אילת"]]
    rows = [[cell[::-1] for cell in row] for row in names]
    grid = [
        [[word(text, 100 - 50 * j, 20 * k, 10 * k + j)] for j, text in enumerate(row)][::-1]
        for k, row in enumerate(rows)
    ]
    assert cell_texts(grid) == rows


def test_a_word_broken_inside_a_cell_is_put_together():
    assert cell_text(words((100, (60, "manufac-")), (112, (60, "turing of")))) == "manufac-turing of"
    assert cell_text(words((100, (60, "east -")), (112, (60, "west")))) == "east - west"


def test_a_table_as_markdown_is_compact_and_escapes_pipes():
    table = Table([["a|b", ""], ["1", "x\ny"]], frozenset(), (0, 0, 1, 1))
    assert table_markdown_lines(table) == ["| a\\|b |  |", "| --- | --- |", "| 1 | x y |"]


def test_words_without_a_place_on_the_page_are_no_exception():
    nowhere = [replace(word("x", 0, 0, k), x1=0.0, top=0.0, bottom=0.0) for k in range(50)]
    assert find_tables(nowhere, NOTHING, Notices()) == []
    assert find_tables([], Rulings(horizontal(10, 20, 30), vertical(50, 60, 70), []), Notices()) == []


@pytest.mark.parametrize("count", [15_000, 120_000])
def test_a_page_full_of_words_is_looked_at_in_bounded_time(count):
    crowd = [word("w1", 10 + 11 * (k % 50), 10 + 0.13 * (k // 50), k, k // 50) for k in range(count)]
    started = time.perf_counter()
    find_tables(crowd, NOTHING, Notices())
    assert time.perf_counter() - started < 20


def test_a_page_full_of_rules_is_looked_at_in_bounded_time():
    rules = Rulings(
        sorted(rule for k in range(1500) for rule in horizontal(10 + 0.5 * k, x0=10 + k % 290, x1=90 + k % 290)),
        sorted(rule for k in range(1500) for rule in vertical(10 + 0.3 * k, top=10 + k % 300, bottom=400 + k % 300)),
        [],
    )
    started = time.perf_counter()
    find_tables(cells(XS, *ROWS * 40, y=20), rules, Notices())
    assert time.perf_counter() - started < 20


def random_page(random):
    """Returns words in blocks that may overlap, and rules across them."""
    found = []
    for block in range(random.randint(1, 5)):
        x0, y0, width = random.uniform(20, 300), random.uniform(20, 700), random.uniform(30, 100)
        pitch, font = random.choice([8, 12, 20]), replace(PLAIN, size=random.choice([6.0, 9.0, 12.0]))
        for row in range(random.randint(2, 12)):
            for column in range(random.randint(2, 6)):
                text = random.choice(["12", "Total", "1,234", "(1)", "–", "Table 1", "Source:", "•", "2005", "10%"])
                place = 20 * len(found)
                found.append(word(text, x0 + column * width, y0 + row * pitch, place, row + 100 * block, font))
    strokes = [(random.uniform(20, 700), random.uniform(0, 300), random.choice([30, 100, 500])) for _ in range(60)]
    rules = [RulingLine(at, start, start + length) for at, start, length in strokes]
    return found, Rulings(sorted(rules[: random.randint(0, 30)]), sorted(rules[random.randint(30, 60) :]), [])


@given(st.randoms())
@settings(max_examples=examples(60))
def test_whatever_stands_on_a_page_no_word_is_lost_or_in_two_tables(random):
    found, rules = random_page(random)
    tables = find_tables(found, rules, Notices())
    owned = [index for table in tables for index in table.char_indexes]
    assert len(owned) == len(set(owned))
    for table in tables:
        assert len({len(row) for row in table.rows}) == 1
        inside = " ".join(word.text for word in found if word.char_index in table.char_indexes)
        assert sorted(" ".join(cell for row in table.rows for cell in row).split()) == sorted(inside.split())


def test_a_table_of_a_real_report_is_read(real):
    assert tables((real / "tables" / "eu-002.pdf").read_bytes()) == [
        [
            ["", "Q1", "Q2", "Q3", "Q4", "Total"],
            ["2004", "34.7", "36.2", "44.5", "51.3", "166.7"],
            ["2005", "58.1", "63.4", "61.6", "55.2", "238.4"],
            ["2006", "74.7", "84.1", "96.5", "111.8", "367.1"],
            ["2007", "148.8", "142.3", "156.7", "186.1", "633.9"],
            ["2008", "120.9", "106", "", "", "226.8"],
        ]
    ]
