"""Makes words and ruling lines as they would be read from a page, without a PDF."""

import sys

from readwell.documents.pdf.page_model import Font, RulingLine, Rulings, Word

PLAIN = Font(10.0, False, False, False, "Helvetica", 0.0)
SPACE = 2.5
NOTHING = Rulings([], [], [])


def word(text, x, y, char_index=0, line=0, font=PLAIN):
    """Returns a word whose letters are half an em wide, on a baseline."""
    size = font.size
    return Word(text, x, y - 0.75 * size, x + 0.5 * size * len(text), y + 0.22 * size, y, font, line, char_index)


def words(*rows, font=PLAIN):
    """Returns the words of rows, each a height followed by pairs of x and text; a text may have several words."""
    found = []
    for line, (y, *cells) in enumerate(rows):
        for x, text in cells:
            for part in text.split():
                found.append(word(part, x, y, len(found) * 20, line, font))
                x = found[-1].x1 + SPACE
    return found


def cells(xs, *rows, y=100, pitch=14):
    """Returns the words of a table: rows of texts under the same xs; an empty text is a blank."""
    return words(
        *((y + pitch * k, *((x, text) for x, text in zip(xs, row, strict=True) if text)) for k, row in enumerate(rows))
    )


def horizontal(*ys, x0=50, x1=350):
    """Returns horizontal ruling lines; those of a page are sorted."""
    return [RulingLine(float(y), float(x0), float(x1)) for y in ys]


def vertical(*xs, top=88, bottom=200):
    return [RulingLine(float(x), float(top), float(bottom)) for x in xs]


def joined_text(rows):
    """Returns rows of cells of words as text."""
    return [[" ".join(word.text for word in cell) for cell in row] for row in rows]


def count_calls(task):
    """Returns how many Python functions a task calls: how its time grows, without a clock."""
    count = 0

    def profile(_frame, event, _argument):
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        task()
    finally:
        sys.setprofile(before)
    return count
