"""Which entries of a PDF's outline are taken for titles, and how much of an outline is looked at."""

import pypdfium2 as pdfium
import pytest

from corpus.pdf_writer import Heading, Page, pdf
from readwell.documents.pdf.document_facts.bookmark_titles import Title, bookmark_entries, read_bookmark_titles


def titles(*outline):
    return read_bookmark_titles(pdfium.PdfDocument(pdf(Page(), Page(), outline=outline)))


def test_titles_are_told_by_the_page_that_they_point_to():
    told = titles(Heading("1. One Title", 0, Heading("Below", 1)), Heading("Last", 1))
    assert told == {1: [Title("onetitle", 1)], 2: [Title("below", 2), Title("last", 1)]}


@pytest.mark.parametrize(("title", "is_one"), [("I To", True), ("7 To", False), ("a" * 999, True), ("a" * 1000, False)])
def test_a_title_is_neither_too_short_nor_too_long(title, is_one):
    assert bool(titles(Heading(title, 0))) == is_one


def test_six_levels_are_told_apart_and_eight_are_looked_at():
    heading = Heading("Inmost", 0)
    for title in "hgfedcba":
        heading = Heading(3 * title, 0, heading)
    assert [title.level for title in titles(heading)[1]] == [1, 2, 3, 4, 5, 6, 6, 6]
    assert [level for _, level in bookmark_entries(pdfium.PdfDocument(pdf(Page(), outline=[heading])))] == [
        *range(1, 9)
    ]
