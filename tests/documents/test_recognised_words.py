"""Which words of an engine are believed."""

import pytest

from readwell.documents.pdf.scans.pixels_to_points import RecognisedWord

pytest.importorskip("tesserocr", reason="NOT TESTED: the extra `ocr` is not installed")


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ([("sure", 90), ("sure", 90), ("lower", 19.9)], ["sure", "sure", "lower"]),
        ([("sure", 70)] * 2 + [("~|", 19.9)], ["sure", "sure"]),
        ([("sure", 70)] * 3 + [("~|", 20), ("a~", 1)], ["sure", "sure", "sure", "~|", "a~"]),
        ([("unsure", 69.9), ("unsure", 69.9), ("lower", 19.9)], ["unsure", "unsure"]),
    ],
)
def test_a_doubtful_word_is_believed_in_a_line_of_sure_ones(line, kept):
    from readwell.documents.ocr.tesseract import _trusted

    found = [RecognisedWord(text, (0, 0, 9, 9), 9.0, 9.0, confidence, 1) for text, confidence in line]
    chance = RecognisedWord("chance", (0, 20, 9, 29), 29.0, 9.0, 5.0, 2)
    assert [word.text for word in _trusted([*found, chance])] == kept
