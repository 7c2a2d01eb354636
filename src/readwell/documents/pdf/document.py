"""The PDF converter: an opened PDF whose pages become Markdown one by one, in any order."""

from __future__ import annotations

import codecs
from collections.abc import Generator
from contextlib import contextmanager
from typing import NamedTuple

import pypdfium2 as pdfium

from ...errors import ConversionFailed, DocumentEmpty
from .code import without_code
from .fields import fields_markdown, read_fields
from .images import count_images
from .lines import Line, lines_of
from .links import read_links
from .loading import NO_PAGES, load
from .model import PageWords, Table
from .notices import Notices
from .outline import read_outline
from .page import Told, page_markdown
from .profile import Profile, dump_profile, learn, load_profile, sampled_numbers
from .rulings import read_rulings
from .running import PageLines, own_lines
from .tables import find_tables
from .tags import read_tags
from .words import read_words

MOST_HELD_WORDS = 50_000
MOST_LOADED = 100
CODEC = codecs.lookup("utf-16-le")
"""PDFium's texts; looked up here, for a process that is caged after its imports can load nothing more."""
UNREADABLE = "<!-- this page is damaged and could not be read -->"


class ReadPage(NamedTuple):
    """A page's words, the same as lines, as Markdown what was filled in, and what was left out so far."""

    words: PageWords
    lines: PageLines
    filled_in: str
    notices: Notices

    @property
    def has_text(self) -> bool:
        """Whether there is anything to read."""
        return bool(self.words.words or self.filled_in)


def open_pdf(content: bytes, password: str | None, prepared: bytes) -> PdfPages:
    """Opens a PDF; raises where it is locked, damaged or without text on any page."""
    return PdfPages(content, password, load_profile(prepared))


class PdfPages:
    """An opened PDF. What was read to learn its profile is kept until its page is asked for."""

    unit = "page"

    def __init__(self, content: bytes, password: str | None, profile: Profile | None) -> None:
        self._content, self._password = content, password
        self._document = load(content, password)
        self._loaded = 0
        self._held: dict[int, ReadPage] = {}
        self.count = len(self._document)
        self._profile = profile or self._learn()

    def prepared(self) -> bytes:
        """Returns the profile, so that the next opening need not learn it again."""
        return dump_profile(self._profile)

    def markdown(self, number: int) -> str:
        """Returns one page, counted from 1; a page without text says so."""
        if not 1 <= number <= self.count:
            raise IndexError(number)
        try:
            with self._page(number) as page:
                read = self._held.pop(number, None) or self._read(page, number)
                printed = self._converted(number, page, read) if read.words.words else ""
                shown = filter(None, [read.notices.markdown, printed, read.filled_in])
                return "\n\n".join(shown) or _without_text(page)
        except pdfium.PdfiumError:
            return UNREADABLE

    def close(self) -> None:
        """Gives back what PDFium holds."""
        self._held.clear()
        self._document.close()

    def _converted(self, number: int, page: pdfium.PdfPage, read: ReadPage) -> str:
        words = read.words
        lines = own_lines(read.lines, self._profile.running)
        told = Told(
            titles=self._profile.titles.get(number, ()),
            tags=read_tags(page, words.words),
            links=read_links(self._document, page, words, read.notices),
        )
        prose = lines if self._profile.mono_body else without_code(lines)
        return page_markdown(lines, _tables(page, prose, read), self._profile, told)

    def _learn(self) -> Profile:
        """Learns the profile, keeping the words that it read as long as they are few."""
        samples: list[PageLines] = []
        held = 0
        for number in sampled_numbers(self.count):
            read = self._try_to_read(number)
            if read is None or not read.has_text:
                continue
            held += len(read.words.words)
            if held <= MOST_HELD_WORDS:
                self._held[number] = read
            samples.append(read.lines)
        return learn(samples or [self._first_with_text().lines], read_outline(self._document))

    def _first_with_text(self) -> ReadPage:
        """Looks through all pages where those of the sample have no text; raises where none has."""
        damaged = 0
        for number in range(1, self.count + 1):
            read = self._try_to_read(number)
            if read and read.has_text:
                return read
            damaged += read is None
        if damaged == self.count:
            raise ConversionFailed("pdf", NO_PAGES)
        raise DocumentEmpty("pdf", self.count)

    def _try_to_read(self, number: int) -> ReadPage | None:
        """Reads a page's words; None where it is damaged."""
        try:
            with self._page(number) as page:
                return self._read(page, number)
        except pdfium.PdfiumError:
            return None

    def _read(self, page: pdfium.PdfPage, number: int) -> ReadPage:
        textpage = page.get_textpage()
        try:
            words = read_words(page, textpage)
        finally:
            textpage.close()
        lines = PageLines(number, words.width, words.height, lines_of(words.words))
        notices = Notices()
        return ReadPage(words, lines, fields_markdown(read_fields(self._document, page, notices)), notices)

    @contextmanager
    def _page(self, number: int) -> Generator[pdfium.PdfPage]:
        """Loads a page; now and then the document anew, for PDFium keeps what it has parsed as long as it is open."""
        if self._loaded == MOST_LOADED:
            self._document.close()
            self._document = load(self._content, self._password)
            self._loaded = 0
        self._loaded += 1
        page = self._document[number - 1]
        try:
            yield page
        finally:
            page.close()


def _tables(page: pdfium.PdfPage, lines: list[Line], read: ReadPage) -> list[Table]:
    """Finds the tables among lines."""
    words = [word for line in lines for word in line.words]
    return find_tables(words, read_rulings(page, read.words.frame, read.notices), read.notices) if words else []


def _without_text(page: pdfium.PdfPage) -> str:
    images = count_images(page)
    return f"<!-- no text on this page{': ' if images else ''}{images} -->"
