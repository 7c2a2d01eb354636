"""Writes docs/pdf-pages.md: twelve pages beside their Markdown, chosen before the rules were worked on, good or bad.

usage: python benchmarks/trade_pages.py [FOLDER of documents that are printed already]
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

from trade_documents import markdown_of, print_missing
from trade_scores import TradeScore, score
from trades import document

DOCS = Path(__file__).parent.parent / "docs"
PICTURES = DOCS / "pictures"
SCALE = 0.95
COLOURS = 6
PAGES = (
    ("statement", 1),
    ("invoice", 3),
    ("price_list", 5),
    ("timetable", 7),
    ("lab_report", 9),
    ("raci", 11),
    ("catalogue", 13),
    ("tax_form", 15),
    ("paper", 1),
    ("contract", 3),
    ("study", 5),
    ("annual", 7),
)
"""Trades and seeds: one of each, round the writers, all from the half that is only measured."""
HEAD = """# Pages of PDFs and their Markdown

Twelve pages that `benchmarks/trades.py` generates, one a trade, each as it is printed and as the Markdown that readwell
makes of it. They were chosen before the rules were worked on, from the half of the documents that is only measured, so
some may be bad. `benchmarks/trade_pages.py` writes this page.

In brackets: F1 of neighbouring cells of tables; headings found, printed and written; the share of blocks in order.
"""


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="readwell-pages-") as temporary:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(temporary)
        made = print_missing([document(trade, seed) for trade, seed in PAGES], folder)
        parts = [part_of(each, folder) for each in made]
    (DOCS / "pdf-pages.md").write_text("\n".join([HEAD, *parts]))


def part_of(document: dict[str, Any], folder: Path) -> str:
    """Draws the first page of a document; returns its part of the docs page."""
    content = (folder / f"{document['name']}.pdf").read_bytes()
    trade, _, writer = document["name"].split("-")
    picture = f"pdf-{trade.replace('_', '-')}.png"
    draw(content, PICTURES / picture)
    whole = markdown_of(content)
    told = summary(score(document, whole, markdown_of(content, "PRINTED")))
    title = trade.replace("_", " ").capitalize()
    first = markdown_of(content, pages=1)
    return (
        f"## {title}\n\nPrinted by {writer} ({told}).\n\n"
        f"![the first page of the document](pictures/{picture})\n\n````markdown\n{first}\n````\n"
    )


def summary(found: TradeScore) -> str:
    right, wanted, given = found.headings
    tables = f"tables {found.table_f1:.2f}, " if found.tables[1] else ""
    return f"{tables}headings {right} of {wanted}, {given} written, order {found.order:.2f}"


def draw(content: bytes, path: Path) -> None:
    import pypdfium2

    with pypdfium2.PdfDocument(content) as opened:
        drawn: Any = opened[0].render(scale=SCALE)
        image = drawn.to_pil().convert("L").quantize(COLOURS)
    image.crop(image.convert("L").point(lambda value: 255 * (value < 200)).getbbox()).save(path, optimize=True)


if __name__ == "__main__":
    main()
