"""`Converted`: what became of one document, as a small value that can be pickled."""

from __future__ import annotations

from hashlib import sha256

from ..named_tuple import NamedTuple


class Failure(NamedTuple):
    """Why a document was not converted."""

    code: str
    """Such as `NOT_FOUND`, `DOCUMENT_LOCKED`; all are listed in docs/corpus.md."""
    message: str
    """What happened and the next step."""
    retryable: bool = False
    """Whether another try may succeed."""


class Unit(NamedTuple):
    """A page, slide, sheet, chapter, table or part: its number, its first line in the text, and its Markdown."""

    number: int
    first_line: int
    markdown: str


class Converted(NamedTuple):
    """One document as text, or why there is none."""

    id: str
    """A hash of source and content."""
    source: str
    sha256: str
    """Of the bytes of the file as it is stored; empty where they could not be read."""
    format: str
    """Such as `pdf`, `docx`, `html`; `text` for a file that is read as it is; empty where it failed."""
    unit: str
    """What the document is divided into: `page`, `slide`, `sheet`, `chapter`, `table`, `part`, or empty."""
    first_lines: tuple[int, ...]
    """The first line of each unit."""
    text: str
    error: Failure | None
    ms: int
    """Milliseconds that it took; of the rest only `stamp` depends on the machine."""
    version: str
    """That of readwell."""
    size: int = 0
    """Bytes of the file as it is stored."""
    stamp: str = ""
    """What tells this version of the file from others without reading it; empty where that is not certain."""
    unchanged: bool = False
    """The file has the hash or the stamp that the caller knew, and was not converted again."""

    @property
    def unit_count(self) -> int:
        """The number of units."""
        return 0 if self.error or self.unchanged else max(1, len(self.first_lines))

    @property
    def units(self) -> list[Unit]:
        """The units; their Markdown, joined by line feeds, is the text."""
        if self.error or self.unchanged:
            return []
        if len(self.first_lines) < 2:
            return [Unit(1, 1, self.text)]
        lines = self.text.split("\n")
        ends = [first - 1 for first in self.first_lines[1:]] + [len(lines)]
        return [
            Unit(number, first, "\n".join(lines[first - 1 : end]))
            for number, (first, end) in enumerate(zip(self.first_lines, ends, strict=True), 1)
        ]

    @property
    def lines(self) -> int:
        """The number of lines of the text; a line feed at its end begins no further line."""
        return self.text.count("\n") + (bool(self.text) and not self.text.endswith("\n"))


def document_id(source: str, digest: str) -> str:
    """Returns the identifier of a document: equal only for the same source with the same content."""
    name = source.encode(errors="surrogatepass")
    return sha256(name + b"\0" + digest.encode()).hexdigest()[:32]
