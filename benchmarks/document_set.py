"""The documents of one run: real ones below READWELL_CORPUS, a thousand of their pages, and generated ones."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import ParseError
from zipfile import ZipFile

from console import progress, warn
from made_reports import write_reports
from office_truth import truth_of
from scores import Truth

from corpus.pdf_documents import PDFS
from real_documents import real_corpus

SAMPLE_PAGES, ALL_PAGES = 40, 1000
OFFICE = ("docx", "pptx", "xlsx", "epub")
PLAIN = (
    "headings.pdf",
    "outline.pdf",
    "lists.pdf",
    "tables.pdf",
    "footnotes.pdf",
    "columns.pdf",
    "code.pdf",
    "links.pdf",
)
BOMB_RATIO, BOMB_BYTES = 12, 1 << 20


class DocumentSet(NamedTuple):
    """All documents of one run; `real` are those of the corpus, `sample` and `thousand` are joined from its PDFs."""

    folder: Path
    tools: Path | None
    pdfs: list[Path]
    real: dict[Path, Truth]
    made: dict[Path, Truth]
    sample: Path
    thousand: Path

    def pdfs_in(self, folder: str) -> list[Path]:
        return [path for path in self.pdfs if path.parent.name == folder]

    def office(self, kind: str) -> dict[Path, Truth]:
        return {path: truth for path, truth in (self.real | self.made).items() if path.suffix == f".{kind}"}


@contextmanager
def document_set(pages: int = ALL_PAGES) -> Iterator[DocumentSet]:
    folder = Path(tempfile.mkdtemp(prefix="readwell-documents-")).resolve()
    try:
        yield _made(folder, pages)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _made(folder: Path, pages: int) -> DocumentSet:
    progress("making documents")
    corpus = real_corpus()
    if not corpus.is_dir():
        warn("NO REAL DOCUMENTS: READWELL_CORPUS names none; only documents of the project's own making are measured")
    tools = corpus.parent / "tools"
    if not tools.is_dir():
        warn("NO SCORERS beside the real documents: tables and headings of PDFs are scored on made documents only")
    pdfs = [path for path in sorted(corpus.rglob("*.pdf")) if _has_text(path)] or _made_pdfs(folder)
    return DocumentSet(
        folder=folder,
        tools=tools if tools.is_dir() and corpus.is_dir() else None,
        pdfs=pdfs,
        real=real_office(corpus),
        made=write_reports(folder),
        sample=_sampled(pdfs, min(SAMPLE_PAGES, pages), folder / "sample.pdf"),
        thousand=_joined(pdfs, pages, folder / "thousand.pdf"),
    )


def _has_text(path: Path) -> bool:
    """Whether a document can be measured: it is not locked, damaged or scanned."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(path)
        return any(document[number].get_textpage().get_text_bounded().strip() for number in range(len(document)))
    except pypdfium2.PdfiumError:
        return False


def _made_pdfs(folder: Path) -> list[Path]:
    found: list[Path] = []
    for name, make in PDFS:
        if name in PLAIN:
            found.append(folder / name)
            found[-1].write_bytes(make())
    return found


def _joined(pdfs: list[Path], count: int, path: Path) -> Path:
    """Imports the pages of all PDFs, over and over until there are enough."""
    import pypdfium2

    whole = pypdfium2.PdfDocument.new()
    for source in cycle([pypdfium2.PdfDocument(each) for each in pdfs]):
        whole.import_pages(source, list(range(min(len(source), count - len(whole)))))
        if len(whole) == count:
            break
    whole.save(path)
    return path


def _sampled(pdfs: list[Path], count: int, path: Path) -> Path:
    """Imports pages that are spread evenly over all PDFs."""
    import pypdfium2

    sources = [pypdfium2.PdfDocument(each) for each in pdfs]
    places = [(source, number) for source in sources for number in range(len(source))]
    whole = pypdfium2.PdfDocument.new()
    for source, number in places[:: max(1, len(places) // count)][:count]:
        whole.import_pages(source, [number])
    whole.save(path)
    return path


def real_office(corpus: Path) -> dict[Path, Truth]:
    """Returns the office documents of the corpus, except bombs and those with hostile XML."""
    found: dict[Path, Truth] = {}
    for kind in OFFICE:
        for path in sorted(corpus.rglob(f"*.{kind}")):
            if _is_zip_bomb(path):
                warn(f"LEFT OUT {path.name}: it unpacks to far more than it is, so it would be all that is measured")
                continue
            try:
                found[path] = truth_of(path)
            except ParseError as error:
                warn(f"LEFT OUT {path.name}: its XML says what no converter should follow ({error})")
    return found


def _is_zip_bomb(path: Path) -> bool:
    with ZipFile(path) as container:
        unpacked = sum(part.file_size for part in container.infolist())
    return unpacked > BOMB_BYTES and unpacked > BOMB_RATIO * path.stat().st_size
