"""Joins the words of printed lines to one line: words broken at a line end are made whole."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from ..page_model import Word

COMPOUND = re.compile(r"[^\W\d_]{2,}(?:-[^\W\d_]{2,})+")
HYPHENS = "-\u2010\u00ad"
CONJUNCTIONS = frozenset("und oder bzw and or et ou y o".split())
WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f\u3001\u3002]")
"""Letters of scripts that are written without spaces."""
MAX_COMPOUNDS = 4000


def compounds_in(texts: Iterable[str]) -> frozenset[str]:
    """Returns the words with a hyphen inside, in lower case, that stand within a line."""
    compounds: set[str] = set()
    for text in texts:
        if "-" in text and len(compounds) < MAX_COMPOUNDS:
            hyphened = " ".join([word for word in text.split() if "-" in word])
            compounds.update([word.lower() for word in COMPOUND.findall(hyphened)])
    return frozenset(compounds)


def joined_words(above: list[Word], below: list[Word], compounds: frozenset[str]) -> list[Word]:
    """Returns the words of two lines as those of one; a broken word becomes one."""
    last, first = above[-1], below[0]
    if WIDE.match(last.text[-1]) and WIDE.match(first.text[0]):
        return [*above[:-1], replace(last, text=last.text + first.text), *below[1:]]
    if not is_broken(last.text, first.text):
        return [*above, *below]
    kept = _keeps_hyphen(last.text, first.text, compounds)
    whole = last.text + first.text if kept else last.text[:-1] + first.text
    return [*above[:-1], replace(last, text=whole), *below[1:]]


def is_broken(last: str, first: str) -> bool:
    """Whether a word goes on in the next line: it ends with a hyphen after a letter, and no conjunction follows."""
    if last[-1] not in HYPHENS or not last[-2:-1].isalnum():
        return False
    return first[0].isalnum() and re.sub(r"\W", "", first).lower() not in CONJUNCTIONS


def _keeps_hyphen(last: str, first: str, compounds: frozenset[str]) -> bool:
    """Whether the hyphen belongs to the word: before capitals and digits, in addresses, in known compounds."""
    if last[-1] == "\u00ad":
        return False
    if not first[0].islower() or any(sign in last + first for sign in "/@\\"):
        return True
    left, right = last.rpartition("-")[0], re.match(r"[^\W\d_]*", first)
    whole = re.search(r"[^\W\d_]+(?:-[^\W\d_]+)*$", left)
    return bool(whole and right) and f"{whole[0] if whole else ''}-{right[0] if right else ''}".lower() in compounds
