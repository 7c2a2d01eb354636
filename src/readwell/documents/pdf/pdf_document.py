"""The PDF converter: an opened PDF whose pages become Markdown one by one, in any order."""

from __future__ import annotations

import codecs
from collections.abc import Generator
from contextlib import contextmanager

import pypdfium2 as pdfium

from ...errors import ConversionFailed, DocumentEmpty
from ...named_tuple import NamedTuple
from ..contract import NEEDS_RECOGNITION
from .continued_table.continuation_marks import ContinuedTables, KnownContinuations
from .continued_table.same_table import PageWithTables
from .document_facts.bookmark_titles import read_bookmark_titles
from .document_facts.profile import Profile, choose_sampled_pages, dump_profile, learn_profile, load_profile
from .document_facts.running_lines import running_lines_first_shown, without_running_lines
from .page_content.page_reading import PageContent, PageText, read_rest, read_text, with_objects
from .page_content.text_lines import Line
from .page_model import Table
from .page_notices import running_lines_notice
from .page_text.code_listings import without_code
from .page_text.page_markdown import PageHints, page_markdown
from .pdf_loading import NO_PAGES, load_pdf
from .scans.page_image_count import has_scan
from .scans.page_recognition import Recogniser, RefusingRecogniser, ScanHandling, recognised_markdown
from .scans.unreadable_text import MOSTLY_IMAGE, UNREADABLE_LAYER
from .table_search.find_tables import find_tables
from .table_search.tables_in_text import without_tables_in_text

MAX_KEPT_PAGES, MAX_KEPT_WORDS = 100, 50_000
PAGES_PER_LOAD = 100
CODEC = codecs.lookup("utf-16-le")
"""The encoding of PDFium's texts, looked up at import: a caged process can load no codec."""
NO_ENGINE = ScanHandling()
KEPT_LAYOUTS = 3
"""Pages whose tables are kept: one, and its neighbours."""
BLANK = "<!-- this page is blank -->"
UNREADABLE = "<!-- this page is damaged and could not be read -->"


class Layout(NamedTuple):
    """A page with its lines, but for running ones, and its tables."""

    read: PageContent
    lines: list[Line]
    tables: list[Table]


def open_pdf(
    content: bytes, password: str | None, prepared: bytes, printed: bool = False, scans: ScanHandling = NO_ENGINE
) -> PdfPages:
    """Opens a PDF; raises where it is locked, damaged or, unless an engine reads scans, without text on any page.

    `prepared` is a stored profile, or empty to learn one from the pages. `printed` keeps the printed lines.
    """
    return PdfPages(content, password, load_profile(prepared), printed, scans)


class PdfPages:
    """An opened PDF. What was read of pages to learn its profile is kept until they are converted."""

    unit = "page"

    def __init__(
        self,
        content: bytes,
        password: str | None,
        profile: Profile | None,
        printed: bool = False,
        scans: ScanHandling = NO_ENGINE,
    ) -> None:
        self._content, self._password, self._printed, self._scans = content, password, printed, scans
        self._document = load_pdf(content, password)
        self._loaded = 0
        self._kept: dict[int, PageContent] = {}
        self._kept_texts: dict[int, PageText] = {}
        self._layouts: dict[int, Layout] = {}
        self._continuations = KnownContinuations()
        self._kept_words = 0
        self.count = len(self._document)
        self._profile = profile or self._learn()

    def prepared(self) -> bytes:
        """Returns the profile as bytes, so that the next opening need not learn it again."""
        return dump_profile(self._profile)

    def markdown(self, number: int) -> str:
        """Returns one page, counted from 1; a comment replaces a page that is damaged or has no text."""
        if not 1 <= number <= self.count:
            raise IndexError(number)
        try:
            laid = self._layout_of(number)
            page = laid.read
            if self._scans.engine and (page.scan or (self._scans.always and not page.text.is_blank)):
                return self._recognise_page(number, self._scans.engine, page.text.markdown_below)
        except pdfium.PdfiumError:
            return UNREADABLE
        if page.scan == UNREADABLE_LAYER:
            return "\n\n".join(filter(None, [f"<!-- {UNREADABLE_LAYER} -->", page.text.markdown_below]))
        markdown = self._layout_markdown(laid) if page.text.words.words else ""
        if not page.text.has_text:
            markdown = BLANK if page.text.is_blank else _no_text_comment(page.images)
        return "\n\n".join(filter(None, [page.text.notices.markdown, markdown, page.text.markdown_below]))

    def close(self) -> None:
        """Frees the memory of PDFium."""
        self._kept.clear()
        self._kept_texts.clear()
        self._layouts.clear()
        self._document.close()

    def _recognise_page(self, number: int, engine: Recogniser, below: str) -> str:
        """Returns a page as an engine reads its image."""
        with self._page(number) as page:
            return "\n\n".join(filter(None, [recognised_markdown(page, number, engine, self._printed), below]))

    def _layout_markdown(self, laid: Layout) -> str:
        """Returns the Markdown of a page that was read, with its tables."""
        page = laid.read
        number = page.text.lines.number
        hints = PageHints(self._profile.titles.get(number, ()), page.tags, page.links, page.embedded)
        tables = laid.tables
        if not page.scan:
            tables = ContinuedTables(self._continuations, self._page_with_tables).tables_of_page(number)
        return page_markdown(laid.lines, tables, self._profile, hints, self._printed)

    def _layout_of(self, number: int) -> Layout:
        """Returns a page with its tables; the last few are kept, for tables that go on over pages."""
        if number not in self._layouts:
            page = self._kept.pop(number, None) or self._read(number)
            while len(self._layouts) >= KEPT_LAYOUTS:
                del self._layouts[next(iter(self._layouts))]
            self._layouts[number] = self._lay_out(page)
        return self._layouts[number]

    def _lay_out(self, read: PageContent) -> Layout:
        """Finds the running lines and tables of a page that was read, unless an engine reads its image."""
        if read.scan == UNREADABLE_LAYER or (self._scans.engine and (read.scan or self._scans.always)):
            return Layout(read, [], [])
        page, notices = read.text.lines, read.text.notices
        if read.scan == MOSTLY_IMAGE:
            notices.add(MOSTLY_IMAGE)
        lines = without_running_lines(page, self._profile.running)
        if first_shown := running_lines_first_shown(page, self._profile.running):
            notices.add(running_lines_notice(first_shown))
        prose = lines if self._profile.mono_body else without_code(lines, read.rulings)
        words = [word for line in prose for word in line.words]
        tables = find_tables(words, read.rulings, notices) if words else []
        return Layout(read, lines, without_tables_in_text(tables, lines))

    def _page_with_tables(self, number: int) -> PageWithTables | None:
        """Returns a page whose tables may go on from or to another; none on a page that is an image."""
        if not 1 <= number <= self.count:
            return None
        try:
            laid = self._layout_of(number)
        except pdfium.PdfiumError:
            return None
        return None if laid.read.scan else PageWithTables(laid.read.text.lines, laid.tables, self._profile.running)

    def _learn(self) -> Profile:
        """Learns the profile from the text of sampled pages."""
        samples = [self._sample_text(number) for number in choose_sampled_pages(self.count)]
        pages = [text.lines for text in samples if text and text.has_content]
        if not pages and not self._is_scan():
            pages = [self._first_with_text().lines]
        return learn_profile(pages, read_bookmark_titles(self._document))

    def _is_scan(self) -> bool:
        """Whether an engine reads this document, of whose sampled pages none has text; raises where one is needed."""
        if not self._scans.engine or not any(map(self._has_scan, choose_sampled_pages(self.count))):
            return False
        if isinstance(self._scans.engine, RefusingRecogniser):
            raise ConversionFailed("pdf", NEEDS_RECOGNITION)
        return True

    def _has_scan(self, number: int) -> bool:
        try:
            with self._page(number) as page:
                return has_scan(page)
        except pdfium.PdfiumError:
            return False

    def _first_with_text(self) -> PageText:
        """Returns the first page with text where the sampled pages have none; raises where no page has."""
        damaged = blank = 0
        for number in range(1, self.count + 1):
            text = self._sample_text(number)
            if text and text.has_content:
                return text
            damaged += text is None
            blank += text is not None and text.is_blank
        if damaged == self.count:
            raise ConversionFailed("pdf", NO_PAGES)
        raise DocumentEmpty("pdf", self.count, blank, with_ocr=int(self._scans.engine is not None))

    def _sample_text(self, number: int) -> PageText | None:
        """Returns the text of a page, None where it is damaged; keeps it, and the whole page of a short document."""
        try:
            with self._page(number) as page:
                text = read_text(self._document, page, number)
                self._kept_words += len(text.words.words)
                is_kept = self._kept_words <= MAX_KEPT_WORDS and text.has_content
                if is_kept and self.count <= MAX_KEPT_PAGES:
                    self._kept[number] = read_rest(self._document, page, text)
                text = text._replace(objects=())
                if is_kept and self.count > MAX_KEPT_PAGES:
                    self._kept_texts[number] = text
                return text
        except pdfium.PdfiumError:
            return None

    def _read(self, number: int) -> PageContent:
        with self._page(number) as page:
            known = self._kept_texts.pop(number, None)
            text = with_objects(page, known) if known else read_text(self._document, page, number)
            return read_rest(self._document, page, text)

    @contextmanager
    def _page(self, number: int) -> Generator[pdfium.PdfPage]:
        """Loads a page. Reloads the document now and then: PDFium keeps all that it has parsed while it is open."""
        if self._loaded == PAGES_PER_LOAD:
            self._document.close()
            self._document = load_pdf(self._content, self._password)
            self._loaded = 0
        self._loaded += 1
        page = self._document[number - 1]
        try:
            yield page
        finally:
            page.close()


def _no_text_comment(images: str) -> str:
    return f"<!-- no text on this page{': ' if images else ''}{images} -->"
