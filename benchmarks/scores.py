"""Scores Markdown against the known content of a document: text in order, headings, neighbouring cells."""

import html
import re
from collections import Counter
from collections.abc import Iterable
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

Grid = list[list[str]]

COMMENT = re.compile(r"<!--.*?-->", re.S)
TARGET = re.compile(r"\]\((?:<[^>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)[^)\n]*\)")
MARK = re.compile(r"\[[ xX]\](?!\()|\[\^[^\]\s]+\]:?")
TAG = re.compile(r"</?[a-zA-Z][^>\n]*>")
WORD = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+")
HEADING = re.compile(r"^#{1,6}[ \t]+(.*?)[ \t#]*$", re.M)
RULE = re.compile(r":?-+:?")
CELL_END = re.compile(r"(?<!\\)\|")


class Truth(NamedTuple):
    """The known content of a document: its words in reading order, its headings, its tables by cell."""

    words: list[str]
    headings: list[str]
    tables: list[Grid]


class Score(NamedTuple):
    """Scores from 0 to 1 of a document's Markdown; None where the document has no headings or tables."""

    text: float
    headings: float | None
    cells: float | None


def score(truth: Truth, markdown: str) -> Score:
    shown = COMMENT.sub("", markdown)
    order = SequenceMatcher(None, truth.words, words_of(shown), autojunk=False).ratio()
    headings = f1_score(map(key_of, truth.headings), map(key_of, HEADING.findall(shown)))
    cells = f1_score(adjacent_cells(truth.tables), adjacent_cells(tables_in(shown)))
    return Score(order, headings if truth.headings else None, cells if truth.tables else None)


def words_of(text: str) -> list[str]:
    """Returns words and numbers in lower case, without the marks of Markdown and the targets of links."""
    bare = html.unescape(TAG.sub(" ", MARK.sub(" ", TARGET.sub("]", text))))
    return [_number(word) if word[0].isdecimal() else word.lower() for word in WORD.findall(bare)]


def _number(word: str) -> str:
    """Normalises a number, so that 3 and 3.0 are equal."""
    return f"{float(word):.6g}"


def key_of(text: str) -> str:
    return " ".join(words_of(text))


def tables_in(markdown: str) -> list[Grid]:
    tables: list[Grid] = [[]]
    for line in map(str.strip, markdown.split("\n")):
        if not line.startswith("|"):
            tables.append([])
            continue
        cells = [cell.strip() for cell in CELL_END.split(line.strip("|"))]
        if not all(map(RULE.fullmatch, cells)):
            tables[-1].append(cells)
    return [table for table in tables if table]


def adjacent_cells(tables: Iterable[Grid]) -> list[tuple[str, str, str]]:
    """Returns the pairs of filled cells that follow one another, across and down."""
    pairs: list[tuple[str, str, str]] = []
    for table in tables:
        keyed = [[key_of(cell) for cell in row] for row in table]
        width = max(map(len, keyed))
        columns = [[row[at] for row in keyed if at < len(row)] for at in range(width)]
        for way, lines in (("across", keyed), ("down", columns)):
            pairs += [(*pair, way) for line in lines for pair in pairwise(filter(None, line))]
    return pairs


def f1_score(wanted: Iterable[object], found: Iterable[object]) -> float:
    """Returns the harmonic mean of precision and recall."""
    one, other = Counter(wanted), Counter(found)
    both = one.total() + other.total()
    return 2 * (one & other).total() / both if both else 1.0
