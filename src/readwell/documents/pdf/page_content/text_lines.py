"""`Line`: words with the same PDFium line number, and their prevailing font; for running text and headings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from unicodedata import normalize

from ....named_tuple import NamedTuple
from ..boxes import box_around_words
from ..page_model import Word

BOLD_SHARE, MONO_SHARE = 0.8, 0.9
SAME_HEIGHT = 0.2
MAX_WORDS = 200
NO_SPACE, ONE_SPACE = 0.15, 0.7
"""In ems: the widest gap that is no space, and that is one space."""


class Line(NamedTuple):
    """A printed line. `size` is that of most of its characters."""

    words: list[Word]
    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    baseline: float
    size: float
    bold: bool
    mono: bool
    length: int
    """The number of characters without spaces."""

    @property
    def font(self) -> str:
        """The font family of its first word."""
        return font_family(self.words[0].font.name)

    @property
    def horizontal(self) -> bool:
        """Whether any word of it runs across the page, not up, down or at an angle."""
        return any(word.font.horizontal for word in self.words)


def lines_of(words: Iterable[Word]) -> list[Line]:
    """Groups words into PDFium's lines, in PDFium's order."""
    groups: list[list[Word]] = []
    number: int | None = None
    for word in words:
        if word.line != number:
            groups.append([])
            number = word.line
        groups[-1].append(word)
    return [line_of(group) for group in groups]


def line_of(words: list[Word]) -> Line:
    """Returns the line that the given words make."""
    text = " ".join([word.text for word in words])
    length = len(text) - len(words) + 1
    font = words[0].font
    size, bold, mono = font.size, font.bold, font.mono
    if [word for word in words if word.font is not font]:
        size, bold, mono = _prevailing_style(words, length)
    x0, top, x1, bottom = box_around_words(words)
    return Line(
        words=words,
        text=text,
        x0=x0,
        top=top,
        x1=x1,
        bottom=bottom,
        baseline=words[0].baseline,
        size=size,
        bold=bold,
        mono=mono,
        length=length,
    )


def _prevailing_style(words: list[Word], length: int) -> tuple[float, bool, bool]:
    """Returns the size that most characters have, and whether nearly all are bold, or mono."""
    bold = mono = 0
    sizes: dict[float, int] = {}
    for word in words:
        count, font = len(word.text), word.font
        bold += count * font.bold
        mono += count * font.mono
        sizes[font.size] = sizes.get(font.size, 0) + count
    size = max(sizes, key=lambda size: (sizes[size], size))
    return size, bold >= BOLD_SHARE * length, mono >= MONO_SHARE * length


def joined_if_continued(above: Line, line: Line) -> Line | None:
    """Joins two lines that are one in print, else returns None: PDFium splits lines at raised characters."""
    same_height = abs(line.baseline - above.baseline) <= SAME_HEIGHT * line.size
    if not same_height or not -SAME_HEIGHT * line.size < line.x0 - above.x1 < ONE_SPACE * line.size:
        return None
    return line_of(_glued(above.words, line.words)) if len(above.words) < MAX_WORDS else None


def _glued(before: list[Word], after: list[Word]) -> list[Word]:
    """Returns all words; the last and the first are merged where no space is between them."""
    last, first = before[-1], after[0]
    if first.x0 - last.x1 > NO_SPACE * first.font.size:
        return [*before, *after]
    return [*before[:-1], replace(last, text=last.text + first.text, x1=first.x1), *after[1:]]


def font_family(name: str) -> str:
    """Returns a font's name without its subset tag, which differs between parts of one document."""
    return name[7:] if name[6:7] == "+" and name[:6].isupper() else name


def letters(text: str) -> str:
    """Returns only the letters of a text, in lower case, to compare titles whatever their spacing and numbers."""
    plain = text if text.isascii() else normalize("NFKC", text)
    return re.sub(r"[\W\d_]+", "", plain.lower())
