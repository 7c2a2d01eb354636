"""Makes the documents of a corpus, thousands of them, none like another: the same bytes every time.

usage: python benchmarks/corpus_documents.py FOLDER [COUNT]
"""

import random
import sys
from html import escape
from pathlib import Path

from made_reports import Section, made_docx, made_pdf, made_pptx, made_xlsx, sections

KINDS = ("pdf", "pdf", "pdf", "pdf", "docx", "docx", "pptx", "xlsx", "html", "txt")
"""Ten documents: four PDFs of one to six pages, the others of as many sections."""
IN_A_FOLDER = 500
SEED = 21


def make_documents(folder: Path, count: int, seed: int = SEED) -> list[Path]:
    """Writes the documents into folders of 500; returns their paths in order."""
    written: list[Path] = []
    for number in range(count):
        rng = random.Random(seed * 1_000_003 + number)
        kind = KINDS[number % len(KINDS)]
        path = folder / f"{number // IN_A_FOLDER:03d}" / f"{number:06d}.{kind}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content(kind, sections(rng)[: rng.randint(1, 6)]))
        written.append(path)
    return written


def content(kind: str, shown: list[Section]) -> bytes:
    made = {"pdf": made_pdf, "docx": made_docx, "pptx": made_pptx, "xlsx": made_xlsx}.get(kind)
    if made:
        return made(shown)
    if kind == "html":
        parts = (f"<h2>{escape(each.heading)}</h2><p>{escape(each.paragraph)}</p>" for each in shown)
        return f"<!doctype html><html><body>{''.join(parts)}</body></html>".encode()
    return "".join(f"{each.heading}\n\n{each.paragraph}\n\n" for each in shown).encode()


if __name__ == "__main__":
    made = make_documents(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5000)
    print(f"{len(made)} documents, {sum(path.stat().st_size for path in made) >> 10} KB")
