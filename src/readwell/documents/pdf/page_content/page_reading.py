"""Reads from a page with PDFium all that its Markdown needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....named_tuple import NamedTuple
from ..document_facts.running_lines import PageLines
from ..page_model import PageWords, Rulings
from ..page_notices import RECOGNISED_LAYER, Notices, outside_notice, pictured_notice, unseen_notice
from ..pdfium_calls import Characters, Drawings
from ..scans.page_image_count import has_scan, image_count_in_words, is_blank
from ..scans.unreadable_text import scan_notice
from .annotations import AnnotationLists, read_annotations
from .embedded_images import EmbeddedImage, read_embedded_images
from .hidden_by_drawing import PageView
from .hidden_words import find_unseen_words
from .page_links import read_links
from .ruling_lines import read_rulings
from .structure_tags import read_heading_tags
from .text_lines import lines_of
from .vector_paths import PageObject, read_objects
from .words import read_words

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage

NO_RULINGS = Rulings([], [], [])


class PageText(NamedTuple):
    """The text of a page: its words, the same as lines, what stands beside the print, and notices so far."""

    words: PageWords
    lines: PageLines
    beside: AnnotationLists
    notices: Notices
    objects: Sequence[PageObject] = ()
    """What is drawn on the page, while it is loaded."""
    is_blank: bool = False
    """Whether there is nothing on the page."""

    is_scan: bool = False
    """Whether a page without text is an image that may show words; looked at only where there are comments."""

    @property
    def has_text(self) -> bool:
        """Whether the page has words or filled-in values."""
        return bool(self.words.words or self.beside.filled_in)

    @property
    def has_content(self) -> bool:
        """Whether there is anything to read: text, or comments on a page that is no scan."""
        return self.has_text or (bool(self.beside.comments) and not self.is_scan)

    @property
    def markdown_below(self) -> str:
        """What stands below the text of the page, in Markdown: filled-in values and comments."""
        return "\n\n".join(filter(None, self.beside))


class PageContent(NamedTuple):
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


def read_text(document: PdfDocument, page: PdfPage, number: int) -> PageText:
    """Reads the words that can be seen on a page, and the values of its fields."""
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
    beside = read_annotations(document, page, words, notices)
    text = PageText(words, lines, beside, notices=notices, objects=objects)
    if text.has_text:
        return text
    return text._replace(is_blank=is_blank(page), is_scan=bool(beside.comments) and has_scan(page))


def with_objects(page: PdfPage, text: PageText) -> PageText:
    """Returns a text that was read before with what is drawn on its page, which is loaded again."""
    words = text.words
    return text._replace(objects=read_objects(Drawings(page), words.frame, text.notices) if words.words else ())


def read_rest(document: PdfDocument, page: PdfPage, text: PageText) -> PageContent:
    """Reads everything but the text: rulings, tags, links; or the number of images of a page without text."""
    words, notices = text.words, text.notices
    if not words.words:
        images = "" if text.beside.filled_in else image_count_in_words(page)
        return PageContent(
            text=text._replace(objects=()),
            rulings=NO_RULINGS,
            tags={},
            links={},
            images=images,
            scan="no text" if images and has_scan(page) else "",
        )
    links = read_links(document, page, words, notices)
    rulings = read_rulings(page, words.frame, notices, text.objects)
    tags = read_heading_tags(page, words.words)
    scan = "" if RECOGNISED_LAYER in notices else scan_notice(page, words, text.objects)
    return PageContent(
        text=text._replace(objects=()),
        rulings=rulings,
        tags=tags,
        links=links,
        images="",
        embedded=read_embedded_images(page, text.lines.number, words.frame, text.objects),
        scan=scan,
    )


def _seen(view: PageView, notices: Notices) -> PageWords:
    """Returns the words of a page that can be seen; the invisible ones of a scan are its text."""
    words = view.words
    unseen = find_unseen_words(view)
    if unseen.layer:
        notices.add(RECOGNISED_LAYER)
        return words
    if unseen.pictured:
        notices.add(pictured_notice(unseen.pictured))
    if unseen.words:
        notices.add(unseen_notice(len(unseen.words)))
        return words._replace(words=[word for word in words.words if word.char_index not in unseen.words])
    return words
