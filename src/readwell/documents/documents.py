"""`Documents`, the way in to all conversions: turns an opened source into a text or a picture."""

from __future__ import annotations

from _thread import allocate_lock
from collections.abc import Callable

from stringzilla import Sha256

from ..deadline import Deadline
from ..encoded_image import Picture
from ..errors import ConversionFailed, ReadError, TooLarge
from ..fork_locks import renew_after_fork
from ..import_guard import ImportPath, importing_only_from
from ..light_typing import TYPE_CHECKING, Literal
from ..model import Span, Traits
from ..named_tuple import NamedTuple
from ..source import IdentityCache, Source, exact_size
from ..text import InMemoryText, split_lines

if TYPE_CHECKING:
    from .conversion_resources import ConversionResources
    from .converters import ConverterSpec
    from .image_size import Wanted
    from .ocr.engine_choice import OcrSettings
    from .paged_text import PagedText
    from .requested_page_images import DrawnPages
    from .whole_text import WholeText
    from .worker import Conversion, Unpacking

DocumentReader = Callable[[bytes, str], str]
"""(content, base name) -> Markdown: an application's replacement for the built-in converters."""

Ocr = Literal["auto", "never", "always"]
"""Which pages are recognised: those without text where an engine is installed, none, or all."""

PdfLines = Literal["paragraphs", "printed"]
"""What a line of a PDF's Markdown is: a paragraph, or a printed line."""

MAX_BYTES = 256 << 20
MAX_SEARCHED = 16 << 20
"""Bytes of the texts of documents that are kept for the next search."""
KEPT_ON_DISK_FROM = 1 << 18
"""Size of a file from which its outline is also cached on disk."""


class Activity(NamedTuple):
    """What was converted so far, for metrics."""

    conversions: int = 0
    """Conversions started."""
    running: int = 0
    """Conversions that run now."""
    cache_hits: int = 0
    """How often units were asked for that the cache had."""
    cache_misses: int = 0
    """How often units were asked for that the cache had not."""


class Documents:
    """Converts documents to texts and images to pictures; owns the worker and the cache.

    Nothing is imported or started before the first document. Safe to share among threads.

    Args:
        folder: Folder of the cache on disk; None: the cache is in memory only.
        password: Password of locked documents.
        reader: Replaces the built-in converters.
        import_path: Directories that converters are imported from.
        pdf_lines: What a line of a PDF is.
        ocr: Which pages are recognised, and in which languages; None: the usual way.
    """

    def __init__(
        self,
        folder: str | None,
        password: str | None,
        reader: DocumentReader | None,
        import_path: ImportPath = (),
        pdf_lines: PdfLines = "paragraphs",
        ocr: OcrSettings | None = None,
    ) -> None:
        if pdf_lines not in ("paragraphs", "printed"):
            raise ValueError(f'pdf_lines must be "paragraphs" or "printed", not {pdf_lines!r}')
        self._folder, self._password, self._pdf_lines = folder, password, pdf_lines
        self._ocr = ocr
        self.import_path = import_path
        self.reader = reader
        self._lock = allocate_lock()
        self._resources: ConversionResources | None = None
        self._searched: IdentityCache[WholeText] = IdentityCache(lambda whole: len(whole.text), MAX_SEARCHED)
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Replaces the lock; the worker handles forks by itself."""
        self._lock = allocate_lock()

    def text_of(self, source: Source, format_name: str, deadline: Deadline) -> PagedText | InMemoryText:
        """Returns a document as a text, converted as far as it is read; raises a ReadError where that fails."""
        _refuse_too_large(source)
        reader = self.reader
        if reader is None:
            return self._paged(source, format_name, deadline)
        deadline.announce("document", source.size)
        return convert_with_reader(reader, source, format_name)

    def whole_text(self, source: Source, format_name: str, deadline: Deadline) -> WholeText:
        """Returns all of a document; kept in memory, so that the next search need not put it together again."""
        from .whole_text import whole_text_of

        def convert_whole(source: Source) -> WholeText:
            return whole_text_of(self.text_of(source, format_name, deadline), format_name)

        return self._searched.get(source, convert_whole) if self.reader is None else convert_whole(source)

    def picture_of(self, source: Source, format_name: str, wanted: Wanted, deadline: Deadline) -> Picture | None:
        """Returns an image, decoded and scaled; None where no decoder is installed."""
        with importing_only_from(self.import_path):
            from .converters import find_image_decoder
            from .image_conversion import read_picture

        if find_image_decoder(self.import_path) is None:
            return None
        _refuse_too_large(source)
        deadline.announce("document", source.size)
        picture = read_picture(self._ask_child(source, format_name, deadline, wanted.encoded()))
        if picture is None:
            raise ConversionFailed(format_name, "the decoder sent what is no image")
        return picture

    def draw_pages(self, source: Source, pages: Span, wanted: Wanted, deadline: Deadline) -> DrawnPages:
        """Returns images of pages of a PDF, as many of those asked for as `wanted.tokens` allow, at least one."""
        with importing_only_from(self.import_path):
            from .converters import PAGE_IMAGES, find_page_drawer
            from .requested_page_images import draw_pages

        find_page_drawer(self.import_path)
        _refuse_too_large(source)
        deadline.announce("document", source.size)
        worker = self._shared_resources().worker

        def start(units: range) -> Conversion:
            return worker.convert(
                source.descriptor,
                PAGE_IMAGES,
                deadline,
                wanted=units,
                size=source.size,
                password=self._password,
                argument=wanted.encoded(),
            )

        return draw_pages(start, pages, wanted.tokens)

    def outline_of(
        self, source: Source, format_name: str, question: bytes, deadline: Deadline, lasting: bool = True
    ) -> str:
        """Returns the structure of a file as a parser sent it; `format_name` is of `OUTLINES`, `question` for it.

        The answer is cached for the same content and question; if `lasting`, also on disk where that pays.
        """
        with importing_only_from(self.import_path):
            from .converters import find_outline_parser, version_of

        version = version_of(find_outline_parser(format_name, self.import_path), self.import_path)
        _refuse_too_large(source)
        resources = self._shared_resources()
        cache, key = resources.cache, self._key(resources.digest_of(source, deadline), version, question)
        outline = cache.outline(key)
        if outline is None:
            deadline.announce("document", source.size)
            outline = self._ask_child(source, format_name, deadline, question)
            cache.keep_outline(key, outline, on_disk=lasting and source.size >= KEPT_ON_DISK_FROM)
        return outline

    def _ask_child(
        self, source: Source, format_name: str, deadline: Deadline, question: bytes = b"", tries: int = 3
    ) -> str:
        """Starts a decoder or parser and returns its whole answer; starts it again where it was killed from outside."""
        worker = self._shared_resources().worker
        try:
            with worker.convert(
                source.descriptor, format_name, deadline, size=source.size, password=self._password, argument=question
            ) as units:
                return "".join(units)
        except ConversionFailed as error:
            if not error.from_outside or tries == 1:
                raise
        return self._ask_child(source, format_name, deadline, question, tries - 1)

    def activity(self) -> Activity:
        """Returns what was converted so far."""
        resources = self._resources
        if resources is None:
            return Activity()
        return Activity(*resources.worker.job_counts(), resources.cache.hits, resources.cache.misses)

    def try_conversion(self, deadline: Deadline) -> None:
        """Converts a tiny document; raises a ReadError where no document can be converted."""
        from .worker.trial_conversion import try_conversion

        try_conversion(self._shared_resources().worker, deadline)

    def start_unpacking(self, source: Source, packing: str, question: bytes, deadline: Deadline) -> Unpacking:
        """Begins to unpack a file in a process of its own; `question` says what of it."""
        worker = self._shared_resources().worker
        return worker.unpack(source.descriptor, packing, source.size, question, deadline)

    def close(self) -> None:
        """Stops the worker and its conversions."""
        with self._lock:
            resources, self._resources = self._resources, None
        if resources:
            resources.worker.close()

    def _paged(self, source: Source, format_name: str, deadline: Deadline) -> PagedText:
        """Returns a document as a text whose units are converted as they are read."""
        with importing_only_from(self.import_path):
            from .conversion_start import ConversionStarter, choose_converter
            from .paged_text import PagedText
            from .unit_source import UnitSource

        recognise_all = self._ocr is not None and self._ocr.mode == "always"
        recogniser = self._recogniser() if format_name == "pdf" else None
        chosen = choose_converter(
            format_name, self._pdf_lines == "printed", recogniser, recognise_all, self.import_path
        )
        resources = self._shared_resources()
        digest = resources.digest_of(source, deadline)
        key = self._key(digest, chosen.version)
        start = ConversionStarter(resources, source, chosen, key, digest, self._password, deadline)
        return PagedText(UnitSource(key, resources.cache, start.convert_from, deadline), format_name, deadline)

    def _key(self, digest: bytes, version: str, question: bytes = b"") -> bytes:
        """Returns the cache key: other content, another converter, password or question gives another text."""
        secret = (self._password or "").encode(errors="surrogatepass")
        return Sha256().update(digest).update(version.encode()).update(secret).update(question).digest()

    def _recogniser(self) -> ConverterSpec | None:
        """Returns the converter that recognises pages; None where there is none, or it is not wanted."""
        with importing_only_from(self.import_path):
            from .ocr.engine_choice import OcrSettings, find_recogniser

        return find_recogniser(self._ocr or OcrSettings(), self._pdf_lines == "printed", self.import_path)

    def _shared_resources(self) -> ConversionResources:
        """Returns what all conversions share, made with the first one."""
        with importing_only_from(self.import_path):
            from .conversion_resources import new_resources

        with self._lock:
            if self._resources is None:
                self._resources = new_resources(self._folder, self._recogniser(), self.import_path)
            return self._resources


def _refuse_too_large(source: Source) -> None:
    """Raises TooLarge for what is too large to be converted."""
    if exact_size(source) > MAX_BYTES:
        raise TooLarge(MAX_BYTES)


def convert_with_reader(reader: DocumentReader, source: Source, format_name: str) -> InMemoryText:
    """Converts the whole document with the reader that the application gave."""
    content = source.read_at(0, source.size)
    try:
        markdown = reader(content, source.name)
    except ReadError:
        raise
    except Exception as error:  # a foreign parser may raise anything
        raise ConversionFailed(format_name, str(error).strip().rstrip(".") or type(error).__name__) from error
    if not isinstance(markdown, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ConversionFailed(format_name, f"the converter returned {type(markdown).__name__}, not str")
    markdown = markdown.encode(errors="replace").decode()
    return InMemoryText(split_lines(markdown), Traits(encoding="utf-8", newline="lf"))
