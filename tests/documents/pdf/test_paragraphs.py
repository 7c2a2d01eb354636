"""Printed lines become paragraphs where the line above was full; in doubt they stay."""

import pytest
from made_lines import line, lines, profile, table

from readwell.documents.pdf.page_text.hyphens import compounds_in
from readwell.documents.pdf.page_text.page_markdown import PageHints, page_markdown
from readwell.documents.pdf.page_text.paragraph_breaks import LONGEST, split_long_paragraph

NO_HINTS = PageHints((), {}, {})
FULL = [
    "The keeper of the light wrote down what every night",
    "had cost him: oil and wicks and bread, and also the",
    "hours of the watch, from which one reads how lights",
    "changed.",
]


def shown(flow, printed=False, **known):
    return page_markdown(flow, [], profile(**known), NO_HINTS, printed).split("\n")


def test_full_lines_of_a_paragraph_are_one_line():
    assert shown(lines(*FULL)) == [" ".join(FULL)]


def test_a_paragraph_is_broken_where_it_is_longer_than_a_line_may_be():
    longest = "a" * (LONGEST - 3) + " bc"
    assert split_long_paragraph(longest) == [longest]
    assert split_long_paragraph(f"{longest}d") == ["a" * (LONGEST - 3), "bcd"]
    assert split_long_paragraph(f"One. Two {longest}") == ["One.", "Two", longest]


def test_printed_lines_are_kept_where_asked_for():
    assert shown(lines(*FULL), printed=True) == FULL


def test_a_line_that_had_room_for_the_next_word_ends_a_paragraph():
    flow = lines(*FULL, "Another paragraph begins here without white above it", "and goes on.")
    assert shown(flow) == [" ".join(FULL), "Another paragraph begins here without white above it and goes on."]


def test_an_indented_line_begins_a_paragraph():
    flow = [
        *lines(*FULL[:3]),
        line("The next one begins a little way from the edge,", 136, x=87),
        line("further right than the others do in this old book", 148),
    ]
    assert shown(flow) == [
        " ".join(FULL[:3]),
        "The next one begins a little way from the edge, further right than the others do in this old book",
    ]


def test_verse_stays_as_printed():
    verse = [
        "The sea",
        "is wide and old,",
        "the light is small,",
        "the night is very cold and long to watch",
        "alone",
    ]
    assert shown(lines(*verse)) == verse


def test_a_list_of_names_stays_as_printed():
    names = ["Adler of Brenton", "Bianchi of Corvale", "Castro of Dunmore", "Dufour of Eastwick", "Eriksen of Farleigh"]
    assert shown(lines(*names)) == names


def test_each_item_of_a_list_is_a_line_with_what_goes_on_below_it():
    flow = [
        line("• Oil for the lamp, which burns all through the dark", 100),
        line("winter nights", 112, x=82),
        line("• Two spare wicks", 124),
        line("• Bread", 136),
    ]
    assert shown(flow) == [
        "- Oil for the lamp, which burns all through the dark winter nights",
        "- Two spare wicks",
        "- Bread",
    ]


def test_a_word_broken_at_a_line_end_is_made_whole():
    flow = lines(
        "The keeper wrote down what every night had cost exam-",
        "ple by example, and what the oil and the wicks costed",
        "him.",
    )
    assert shown(flow)[0].split(" cost ")[1].startswith("example by example")


@pytest.mark.parametrize(
    "above, below, whole",
    [
        ("and all that he had thought of as a thing for long-", "term plans was gone.", "long-term plans"),
        ("and all that he had thought of as a way from New-", "York to the sea was gone.", "New-York to"),
        ("and all that he had thought of as being for Vor-", "und Nachteile was gone.", "Vor- und Nachteile"),
        ("and all that he had thought of is in x.org/a-", "b/c for everyone to see.", "x.org/a-b/c"),
    ],
)
def test_a_hyphen_that_belongs_to_a_word_stays(above, below, whole):
    assert whole in shown(lines(above, below), compounds=compounds_in(["a long-term view"]))[0]


def test_korean_lines_stay_since_words_break_anywhere():
    korean = [
        "코로나바이러스감염증은 국내 확진자가 많이 늘어나고 있는데",
        "사망자도 또한 늘어나고 있다는 것이 나타났다고 한다",
    ]
    assert shown(lines(*korean)) == korean


def test_chinese_lines_are_joined_without_a_space():
    chinese = ["这是一个关于灯塔的故事它讲述了一个守塔人的生活和他的日子", "他每天晚上都要写下灯油的费用和时间"]
    assert shown(lines(*chinese)) == ["".join(chinese)]


def test_lines_with_columns_contents_and_tables_stay_apart():
    fields = [line("Number:", 100), line("Date:", 112)]
    for field in fields:
        field.words.append(line("2024", field.baseline, x=220).words[0])
    assert shown([*fields]) == ["Number: 2024", "Date: 2024"]
    contents = [
        "1 The keeper and his long nights . . . . . . . . 4",
        "2 The oil . . . . . . . . . . . . . . . . . . . 9",
    ]
    assert shown(lines(*contents)) == contents


def test_text_goes_on_in_the_next_column_only_in_lower_case():
    left, right = lines(*FULL[:2]), [line(FULL[2], 60, x=400), line(FULL[3], 72, x=400)]
    assert shown([*left, *right]) == [" ".join(FULL)]
    other = [line("Hours of the watch, from which one reads how lights", 60, x=400), line(FULL[3], 72, x=400)]
    assert len(shown([*left, *other])) == 2


def test_nothing_is_joined_across_a_table():
    flow = lines(*FULL)
    rows = table(["a", "b"], ["c", "d"], of=[flow[1]])
    assert page_markdown(flow, [rows], profile(), NO_HINTS).split("\n")[0] == FULL[0]


def test_a_very_long_paragraph_is_broken_at_the_end_of_a_sentence():
    flow = lines(*["The keeper of the light wrote down what it had cost."] * 60, "and so on.")
    found = shown(flow)
    assert all(len(each) <= 1000 for each in found) and all(each.endswith(".") for each in found)
    assert " ".join(found) == " ".join(each.text for each in flow)
