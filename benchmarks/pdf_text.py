"""Measures the share of PDFium's letters and digits that the Markdown of a PDF keeps, and the speed of conversion.

usage: python benchmarks/pdf_text.py [FILE.pdf …]      without files: every PDF below READWELL_CORPUS
"""

import json
import sys
import time
from collections import Counter
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from readwell.documents.pdf import PDF
from readwell.errors import ReadError

sys.path.append(str(Path(__file__).parent.parent / "tests"))

from real_documents import real_corpus

MAX_PAGES = 60
MIN_KEPT = 0.97
"""The share of characters below which a document is counted as a poor one."""


class Kept(NamedTuple):
    """How much of one document's text its Markdown keeps, and the processor time that converting it took."""

    name: str
    kept: float
    kept_with_heads: float
    pages: int
    seconds: float


def main() -> None:
    paths = [Path(name) for name in sys.argv[1:]] or sorted(real_corpus().rglob("*.pdf"))
    rows = [row for path in paths if (row := measure(path))]
    for row in sorted(rows, key=lambda row: row.kept_with_heads):
        shares = f"{row.kept:.4f}  with heads {row.kept_with_heads:.4f}"
        print(f"{shares}  {row.pages:5d} pages {row.pages / row.seconds:7.1f}/s  {row.name}")
    kept, with_heads = [row.kept for row in rows], [row.kept_with_heads for row in rows]
    speed = sum(row.pages for row in rows) / sum(row.seconds for row in rows)
    print(f"{len(rows)} documents: {mean(kept):.4f}, with heads {mean(with_heads):.4f}")
    print(f"below {MIN_KEPT}: {poor(kept)}, with heads {poor(with_heads)}; {speed:.1f} pages per CPU second")


def poor(shares: list[float]) -> int:
    return sum(share < MIN_KEPT for share in shares)


def measure(path: Path) -> Kept | None:
    """Converts the first pages of a PDF twice: as users get it, and with running heads left in."""
    content = path.read_bytes()
    started = time.process_time()
    try:
        document = PDF.open(content, None, b"")
    except ReadError as error:
        print(f"{path.name}: {error!r}")
        return None
    numbers = range(1, min(document.count, MAX_PAGES) + 1)
    pages = [document.markdown(number) for number in numbers]
    seconds = time.process_time() - started
    prepared = json.loads(document.prepared()) | {"running": []}
    whole = PDF.open(content, None, json.dumps(prepared, separators=(",", ":")).encode())
    with_heads = [whole.markdown(number) for number in numbers]
    printed = pdfium_text(content, len(numbers))
    return Kept(path.name, share_kept(printed, pages), share_kept(printed, with_heads), len(numbers), seconds)


def pdfium_text(content: bytes, count: int) -> list[str]:
    import pypdfium2

    document = pypdfium2.PdfDocument(content)
    return [document[number].get_textpage().get_text_bounded() for number in range(count)]


def share_kept(printed: list[str], written: list[str]) -> float:
    """Returns the share of printed letters and digits that the same page's Markdown has."""
    wanted = [Counter(filter(str.isalnum, text)) for text in printed]
    kept = sum((want & Counter(filter(str.isalnum, text))).total() for want, text in zip(wanted, written, strict=True))
    return kept / max(1, sum(want.total() for want in wanted))


if __name__ == "__main__":
    main()
