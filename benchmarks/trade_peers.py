"""Compares readwell with other converters on PDFs that no rule was fitted to: generated ones, and those in corpus/wild.

usage: python benchmarks/trade_peers.py [--seeds N] [--peers A,B] [--into FOLDER]

docling is left out unless it is named: it installs gigabytes.
"""

import argparse
import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import mean
from typing import Any

from console import progress, warn
from pdf_scores import load_scorer_module
from peers import Peer, Skipped, Worker, start
from timing import JobDropped
from trade_documents import SEEDS, documents_of_half, half_of, print_missing
from trade_scores import TradeScore, means, score

from real_documents import real_corpus

OURS = Peer("readwell", is_ours=True)
PEERS = (
    Peer("pymupdf4llm", "pymupdf4llm>=1.28,<2", "pip"),
    Peer("liteparse", "liteparse", "pip"),
    Peer("markitdown", "markitdown[pdf,docx,pptx,xlsx]", "pip"),
    Peer("docling", "docling", "pip"),
)
BY_DEFAULT = "pymupdf4llm,liteparse,markitdown"


def main() -> None:
    options = _options()
    chosen = [peer for peer in PEERS if peer.name in options.peers.split(",")]
    with tempfile.TemporaryDirectory(prefix="readwell-trades-") as temporary, ExitStack() as stack:
        folder = options.into or Path(temporary)
        made = print_missing(documents_of_half("both", options.seeds), folder)
        workers = _started(chosen, folder, stack)
        print("converter: wild tables | seen: tables headings order | unseen: tables headings order | pages a second")
        for worker in workers:
            _show(worker, made, folder)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=SEEDS, help="documents of each trade in each half")
    parser.add_argument("--peers", default=BY_DEFAULT, metavar="A,B", help=f"default: {BY_DEFAULT}")
    parser.add_argument("--into", type=Path, metavar="FOLDER", help="keep the documents there, and use those there are")
    return parser.parse_args()


def _started(peers: list[Peer], folder: Path, stack: ExitStack) -> list[Worker]:
    workers: list[Worker] = []
    for peer in (OURS, *peers):
        try:
            worker = start(peer, folder, Path(__file__).with_name("converter_worker.py"))
            workers.append(stack.enter_context(worker))
        except Skipped as why:
            warn(f"SKIPPED {peer.name}: {why}")
    return workers


def _show(worker: Worker, made: list[dict[str, Any]], folder: Path) -> None:
    seconds: list[float] = []
    scores: dict[str, list[TradeScore]] = {"seen": [], "unseen": []}
    for document in made:
        text = _converted(worker, folder / f"{document['name']}.pdf", seconds)
        scores[half_of(document)].append(score(document, text, text))
    wild = _wild(worker, [])
    found = {half: means(of_half) for half, of_half in scores.items()}
    told = " | ".join(f"{each.tables:.3f} {each.headings:.3f} {each.order:.3f}" for each in found.values())
    progress("")
    print(f"{worker.name:12} {wild} | {told} | {len(made) / max(sum(seconds), 0.001):.0f}")


def _wild(worker: Worker, seconds: list[float]) -> str:
    """Returns the mean F1 of tables in the real documents; a dash where there are none."""
    corpus = real_corpus()
    scorer = corpus.parent / "tools" / "score_tables.py"
    if not scorer.exists():
        return "-"
    tool = load_scorer_module(scorer)
    found: list[float] = []
    for path in sorted((corpus / "wild").glob("*.pdf")):
        both, want, got = tool.score(path, _converted(worker, path, seconds))
        found.append(2 * both / (want + got) if want + got else 1.0)
    return f"{mean(found):.3f}"


def _converted(worker: Worker, path: Path, seconds: list[float]) -> str:
    progress(f"{worker.name}: {path.name}")
    try:
        answer = worker.ask(path=str(path), show=True)
    except JobDropped as why:
        warn(f"{worker.name} does not convert {path.name}: {why}")
        return ""
    seconds.append(answer["seconds"])
    return str(answer["text"])


if __name__ == "__main__":
    main()
