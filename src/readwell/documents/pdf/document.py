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
from .lines import lines_of
from .links import read_links
from .loading import NO_PAGES, load
from .model import PageWords, Rulings
from .notices import Notices, told_to_be_outside, told_to_run
from .outline import read_outline
from .page import Told, page_markdown
from .profile import Profile, dump_profile, learn, load_profile, sampled_numbers
from .rulings import read_rulings
from .running import PageLines, named_lines, own_lines
from .tables import find_tables
from .tags import read_tags
from .words import read_words

MOST_HELD_PAGES, MOST_HELD_WORDS = 100, 50_000
MOST_LOADED = 100
CODEC = codecs.lookup("utf-16-le")
"""PDFium's texts; looked up here, for a process that is caged after its imports can load nothing more."""
NO_RULINGS = Rulings([], [], [])
UNREADABLE = "<!-- this page is damaged and could not be read -->"


class Printed(NamedTuple):
    """A page's words, the same as lines, as Markdown what was filled in, and what was left out so far."""

    words: PageWords
    lines: PageLines
    filled_in: str
    notices: Notices

    @property
    def has_text(self) -> bool:
        """Whether there is anything to read."""
        return bool(self.words.words or self.filled_in)


class ReadPage(NamedTuple):
    """All that PDFium says about a page, so that it need not be loaded again."""

    printed: Printed
    rulings: Rulings
    tags: dict[int, int]
    links: dict[int, str]
    images: str
    """Told where there is nothing to read."""


def open_pdf(content: bytes, password: str | None, prepared: bytes) -> PdfPages:
    """Opens a PDF; raises where it is locked, damaged or without text on any page."""
    return PdfPages(content, password, load_profile(prepared))


class PdfPages:
    """An opened PDF. What was read of a short one to learn its profile is kept until its page is asked for."""

    unit = "page"

    def __init__(self, content: bytes, password: str | None, profile: Profile | None) -> None:
        self._content, self._password = content, password
        self._document = load(content, password)
        self._loaded = 0
        self._held: dict[int, ReadPage] = {}
        self._held_words = 0
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
            read = self._held.pop(number, None) or self._read(number)
        except pdfium.PdfiumError:
            return UNREADABLE
        printed = read.printed
        text = self._converted(read) if printed.words.words else ""
        if not printed.has_text:
            text = _without_text(read.images)
        return "\n\n".join(filter(None, [printed.notices.markdown, text, printed.filled_in]))

    def close(self) -> None:
        """Gives back what PDFium holds."""
        self._held.clear()
        self._document.close()

    def _converted(self, read: ReadPage) -> str:
        page = read.printed.lines
        lines = own_lines(page, self._profile.running)
        if named := named_lines(page, self._profile.running):
            read.printed.notices.tell(told_to_run(named))
        told = Told(self._profile.titles.get(page.number, ()), read.tags, read.links)
        prose = lines if self._profile.mono_body else without_code(lines)
        words = [word for line in prose for word in line.words]
        tables = find_tables(words, read.rulings, read.printed.notices) if words else []
        return page_markdown(lines, tables, self._profile, told)

    def _learn(self) -> Profile:
        """Learns the profile from what is printed on some pages."""
        samples = [self._glance(number) for number in sampled_numbers(self.count)]
        pages = [printed.lines for printed in samples if printed and printed.has_text]
        return learn(pages or [self._first_with_text().lines], read_outline(self._document))

    def _first_with_text(self) -> Printed:
        """Looks through all pages where those of the sample have no text; raises where none has."""
        damaged = 0
        for number in range(1, self.count + 1):
            printed = self._glance(number)
            if printed and printed.has_text:
                return printed
            damaged += printed is None
        if damaged == self.count:
            raise ConversionFailed("pdf", NO_PAGES)
        raise DocumentEmpty("pdf", self.count)

    def _glance(self, number: int) -> Printed | None:
        """Returns what is printed on a page, None where it is damaged; holds pages of a short document, read whole."""
        try:
            with self._page(number) as page:
                printed = self._printed(page, number)
                self._held_words += len(printed.words.words)
                if self.count <= MOST_HELD_PAGES and self._held_words <= MOST_HELD_WORDS and printed.has_text:
                    self._held[number] = self._whole(page, printed)
                return printed
        except pdfium.PdfiumError:
            return None

    def _read(self, number: int) -> ReadPage:
        with self._page(number) as page:
            return self._whole(page, self._printed(page, number))

    def _whole(self, page: pdfium.PdfPage, printed: Printed) -> ReadPage:
        words, notices = printed.words, printed.notices
        if not words.words:
            return ReadPage(printed, NO_RULINGS, {}, {}, "" if printed.filled_in else count_images(page))
        links = read_links(self._document, page, words, notices)
        rulings = read_rulings(page, words.frame, notices)
        return ReadPage(printed, rulings, read_tags(page, words.words), links, "")

    def _printed(self, page: pdfium.PdfPage, number: int) -> Printed:
        textpage = page.get_textpage()
        try:
            words = read_words(page, textpage)
        finally:
            textpage.close()
        lines = PageLines(number, words.width, words.height, lines_of(words.words))
        notices = Notices()
        if words.outside:
            notices.tell(told_to_be_outside(words.outside))
        return Printed(words, lines, fields_markdown(read_fields(self._document, page, notices)), notices)

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


def _without_text(images: str) -> str:
    return f"<!-- no text on this page{': ' if images else ''}{images} -->"
