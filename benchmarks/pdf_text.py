"""How much of PDFium's text a PDF's Markdown keeps, letters and digits by page, and how fast it is made.

usage: python benchmarks/pdf_text.py [FILE.pdf …]      without files: every PDF below READWELL_CORPUS
"""

import json
import sys
import time
from collections import Counter
from pathlib import Path
from statistics import mean

from readwell.documents.pdf import PDF
from readwell.errors import ReadError

sys.path.append(str(Path(__file__).parent.parent / "tests"))

from real_documents import real_corpus

MOST_PAGES = 60


def main() -> None:
    paths = [Path(name) for name in sys.argv[1:]] or sorted(real_corpus().rglob("*.pdf"))
    rows = [row for path in paths if (row := measure(path))]
    for name, kept, kept_with_heads, pages, seconds in sorted(rows, key=lambda row: row[2]):
        print(f"{kept:.4f}  with heads {kept_with_heads:.4f}  {pages:5d} pages {pages / seconds:7.1f}/s  {name}")
    speed = sum(row[3] for row in rows) / sum(row[4] for row in rows)
    print(f"{len(rows)} documents: {mean(row[1] for row in rows):.4f}, with heads {mean(row[2] for row in rows):.4f}")
    print(f"below .97: {below(rows, 1)}, with heads {below(rows, 2)}; {speed:.1f} pages per CPU second")


def below(rows: list[tuple[str, float, float, int, float]], column: int) -> int:
    return sum(row[column] < 0.97 for row in rows)


def measure(path: Path) -> tuple[str, float, float, int, float] | None:
    content = path.read_bytes()
    started = time.process_time()
    try:
        document = PDF.open(content, None, b"")
    except ReadError as error:
        print(f"{path.name}: {error!r}")
        return None
    numbers = range(1, min(document.count, MOST_PAGES) + 1)
    pages = [document.markdown(number) for number in numbers]
    seconds = time.process_time() - started
    prepared = json.loads(document.prepared()) | {"running": []}
    whole = PDF.open(content, None, json.dumps(prepared, separators=(",", ":")).encode())
    with_heads = [whole.markdown(number) for number in numbers]
    printed = pdfium_text(content, len(numbers))
    return path.name, share(printed, pages), share(printed, with_heads), len(numbers), seconds


def pdfium_text(content: bytes, count: int) -> list[str]:
    import pypdfium2

    document = pypdfium2.PdfDocument(content)
    return [document[number].get_textpage().get_text_bounded() for number in range(count)]


def share(printed: list[str], written: list[str]) -> float:
    """The share of printed letters and digits that the same page's Markdown has."""
    wanted = [Counter(filter(str.isalnum, text)) for text in printed]
    kept = sum((want & Counter(filter(str.isalnum, text))).total() for want, text in zip(wanted, written, strict=True))
    return kept / max(1, sum(want.total() for want in wanted))


if __name__ == "__main__":
    main()
