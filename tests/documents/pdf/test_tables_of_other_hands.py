"""Tables as programs and people set them that no rule was made for: signs apart, labels that wrap, spaces that are stretched."""

from dataclasses import replace

import pypdfium2
import pytest
from made_lines import line, lines, profile
from made_words import NOTHING, PLAIN, cells, count_calls, horizontal, vertical, word, words

from corpus.pdf_writer import Page, pdf
from readwell.documents.pdf.heading_search.find_headings import find_headings
from readwell.documents.pdf.page_content.word_index import WordIndex
from readwell.documents.pdf.page_content.word_rows import rows_of
from readwell.documents.pdf.page_content.words import _word, read_words
from readwell.documents.pdf.page_model import Frame, RulingLine, Rulings
from readwell.documents.pdf.page_notices import Notices
from readwell.documents.pdf.page_text.code_listings import without_code
from readwell.documents.pdf.table_grid.grid_cleanup import with_torn_text_joined
from readwell.documents.pdf.table_search.drawings import has_only_scales
from readwell.documents.pdf.table_search.find_tables import find_tables
from readwell.documents.pdf.table_search.rows_outside_ruling_lines import with_rows_outside
from readwell.documents.pdf.table_search.table_evidence import TableEvidence
from readwell.documents.pdf.text_patterns import is_caption, is_number

UPRIGHT = Frame(1, 0, 0, -1, 0, 800, 600, 800, 0)


def found(some, rulings=NOTHING):
    return [table.rows for table in find_tables(some, rulings, Notices())]


def test_a_sign_that_hangs_below_its_baseline_is_in_the_row_where_it_is_seen():
    """The box of a letter stands on the baseline; that of a check mark may hang a line below it."""
    mark = _word("✓", (100, 108, 688, 696, 100, 108, 688, 696, 100, 699), UPRIGHT, PLAIN, 0, 0)
    letter = _word("p", (100, 108, 697, 704, 100, 108, 697, 704, 100, 699), UPRIGHT, PLAIN, 0, 0)
    assert (round(mark.mid_y), round(letter.mid_y)) == (108, 98)
    assert len(rows_of([mark, word("here", 20, 111), word("above", 20, 98)])) == 2


def test_leader_dots_part_no_columns():
    titles = [
        "1.1 Lamps",
        "1.2 Boats and nets",
        "1.3 Nets",
        "1.4 Ropes of hemp",
        "1.5 Oars",
        "1.6 Masts",
        "1.7 Sails",
        "1.8 Oil",
    ]
    some = []
    for k, title in enumerate(titles):
        at = 60.0
        for part in title.split():
            some.append(word(part, at, 100 + 14 * k, 20 * len(some), k))
            at = some[-1].x1 + 12.5 * (at == 60) + 2.5
        for x in range(65, 300, 8):
            if x > at:
                some.append(word(".", x, 100 + 14 * k, 20 * len(some), k, replace(PLAIN, size=5.0)))
        some.append(word(str(k + 1), 320, 100 + 14 * k, 20 * len(some), k))
    assert found(some) == []


def test_amounts_with_stars_of_mathematics_are_numbers():
    assert is_number("30.245∗∗∗") and is_number("1.546 ∗ ∗")


def test_a_currency_set_apart_belongs_to_its_amount_and_its_head_to_both():
    rows = [
        ["", "Sales", "", "Costs"],
        ["Boats", "$", "1,200", "$ 90"],
        ["Nets", "", "300", "20"],
        ["All", "$", "1,500", "$ 110"],
    ]
    some = cells((60, 150, 200, 300), *rows)
    assert found(some, Rulings(horizontal(88, 104, 146), [], [])) == [
        [["", "Sales", "Costs"], ["Boats", "$ 1,200", "$ 90"], ["Nets", "300", "20"], ["All", "$ 1,500", "$ 110"]]
    ]


def test_a_currency_at_the_end_of_a_word_is_cut_off_where_a_gap_is_before_it():
    page = Page().text(72, 680, "5$").raw("BT /Helvetica 10 Tf 1 0 0 1 72 660 Tm [(10.69%) -700 ($)] TJ ET")
    with pypdfium2.PdfDocument(pdf(page)) as document:
        opened = document[0]
        shown = [each.text for each in read_words(opened, opened.get_textpage()).words]
    assert shown == ["5$", "10.69%", "$"]


def test_the_rest_of_a_label_is_in_the_row_of_its_numbers():
    rows = [
        ["Offense", "2019", "2020"],
        ["Theft of goods", "10", "20"],
        ["Murder and other", "", ""],
        ["manslaughter", "5", "6"],
    ]
    rows += [["Fraud", "7", "8"], ["Arson and fires", "1", "2"]]
    joined = [*rows[:2], ["Murder and other manslaughter", "5", "6"], *rows[4:]]
    assert found(cells((60, 200, 300), *rows)) == [joined]


def test_labels_in_lower_case_below_a_title_are_rows_of_their_own():
    rows = [
        ["offense", "2019", "2020"],
        ["theft of goods", "10", "20"],
        ["Against other people", "", ""],
        ["manslaughter", "5", "6"],
    ]
    rows += [["fraud", "7", "8"], ["arson", "1", "2"]]
    assert found(cells((60, 200, 300), *rows)) == [rows]


def test_words_behind_a_stretched_space_make_no_column():
    rows = [
        ["Character", "Voice", ""],
        ["Homer", "Dan of the bay", ""],
        ["Marge", "Julie of York", ""],
        ["Bart", "Nan of Dover", ""],
    ]
    some = cells((60, 200, 300), *rows, ["Maggie", "Elizabeth Tay", ""])
    some.append(word("Shearer", some[-1].x1 + 9.5, some[-1].baseline, 20 * len(some), some[-1].line))
    [table] = found(some, Rulings(horizontal(88, 104, 160), [], []))
    assert table[-1] == ["Maggie", "Elizabeth Tay Shearer"]


@pytest.mark.parametrize(
    ("before", "gap", "below", "is_joined"),
    [
        ("Elizabeth", 19, 0, True),
        ("Elizabeth", 20, 0, False),
        ("Elizabeth", 60, 0, False),
        ("Tay;", 5, 0, True),
        ("12", 5, 0, False),
        ("Elizabeth", 5, 3, False),
    ],
)
def test_a_word_is_torn_off_where_it_is_less_than_two_ems_behind_a_word_on_its_line(before, gap, below, is_joined):
    left = word(before, 60, 100)
    rows = [[[word("head", 60, 80)], []], [[left], [word("torn", left.x1 + gap, 100 + below)]]]
    rows += [[[word("cell", 60, y)], []] for y in (120, 140)]
    assert (len(with_torn_text_joined(rows)[0]) == 1) == is_joined


def test_words_behind_stretched_spaces_are_joined_in_bounded_time():
    def calls(count):
        heights = [100 + 12 * k for k in range(count)]
        left = [word("words", 60, y) for y in heights]
        torn = [word("words", 95 + 6 * (k % 2), y) for k, y in enumerate(heights)]
        rows = [[[word("head", 60, 80)], []], [left, torn], *([[word("cell", 60, y)], []] for y in (1e5, 1e5 + 12))]
        assert with_torn_text_joined(rows)[1] == [[each for pair in zip(left, torn, strict=True) for each in pair]]
        return count_calls(lambda: with_torn_text_joined(rows))

    assert calls(400) < 6 * calls(100), "each word must not be compared with all on its left"


def test_the_axes_of_a_chart_are_no_table():
    scales = [
        ["0", "0.2", "0.4", "0.6", "0.8", "1"],
        ["Lamps", "", "Boats", "", "", ""],
        ["0", "2", "4", "6", "8", "10"],
    ]
    assert found(cells((60, 110, 160, 210, 260, 310), *scales, ["", "Nets", "", "Ropes", "", ""])) == []
    upright = [["4,500", "Supply", "Demand", "50%"], ["4,000", "", "", "40%"], ["3,500", "", "", "30%"]]
    assert found(cells((60, 160, 260, 360), *upright)) == []


def test_an_axis_may_have_words_behind_it_but_none_before_it():
    names, axis = ["Lamps", "", "Boats", "", "Nets", "", "Ropes"], ["0", "1", "2", "3", "4", "5", "in years"]
    assert has_only_scales(TableEvidence([names, axis], [], 0, 0.0))
    assert not has_only_scales(TableEvidence([names, ["Years", *axis[:6]]], [], 0, 0.0))
    assert not has_only_scales(TableEvidence([axis, names], [], 0, 0.0))


def test_equal_steps_in_the_head_of_a_table_are_no_axis():
    tasks = [["Task", "1", "2", "3", "4", "5", "6"], ["Design", "x", "", "", "", "", ""]]
    tasks += [["Build", "", "x", "", "x", "", ""], ["Ship", "", "", "", "", "", "x"]]
    lattice = Rulings(horizontal(90, 104, 118, 132, 146, x1=400), vertical(*range(50, 401, 50), top=90, bottom=146), [])
    assert found(cells(range(60, 361, 50), *tasks), lattice) == [tasks]
    years = [["Company", "2019", "2020", "2021", "2022", "2023"]]
    years += [[name, "open", "", "closed", "", "open"] for name in ("North", "South", "East", "West")]
    xs = range(60, 311, 50)
    assert found(cells(xs, *years), Rulings(horizontal(90, 104, 160), [], [])) == [years]
    assert found(cells(xs, *years)) == [years]
    unnamed = [["", *years[0][1:]], *years[1:]]
    assert found(cells(xs, *unnamed)) == [unnamed]


def test_a_table_between_code_is_not_all_that_stands_between_the_shades():
    table = [["", "Size", "Mass"], ["Boats", "1", "10"], ["Nets", "2", "20"]]
    some = cells((60, 150, 250), *table) + words((160, (60, "Further boats")))
    shades, own = horizontal(70, 84, 180, 194, x1=500), horizontal(90, 106, 134, x1=300)
    assert found(some, Rulings(sorted(shades + own), [], [])) == [table]


def test_tables_with_heads_of_their_own_are_not_sections_of_one():
    upper = [["Boats", "Count", "Weight"], ["Large", "1", "10"], ["Small", "2", "20"], ["All", "3", "30"]]
    lower = [["Nets", "Length", "Price"], ["Long", "4", "40"], ["Short", "5", "50"], ["All", "9", "90"]]
    some = cells((60, 200, 300), *upper, *[["", "", ""]] * 2, *lower)
    assert found(some) == [upper, lower]


@pytest.mark.parametrize(
    "head, is_head",
    [
        (["Item", "Count", "Mass"], True),
        (["Item", "Count", ""], True),
        (["", "Count", "Mass"], True),
        (["Item", "", ""], False),
        (["", "", "Mass"], False),
    ],
)
def test_two_words_or_more_above_the_first_rule_of_a_table_are_its_head(head, is_head):
    rows = [["Boats", "1", "10"], ["Nets", "2", "20"], ["Ropes", "3", "30"], ["Sails", "4", "40"]]
    rules, some = horizontal(104, 118, 132, 146, 160), cells((60, 200, 300), head, *rows)
    assert found(some, Rulings(rules, [], [])) == [[head, *rows] if is_head else rows]
    assert with_rows_outside((50, 104, 350, 160), rules, WordIndex(some)) == (50, 92.5 if is_head else 104, 350, 160)


def test_a_section_may_begin_with_words_over_half_of_its_columns():
    upper = [["Boats", "Count", "Weight"], ["Large", "1", "10"], ["Small", "2", "20"], ["All", "3", "30"]]
    lower = [["Nets", "", "Price"], ["Long", "4", "40"], ["Short", "5", "50"], ["All", "9", "90"]]
    assert found(cells((60, 200, 300), *upper, *[["", "", ""]] * 2, *lower)) == [upper + lower]


def test_rows_set_apart_within_ruled_bands_are_rows():
    rows = [["Trade", "Measure", "Large", "Small"]]
    for name in ("Farms", "Mills", "Shops"):
        rows += [["", "people", "X1000", "X300"], [name, "", "", ""], ["", "sales", "Y20000", "Y9000"]]
    heights = [100, *(y for k in range(3) for y in (120 + 40 * k, 130 + 40 * k, 140 + 40 * k))]
    xs = (60, 150, 250, 350)
    some = words(
        *(
            (y, *((x, text) for x, text in zip(xs, row, strict=True) if text))
            for y, row in zip(heights, rows, strict=True)
        )
    )
    rulings = Rulings(horizontal(88, 108, 148, 188, 228, x1=420), vertical(140, 240, 340, top=88, bottom=228), [])
    expected = [rows[0]]
    for name in ("Farms", "Mills", "Shops"):
        expected += [[name, "people", "X1000", "X300"], ["", "sales", "Y20000", "Y9000"]]
    assert found(some, rulings) == [expected]


@pytest.mark.parametrize("names", [("Farms",), ("Farms", "Mills")])
def test_lines_set_apart_within_one_ruled_band_alone_are_one_row(names):
    rows, heights, below = [["Trade", "Measure", "Large", "Small"]], [100], [88, 108]
    for name in names:
        rows += [["", "people", "X1000", "X300"], [name, "", "", ""], ["", "sales", "Y20000", "Y9000"]]
        heights += [below[-1] + 12, below[-1] + 22, below[-1] + 32]
        below.append(below[-1] + 40)
    for name in ("Boats", "Nets", "Ropes"):
        rows.append([name, "people", "X2000", "X500"])
        heights.append(below[-1] + 12)
        below.append(below[-1] + 20)
    xs = (60, 150, 250, 350)
    some = words(
        *(
            (y, *((x, text) for x, text in zip(xs, row, strict=True) if text))
            for y, row in zip(heights, rows, strict=True)
        )
    )
    rulings = Rulings(horizontal(*below, x1=420), vertical(140, 240, 340, top=88, bottom=below[-1]), [])
    expected = [rows[0], ["Farms", "people sales", "X1000 Y20000", "X300 Y9000"]]
    if len(names) > 1:
        expected = [rows[0]]
        for name in names:
            expected += [[name, "people", "X1000", "X300"], ["", "sales", "Y20000", "Y9000"]]
    assert found(some, rulings) == [expected + rows[-3:]]


def test_titles_in_a_ruled_band_are_rows_of_their_own():
    rows = [
        ["", "2020", "2021"],
        ["Net profit", "10", "20"],
        ["Other income", "", ""],
        ["Items of later years", "", ""],
    ]
    rows += [["Changes of value", "5", "6"], ["Total", "15", "26"], ["All", "1", "2"]]
    some = cells((60, 250, 320), *rows, pitch=20)
    rulings = Rulings(horizontal(86, 106, 126, 186, 206, 226), vertical(240, 310, top=86, bottom=226), [])
    assert found(some, rulings) == [rows]


def test_a_table_in_typewriting_below_heads_is_no_listing():
    heads = line("old  -  -  new", 100)
    apart = replace_gaps(heads)
    typed = lines("rm  textrm", "sf  textsf", "tt  texttt", y=116, mono=True)
    rules = Rulings([RulingLine(y, 70.0, 300.0) for y in (88.0, 104.0, 146.0)], [], [])
    assert without_code([apart, *typed], rules) == [apart, *typed]
    assert without_code([apart, *typed], NOTHING) == [apart]
    framed = rules._replace(vertical=[RulingLine(x, 104.0, 146.0) for x in (70.0, 300.0)])
    assert without_code([apart, *typed], framed) == [apart]


def replace_gaps(shown):
    """A line whose last word stands far from the others."""
    last = shown.words[-1]
    return shown._replace(words=[*shown.words[:-1], replace(last, x0=last.x0 + 60, x1=last.x1 + 60)])


def test_captions_of_other_languages_are_captions():
    assert all(map(is_caption, ("Tabela 18.1. Exemplo", "Tabla 2: ventas", "Tabella 3", "Figura 4", "Fuente: INE")))


def headings(*flow, **known):
    return sorted(find_headings(flow, profile(**known), (), {}))


def entry(title, number, y, **setting):
    """A title with a number at the right."""
    first, page = line(title, y, **setting), line(number, y, x=400, **setting)
    return first._replace(words=[*first.words, *page.words], text=f"{title} {number}")


def test_entries_of_the_contents_are_no_headings():
    below = line("an ordinary line of the text", 112)
    assert headings(line("1 Installation", 100, bold=True), below) == [0]
    assert headings(entry("1 Installation", "12", 100, bold=True), below) == []
    one, other = entry("Installing it", "12", 100, bold=True), entry("Use of it", "15", 124, bold=True)
    assert headings(one, below, other) == []
    assert headings(one, below, line("Use of it . . . . . . . . 15", 124)) == []


def test_both_lines_of_an_entry_of_the_contents_are_no_headings():
    """Half an entry would be a heading without its end."""
    first = line("Annual consolidated", 100, size=14)
    second, other = line("financial statements", 116, size=14), entry("Report of the board", "207", 140, size=14)
    assert headings(first, second, levels={14.0: 1}) == [0]
    assert headings(first, entry("financial statements", "201", 116, size=14), other, levels={14.0: 1}) == []


def test_a_title_with_a_number_at_the_right_is_no_entry_of_the_contents():
    title, year = entry("Annual Report", "24", 100, size=24), entry("Annual Report", "2024", 100, size=24)
    subtitle = entry("Accounts and notes", "2024", 150, size=24)
    sizes = {24.0: 1}
    assert headings(title, line("an ordinary line of the text", 150), levels=sizes) == [0]
    assert headings(year, subtitle, levels=sizes) == [0, 1]
    entries = [entry("Balance sheet", "3", 150), entry("Cash flow", "7", 165)]
    assert headings(title, *entries, levels=sizes) == [0]


def test_the_lines_of_a_large_list_item_are_no_headings():
    item, rest = line("• Our models suggest that", 100, size=14), line("concerns are Overblown", 116, x=84, size=14)
    assert headings(item, rest, levels={14.0: 2}) == []


def test_an_appendix_counts_the_levels_of_its_sections():
    text = line("an ordinary line of the text", 112)
    flow = [line("C.2.1 device: General unit information", 100, size=9, bold=True), text]
    assert find_headings(flow, profile(), (), {})[0].level == 3


def test_sentences_of_chinese_are_no_headings():
    assert headings(line("大型、中型企业须同时满足下限；微", 100, size=14), levels={14.0: 1}) == []
