"""Running heads, feet and page numbers."""

from math import pi

import pytest
from printed import line, lines, page

from readwell.documents.pdf.running import find_running, own_lines

BODY = [f"the text of this page goes on with line {word}" for word in "one two three four five six seven".split()]


def pages(count, *edges):
    """Pages whose bodies differ; `edges` are functions of the page's number that give a line each."""
    return [
        page(*(edge(number) for edge in edges), *lines(*[f"{text} {number}" for text in BODY], y=300), number=number)
        for number in range(1, count + 1)
    ]


def kept(sample):
    """What is left of each page when all are learnt from."""
    running = find_running(sample)
    return [
        [shown.text for shown in own_lines(each, running) if shown.baseline not in range(290, 400)] for each in sample
    ]


def head(number):
    return line("The Keeper's Book", 40)


def test_a_head_stays_on_its_first_page_and_leaves_the_others():
    assert kept(pages(4, head)) == [["The Keeper's Book"], [], [], []]


def test_what_changes_in_a_head_is_its_number():
    assert kept(pages(3, lambda number: line(f"Keeping lights, page {number}", 40))) == [
        ["Keeping lights, page 1"],
        [],
        [],
    ]


@pytest.mark.parametrize("written", ["{}", "- {} -", "Page {}", "{} of 9", "{} / 9"])
def test_page_numbers_leave_every_page(written):
    assert kept(pages(3, lambda number: line(written.format(number), 770))) == [[], [], []]


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


def test_a_few_letters_run_only_where_nearly_every_page_has_them():
    often = pages(4, lambda number: line("No 7", 770))
    seldom = pages(30, lambda number: line("No 7" if number % 10 == 0 else f"{'x' * number} y", 770))
    assert [shown == ["No 7"] for shown in kept(often)] == [True, False, False, False]
    assert sum(shown == ["No 7"] for shown in kept(seldom)) == 3


def test_a_page_that_would_be_nearly_empty_keeps_all():
    running = find_running(pages(4, head))
    short = page(head(9), *lines(*BODY[:3], y=300), number=9)
    assert own_lines(short, running) == short.lines


def test_a_page_that_consists_of_its_head_keeps_it():
    long_head = "The Keeper's Book as it was found in the tower by those who came after"
    running = find_running(pages(4, lambda number: line(long_head, 40)))
    mostly_head = page(line(long_head, 40), *lines("a few", "words", "only", "here", y=300), number=9)
    assert own_lines(mostly_head, running) == mostly_head.lines
