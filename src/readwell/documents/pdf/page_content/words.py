"""The words of a page: PDFium's characters split at spaces, with boxes and fonts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from math import isfinite, pi
from typing import TYPE_CHECKING

from ..page_model import Font, Frame, PageWords, Word
from ..pdfium_calls import Characters, RunBox
from .accents import ACCENT, with_accents_joined
from .false_spaces import without_false_spaces
from .fonts import Fonts
from .page_coordinates import frame_of

if TYPE_CHECKING:
    from pypdfium2 import PdfPage, PdfTextPage

TOKENS = re.compile(r"[^\s\0]+|\r\n?|\n")
LINE_BREAKS = frozenset(("\r\n", "\r", "\n"))
LINE_END = "\x02"
"""PDFium's hyphen at a line end, without a line break after it. In bulk text it is U+FFFE."""
HYPHENS = dict.fromkeys(map(ord, f"{LINE_END}\xad"), "-")
SURROGATE = re.compile("[\ud800-\udfff]")

ASCENT, DESCENT = 0.75, 0.22
"""The height of a word above and below its baseline, in ems: the boxes of letters vary and would break rows."""
HANGING, TALL = 0.3, 0.4
"""A sign that begins so little above its baseline, and is so tall, hangs below it, as check marks of some fonts do."""
WIDE_LETTER = 0.85
CUT = 0.6
CURRENCY = frozenset("$€£¥")
"""Signs that begin the next cell, where they end a word with a gap before them."""
OVERPRINT = 0.25
LOWER = 0.9
"""How much lower, in ems, text goes on in another line."""
ROTATED_SHARE = 0.6

_Cells = dict[int, dict[int, Word]]
"""Printed words by row and column of a raster as fine as the distance that still counts as overprinting."""


def read_words(page: PdfPage, textpage: PdfTextPage, keep: Callable[[PageWords], PageWords] | None = None) -> PageWords:
    """Reads the words of a page, rotated so that most of its text is horizontal.

    `keep` drops words; it is called before those are dropped that are printed twice.
    """
    box = page.get_bbox()
    frame = frame_of(box, page.get_rotation())
    characters = Characters(textpage)
    fonts = Fonts(characters, frame.rotation)
    words = _words(characters, frame, fonts)
    visible = _visible(words, frame)
    rotation = _reading_rotation(visible, frame.rotation) if fonts.has_turned_font else frame.rotation
    if rotation != frame.rotation:
        frame = frame_of(box, rotation)
        fonts = Fonts(characters, rotation)
        words = _words(characters, frame, fonts)
        visible = _visible(words, frame)
    outside = len(words) - len(visible)
    page_words = PageWords(
        width=frame.width, height=frame.height, words=visible, frame=frame, outside=outside, paints=fonts.paints
    )
    page_words = keep(page_words) if keep else page_words
    return page_words._replace(words=_without_overprints(page_words.words))


def _visible(words: list[Word], frame: Frame) -> list[Word]:
    """Returns the words that are at least partly on the page, or have no position in PDFium."""
    _, _, _, _, _, _, width, height, _ = frame
    return [
        word
        for word in words
        if (word.x1 > 0 and word.x0 < width and word.bottom > 0 and word.top < height) or word.x0 == word.x1
    ]


def _reading_rotation(words: list[Word], rotation: int) -> int:
    """Returns the page rotation under which most characters are horizontal."""
    total = sum(len(word.text) for word in words)
    if sum(len(word.text) for word in words if word.font.angle == 0) >= (1 - ROTATED_SHARE) * total:
        return rotation
    quarters: Counter[int] = Counter()
    for word in words:
        turns = word.font.angle / (pi / 2)
        if abs(turns - round(turns)) < 0.06:
            quarters[round(turns) % 4] += len(word.text)
    turns, count = max(quarters.items(), key=lambda item: item[1], default=(0, 0))
    return (rotation - 90 * turns) % 360 if count > ROTATED_SHARE * total else rotation


def _words(characters: Characters, frame: Frame, fonts: Fonts) -> list[Word]:
    """Returns all words in PDFium's order."""
    words: list[Word] = []
    line = 0
    run_box, font_of = characters.run_box, fonts.font
    units = characters.utf16_units().replace("\ufffe", LINE_END)
    for token in TOKENS.finditer(units):
        text = token[0]
        if text in LINE_BREAKS:
            line += 1
            continue
        first, length = token.start(), len(text)
        font = font_of(first)
        word = _word(text, run_box(first, first + length - 1), frame, font, line, first)
        if LINE_END in text:
            words += _split_at_line_ends(word, text, characters, frame)
            line = words[-1].line
        elif length > 1 and (word.x1 - word.x0 > WIDE_LETTER * font.size * length or text[-1] in CURRENCY):
            words += _split_at_gaps(word, text, characters, frame)
        else:
            words.append(word)
    words = _renumber_lines(without_false_spaces(words, characters, fonts))
    if not ACCENT.search(units):
        return words
    return with_accents_joined(words, lambda number: _box_and_baseline(run_box(number, number), frame)[:4])


def _renumber_lines(words: list[Word]) -> list[Word]:
    """Numbers the lines again where PDFium found no break though text goes on lower and further left."""
    more = 0
    for last, word in pairwise(words):
        further_left = word.x0 < last.x0 and word.line + more == last.line
        if further_left and word.baseline - last.baseline > LOWER * word.font.size:
            more += word.font.horizontal
        word.line += more
    return words


def _word(text: str, run: RunBox, frame: Frame, font: Font, line: int, first: int) -> Word:
    """Returns a word with its box on the displayed page."""
    x0, upper, x1, lower, baseline = _box_and_baseline(run, frame)
    size = font.size
    if font.horizontal and upper > baseline - 2 * size and lower < baseline + 2 * size:
        if upper > baseline - HANGING * size and lower - upper > TALL * size:
            baseline = (upper + lower + (ASCENT - DESCENT) * size) / 2
        upper, lower = baseline - ASCENT * size, baseline + DESCENT * size
    shown = text if text.isprintable() else _normalise_characters(text)
    return Word(shown, x0, upper, x1, lower, baseline, font, line, first)  # names would take twice as long


def _box_and_baseline(run: RunBox, frame: Frame) -> tuple[float, float, float, float, float]:
    """Returns left, top, right, bottom and baseline of a run of characters."""
    left, right, bottom, top, last_left, last_right, last_bottom, last_top, x, y = run
    left = left if left < last_left else last_left
    right = right if right > last_right else last_right
    bottom = bottom if bottom < last_bottom else last_bottom
    top = top if top > last_top else last_top
    a, b, c, d, e, f, _, _, _ = frame
    if b or c:
        x0, x1 = a * left + c * bottom + e, a * right + c * top + e
        y0, y1 = b * left + d * bottom + f, b * right + d * top + f
        baseline = b * x + d * y + f
    else:  # most pages: not rotated by a quarter turn
        x0, x1, y0, y1, baseline = a * left + e, a * right + e, d * bottom + f, d * top + f, d * y + f
    if not isfinite(x0 + x1 + y0 + y1 + x + y):
        return 0.0, 0.0, 0.0, 0.0, 0.0
    if x0 > x1:
        x0, x1 = x1, x0
    return (x0, y0, x1, y1, baseline) if y0 < y1 else (x0, y1, x1, y0, baseline)


def _normalise_characters(text: str) -> str:
    """Returns text with whole characters and plain hyphens."""
    if SURROGATE.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text.translate(HYPHENS)


def _split_at_gaps(word: Word, text: str, characters: Characters, frame: Frame) -> list[Word]:
    """Splits a word at wide gaps: PDFium joins letters of neighbouring cells into one word."""
    first = word.char_index
    letters = [_box_and_baseline(characters.run_box(n, n), frame) for n in range(first, first + len(text))]
    most = CUT * word.font.size
    cuts = [
        number
        for number, (before, after) in enumerate(pairwise(letters), 1)
        if after[0] - before[2] > most or before[0] - after[2] > most
    ]
    return _cut_word(word, text, cuts, characters, frame)


def _split_at_line_ends(word: Word, text: str, characters: Characters, frame: Frame) -> list[Word]:
    """Splits a word that continues on the next line, where PDFium gives a hyphen but no line break."""
    cuts = [number + 1 for number, letter in enumerate(text[:-1]) if letter == LINE_END]
    pieces: list[Word] = []
    line, baseline = word.line, word.baseline
    for piece in _cut_word(word, text, cuts, characters, frame):
        if abs(piece.baseline - baseline) > 0.5 * word.font.size:
            line, baseline = line + 1, piece.baseline
        pieces.append(replace(piece, line=line))
    return pieces


def _cut_word(word: Word, text: str, cuts: list[int], characters: Characters, frame: Frame) -> list[Word]:
    """Returns the pieces of a word that is cut."""
    bounds = [0, *cuts, len(text)]
    first = word.char_index
    return [
        _word(text[a:b], characters.run_box(first + a, first + b - 1), frame, word.font, word.line, first + a)
        for a, b in pairwise(bounds)
    ]


def _without_overprints(words: list[Word]) -> list[Word]:
    """Drops words printed again at nearly the same position, for boldness or shadow."""
    firsts: dict[str, Word] = {}
    printed: dict[str, _Cells] = {}
    kept: list[Word] = []
    for word in words:
        first = firsts.setdefault(word.text, word)
        if first is word or not _is_printed_again(word, first, printed):
            kept.append(word)
    return kept


def _is_printed_again(word: Word, first: Word, printed: dict[str, _Cells]) -> bool:
    """Whether the same word was printed at nearly the same position; if not, adds this one to `printed`."""
    near = OVERPRINT * word.font.size
    cells = printed.get(word.text)
    if cells is None:
        cells = printed[word.text] = {int(first.baseline / near): {int(first.x0 / near): first}}
    x, y = int(word.x0 / near), int(word.baseline / near)
    for row in (y, y - 1, y + 1):
        if row in cells and _has_near(cells[row], word, x, near):
            return True
    cells.setdefault(y, {})[x] = word
    return False


def _has_near(row: dict[int, Word], word: Word, x: int, near: float) -> bool:
    """Whether a row of the raster has a word at nearly the same position, in the same column or beside it."""
    for column in (x, x - 1, x + 1):
        other = row.get(column)
        if other and abs(other.x0 - word.x0) < near and abs(other.baseline - word.baseline) < near:
            return True
    return False
