"""Recognises text that only looks like a table: listings, contents, formulas, indexes, lists, prose."""

import re
import unicodedata
from itertools import pairwise

from ..text_patterns import is_number
from .table_evidence import TableEvidence, count, share

LEADERS = re.compile(r"(?:\.\s?){5,}|…{2,}|(?:_\s?){6,}")
LABEL = re.compile(r"(\d{1,3})(?!\d)(:?)")
PAGE = re.compile(r"\d{1,4}")
SECTION = re.compile(r"(?:\d+(?:\.\d+)*\.?|[A-Z])(?:\s|$)")
INDEX_ENTRY = re.compile(r"[^\W\d_]{3}.*,? \d{1,3}(?:, ?\d{1,3})*$")
LIST_MARK = re.compile(r"\(?[\divxa-z]{1,4}[.)]|[•◦▪●‣·\uf0b7\-–—*o§]|\[\d+\]|\d+(?:\.\d+)*", re.IGNORECASE)
ODD_MATHS = re.compile("[\u0370-\u03ff\ue000-\uf8ff]|^[=+]|[=+]$")
PLAIN_SIGNS = frozenset("+<>=~|±")

MIN_LABELS, LABELLED = 3, 0.6
"""How many rows of a listing are labelled with numbers: the fewest, and their share of the first column."""
COUNTING = 0.7
"""The share of those labels that are one more than the label above, from which they count lines."""
FULL = 0.8
"""The share of filled cells above which three or more columns with counted rows are a table."""
OTHER_NUMBERS = 0.15
"""The share of numbers beside the labels from which counted rows are a table."""

LED = 0.3
"""The number of leaders, for each row, from which rows are titles of contents."""
BESIDE_TITLES = 1.3
"""How many filled cells such a row may have on average beside its first one: the page number, and few others."""
MIN_TITLES, MAX_CONTENTS_COLUMNS = 4, 3
"""The fewest rows and the most columns of contents whose titles may have no leaders."""
PAGES, PAGED = 0.8, 0.7
"""The share of the last column's cells that are pages in such contents, and of rows that have a cell there."""
SECTIONS = 0.6
"""The share of first cells that begin with the number of a section in contents without leaders."""

MAX_FORMULA_NUMBERS = 0.5
"""The share of numbers from which cells with signs of formulas are a table."""
MATHS = 0.15
"""The share of cells with such signs from which a grid is made of formulas."""
MAX_INDEX_COLUMNS, INDEXED = 4, 0.4
"""The most columns of an index, and the share of its cells that are words with page numbers."""
NEARLY_EMPTY = 0.3
"""The share of rows with a cell in a column below which that column is nearly empty."""
MAX_RAGGED = 0.4
"""The share of such columns that a table may have."""

FIELDS = 0.7
"""The share of first cells that end with a colon from which two columns are fields of a form."""
LONGEST_MARK, MARKED = 3, 0.6
"""The length up to which any first cell may be the mark of a list item, and the share of them that makes a list."""
MIN_PAIRS, FEW_IN_PAIRS = 4, 0.3
"""Two columns of fewer rows are a table only with this share of numbers."""
LONG_PAIR = 28
"""The mean length of cells, in characters, above which two columns with few numbers are labels and text."""
FEW_IN_TEXT = 0.25
"""The share of numbers below which cells may be text."""
SENTENCE, SENTENCES = 4, 0.45
"""The fewest words of a cell that may be a sentence, and the share of such cells above which columns are prose."""
LONG, LONG_WORDS, FEW_IN_LONG = 70, 45, 0.2
"""The mean length of cells, in characters, above which they are prose: at any share of numbers, and below the third."""


def is_listing(evidence: TableEvidence) -> bool:
    """Whether the rows are numbered lines of code or of an enumeration, with no other numbers."""
    labels = [match for match in map(LABEL.match, evidence.first_column) if match]
    if len(labels) < max(MIN_LABELS, LABELLED * len(evidence.first_column)):
        return False
    counted = sum(int(after[1]) == int(before[1]) + 1 for before, after in pairwise(labels))
    if counted < COUNTING * (len(labels) - 1):
        return False
    if all(label[2] for label in labels):
        return True
    full = evidence.width > 2 and evidence.fill_share > FULL
    return not full and share(evidence.other_columns, is_number) < OTHER_NUMBERS


def is_contents(evidence: TableEvidence) -> bool:
    """Whether the rows are titles with leader dots, or section numbers with increasing page numbers."""
    leaders = count(evidence.filled, LEADERS.search)
    if leaders >= LED * evidence.height and len(evidence.other_columns) <= BESIDE_TITLES * evidence.height:
        return True
    last = evidence.last_column
    pages = [int(text) for text in last if PAGE.fullmatch(text)]
    if evidence.height < MIN_TITLES or evidence.width > MAX_CONTENTS_COLUMNS:
        return False
    if len(pages) < PAGES * len(last) or len(last) < PAGED * evidence.height:
        return False
    rising = all(page <= following for page, following in pairwise(pages))
    only_pages = not any(is_number(text) and not PAGE.fullmatch(text) for text in evidence.other_columns)
    return rising and only_pages and (leaders > 0 or share(evidence.first_column, SECTION.match) >= SECTIONS)


def is_formulas(evidence: TableEvidence) -> bool:
    """Says whether a grid is made of formulas."""
    return evidence.number_share < MAX_FORMULA_NUMBERS and share(evidence.filled, _is_maths) >= MATHS


def _is_maths(text: str) -> bool:
    """Says whether a text has signs that only formulas have."""
    if ODD_MATHS.search(text):
        return True
    return any(unicodedata.category(sign) == "Sm" and sign not in PLAIN_SIGNS for sign in text)


def is_index_of_a_book(evidence: TableEvidence) -> bool:
    """Says whether a grid is an index: words with page numbers."""
    return evidence.width <= MAX_INDEX_COLUMNS and share(evidence.filled, _is_index_entry) >= INDEXED


def _is_index_entry(text: str) -> bool:
    """Says whether a text is a word with page numbers; only one that ends with a digit is searched."""
    return text[-1].isdecimal() and INDEX_ENTRY.search(text) is not None


def is_ragged(evidence: TableEvidence) -> bool:
    """Whether many columns are nearly empty."""
    columns = zip(*evidence.rows, strict=True)
    nearly_empty = count(columns, lambda column: sum(map(bool, column)) < NEARLY_EMPTY * evidence.height)
    return nearly_empty > MAX_RAGGED * evidence.width


def is_list(evidence: TableEvidence) -> bool:
    """Whether two columns are labels and text, or the fields of a form."""
    if share(evidence.first_column, lambda text: text.endswith(":")) >= FIELDS:
        return True
    marks = share(evidence.first_column, lambda text: len(text) <= LONGEST_MARK or LIST_MARK.fullmatch(text))
    if marks >= MARKED or (evidence.height < MIN_PAIRS and evidence.number_share < FEW_IN_PAIRS):
        return True
    return evidence.number_share < FEW_IN_TEXT and evidence.mean_length > LONG_PAIR


def is_prose(evidence: TableEvidence) -> bool:
    """Whether the columns are running text."""
    if evidence.number_share < FEW_IN_TEXT and share(evidence.filled, _may_be_sentence) > SENTENCES:
        return True
    return evidence.mean_length > LONG or (evidence.mean_length > LONG_WORDS and evidence.number_share < FEW_IN_LONG)


def _may_be_sentence(text: str) -> bool:
    """Says whether a text has as many words as a part of a sentence."""
    return len(text.split()) >= SENTENCE
