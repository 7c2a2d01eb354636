"""Scores the recognition of made scans: `python benchmarks/scans.py [--pages N]`; writes scans.json.

Pages of the corpus are drawn at three resolutions, clean and degraded, read from their image, and compared with what
the same page reads as from its text. Recognition was tuned by one set of pages; the other is drawn by lot.
"""

import argparse
import json
import os
import re
import sys
import time
from collections import Counter
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

from console import progress, warn
from scan_set import (
    CHINESE_FONT,
    CLEAN_QUALITY,
    NOT_COMPARED,
    POOR_QUALITY,
    Page,
    as_pdf,
    chinese_pages,
    degraded,
    known_pages,
    page_image,
    unseen_pages,
)
from scores import COMMENT, adjacent_cells, f1_score, tables_in, words_of

from readwell.documents.ocr import installed_languages, scan_converter
from real_documents import real_corpus

RESULTS = Path(__file__).parent / "scans.json"
RESOLUTIONS = (200, 150, 300)
LETTERS = re.compile(r"[^\W_]")


class Row(NamedTuple):
    """Scores of all pages at one resolution; `cells` of pages with tables, `in_order` of those whose order is known."""

    dots_per_inch: int
    degraded: bool
    drawn_by_lot: bool
    pages: int
    found: float
    ordered_pages: int
    in_order: float
    table_pages: int
    cells: float
    seconds: float
    slowest: float


class Read(NamedTuple):
    """What was read of one page."""

    page: Page
    text: str
    seconds: float


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pages", type=int, default=None, help="only so many pages, to try the benchmark itself")
    count = options.parse_args().pages
    corpus = real_corpus()
    if not corpus.is_dir():
        sys.exit("the scans are made of real documents: READWELL_CORPUS names their folder")
    sets = [*known_pages(corpus)][:count], unseen_pages(corpus)[:count]
    rows: list[Row] = []
    chinese = _chinese()
    for dots_per_inch, poor in ((each, poor) for each in RESOLUTIONS for poor in (False, True)):
        for by_lot, pages in enumerate(sets):
            reads = _reads(pages, dots_per_inch, poor)
            rows.append(scored(reads, dots_per_inch, poor, bool(by_lot)))
            progress("")
            _tell_worst(reads)
            print(rows[-1])
        if count is None:  # an interrupted run keeps what it has measured
            _write(rows, chinese)
    print("Chinese:", chinese)


def _write(rows: list[Row], chinese: dict[str, float] | None) -> None:
    """Writes the figures that there are by now."""
    results = {
        "load": round(os.getloadavg()[0], 1),
        "not compared": NOT_COMPARED,
        "scans": [row._asdict() for row in rows],
        "chinese": chinese,
    }
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")


def _reads(pages: list[Page], dots_per_inch: int, poor: bool) -> list[Read]:
    """Returns what is read of scans that are made of pages."""
    reads: list[Read] = []
    for page in pages:
        progress(f"{dots_per_inch} dpi{' degraded' * poor}: {page.name}")
        image = page_image(page, dots_per_inch)
        made = as_pdf(degraded(image) if poor else image, dots_per_inch, POOR_QUALITY if poor else CLEAN_QUALITY)
        reads.append(Read(page, *_read(made, page.languages)))
    return reads


def scored(reads: list[Read], dots_per_inch: int, poor: bool, by_lot: bool) -> Row:
    """Returns the scores of what was read."""
    ordered = [_in_order(words_of(_truth(each.page)), words_of(each.text)) for each in reads if each.page.ordered]
    cells = [_cells(each) for each in reads if tables_in(each.page.markdown)]
    return Row(
        dots_per_inch=dots_per_inch,
        degraded=poor,
        drawn_by_lot=by_lot,
        pages=len(reads),
        found=round(mean(map(_found, reads)), 4),
        ordered_pages=len(ordered),
        in_order=round(mean(ordered), 4),
        table_pages=len(cells),
        cells=round(mean(cells), 4) if cells else 0.0,
        seconds=round(median(each.seconds for each in reads), 2),
        slowest=round(max(each.seconds for each in reads), 2),
    )


def _read(made: bytes, languages: str) -> tuple[str, float]:
    """Returns the text of a scan and the processor time that it took."""
    converter = getattr(scan_converter, f"paragraphs,auto,{languages}")
    converter.open(converter.sample(), None, b"")  # loads the engine
    began = time.process_time()
    text = converter.open(made, None, b"").markdown(1)
    return COMMENT.sub("", text), time.process_time() - began


def _truth(page: Page) -> str:
    return COMMENT.sub("", page.markdown)


def _found(read: Read) -> float:
    truth = Counter(words_of(_truth(read.page)))
    return (truth & Counter(words_of(read.text))).total() / truth.total()


def _in_order(truth: list[str], read: list[str]) -> float:
    """Returns the share of items that are read in their order: the longest common subsequence, by bits."""
    places: dict[str, int] = {}
    for number, item in enumerate(truth):
        places[item] = places.get(item, 0) | 1 << number
    full = (1 << len(truth)) - 1
    left = full
    for item in read:
        matched = left & places.get(item, 0)
        left = ((left + matched) | (left - matched)) & full
    return 1 - left.bit_count() / len(truth)


def _cells(read: Read) -> float:
    return f1_score(adjacent_cells(tables_in(_truth(read.page))), adjacent_cells(tables_in(read.text)))


def _tell_worst(reads: list[Read]) -> None:
    for each in sorted(reads, key=_found)[:8]:
        order = _in_order(words_of(_truth(each.page)), words_of(each.text)) if each.page.ordered else None
        warn(f"{each.page.name}: found {_found(each):.3f}, in order {order}, {each.seconds:.1f} s")


def _chinese() -> dict[str, float] | None:
    """Returns the share of Chinese characters that are read in order; None without data or a font."""
    if "chi_sim" not in installed_languages(sys.path) or not CHINESE_FONT.exists():
        warn("SKIPPED Chinese: apt-get install tesseract-ocr-chi-sim fonts-wqy-microhei")
        return None
    rows: dict[str, float] = {}
    for poor in (False, True):
        found: list[float] = []
        for text, image in chinese_pages(200):
            made = as_pdf(degraded(image) if poor else image, 200, POOR_QUALITY if poor else CLEAN_QUALITY)
            found.append(_in_order(LETTERS.findall(text), LETTERS.findall(_read(made, "chi_sim")[0])))
        rows["degraded" if poor else "clean"] = round(mean(found), 4)
    return rows


if __name__ == "__main__":
    main()
