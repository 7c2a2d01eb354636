"""What the words of a cell or line say about it: a number, a caption, a bullet, an entry of a table of contents."""

import re

BULLETS = frozenset("•◦▪●‣·■□➢✓\uf0b7\uf0a7\uf02d\uf0fc")

_NUMBER = re.compile(
    r"""
      [(\[<>~±+\-–−$€£¥≤≥*†‡]*  \d  [\d\s.,:/%()\-–−*†‡xa-c]*  (?:[kmb]n?)?   # an amount, a date, a range, with marks
    | [-–—−.…*]+                                                              # what stands for no amount
    | n/?a | n\.a\. | nil | none | yes | no | x | ✓ | ✔
    """,
    re.VERBOSE | re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_NUMBERED = r"\s+(?:\d|[A-Z](?:\b|[.\-–]?\d)|[IVXL]+\b)"
_PICTURE = re.compile(rf"(?i:figure|fig\.|abbildung|chart){_NUMBERED}")
_CAPTION = re.compile(
    rf"(?i:table|tableau|tabelle|exhibit|box|algorithm|listing){_NUMBERED}|(?i:source|note|quelle)s?\s*:"
)


def is_number(text: str) -> bool:
    """Whether a cell holds a number, or what stands where a number would."""
    return _NUMBER.fullmatch(text) is not None


def is_year(text: str) -> bool:
    """Whether it is a year of these two centuries: a number that heads columns."""
    return _YEAR.fullmatch(text) is not None


def is_caption(text: str) -> bool:
    """Whether a line begins like "Table 3" or "Source:": it names a table and is no part of it."""
    return _CAPTION.match(text) is not None or names_picture(text)


def names_picture(text: str) -> bool:
    """Whether a line begins like "Figure 3"."""
    return _PICTURE.match(text) is not None


def is_figures(text: str) -> bool:
    """Whether it has digits and no letters."""
    return any(map(str.isdigit, text)) and not any(map(str.isalpha, text))
