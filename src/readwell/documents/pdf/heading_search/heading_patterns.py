"""Recognises by its text whether a line can be a heading (a number, a usual title), and how deep its section is."""

from __future__ import annotations

import re

from ..text_patterns import BULLET_AT_START

LONGEST = 120
SENTENCE_SIGNS = "。；"
"""Full stop and semicolon of Chinese and Japanese, which headings have not."""
CAPTION = re.compile(
    r"(figure|figura|fig\.?|table|tableau|tab\.|tabell?a|tabla|abbildung|abb\.|tabelle|listing|algorithm|chart|exhibit|bild)\s*([IVX]+\b|\d|[A-Z]{1,2}[.-]?\d)"
    r"|(source|note|quelle|fuente|fonte)s?\s*:",
    re.IGNORECASE,
)
LEADER_DOTS = re.compile(r"(\. ?){4,}")
TWO_LETTERS = re.compile(r"[^\W\d_]{2}")
NUMBER = r"\d{1,2}(\.\d{1,2}){0,4}\.?|[A-Z](\.\d{1,2}){1,3}\.?|[IVX]{1,5}\."
PART = r"(chapter|section|part|appendix|kapitel|anhang)\s+[\dA-ZIVX]+\b"
NAMED = (
    r"abstract|references|bibliography|introduction|conclusions?|acknowledge?ments?|summary|appendix|index|contents"
    r"|glossary|preface|foreword"
)
NUMBERED = re.compile(rf"({NUMBER})\s+(?P<first>\S)|{PART}|({NAMED})\s*$", re.IGNORECASE)
TITLE_WITH_NUMBER = re.compile(r"(\D*[^\W\d_]{4}) \d+(?:[/-]\d+)?")
"""A title that ends with the number of a document or an account; no date."""
SECTION_NUMBER = re.compile(r"(\d{1,2}(?:\.\d{1,2})*|[A-Z](?:\.\d{1,2})+)\.?\s+\S")


def may_be_heading(text: str) -> bool:
    """Whether a line can be a heading: it is no caption, list item, entry of a table of contents or formula."""
    if len(text) > LONGEST or not TWO_LETTERS.search(text):
        return False
    if any(sign in text for sign in SENTENCE_SIGNS):
        return False
    if BULLET_AT_START.match(text) or CAPTION.match(text) or (text.count(".") > 3 and LEADER_DOTS.search(text)):
        return False
    unnumbered = text[section.end(1) :] if (section := SECTION_NUMBER.match(text)) else text
    unnumbered = named[1] if (named := TITLE_WITH_NUMBER.fullmatch(unnumbered)) else unnumbered
    return sum(map(str.isalpha, unnumbered)) >= len(unnumbered.replace(" ", "")) / 2


def is_unfinished(text: str) -> bool:
    """Whether a text ends with a comma or semicolon, where a heading may break but not end."""
    return text.endswith((",", ";"))


def begins_like_section(text: str) -> bool:
    """Whether a line starts like a section ("2.1 Means", "Appendix B"; not "4 repeat") or is one of the usual names."""
    match = NUMBERED.match(text)
    return match is not None and not (match["first"] or "").islower()


def section_depth(text: str) -> int | None:
    """Returns the depth of a line's section number, 2 for "2.1 Means"; None without a number."""
    number = SECTION_NUMBER.match(text)
    return min(6, number.group(1).count(".") + 1) if number else None
