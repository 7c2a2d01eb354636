"""Finds printed words that a document's Markdown neither contains nor names as left out."""

import re
import unicodedata
from collections import Counter
from itertools import combinations

import pypdfium2

from readwell.documents.pdf import PDF
from readwell.documents.pdf.page_content.accents import COMBINING

NAMED = re.compile(r"<!-- repeated on later pages and left out where enough other text remains: (.*) -->")
QUOTED = re.compile(r'"((?:\\.|[^"\\])*)"( \(counting\))?')
UNSEEN = re.compile(r"<!-- left out: (\d+) words? that cannot be seen on the page -->")
COMMENT = re.compile(r"^<!--.*-->$", re.MULTILINE)
ADDRESS = re.compile(r"!\[(?:\\.|[^\]])*\]\(#page=[^)]*\)|\]\((?:https?:|mailto:)[^)\s]*\)")
SIGNS = "$€£¥%§+=<>@&"
ROMAN = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx".split()


def lost_words(content):
    """Returns, by page, the words that PDFium finds on the visible page and that are neither written nor named."""
    document = PDF.open(content, None, b"")
    written = [document.markdown(number) for number in range(1, document.count + 1)]
    found, named = {}, []
    with pypdfium2.PdfDocument(content) as pdf:
        for number, markdown in enumerate(written, 1):
            lines = [" ".join(line.split()) for line in pdf[number - 1].get_textpage().get_text_bounded().splitlines()]
            kept = [line for line in lines if not any(_is(line, *name, number) for name in named)]
            unseen = sum(map(int, UNSEEN.findall(markdown)))
            missing = missing_words(kept, markdown, unseen)
            # A line that is named may still be shown: then it must not stand in for another.
            if missing and missing_words(lines, markdown, unseen):
                found[number] = missing
            named += [(text, counts, number) for text, counts in names(markdown)]
    return found


def names(markdown):
    """Returns what a page names as left out of later ones, each with whether it counts the pages."""
    for notice in NAMED.findall(markdown):
        for text, counts in QUOTED.findall(notice):
            yield re.sub(r"\\(.)", r"\1", text), counts != ""


def _is(line, text, counts, first, page):
    """Whether a line is a named one, with the page number that it has on this page."""
    return line == text or (counts and line in _counted(text, page - first))


def _counted(text, further):
    """Yields a text with any one of its numbers as it is some pages later."""
    for number in re.finditer(r"\d+|\b[ivx]+\b", text):
        printed = number.group()
        if printed.isdecimal():
            later = str(int(printed) + further)
        elif printed in ROMAN and ROMAN.index(printed) + further < len(ROMAN):
            later = ROMAN[ROMAN.index(printed) + further]
        else:
            continue
        yield text[: number.start()] + later + text[number.end() :]


def missing_words(lines, markdown, unseen=0):
    """Returns the words of lines that a page lacks: their letters may be in other words, split or joined.

    `unseen` words, whichever, are told as left out because they cannot be seen.
    """
    printed = Counter(word for line in lines for word in line.split())
    written = Counter(ADDRESS.sub("]", COMMENT.sub("", markdown)).split())
    missing, added = (
        sorted((printed - written).elements()),
        Counter(_without_accents("".join((written - printed).elements()))),
    )
    for told in combinations(range(len(missing)), min(unseen, len(missing))):
        lost = [word for number, word in enumerate(missing) if number not in told]
        if (
            not Counter(letter for letter in _without_accents("".join(lost)) if letter.isalnum() or letter in SIGNS)
            - added
        ):
            return []
    return missing


def _without_accents(text):
    """Returns text without accents, in letters or by themselves: they may be printed over letters without any."""
    plain = unicodedata.normalize("NFD", text.replace("ı", "i").replace("ȷ", "j"))
    return "".join(letter for letter in plain if letter not in COMBINING and not unicodedata.combining(letter))
