"""How a page is put together."""

import pytest
from made_lines import line, lines, profile, table

from readwell.documents.pdf.page_text.page_markdown import PageHints, flow_of, page_markdown
from readwell.documents.pdf.table_search.tables_in_text import without_tables_in_text

NOTHING = PageHints((), {}, {})


def written(*shown, tables=(), known=None, told=NOTHING):
    return page_markdown(list(shown), list(tables), known or profile(), told)


def test_lines_stay_as_they_are_printed_and_in_their_order():
    shown = [
        line("The lower line of the left column, which is long, of a page", 200),
        line("first by height", 100, x=400),
    ]
    assert written(*shown) == "The lower line of the left column, which is long, of a page\nfirst by height"


def test_a_line_that_was_cut_at_a_raised_character_is_one_again():
    first = line("338 000 km2", 100)
    glued, apart = line("). The country", 100, x=first.x1 + 1), line("and more", 100, x=first.x1 + 4)
    assert written(first, glued) == "338 000 km2). The country"
    assert written(first, apart) == "338 000 km2 and more"


def test_pieces_at_other_heights_or_further_apart_stay_lines():
    first = line("a", 100)
    assert written(first, line("b", 104, x=first.x1 + 1)) == "a\nb"
    assert written(first, line("b", 100, x=first.x1 + 9)) == "a\nb"
    assert written(first, line("b", 100, x=first.x0 - 20)) == "a\nb"


def test_words_of_a_table_do_not_join_the_line_before_it():
    first = line("a", 100)
    cells = line("b c", 100, x=first.x1 + 1)
    assert written(first, cells, tables=[table(["b", "c"], of=[cells])]) == "a\n\n| b | c |\n| --- | --- |"


def test_a_table_stands_where_its_first_word_stood():
    before, cells, after = line("before", 80), lines("a b", "c d"), line("after", 130)
    found = table(["a", "b"], ["c", "d"], of=cells)
    assert written(before, *cells, after, tables=[found]) == "before\n\n| a | b |\n| --- | --- |\n| c | d |\n\nafter"


def test_words_beside_a_table_stay_in_their_line():
    row = line("beside a b c")
    owned = table(["a", "b", "c"], of=[row._replace(words=row.words[1:])])
    flow = flow_of([row], [owned])
    assert [getattr(item, "text", item) for item in flow] == [owned, "beside"]


def test_shaded_words_in_the_middle_of_a_text_are_no_table():
    first, second = lines("a secure completion of the code", "an adversarial comment above it")
    shaded = [first._replace(words=first.words[2:3]), second._replace(words=second.words[:2])]
    found = table(["completion", ""], ["an", "adversarial"], of=shaded)
    assert without_tables_in_text([found], [first, second]) == []


def test_tables_side_by_side_stand_in_the_order_of_their_words():
    row, left_below, right_below = line("a b"), line("c d", 112), line("e f", 124)
    left = table(["a"], ["c d"], of=[row._replace(words=row.words[:1]), left_below])
    right = table(["b"], ["e f"], of=[row._replace(words=row.words[1:]), right_below])
    assert flow_of([row, left_below, right_below], [right, left]) == [left, right]


def test_cells_cannot_break_their_table():
    cells = line("x")
    found = table(["a|b", " two\nlines "], ["short"], of=[cells])
    assert written(cells, tables=[found]) == "| a\\|b | two lines |\n| --- | --- |\n| short |  |"


@pytest.mark.parametrize(
    "text",
    [
        "| a | b",
        "# title",
        "###### title",
        "#",
        "```python",
        "~~~",
        "<!-- page 3 -->",
        "<!-- other",
        "===",
        "-",
        "---",
        "=",
        "+ 5",
    ],
)
def test_what_only_looks_like_structure_is_escaped(text):
    assert written(line(text)) == "\\" + text


@pytest.mark.parametrize(
    "text", ["#hash", "####### seven", "a # b", "a | b", "a <!-- b", "a - b", "-5", "== a", "`code`", "<b>"]
)
def test_what_is_no_structure_stays_as_it_is(text):
    assert written(line(text)) == text


def test_white_above_a_paragraph_becomes_an_empty_line():
    text = "a line that is long enough to be one of a text"
    first, second = lines(text, text), lines(text, text, y=136)
    assert written(*first, *second) == f"{text} {text}\n\n{text} {text}"


def test_labels_strewn_over_a_drawing_are_no_paragraphs():
    shown = [line(word, y) for word, y in (("north", 100), ("east", 140), ("south", 260))]
    assert written(*shown) == "north\neast\nsouth"


def test_a_heading_stands_between_empty_lines():
    shown = [line("before", 60), line("Lights", 100, size=14), line("after", 120)]
    assert written(*shown, known=profile(levels={14.0: 2})) == "before\n\n## Lights\n\nafter"


def test_headings_below_each_other_have_one_empty_line_between():
    shown = [line("Lights", 60, size=20), line("Lamps", 100, size=14), line("after", 120)]
    assert written(*shown, known=profile(levels={20.0: 1, 14.0: 2})) == "# Lights\n\n## Lamps\n\nafter"


def test_a_heading_over_two_lines_becomes_one():
    shown = [*lines("On the lights of", "the coast", size=14), line("after", 150)]
    assert written(*shown, known=profile(levels={14.0: 1})) == "# On the lights of the coast\n\nafter"


def test_characters_that_steer_a_terminal_are_not_passed_on():
    assert written(line("a\x1b[31mb\x07c\x9b")) == "a\ufffd[31mb\ufffdc\ufffd"
