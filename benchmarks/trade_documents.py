"""Makes documents of many trades by several PDF writers, and scores readwell's Markdown of them.

usage: python benchmarks/trade_documents.py [--half seen|unseen] [--seeds N] [--into FOLDER] [--each]

Even seeds are looked at while working on the rules, odd ones are only measured.
"""

import argparse
import json
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from console import progress, warn
from peers import Peer, Skipped, installed_environment
from trade_html import print_with_chromium, print_with_libreoffice
from trade_scores import Continuations, TradeScore, continuations_of, means, score
from trades import TRADES, document

LIBRARIES = Peer("pdf-writers", "reportlab==4.* fpdf2==2.*", "pip")
SEEDS = 8
HERE = Path(__file__).parent
Documents = Sequence[dict[str, Any]]


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="readwell-trades-") as temporary:
        folder = options.into or Path(temporary)
        made = print_missing(documents_of_half(options.half, options.seeds), folder)
        for half in ("seen", "unseen"):
            scores = {each["name"]: scored(each, folder) for each in made if half_of(each) == half}
            if scores:
                _show(half, scores, options.each)
                _show_continued({each["name"]: continued(each, folder) for each in made if half_of(each) == half})


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=("seen", "unseen", "both"), default="both")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="documents of each trade in each half")
    parser.add_argument("--into", type=Path, metavar="FOLDER", help="keep the documents there, and use those there are")
    parser.add_argument("--each", action="store_true", help="list the documents that are not perfect")
    return parser.parse_args()


def documents_of_half(half: str, seeds: int) -> list[dict[str, Any]]:
    return [
        document(trade, seed)
        for trade in TRADES
        for seed in range(2 * seeds)
        if half in ("both", ("seen", "unseen")[seed % 2])
    ]


def half_of(document: dict[str, Any]) -> str:
    return ("seen", "unseen")[int(document["name"].split("-")[1]) % 2]


def print_missing(documents: Documents, folder: Path) -> list[dict[str, Any]]:
    """Prints documents that are not there yet; returns those that could be printed."""
    folder.mkdir(parents=True, exist_ok=True)
    for writer in sorted({each["writer"] for each in documents}):
        missing = [each for each in documents if each["writer"] == writer and not _path(each, folder).exists()]
        progress(f"printing {len(missing)} documents with {writer}")
        try:
            _print(writer, missing, folder) if missing else None
        except (Skipped, FileNotFoundError, subprocess.SubprocessError) as why:
            warn(f"SKIPPED {writer}: {why}")
    progress("")
    return [each for each in documents if _path(each, folder).exists()]


def _path(document: dict[str, Any], folder: Path) -> Path:
    return folder / f"{document['name']}.pdf"


def _print(writer: str, documents: Documents, folder: Path) -> None:
    if writer == "chromium":
        print_with_chromium(documents, folder)
    elif writer == "libreoffice":
        print_with_libreoffice(documents, folder)
    else:
        python = installed_environment(LIBRARIES) / "bin" / "python"
        command = [str(python), "-I", str(HERE / "trade_writers.py"), str(folder)]
        subprocess.run(command, input=json.dumps(documents), text=True, capture_output=True, check=True)


def scored(document: dict[str, Any], folder: Path) -> TradeScore:
    content = _path(document, folder).read_bytes()
    return score(document, markdown_of(content), markdown_of(content, "PRINTED"))


def continued(document: dict[str, Any], folder: Path) -> Continuations:
    content = _path(document, folder).read_bytes()
    return continuations_of(document["blocks"], pages_of(content), texts_of(content))


def markdown_of(content: bytes, converter: str = "PDF", pages: int | None = None) -> str:
    """Returns the first pages of a document as Markdown, by a converter of `readwell.documents.pdf`."""
    return "\n\n".join(pages_of(content, converter, pages))


def pages_of(content: bytes, converter: str = "PDF", pages: int | None = None) -> list[str]:
    from readwell.documents import pdf

    opened = getattr(pdf, converter).open(content, None, b"")
    return [opened.markdown(number) for number in range(1, (pages or opened.count) + 1)]


def texts_of(content: bytes) -> list[str]:
    """Returns the plain text of each page, as PDFium gives it."""
    import pypdfium2

    with pypdfium2.PdfDocument(content) as opened:
        pages: list[Any] = [page.get_textpage() for page in opened]
        return [page.get_text_range() for page in pages]


def _show(half: str, scores: dict[str, TradeScore], each: bool) -> None:
    print(f"\n{half}, {len(scores)} documents: tables, headings, wrong joins, join recall, order")
    groups = {"all": list(scores.values())}
    for name, one in scores.items():
        groups.setdefault(name.split("-")[0], []).append(one)
        groups.setdefault(name.split("-")[2], []).append(one)
    for name, group in groups.items():
        print(f"{name:12}", *(f"{value:7.3f}" for value in means(group)))
    for name, one in scores.items() if each else ():
        if one.table_f1 < 1 or len(set(one.headings)) > 1 or one.order < 1 or one.wrong_joins:
            print(f"{name:28} tables {one.table_f1:.3f} headings {one.headings} order {one.order:.2f}", one.wrong_joins)


def _show_continued(scores: dict[str, Continuations]) -> None:
    found, wanted, given, headed, ends = map(sum, zip(*scores.values(), strict=True))
    print(
        f"pages onto which a table goes on: {wanted}; of {given} that say so {found} are such, {headed} with the head,"
    )
    print(f"and for {ends} the page before says it, too")
    missed = [f"{name} {tuple(each)}" for name, each in scores.items() if not each.wanted == each.found == each.given]
    print(*missed, sep="\n", end="\n" * bool(missed))


if __name__ == "__main__":
    main()
