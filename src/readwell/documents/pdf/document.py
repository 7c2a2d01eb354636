"""The PDF converter: an opened PDF whose pages become Markdown one by one, in any order."""

from __future__ import annotations

import codecs
from collections.abc import Generator, Sequence
from contextlib import contextmanager

import pypdfium2 as pdfium

from ...errors import ConversionFailed, DocumentEmpty
from ...named_tuple import NamedTuple
from ..contract import NEEDS_RECOGNITION
from .code import without_code
from .embedded_images import EmbeddedImage, read_embedded_images
from .fields import fields_markdown, read_fields
from .images import count_images, has_scan
from .lines import lines_of
from .links import read_links
from .loading import NO_PAGES, load
from .model import PageWords, Rulings
from .notices import RECOGNISED_LAYER, Notices, outside_notice, running_lines_notice, unseen_notice
from .outline import read_outline
from .page import PageHints, page_markdown
from .paths import PageObject, read_objects
from .pdfium import Characters, Drawings
from .profile import Profile, dump_profile, learn, load_profile, sampled_numbers
from .recognition import Recogniser, Refusing, Scans, recognised_markdown
from .rulings import read_rulings
from .running_lines import PageLines, first_shown_lines, without_running_lines
from .scanned import MOSTLY_IMAGE, UNREADABLE_LAYER, scan_notice
from .tables import find_tables
from .tags import read_tags
from .visibility import PageView, find_unseen
from .words import read_words

MAX_KEPT_PAGES, MAX_KEPT_WORDS = 100, 50_000
PAGES_PER_LOAD = 100
CODEC = codecs.lookup("utf-16-le")
"""The encoding of PDFium's texts, looked up at import: a caged process can load no codec."""
NO_RULINGS = Rulings([], [], [])
NO_ENGINE = Scans()
UNREADABLE = "<!-- this page is damaged and could not be read -->"


class PageText(NamedTuple):
    """The text of a page: its words, the same as lines, filled-in values as Markdown, and notices so far."""

    words: PageWords
    lines: PageLines
    filled_in: str
    notices: Notices
    objects: Sequence[PageObject] = ()
    """What is drawn on the page, while it is loaded."""

    @property
    def has_text(self) -> bool:
        """Whether the page has words or filled-in values."""
        return bool(self.words.words or self.filled_in)


class ReadPage(NamedTuple):
    """Everything that is read from a page with PDFium, so that it need not be loaded again."""

    text: PageText
    rulings: Rulings
    tags: dict[int, int]
    links: dict[int, str]
    images: str
    """The number of images in words; only for pages without text."""
    embedded: Sequence[EmbeddedImage] = ()
    scan: str = ""
    """Why the text of the page is to be recognised in its image; empty where it is not."""


def open_pdf(
    content: bytes, password: str | None, prepared: bytes, printed: bool = False, scans: Scans = NO_ENGINE
) -> PdfPages:
    """Opens a PDF; raises where it is locked, damaged or, unless an engine reads scans, without text on any page.

    `prepared` is a stored profile, or empty to learn one from the pages. `printed` keeps the printed lines.
    """
    return PdfPages(content, password, load_profile(prepared), printed, scans)


class PdfPages:
    """An opened PDF. Pages of a short one that were read to learn its profile are kept until they are converted."""

    unit = "page"

    def __init__(
        self,
        content: bytes,
        password: str | None,
        profile: Profile | None,
        printed: bool = False,
        scans: Scans = NO_ENGINE,
    ) -> None:
        self._content, self._password, self._printed, self._scans = content, password, printed, scans
        self._document = load(content, password)
        self._loaded = 0
        self._kept: dict[int, ReadPage] = {}
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
            page = self._kept.pop(number, None) or self._read(number)
            if self._scans.engine and (page.scan or self._scans.always):
                return self._recognised(number, self._scans.engine, page.text.filled_in)
        except pdfium.PdfiumError:
            return UNREADABLE
        if page.scan == UNREADABLE_LAYER:
            return f"<!-- {UNREADABLE_LAYER} -->"
        if page.scan == MOSTLY_IMAGE:
            page.text.notices.add(MOSTLY_IMAGE)
        markdown = self._converted(page) if page.text.words.words else ""
        if not page.text.has_text:
            markdown = _without_text(page.images)
        return "\n\n".join(filter(None, [page.text.notices.markdown, markdown, page.text.filled_in]))

    def close(self) -> None:
        """Frees the memory of PDFium."""
        self._kept.clear()
        self._document.close()

    def _recognised(self, number: int, engine: Recogniser, filled_in: str) -> str:
        """Returns a page as an engine reads its image."""
        with self._page(number) as page:
            return "\n\n".join(filter(None, [recognised_markdown(page, number, engine, self._printed), filled_in]))

    def _converted(self, read: ReadPage) -> str:
        """Returns the Markdown of a page that was read: without running lines, with its tables."""
        page, notices = read.text.lines, read.text.notices
        lines = without_running_lines(page, self._profile.running)
        if first_shown := first_shown_lines(page, self._profile.running):
            notices.add(running_lines_notice(first_shown))
        hints = PageHints(self._profile.titles.get(page.number, ()), read.tags, read.links, read.embedded)
        prose = lines if self._profile.mono_body else without_code(lines)
        words = [word for line in prose for word in line.words]
        tables = find_tables(words, read.rulings, notices) if words else []
        return page_markdown(lines, tables, self._profile, hints, self._printed)

    def _learn(self) -> Profile:
        """Learns the profile from the text of sampled pages."""
        samples = [self._sampled(number) for number in sampled_numbers(self.count)]
        pages = [text.lines for text in samples if text and text.has_text]
        if not pages and not self._is_scan():
            pages = [self._first_with_text().lines]
        return learn(pages, read_outline(self._document))

    def _is_scan(self) -> bool:
        """Whether an engine reads this document, of whose sampled pages none has text; raises where one is needed."""
        if not self._scans.engine or not any(map(self._has_scan, sampled_numbers(self.count))):
            return False
        if isinstance(self._scans.engine, Refusing):
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
        damaged = 0
        for number in range(1, self.count + 1):
            text = self._sampled(number)
            if text and text.has_text:
                return text
            damaged += text is None
        if damaged == self.count:
            raise ConversionFailed("pdf", NO_PAGES)
        raise DocumentEmpty("pdf", self.count)

    def _sampled(self, number: int) -> PageText | None:
        """Returns the text of a page, None where it is damaged; keeps the pages of a short document."""
        try:
            with self._page(number) as page:
                text = self._text(page, number)
                self._kept_words += len(text.words.words)
                if self.count <= MAX_KEPT_PAGES and self._kept_words <= MAX_KEPT_WORDS and text.has_text:
                    self._kept[number] = self._rest(page, text)
                return text._replace(objects=())
        except pdfium.PdfiumError:
            return None

    def _read(self, number: int) -> ReadPage:
        with self._page(number) as page:
            return self._rest(page, self._text(page, number))

    def _rest(self, page: pdfium.PdfPage, text: PageText) -> ReadPage:
        """Reads everything but the text: rulings, tags, links; or the number of images of a page without text."""
        words, notices = text.words, text.notices
        if not words.words:
            images = "" if text.filled_in else count_images(page)
            return ReadPage(
                text=text._replace(objects=()),
                rulings=NO_RULINGS,
                tags={},
                links={},
                images=images,
                scan="no text" if images and has_scan(page) else "",
            )
        links = read_links(self._document, page, words, notices)
        rulings = read_rulings(page, words.frame, notices, text.objects)
        tags = read_tags(page, words.words)
        scan = "" if RECOGNISED_LAYER in notices else scan_notice(page, words, text.objects)
        return ReadPage(
            text=text._replace(objects=()),
            rulings=rulings,
            tags=tags,
            links=links,
            images="",
            embedded=read_embedded_images(page, text.lines.number, words.frame, text.objects),
            scan=scan,
        )

    def _text(self, page: pdfium.PdfPage, number: int) -> PageText:
        """Returns the words and lines of a page; those that cannot be seen are left out and noted."""
        notices = Notices()
        textpage = page.get_textpage()
        try:
            objects: list[PageObject] = []

            def keep(words: PageWords) -> PageWords:
                objects.extend(read_objects(Drawings(page), words.frame, notices) if words.words else ())
                return _seen(PageView(page, words, objects, Characters(textpage).text_object), notices)

            words = read_words(page, textpage, keep)
        finally:
            textpage.close()
        lines = PageLines(number, words.width, words.height, lines_of(words.words))
        if words.outside:
            notices.add(outside_notice(words.outside))
        filled_in = fields_markdown(read_fields(self._document, page, notices))
        return PageText(words, lines, filled_in, notices, objects)

    @contextmanager
    def _page(self, number: int) -> Generator[pdfium.PdfPage]:
        """Loads a page. Reloads the document now and then: PDFium keeps all that it has parsed while it is open."""
        if self._loaded == PAGES_PER_LOAD:
            self._document.close()
            self._document = load(self._content, self._password)
            self._loaded = 0
        self._loaded += 1
        page = self._document[number - 1]
        try:
            yield page
        finally:
            page.close()


def _seen(view: PageView, notices: Notices) -> PageWords:
    """Returns the words of a page that can be seen; the invisible ones of a scan are its text."""
    words = view.words
    unseen = find_unseen(view)
    if unseen.layer:
        notices.add(RECOGNISED_LAYER)
        return words
    if unseen.words:
        notices.add(unseen_notice(len(unseen.words)))
        return words._replace(words=[word for word in words.words if word.char_index not in unseen.words])
    return words


def _without_text(images: str) -> str:
    return f"<!-- no text on this page{': ' if images else ''}{images} -->"
