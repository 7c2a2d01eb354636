"""Recognises by its text alone what a cell or line is: a number, a year, a caption, a bullet."""

import re
from functools import lru_cache

KEPT_ANSWERS, LONGEST_KEPT = 2048, 60
"""Texts of cells and words whose kind is remembered, for most are asked about several times; long ones are not."""
BULLETS = frozenset("•◦▪●‣·■□➢✓\uf0b7\uf0a7\uf02d\uf0fc")
"""Words that are bullets, also inside of tables."""
SIGNS = frozenset("$€£¥₹₩%")
"""Signs of currency and per cent, which may stand apart from their amounts."""
BULLET_AT_START = re.compile(
    r"(?:[•◦▪●‣·■□➢✓▸►○❖∙⁃\uf0b7\uf0a7\uf02d\uf0d8\uf0fc\uf0a8\uf076\uf071]"
    r"|[–—\-*\uf06c\uf06e\uf075](?=\s))\s*"
)
"""A bullet at the start of a line; more signs than BULLETS, since text follows."""

_CURRENCY = r"\s?(?:[$€£¥₹₽₩]|EUR|USD|GBP|CHF|JPY|US\$|Rs\.?|kr\.?)\s?"
_NUMBER = re.compile(
    rf"""
      (?:{_CURRENCY})?  (?:[(\[<>~±+\-–−≤≥*∗†‡$€£¥]\s?)*  (?:{_CURRENCY})?     # signs before an amount
      \d  [\d\s.,:/%()±\-–−*∗†‡xa-c]*  (?:[kmb]n?)?  (?:{_CURRENCY})?  \)?      # an amount, a date, a range, with marks
    | [-–—−.…*]+                                                              # placeholders for no amount
    | n/?a | n\.a\. | nil | none | yes | no | x | ✓ | ✔
    """,
    re.VERBOSE | re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_NUMBERED = r"\s+(?:\d|[A-Z](?:\b|[.\-–]?\d)|[IVXL]+\b)"
_PICTURE = re.compile(rf"(?i:figure|fig\.|abbildung|figura|chart){_NUMBERED}")
_PICTURE_LABEL = re.compile(r"(?i:figure|fig\.|abbildung|figura|chart)\s+[\w.\-–]*\w")
_CAPTION = re.compile(
    rf"(?i:table|tableau|tabelle|tabell?a|tabla|exhibit|box|algorithm|listing){_NUMBERED}|(?i:source|note|quelle|fuente|fonte)s?\s*:"
)

_SECTION_NUMBER = re.compile(r"\d{1,2}(?:\.\d{1,2}){0,4}\.?|[A-Z](?:\.\d{1,2}){0,4}\.?|[IVX]{1,5}\.")


def is_number(text: str) -> bool:
    """Whether a text is a number or a placeholder for one."""
    return _is_short_number(text) if len(text) <= LONGEST_KEPT else _NUMBER.fullmatch(text) is not None


@lru_cache(KEPT_ANSWERS)
def _is_short_number(text: str) -> bool:
    """Whether a short text is a number; the answer is remembered."""
    return _NUMBER.fullmatch(text) is not None


def is_year(text: str) -> bool:
    """Whether a text is a year from 1900 to 2099: a number that is often a column header."""
    return _YEAR.fullmatch(text) is not None


def is_caption(text: str) -> bool:
    """Whether a line begins like "Table 3" or "Source:": it is a caption, no part of a table."""
    return _CAPTION.match(text) is not None or is_picture_caption(text)


def is_picture_caption(text: str) -> bool:
    """Whether a line begins like "Figure 3"."""
    return _PICTURE.match(text) is not None


def is_section_number(text: str) -> bool:
    """Whether a text is the number of a section, such as "2.1", "B.3" or "IV."."""
    return _SECTION_NUMBER.fullmatch(text) is not None


def picture_label(text: str) -> str:
    """Returns "Figure 3" of a line that begins so; empty for others."""
    label = _PICTURE_LABEL.match(text)
    return label.group() if label else ""


def is_digits(text: str) -> bool:
    """Whether a text has digits and no letters."""
    return any(map(str.isdigit, text)) and not any(map(str.isalpha, text))
