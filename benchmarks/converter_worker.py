"""Serves conversions over stdin and stdout, one JSON object per line: `python converter_worker.py NAME`.

One process per converter, without a cage. Processor time is measured, not wall time.
"""

import json
import os
import platform
import resource
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

sys.path.append(str(Path(__file__).parent))

from reader_worker import own_peak, say

Convert = Callable[[Path], str]


class Served(NamedTuple):
    """A converter that is ready."""

    version: str
    settings: str
    convert: Convert


def main(name: str, *_: str) -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    served = CONVERTERS[name]()
    hello = {"version": served.version, "settings": served.settings, "python": platform.python_version()}
    say(answers, {**hello, "peak": own_peak()})
    for line in sys.stdin:
        asked = json.loads(line)
        say(answers, {**answer(served, Path(asked["path"]), asked.get("show", False)), "peak": own_peak()})


def answer(served: Served, path: Path, show: bool) -> dict[str, object]:
    began = processor_seconds()
    try:
        markdown = served.convert(path)
    except Exception as error:  # noqa: BLE001
        return {"error": f"{type(error).__name__}: {error}"[:300]}
    return {"seconds": processor_seconds() - began, "text": markdown if show else ""}


def processor_seconds() -> float:
    """Returns the processor time of this process, its threads and the children that have ended."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, kinds))


def by_readwell() -> Served:
    from readwell.documents.contract import Converter
    from readwell.documents.converters import find_converter, load

    def convert(path: Path) -> str:
        kind = path.suffix[1:]
        converter = load(kind, find_converter(kind, {}))
        assert isinstance(converter, Converter)
        document = converter.open(path.read_bytes(), None, b"")
        return "\n\n".join(document.markdown(number + 1) for number in range(document.count))

    return Served(version_of("readwell"), "in process, without the cage", convert)


def version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "run from source"


def by_markitdown() -> Served:
    from markitdown import MarkItDown  # pyright: ignore[reportMissingImports]

    converter = MarkItDown()
    return Served(version("markitdown"), "convert_local", lambda path: converter.convert_local(str(path)).markdown)


def by_kreuzberg() -> Served:
    import kreuzberg  # pyright: ignore[reportMissingImports]

    settings = kreuzberg.ExtractionConfig(output_format="markdown")
    return Served(
        version("kreuzberg"),
        "Markdown",
        lambda path: str(kreuzberg.extract_file_sync(str(path), config=settings).content),
    )


def by_pandoc() -> Served:
    import pypandoc  # pyright: ignore[reportMissingImports]

    return Served(f"{pypandoc.get_pandoc_version()}", "gfm", lambda path: str(pypandoc.convert_file(str(path), "gfm")))


def by_pdfplumber() -> Served:
    import pdfplumber  # pyright: ignore[reportMissingImports]

    def convert(path: Path) -> str:
        written: list[str] = []
        with pdfplumber.open(path) as document:
            for page in document.pages:
                written += [page.extract_text(), *map(piped, page.extract_tables())]
                page.close()
        return "\n\n".join(written)

    return Served(version("pdfplumber"), "extract_text, and extract_tables as Markdown", convert)


def piped(rows: list[list[str | None]]) -> str:
    lines = [
        "| " + " | ".join((cell or "").replace("\n", " ").replace("|", "\\|") for cell in row) + " |" for row in rows
    ]
    return "\n".join([*lines[:1], "|" + " --- |" * len(rows[0]), *lines[1:]]) if rows else ""


def by_liteparse() -> Served:
    from liteparse import LiteParse  # pyright: ignore[reportMissingImports]

    parser = LiteParse(ocr_enabled=False, output_format="markdown", quiet=True)
    return Served(version("liteparse"), "Markdown, no OCR", lambda path: parser.parse(path).text)


def by_pymupdf4llm() -> Served:
    import pymupdf4llm  # pyright: ignore[reportMissingImports]

    return Served(version("pymupdf4llm"), "to_markdown", lambda path: pymupdf4llm.to_markdown(str(path)))


def by_docling() -> Served:
    from docling.document_converter import DocumentConverter  # pyright: ignore[reportMissingImports]

    converter = DocumentConverter()
    return Served(
        version("docling"),
        "export_to_markdown",
        lambda path: str(converter.convert(path).document.export_to_markdown()),
    )


def by_pypdfium2() -> Served:
    import pypdfium2

    def convert(path: Path) -> str:
        document = pypdfium2.PdfDocument(path)
        pages = [document[number].get_textpage().get_text_bounded() for number in range(len(document))]
        document.close()
        return "\n\n".join(pages)

    return Served(version("pypdfium2"), "plain text, page by page", convert)


def by_mammoth() -> Served:
    import mammoth  # pyright: ignore[reportMissingImports]
    from html_to_markdown import ConversionOptions, convert

    options = ConversionOptions(extract_metadata=False, compact_tables=True, br_in_tables=True)

    def converted(path: Path) -> str:
        with path.open("rb") as file:
            html = mammoth.convert_to_html(file, convert_image=mammoth.images.img_element(lambda _: {"src": ""})).value
        return str(getattr(found := convert(html, options), "content", found))

    return Served(
        f"{version('mammoth')}, html-to-markdown {version('html-to-markdown')}", "HTML, then Markdown", converted
    )


CONVERTERS: dict[str, Callable[[], Served]] = {
    "readwell": by_readwell,
    "markitdown": by_markitdown,
    "kreuzberg": by_kreuzberg,
    "pandoc": by_pandoc,
    "pdfplumber": by_pdfplumber,
    "liteparse": by_liteparse,
    "pymupdf4llm": by_pymupdf4llm,
    "docling": by_docling,
    "pypdfium2": by_pypdfium2,
    "mammoth": by_mammoth,
}

if __name__ == "__main__":
    main(*sys.argv[1:])
