"""Recognises page numbers: lines, or ends of lines, that contain nothing else."""

from __future__ import annotations

import re

from ....named_tuple import NamedTuple
from ..page_content.text_lines import Line

APART = 1.5
"""The least gap, in ems, between a page number and the words beside it."""
WORDS = (
    r"pages?|pg\.?|p\.|seite|blatt|página|pagina|pág\.|pag\.|sida|side|sivu|strona|strana|stránka|stranica|str\.|sayfa"
    r"|oldal|страница|стор(?:інка|\.)|стр\.|лист|σελίδα|σελ\.|صفحة|עמוד|trang|halaman|페이지|쪽|ページ|頁|页"
)
OF = r"/|of|out of|von|de|di|do|of the|sur|van|av|af|z|ze|из|iz|共|/\s*共"
NUMBER = r"(?P<number>[1-9]\d{0,4}|[ivxlc]{1,9})"
LONE = re.compile(rf"[-–—|·•~\[\s]*{NUMBER}[-–—|·•~\]\s]*", re.IGNORECASE)
NAMED = re.compile(
    rf"[-–—|·•~\[\s]*(?:第|(?:{WORDS})\s*[|:#]?)?\s*{NUMBER}\s*[|]?\s*(?:{WORDS})?"
    rf"(?:\s*(?:{OF})\s*\d{{1,5}}\s*(?:{WORDS})?)?[-–—|·•~\]\s]*",
    re.IGNORECASE,
)
ROMAN = re.compile(r"(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})", re.IGNORECASE)
VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


NUMBER_HERE = "#"


class NumberedText(NamedTuple):
    """A line with `#` for its page number, and its numbering: kind of digits, and offset from the page's position."""

    text: str
    numbering: str


def replace_page_number(line: Line, page: int) -> NumberedText | None:
    """Returns a line with its page number replaced; None where it has none, or no gap separates the number."""
    candidates = (NumberedText(text, _numbering(number, page)) for number, text in _possible_numbers(line))
    return next((candidate for candidate in candidates if candidate.numbering), None)


def _possible_numbers(line: Line) -> list[tuple[str, str]]:
    """Returns possible numbers, each with the line around it: the whole line, its last part, its first part."""
    words = line.words
    gaps = [n for n in range(1, len(words)) if words[n].x0 - words[n - 1].x1 > APART * line.size]
    if not gaps:
        return [(line.text, NUMBER_HERE)]
    texts = [word.text for word in words]
    first, last = gaps[0], gaps[-1]
    return [
        (line.text, NUMBER_HERE),
        (" ".join(texts[last:]), " ".join([*texts[:last], NUMBER_HERE])),
        (" ".join(texts[:first]), " ".join([NUMBER_HERE, *texts[first:]])),
    ]


def _numbering(text: str, page: int) -> str:
    """Returns the numbering of a page number: kind of digits, and offset from the page's position; empty if none."""
    if not (match := NAMED.fullmatch(text)):
        return ""
    number = match["number"]
    is_decimal = number.isdecimal()
    value = int(number) if is_decimal else _roman(number.lower())
    if not value or (value > page and LONE.fullmatch(text)):  # invoice numbers count up, too
        return ""
    return f"{'1' if is_decimal else 'i'}{value - page:+d}"


def _roman(text: str) -> int:
    """Returns the value of a roman numeral below 100; 0 for other texts."""
    if not ROMAN.fullmatch(text):
        return 0
    values = [VALUES[letter] for letter in text]
    return sum(-value if value < max(values[n:]) else value for n, value in enumerate(values))
