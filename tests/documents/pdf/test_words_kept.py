"""A PDF keeps its words: each stands in the Markdown as often as on the page, unless its line is named as left out."""

import random
from contextlib import suppress

import pytest
from lost_words import lost_words, missing_words, names

from corpus.pdf_shapes import SHAPES
from corpus.pdf_writer import pdf
from effort import examples
from readwell.documents.pdf import PDF
from readwell.errors import ReadError


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_made_documents_keep_their_words_and_every_page_stands_alone(shape):
    for seed in range(examples(4)):
        chance = random.Random(f"{shape.__name__} {seed}")
        count = (3, 12, chance.randint(1, 60), chance.randint(4, 30))[seed % 4]
        content = pdf(*shape(chance, count))
        assert lost_words(content) == {}, f"seed {seed}, {count} pages"
        number = chance.randint(1, count)
        whole = PDF.open(content, None, b"")
        pages = [whole.markdown(page) for page in range(1, count + 1)]
        assert PDF.open(content, None, b"").markdown(number) == pages[number - 1], f"seed {seed}, page {number} alone"


@pytest.mark.slow
def test_real_documents_keep_their_words(real):
    lost = {}
    for path in sorted(real.rglob("*.pdf")):
        with suppress(ReadError):
            lost |= {f"{path.name}, page {number}": words for number, words in lost_words(path.read_bytes()).items()}
    assert lost == {}


def test_a_lost_line_is_noticed():
    """The judge itself: what is neither written nor named is lost, what is named is not."""
    assert missing_words(["Total due 137.50 EUR"], "Total due 137.50") == ["EUR"]
    assert missing_words(["one two", "one"], "onetwo") == ["one", "one", "two"]
    assert missing_words(["one two"], "onet wo") == []
    assert missing_words(["one two hidden"], "one two", unseen=1) == []
    assert missing_words(["one two hidden"], "one", unseen=1) == ["hidden", "two"]
    assert list(
        names('<!-- repeated on later pages and left out where enough other text remains: "A 1" (counting), "B" -->')
    ) == [
        ("A 1", True),
        ("B", False),
    ]
