"""The setting `pdf_lines`: a line of a PDF is a paragraph, or a printed line."""

import pytest

from corpus.pdf_writer import Page, pdf
from readwell import Reader
from readwell.doors.cli import main

PRINTED = [
    "The keeper of the light wrote down what every night had cost him, and",
    "also the hours of the watch, from which one can read how it changed as",
    "the years went by.",
]


@pytest.fixture
def book(tmp_path):
    page = Page()
    for number, text in enumerate(PRINTED):
        page.text(72, 700 - 14 * number, text)
    (tmp_path / "book.pdf").write_bytes(pdf(page))
    return tmp_path / "book.pdf"


def text_of(reader, book):
    return reader.read(book.name).lines[1:]


def test_a_line_is_a_paragraph_and_with_the_setting_a_printed_line(book, tmp_path):
    cache = tmp_path / "cache"
    for _ in range(2):  # the second time from one cache
        with Reader(book.parent, cache_dir=cache) as reader:
            assert text_of(reader, book) == [" ".join(PRINTED)]
        with Reader(book.parent, cache_dir=cache, pdf_lines="printed") as reader:
            assert text_of(reader, book) == PRINTED


def test_another_value_is_refused_at_once(book):
    with pytest.raises(ValueError, match='pdf_lines must be "paragraphs" or "printed", not \'lines\''):
        Reader(book.parent, pdf_lines="lines")


def test_convert_takes_the_setting(book, capsys):
    main(["convert", str(book), "--cache-dir", "", "--pdf-lines", "printed"])
    assert capsys.readouterr().out.split("\n")[1:4] == PRINTED


def test_a_damaged_pdf_is_called_a_pdf_also_with_printed_lines(tmp_path):
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4\nnothing")
    with Reader(tmp_path, pdf_lines="printed", cache_dir=None) as reader:
        told = reader.reply({"path": "broken.pdf"}).text
    assert "pdf-printed" not in told
