"""What is learnt from a sample of pages."""

import json

import pytest
from made_lines import line, lines, page, profile

from readwell.documents.pdf.document_facts.bookmark_titles import Title
from readwell.documents.pdf.document_facts.profile import (
    choose_sampled_pages,
    dump_profile,
    learn_profile,
    load_profile,
)
from readwell.documents.pdf.document_facts.running_lines import Key

BODY = "an ordinary line of the text that goes on for quite a while"


def body(count=40):
    return lines(*[BODY] * count, y=200)


def levels(*headings):
    """The levels that the sizes of these lines get beside enough text."""
    return learn_profile([page(*headings, *body())], {}).levels


def test_the_body_is_the_size_that_most_characters_have():
    few = lines("Short", "and", "tiny", size=6)
    assert learn_profile([page(*few, *body())], {}).body == 10


def test_larger_sizes_become_levels_from_the_largest_down():
    titles = [line(text, size=size) for size in (20, 14) for text in ("One title", "Another title")]
    assert levels(*titles) == {20: 1, 14: 2}


def test_text_at_an_angle_takes_no_level():
    titles = [line("One title", size=14), line("Another title", size=14)]
    assert levels(line("DRAFT", size=60, angle=0.8), *titles) == {14: 1}


def test_text_that_is_larger_than_a_long_table_is_no_heading():
    texts = lines("The light of the old harbour is seen from", "all boats that come in.", size=12)
    assert levels(*texts, line("A title", size=16)) == {16: 1}
    assert levels(line("The light of the old harbour", size=12), line("A title", size=16)) == {12: 2, 16: 1}


def test_a_size_just_above_the_body_is_no_heading():
    assert levels(line("Hardly larger", size=11), line("Hardly larger still", size=11)) == {}


def test_sizes_that_the_eye_cannot_tell_apart_share_a_level():
    titles = [line(text, size=size) for size in (16, 15.5, 12) for text in ("One title", "Another title")]
    assert levels(*titles) == {16: 1, 15.5: 1, 12: 2}


def test_a_size_seen_once_joins_the_next_below():
    titles = [
        line(text, size=size) for size, text in ((20, "One"), (20, "Another"), (17, "Once"), (14, "Two"), (14, "Few"))
    ]
    assert levels(*titles) == {20: 1, 17: 2, 14: 2}


SECTIONS = [line(text, size=14) for text in ("1 Means", "2 Ends")]


def learnt(*pages, outline=None):
    found = learn_profile([page(*shown, *body()) for shown in pages], outline or {})
    return found.levels, found.titled


def test_a_title_stands_above_sections_that_count_from_one():
    title = lines("On lights", "and their keepers", size=20)
    assert learnt([*title, *SECTIONS]) == ({20: 1, 14: 2}, True)
    assert learnt([*title, *SECTIONS], [line("2.1 Lamps", size=12), line("2.2 Oil", size=12)])[0] == {
        20: 1,
        14: 2,
        12: 3,
    }


@pytest.mark.parametrize("shown", ["1 Beginnings", "Chapter 1", "Introduction"])
def test_the_first_section_is_no_title(shown):
    assert learnt([line(shown, size=20), *SECTIONS]) == ({20: 1, 14: 1}, False)


def test_large_print_on_a_later_page_or_on_several_is_no_title():
    large = line("Thank you", size=20)
    assert learnt(SECTIONS, [large]) == learnt([large, *SECTIONS], [large]) == ({20: 1, 14: 1}, False)


def test_the_outline_begins_below_a_title_that_it_does_not_name():
    entries = {1: [Title("means", 1)], 2: [Title("ends", 6)]}
    shown = [page(line("On lights", size=20), *SECTIONS, *body())]
    assert learn_profile(shown, entries).titles == {1: [Title("means", 2)], 2: [Title("ends", 6)]}
    named = {1: [Title("onlights", 1), Title("means", 2)]}
    assert learn_profile(shown, named).titles == named


def test_section_numbers_know_better_than_the_rank_of_a_size():
    titles = [line(text, size=14) for text in ("2.1 Means", "2.2 Ends")]
    assert levels(*titles) == {14: 2}


def test_a_size_that_much_of_the_text_has_is_no_heading():
    assert levels(*lines(*[BODY] * 20, size=14)) == {}


def test_first_words_of_bold_lines_that_come_again_and_again_are_labels():
    labelled = [line(f"Definition {number}", bold=True) for number in range(5)]
    found = learn_profile([page(*labelled, line("Once", bold=True), *body())], {})
    assert found.labels == {"definition"}


@pytest.mark.parametrize(("length", "labels"), [(89, {"definition"}), (90, set())])
def test_a_long_bold_line_is_text_and_names_no_label(length, labels):
    labelled = [line(f"Definition {number} {'x' * (length - 13)}", bold=True) for number in range(5)]
    assert learn_profile([page(*labelled, *body())], {}).labels == labels


def test_a_word_that_many_bold_headings_begin_with_is_no_label():
    titles = [line(f"The {name} of the light", bold=True) for name in "birth rise fall end return".split()]
    assert learn_profile([page(*titles, *body())], {}).labels == frozenset()


def test_fonts_that_are_hardly_used_are_rare_whatever_their_subset_is_called():
    titles = [line("Head", font="ABCDEF+Gill"), line("Head again", font="GHIJKL+Gill")]
    found = learn_profile([page(*titles, *body())], {})
    assert (found.main_font, found.rare_fonts) == ("Times", {"Gill"})


def test_a_document_that_is_all_bold_or_typewritten_says_so():
    bold = learn_profile([page(*lines(*[BODY] * 9, bold=True))], {})
    mono = learn_profile([page(*lines(*[BODY] * 9, mono=True))], {})
    assert (bold.bold_body, bold.mono_body, mono.bold_body, mono.mono_body) == (True, False, False, True)


@pytest.mark.parametrize(("listed", "is_typewritten"), [(8, False), (9, True)])
def test_a_document_of_which_four_fifths_are_listings_is_not_typewritten(listed, is_typewritten):
    shown = [*lines(*[BODY] * listed, mono=True), *lines(*[BODY] * (10 - listed))]
    assert learn_profile([page(*shown)], {}).mono_body == is_typewritten


@pytest.mark.parametrize("count", [1, 2, 24, 25, 26, 100, 1000, 10_000])
def test_the_sample_is_small_and_reaches_from_the_first_page_to_the_last(count):
    numbers = choose_sampled_pages(count)
    assert numbers[0] == 1 and numbers[-1] == count
    assert len(numbers) == min(count, 24) and sorted(set(numbers)) == numbers


FULL = profile(
    rare_fonts=frozenset({"Gill", "Futura"}),
    labels=frozenset({"lemma"}),
    levels={20.0: 1, 14.5: 2},
    titled=True,
    running={Key("The Keeper's Book", 8, ""): 1, Key("#", 126, "1-2"): 3},
    titles={7: [Title("beginnings", 1), Title("ends", 2)]},
)


def test_a_long_document_is_sampled_in_pairs_of_facing_pages():
    assert choose_sampled_pages(24) == list(range(1, 25))
    assert choose_sampled_pages(47) == [n + k for n in (1, 5, 9, 13, 17, 21, 25, 29, 33, 37, 41, 46) for k in (0, 1)]
    assert choose_sampled_pages(10_000)[:4] + choose_sampled_pages(10_000)[-2:] == [1, 2, 909, 910, 9999, 10_000]


def test_a_profile_survives_being_written_down():
    assert load_profile(dump_profile(FULL)) == FULL


def changed(**values):
    return json.dumps(json.loads(dump_profile(FULL)) | values, separators=(",", ":")).encode()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"\xff\xfe",
        b"[" * 100_000,
        dump_profile(FULL)[:-1],
        dump_profile(FULL) + b" ",
        changed(body="10"),
        changed(body=None),
        changed(body=1e400),
        changed(bold_body=1),
        changed(titled=1),
        changed(levels=[[20.0]]),
        changed(levels=[["x", 1]]),
        changed(levels=7),
        changed(rare_fonts=[1, 2]),
        changed(rare_fonts=["b", "a"]),
        changed(running=[1]),
        changed(running=[[["text", 1], 1]]),
        changed(titles={"1": []}),
        changed(titles=[[1, [["a"]]]]),
        changed(more=1),
    ],
)
def test_anything_else_is_no_profile(content):
    assert load_profile(content) is None
