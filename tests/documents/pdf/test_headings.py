"""Which lines are headings."""

from dataclasses import replace

import pytest
from made_lines import line, lines, profile, table

from readwell.documents.pdf.document_facts.bookmark_titles import Title
from readwell.documents.pdf.heading_search.find_headings import Heading, find_headings
from readwell.documents.pdf.heading_search.heading_patterns import may_be_heading

TEXT = "an ordinary line of the text below it"


def found(flow, known=None, titles=(), tags=None):
    return find_headings(flow, known or profile(), titles, tags or {})


def above_text(text, **setting):
    """A line with white around it, above a line of text."""
    return [line("what stands before", 60), line(text, 100, **setting), line(TEXT, 112)]


def test_the_outline_names_a_heading_that_looks_like_text():
    assert found(above_text("Beginnings"), titles=[Title("beginnings", 3)]) == {1: Heading(3, 1)}


@pytest.mark.parametrize("text", ["Invoice 2024/5556", "INVOICE 20205", "Account 766700"])
def test_a_title_may_end_with_a_long_number(text):
    assert found(above_text(text, size=14), profile(levels={14.0: 1})) == {1: Heading(1, 1)}


@pytest.mark.parametrize("text", ["Released 2018/04/04", "4 May 2018-04-0405", "Sum 7,851 73,862"])
def test_dates_and_amounts_are_no_titles(text):
    assert found(above_text(text, size=14), profile(levels={14.0: 1})) == {}


@pytest.mark.parametrize(("text", "is_heading"), [("42{}Lamps", False), ("4.2{}Lamps", True), ("Lamps{}oars", True)])
def test_a_page_number_far_before_a_title_makes_it_a_running_head(text, is_heading):
    """A space is half an em wide: eight of them are four ems."""
    large = profile(levels={14.0: 1})
    assert bool(found(above_text(text.format(8 * " "), size=14), large)) == is_heading
    assert found(above_text(text.format(7 * " "), size=14), large)


def test_an_outline_title_may_be_printed_over_several_lines():
    flow = [*lines("Of the weather in", "the northern", "waters"), line(TEXT, 140)]
    assert found(flow, titles=[Title("oftheweatherinthenorthernwaters", 2)]) == {0: Heading(2, 3)}


def test_an_outline_title_may_be_printed_with_its_number_or_chapter_before_it():
    flow = [line("Chapter 2 Returning home"), line(TEXT, 112), line("3.1 Leaving", 130), line(TEXT, 142)]
    titles = [Title("returninghome", 1), Title("leaving", 2)]
    assert found(flow, titles=titles) == {0: Heading(1, 1), 2: Heading(2, 1)}


def test_of_several_places_the_largest_print_is_the_one_the_outline_means():
    flow = [line("Beginnings", 40, size=8), line("Beginnings", 100, size=14), line(TEXT, 115), line("Beginnings", 140)]
    assert found(flow, titles=[Title("beginnings", 1)]) == {1: Heading(1, 1)}


def test_an_outline_of_another_page_names_nothing_here():
    assert found(above_text("Beginnings"), titles=[Title("endings", 1)]) == {}


def test_on_a_tagged_page_the_tagged_lines_are_the_headings():
    flow = [line("Large", 60, size=20), line("Small but tagged", 100, size=8), line(TEXT, 112)]
    tags = {word.char_index: 2 for word in flow[1].words}
    assert found(flow, profile(levels={20.0: 1}), tags=tags) == {1: Heading(2, 1)}


def test_a_line_of_which_a_word_is_tagged_is_no_heading():
    flow = above_text("only one of these")
    assert found(flow, tags={flow[1].words[0].char_index: 1}) == {}


def test_a_size_of_the_profile_makes_a_heading_of_its_level():
    assert found(above_text("Beginnings", size=14), profile(levels={14.0: 2})) == {1: Heading(2, 1)}


def test_a_deep_section_number_sets_the_level():
    assert found(above_text("2.1.3 Means", size=14), profile(levels={14.0: 1})) == {1: Heading(3, 1)}


def test_section_numbers_count_from_below_the_title():
    flow = [*above_text("2.1 Means", size=14), *above_text("3 Ends", bold=True)]
    assert found(flow, profile(levels={20.0: 1, 14.0: 2}, titled=True)) == {1: Heading(3, 1), 4: Heading(2, 1)}


def test_lines_of_one_heading_are_joined():
    flow = [*lines("On the lights of", "the northern coast", size=14), line(TEXT, 160)]
    assert found(flow, profile(levels={14.0: 1})) == {0: Heading(1, 2)}


def test_a_heading_may_be_cut_at_a_comma_but_not_end_there():
    flow = [*lines("Recruitment, test administration,", "and quality assurance", size=14), line(TEXT, 160)]
    assert found(flow, profile(levels={14.0: 1})) == {0: Heading(1, 2)}


def test_numbered_headings_below_each_other_stay_apart():
    flow = [*lines("1 Lights", "1.1 Lamps", size=14), line(TEXT, 160)]
    assert found(flow, profile(levels={14.0: 1})) == {0: Heading(1, 1), 1: Heading(2, 1)}


def test_lines_far_apart_are_headings_of_their_own():
    flow = [line("Lights", 100, size=14), line("Lamps", 130, size=14), line(TEXT, 150)]
    assert found(flow, profile(levels={14.0: 1})) == {0: Heading(1, 1), 1: Heading(1, 1)}


def test_a_heading_has_four_lines_at_most():
    flow = lines(*["all of it large"] * 6, size=14)
    assert found(flow, profile(levels={14.0: 1})) == {0: Heading(1, 4), 4: Heading(1, 2)}


def test_a_bold_line_with_white_above_is_a_heading_below_those_of_size():
    assert found(above_text("Evening", bold=True), profile(levels={14.0: 1, 12.0: 2})) == {1: Heading(3, 1)}


def test_a_bold_numbered_line_needs_no_white():
    flow = [line("what stands before", 88), line("2.1 Means", 100, bold=True), line(TEXT, 112)]
    assert found(flow) == {1: Heading(2, 1)}


def test_a_bold_numbered_line_may_be_smaller_than_the_text():
    assert found(above_text("2.1 Means", bold=True, size=9)) == {1: Heading(2, 1)}
    assert found(above_text("Means", bold=True, size=9)) == {}


@pytest.mark.parametrize("text", ["Chart import and export", "Table views", "Figure in the dark"])
def test_a_title_may_begin_like_a_caption(text):
    assert found(above_text(text, bold=True)) == {1: Heading(1, 1)}


def test_a_numbered_line_of_a_program_is_no_heading():
    assert found([line("what stands before", 88), line("4 repeat", 100, bold=True), line(TEXT, 112)]) == {}


def test_a_bold_line_without_white_above_is_text():
    assert found([line("what stands before", 88), line("Evening", 100, bold=True), line(TEXT, 112)]) == {}


def test_a_bold_paragraph_has_no_heading():
    flow = [line("what stands before", 60), *lines("Not one line", "but a paragraph", bold=True), line(TEXT, 124)]
    assert found(flow) == {}


def test_a_bold_start_that_goes_on_as_text_is_no_heading():
    bold = line("Importance of the light and of its keeper for ships", 100, bold=True)
    last = bold.words[-1]
    run_in = bold._replace(words=[*bold.words[:-1], replace(last, font=replace(last.font, bold=False))])
    assert found([line("what stands before", 60), run_in, line(TEXT, 112)]) == {}


@pytest.mark.parametrize(
    "text",
    [
        "Figure 3: the lamp",
        "Table 2",
        "Table IV",
        "Table CA7. | pig meat",
        "Table A.1: by age",
        "Source: the keeper",
        "• an item",
        "- an item",
        "Lights ........ 12",
        "Lights . . . . . 12",
        "not the end of it,",
        "nor of this;",
        "12 + 7 = 19 x",
        "42",
        "x" * 141,
    ],
)
def test_what_cannot_be_a_title_is_none_however_it_is_set(text):
    assert found(above_text(text, size=14, bold=True), profile(levels={14.0: 1})) == {}


@pytest.mark.parametrize(
    ("text", "may_be"), [("ab 12", True), ("ab 123", False), ("2.1 ab 12", True), ("2.1 ab 123", False)]
)
def test_half_of_a_heading_behind_its_number_are_letters(text, may_be):
    assert may_be_heading(text) == may_be


def test_a_label_that_comes_again_and_again_is_no_heading():
    assert found(above_text("Definition 12", bold=True), profile(labels=frozenset({"definition"}))) == {}


def test_where_everything_is_bold_weight_says_nothing():
    assert found(above_text("Evening", bold=True), profile(bold_body=True)) == {}


def test_a_bold_line_of_code_is_no_heading():
    assert found(above_text("Evening", bold=True, mono=True)) == {}


RARE = profile(rare_fonts=frozenset({"Gill"}))


def test_a_short_line_in_a_rare_font_above_the_main_font_is_a_heading():
    assert found(above_text("Evening", font="Gill"), RARE) == {1: Heading(1, 1)}


@pytest.mark.parametrize("text", ["evening", "Evening.", "Evening:", "Evening?", "E" * 81])
def test_a_line_in_a_rare_font_that_reads_like_text_is_none(text):
    assert found(above_text(text, font="Gill"), RARE) == {}


@pytest.mark.parametrize(("length", "below", "is_heading"), [(79, 129, True), (80, 129, False), (79, 130, False)])
def test_a_heading_in_a_rare_font_is_short_and_close_to_its_text(length, below, is_heading):
    flow = [line("what stands before", 60), line("E" * length, 100, font="Gill"), line(TEXT, below)]
    assert (found(flow, RARE) != {}) == is_heading


def test_a_line_in_a_rare_font_at_the_end_of_a_page_is_none():
    assert found([line("what stands before", 60), line("Evening", 100, font="Gill")], RARE) == {}


def test_a_table_is_no_heading_and_parts_what_stands_around_it():
    above, below = lines("On the lights of", "the northern coast", size=14)
    between = table(["a"], of=[line("a")])
    assert found([above, between, below], profile(levels={14.0: 1})) == {0: Heading(1, 1), 2: Heading(1, 1)}


def test_a_bold_line_in_lower_case_is_no_heading():
    assert found(above_text("and all that follows from it", bold=True)) == {}
    assert found(above_text("All that follows from it", bold=True)) == {1: Heading(1, 1)}


def test_the_second_line_of_a_large_heading_may_begin_in_lower_case():
    flow = [*lines("Weights of young animals", "in the first weeks", size=12), line(TEXT, 150)]
    assert found(flow, profile(levels={12.0: 1})) == {0: Heading(1, 2)}


def test_a_sentence_slightly_larger_than_the_text_is_no_heading():
    flow = above_text("This is a whole sentence that says something at length.", size=12)
    assert found(flow, profile(levels={12.0: 1})) == {}


def test_the_tail_of_a_bold_paragraph_is_no_heading():
    flow = [
        line("A bold paragraph of which this is the first line", 86.5, bold=True),
        line("And this the last", 100, bold=True),
    ]
    assert found([*flow, line(TEXT, 112)]) == {}


def test_a_label_with_others_beside_it_is_no_heading():
    flow = [line("Replica one", 100, bold=True), line("x y", 100, x=200), line(TEXT, 130)]
    assert found(flow) == {}


def test_a_head_over_the_columns_of_a_table_is_no_heading():
    below = table(["a", "b"], of=[line("a b")])._replace(box=(72.0, 104.0, 400.0, 200.0))
    assert found([line(TEXT, 60), line("Year ended", 100, x=250, bold=True), below]) == {}
    assert found([line(TEXT, 60), line("Year ended", 100, x=72, bold=True), below]) == {1: Heading(1, 1)}


def test_text_at_an_angle_is_no_heading():
    for angle in (0.8, 1.57):
        assert found(above_text("DRAFT", size=60, angle=angle), profile(levels={60.0: 1})) == {}
        assert found(above_text("Draft of May", bold=True, angle=angle)) == {}
    assert found(above_text("DRAFT", size=60, angle=0.02), profile(levels={60.0: 1})) == {1: Heading(1, 1)}


SENTENCES = [
    "The estimated yield is of 184 million tons, more than in 2012, when it",
    "reached 166 million tons. This outcome represents an increment of 18 million",
    "tons due to soybeans and corn.",
]


def test_sentences_in_the_size_of_headings_are_text():
    """On a page whose other text is smaller: a table, say."""
    large = profile(levels={12.0: 1})
    flow = [*lines(*SENTENCES, size=12), line(TEXT, 160)]
    assert found(flow, large) == {}
    assert found([*lines(*(text.rstrip(".") for text in SENTENCES), size=12), line(TEXT, 160)], large) != {}


def test_a_title_of_more_words_than_a_heading_has_lines_for_is_text():
    large = profile(levels={12.0: 1})
    said = [
        "Of the yield that is to be expected",
        "from the fields of the north and of",
        "the south in a year of much rain",
        "and hardly any sun, with remarks on",
        "what was said of it",
    ]
    assert found([*lines(*said, size=12), line(TEXT, 200)], large) == {}
    assert found([*lines(*said[:4], size=12), line(TEXT, 200)], large) == {0: Heading(1, 4)}


def test_a_numbered_title_directly_over_its_text_is_a_heading():
    large = profile(levels={12.0: 1})
    flow = [*lines("3. Yield estimate", *SENTENCES, size=12), line(TEXT, 180)]
    assert 0 in found(flow, large)
