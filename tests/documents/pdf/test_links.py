"""Links to the web."""

import pypdfium2 as pdfium
from made_lines import line

from corpus.pdf_writer import Page, pdf
from readwell.documents.pdf.page_content.page_links import read_links
from readwell.documents.pdf.page_content.words import read_words
from readwell.documents.pdf.page_notices import Notices
from readwell.documents.pdf.page_text.inline_markdown import with_links


def shown(content):
    """The lines of the first page, with their links."""
    with pdfium.PdfDocument(content) as document:
        page = document[0]
        words = read_words(page, page.get_textpage())
        links = read_links(document, page, words, Notices())
    numbers = dict.fromkeys(word.line for word in words.words)
    return [with_links([word for word in words.words if word.line == number], links) for number in numbers]


def test_the_words_in_the_area_of_a_link_lead_to_its_address():
    page = Page().text(72, 700, "see the tables of lights", 10).link(90, 697, 141, 709, "https://lights.example/t")
    assert shown(pdf(page)) == ["see [the tables](https://lights.example/t) of lights"]


def test_a_link_on_a_turned_page_is_found():
    page = Page(rotate=90).text(100, 72, "the tables", 10, angle=1).link(90, 70, 103, 120, "https://lights.example/")
    assert shown(pdf(page)) == ["[the tables](https://lights.example/)"]


def test_only_the_web_and_mailboxes_are_led_to(made):
    assert shown((made / "links.pdf").read_bytes())[3:] == [
        "[The \\[old\\] tables](https://lights.example/tables?%28north%29%201)",
        "[write to the keeper](mailto:keeper@lights.example)",
        "the log",
        "run it",
        "see the first page",
        "https://lights.example/north",
    ]


def test_a_link_over_the_whole_page_and_far_beyond_is_bounded():
    page = Page().text(72, 700, "all of it", 10).link(-1e9, -1e9, 1e9, 1e9, "https://lights.example/")
    assert shown(pdf(page)) == ["[all of it](https://lights.example/)"]


def test_an_address_that_is_printed_in_full_is_not_said_twice():
    text = line("see lights.example/north, and https://lights.example/north/")
    links = dict.fromkeys((text.words[1].char_index, text.words[3].char_index), "https://lights.example/north/")
    assert with_links(text.words, links) == text.text


def test_neighbours_with_different_addresses_are_two_links():
    text = line("north south")
    links = {word.char_index: f"https://lights.example/{word.text}/light" for word in text.words}
    assert with_links(text.words, links) == (
        "[north](https://lights.example/north/light) [south](https://lights.example/south/light)"
    )
