"""Running headers, footers and page numbers."""

from math import pi

import pytest
from made_lines import line, lines, page

from readwell.documents.pdf.document_facts.running_lines import (
    find_running_lines,
    running_lines_first_shown,
    without_running_lines,
)

BODY = [f"the text of this page goes on with line {word}" for word in "one two three four five six seven".split()]


def pages(count, *edges):
    """Pages whose bodies differ; `edges` are functions of the page's number that give a line each."""
    return [
        page(*(edge(number) for edge in edges), *lines(*[f"{text} {number}" for text in BODY], y=300), number=number)
        for number in range(1, count + 1)
    ]


def kept(sample):
    """What is left of each page when all are learnt from."""
    running = find_running_lines(sample)
    return [
        [shown.text for shown in without_running_lines(each, running) if shown.baseline not in range(290, 400)]
        for each in sample
    ]


def head(number):
    return line("The Keeper's Book", 40)


def test_a_head_stays_on_its_first_page_and_leaves_the_others():
    assert kept(pages(4, head)) == [["The Keeper's Book"], [], [], []]


@pytest.mark.parametrize(
    "written",
    [
        "Keeping lights, page {}",
        "Chapter {}",
        "Question {}",
        "Invoice number {}",
        "Score {} out of 12",
        "{} lamps",
        "{}.",
    ],
)
def test_lines_that_differ_in_their_digits_stay(written):
    texts = [written.format(number) for number in range(1, 9)]
    assert kept(pages(8, lambda number: line(texts[number - 1], 40))) == [[text] for text in texts]


WRITTEN = [
    "{}",
    "- {} -",
    "Page {}",
    "Page {} of 9",
    "{} of 9",
    "{} / 9",
    "Seite {} von 9",
    "[{}]",
    "{} | Page",
    "第 {} 页",
]


@pytest.mark.parametrize("written", WRITTEN)
def test_page_numbers_leave_every_page_but_the_first(written):
    assert kept(pages(3, lambda number: line(written.format(number), 770))) == [[written.format(1)], [], []]


def test_page_numbers_may_be_roman_and_start_late():
    roman = "i ii iii iv v vi vii viii ix x".split()
    assert kept(pages(10, lambda number: line(roman[number - 1], 770))) == [["i"], *[[]] * 9]
    assert kept(pages(10, lambda number: line(f"{number - 3}" if number > 3 else "front", 770)))[3:] == [
        ["1"],
        *[[]] * 6,
    ]


@pytest.mark.parametrize("number", ["{1}", "100{0}", "{2}", "0{0}", "1{0}", "({0})", "{0}.", "{0},0"])
def test_numbers_that_do_not_count_the_pages_stay(number):
    """Those of invoices, amounts, questions: a number leaves that counts with the pages and is not ahead of them."""
    texts = [number.format(page, 7 * page % 5, page // 2) for page in range(1, 9)]
    assert kept(pages(8, lambda page: line(texts[page - 1], 770))) == [[text] for text in texts]


def test_a_long_page_number_leaves_where_a_word_says_what_it_is():
    assert kept(pages(3, lambda number: line(f"Page {1040 + number}", 770))) == [["Page 1041"], [], []]


def beside(number, text="The Keeper's Book", gap=4):
    """A head with its page number behind a gap of so many spaces, each half an em wide."""
    return line(f"{text}{' ' * gap}{number}", 40)


def test_a_page_number_beside_a_running_text_is_set_apart_by_a_gap():
    assert kept(pages(4, beside)) == [["The Keeper's Book 1"], [], [], []]
    close = kept(pages(4, lambda number: beside(number, gap=3)))
    assert close == [[f"The Keeper's Book {number}"] for number in (1, 2, 3, 4)]


def test_left_and_right_pages_have_heads_of_their_own():
    def edge(number):
        return line(f"{number}    The Keeper's Book" if number % 2 else f"Of the weather    {number}", 40)

    assert kept(pages(8, edge)) == [["1 The Keeper's Book"], ["Of the weather 2"], *[[]] * 6]


def test_what_is_left_out_is_named_on_the_first_page_that_has_it():
    sample = pages(4, head, lambda number: line(f"Page {number} of 4", 770))
    running = find_running_lines(sample)
    named = [running_lines_first_shown(each, running) for each in sample]
    assert named == [{"The Keeper's Book": False, "Page 1 of 4": True}, {}, {}, {}]


def test_a_page_before_the_first_that_is_known_keeps_its_head():
    running = find_running_lines(pages(9, head)[4:])
    assert next(shown.text for shown in without_running_lines(pages(9, head)[1], running)) == "The Keeper's Book"


def test_a_text_that_stands_inside_a_page_does_not_run():
    sample = pages(8, head)
    inside = page(*lines(*BODY, "The Keeper's Book", y=300), number=9)
    assert kept([*sample, inside])[:8] == [["The Keeper's Book"]] * 8
    running = find_running_lines(sample)
    twice = page(head(9), *inside.lines, number=9)
    assert without_running_lines(twice, running) == twice.lines


def test_what_stands_close_to_the_text_of_a_page_belongs_to_it():
    apart = pages(4, head, lambda number: line(f"Row {'abcd'[number - 1]}", 40 + 10 + 10))
    close = pages(4, head, lambda number: line(f"Row {'abcd'[number - 1]}", 40 + 10 + 9))
    assert [shown[0] for shown in kept(apart)] == ["The Keeper's Book", "Row b", "Row c", "Row d"]
    assert [shown[0] for shown in kept(close)] == ["The Keeper's Book"] * 4


def test_a_head_of_two_lines_leaves_as_a_whole():
    found = kept(pages(4, head, lambda number: line("as it was found", 52)))
    assert found == [["The Keeper's Book", "as it was found"], [], [], []]


@pytest.mark.parametrize(("outer", "left"), [(2, 3), (3, 4)])
def test_the_three_outermost_lines_may_run_and_the_fourth_may_not(outer, left):
    """Four lines, so far apart that each could run; `outer` of them stand further out than the head."""
    above = [line(f"{'abc'[k]} {'wxyz' * 3}", 20 + 20 * k) for k in range(outer)]
    found = kept(
        pages(4, *(lambda number, shown=shown: shown for shown in above), lambda number: line("The Keeper's Book", 100))
    )
    assert [len(shown) for shown in found] == [outer + 1, *[left - 3] * 3]


@pytest.mark.parametrize(("y", "stays"), [(0.16 * 792 + 7.4, False), (0.16 * 792 + 7.6, True)])
def test_the_edge_of_a_page_ends_at_a_sixth_of_its_height(y, stays):
    found = kept(pages(4, lambda number: line("The Keeper's Book", y)))
    assert found[1:] == [["The Keeper's Book"] if stays else []] * 3


def test_a_line_that_changes_now_and_then_is_no_running_one():
    """Customers of invoices: the same one three times among others at the same place."""
    customers = "107 104 107 112 107 101 115 118".split()
    found = kept(pages(8, lambda number: line(f"Customer {customers[number - 1]}", 40)))
    assert found == [[f"Customer {customer}"] for customer in customers]


@pytest.mark.parametrize(("shown", "runs"), [((1, 3, 6), True), ((1, 4, 8), False)])
def test_a_line_on_few_of_the_pages_between_its_first_and_last_does_not_run(shown, runs):
    sample = pages(
        8,
        lambda number: line(
            "The Keeper's Book" if number in shown else f"{'x' * number} y", 250 - 210 * (number in shown)
        ),
    )
    assert (find_running_lines(sample) != {}) == runs


def test_two_pages_do_not_make_a_running_head():
    assert kept(pages(2, head)) == [["The Keeper's Book"]] * 2


def test_the_same_words_at_other_heights_do_not_run():
    found = kept(pages(4, lambda number: line("The Keeper's Book", 20 + 20 * number)))
    assert found == [["The Keeper's Book"]] * 4


def test_a_line_in_the_middle_does_not_run():
    assert kept(pages(4, lambda number: line("The Keeper's Book", 250))) == [["The Keeper's Book"]] * 4


def test_text_that_climbs_along_the_edge_runs():
    side = kept(pages(4, lambda number: line("Printed in the north", 500, x=10, angle=pi / 2, size=1)))
    assert side == [["Printed in the north"], [], [], []]


@pytest.mark.parametrize(("text", "runs"), [("No 7", True), ("N 72", False), ("137.50", False), ("***", False)])
def test_a_running_text_has_two_letters(text, runs):
    assert kept(pages(4, lambda number: line(text, 770)))[1:] == [[] if runs else [text]] * 3


@pytest.mark.parametrize(("others", "runs"), [((5,), True), ((4, 6), False)])
def test_four_of_five_pages_with_a_line_at_its_height_must_show_it(others, runs):
    sample = pages(9, lambda number: line(f"{'x' * number} y" if number in others else "The Keeper's Book", 40))
    assert (kept(sample)[7] == []) == runs


def test_what_climbs_from_page_to_page_does_not_run():
    found = kept(pages(8, lambda number: line("The Keeper's Book", 35 + 5 * number)))
    assert found == [["The Keeper's Book"]] * 8


@pytest.mark.parametrize(("letters", "stays"), [(16, False), (17, True)])
def test_at_most_a_quarter_of_a_page_is_taken(letters, stays):
    """Four lines of twelve letters each are three quarters of it if the head has sixteen."""
    running = find_running_lines(pages(4, lambda number: line("h" * letters, 40)))
    short = page(line("h" * letters, 40), *lines(*["a few words too"] * 4, y=300), number=9)
    assert (without_running_lines(short, running) == short.lines) == stays


def test_a_page_that_would_be_nearly_empty_keeps_all():
    running = find_running_lines(pages(4, head))
    short = page(head(9), *lines(*BODY[:3], y=300), number=9)
    assert without_running_lines(short, running) == short.lines


def test_a_page_that_consists_of_its_head_keeps_it():
    long_head = "The Keeper's Book as it was found in the tower by those who came after"
    running = find_running_lines(pages(4, lambda number: line(long_head, 40)))
    mostly_head = page(line(long_head, 40), *lines("a few", "words", "only", "here", y=300), number=9)
    assert without_running_lines(mostly_head, running) == mostly_head.lines
