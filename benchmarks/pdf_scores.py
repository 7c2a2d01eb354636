"""Scores of PDFs as Markdown: PDFium's characters kept; tables and headings by the scorers beside the corpus."""

import statistics
from collections import Counter
from collections.abc import Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from pdf_text import pdfium_text, share_kept

Texts = Mapping[Path, str]
"""Markdown by document; empty where a document could not be converted."""


class PdfScores(NamedTuple):
    """From 0 to 1 each; None where there is nothing to score with."""

    kept_mean: float
    kept_least: float
    tables_micro: float | None
    tables_macro: float | None
    headings: float | None


def pdf_scores(texts: Texts, tools: Path | None) -> PdfScores:
    kept = [kept_of(path, text) for path, text in texts.items()]
    tables = table_scores(texts, tools / "score_tables.py") if tools else None
    headings = heading_score(texts, tools / "score_headings.py") if tools else None
    micro, macro = tables or (None, None)
    return PdfScores(statistics.mean(kept), min(kept), micro, macro, headings)


def kept_of(path: Path, text: str) -> float:
    """Returns the share of the letters and digits that PDFium finds in a document which its Markdown has too."""
    import pypdfium2

    count = len(pypdfium2.PdfDocument(path))
    return share_kept(["\n".join(pdfium_text(path.read_bytes(), count))], [text])


def table_scores(texts: Texts, scorer: Path) -> tuple[float, float] | None:
    """Returns F1 of all tables together, and its mean over documents."""
    tool = load_scorer_module(scorer)
    hits, both, each = 0, 0, []
    for path, text in texts.items():
        truth = path.with_name(f"{path.stem}-str.xml")
        if not truth.exists():
            continue
        wanted = tool.truth(truth)
        found = sum((tool.adjacencies(grid) for grid in tool.tables_in(text)), Counter())
        hit, total = (wanted & found).total(), wanted.total() + found.total()
        hits, both = hits + hit, both + total
        each.append(2 * hit / total if total else 1.0)
    return (2 * hits / max(1, both), statistics.mean(each)) if each else None


def heading_score(texts: Texts, scorer: Path) -> float | None:
    """Returns the harmonic mean of mean precision and mean recall."""
    tool = load_scorer_module(scorer)
    titles = {path: path.with_name(f"{path.stem}.titles.txt") for path in texts}
    scores = [
        tool.score(listed.read_text().splitlines(), texts[path]) for path, listed in titles.items() if listed.exists()
    ]
    if not scores:
        return None
    precision, recall = (statistics.mean(column) for column in zip(*scores, strict=True))
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def load_scorer_module(scorer: Path) -> ModuleType:
    spec = spec_from_file_location(scorer.stem, scorer)
    if spec is None or spec.loader is None:
        raise ImportError(f"{scorer.name} cannot be loaded")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
