"""EPUB as Markdown: chapters in the order of the spine."""

import pytest

from corpus.epub_writer import GOOD
from readwell.documents.epub import EPUB

MAKERS = dict(GOOD)
EXPECTED = {
    "novel.epub": [
        "# One\n\nIt began.\n\nA map",
        "# Two\n\nLater & **louder**.\n\n- a\n  - b",
        "| a | b |\n| --- | --- |\n| 1<br>2 | p\\|q |",
    ],
    "loop.epub": [
        "again",
        "*This chapter is missing from the file.*",
        "*This chapter is missing from the file.*",
        "*This chapter is no text (image/jpeg).*",
    ],
    "wrong_types.epub": ["plainly", "octets"],
    "outside.epub": ["*This chapter is missing from the file.*", "inside"],
    "entities.epub": ["&b; &x; end"],
    "locked_font.epub": ["free"],
}


def chapters(content):
    opened = EPUB.open(content, None, b"")
    assert opened.unit == "chapter"
    return [opened.markdown(number) for number in range(1, opened.count + 1)]


@pytest.mark.parametrize("name", MAKERS)
def test_a_made_book_becomes_exactly_this(name):
    assert chapters(MAKERS[name]()) == EXPECTED[name]


def test_a_chapter_is_the_same_whichever_others_are_read():
    content = MAKERS["novel.epub"]()
    assert EPUB.open(content, None, b"").markdown(3) == chapters(content)[2]


def test_a_real_book_has_its_chapters_in_order(real):
    told = chapters((real / "documents" / "small.epub").read_bytes())
    assert [chapter.splitlines()[0] for chapter in told] == [
        "## Test EPUB Document",
        "# Chapter 1: Test Content",
        "# Chapter 2: More Content",
    ]
    assert "This is a **test** paragraph" in told[1]
