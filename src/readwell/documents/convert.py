"""The way in: `Documents` turns a source into a text or a picture, and holds what that takes."""

from __future__ import annotations

from _thread import allocate_lock
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from stringzilla import Sha256

from ..errors import ConversionFailed, ReadError, TooLarge
from ..forking import renew_after_fork
from ..installed import Places, only_from
from ..model import Traits
from ..picture import Picture
from ..source import Settled, Source, content_hash
from ..store import Store
from ..text import HeldText, split_lines
from ..watch import Watch
from .recognise import IMAGES

if TYPE_CHECKING:
    from .paged import PagedText
    from .shelf import Shelf
    from .worker import Conversion, Worker

DocumentReader = Callable[[bytes, str], str]
"""(content, base name) -> Markdown: what a caller may use instead of the built-in converters."""

MOST_BYTES = 256 << 20
MOST_STORED = 256 << 20
MOST_UNITS = 10_000_001
UNITS_VERSION = b"units003"


class Desk(NamedTuple):
    """What converting works with."""

    worker: Worker
    shelf: Shelf
    digests: Settled[bytes]


class Documents:
    """Turns documents into texts; holds the worker that converts them and what was converted.

    Safe to share between threads. Nothing is loaded or started before the first document, and then only from `places`.
    """

    def __init__(
        self, folder: str | None, password: str | None, reader: DocumentReader | None, places: Places = ()
    ) -> None:
        self._folder, self._password = folder, password
        self.places = places
        self.reader = reader
        self._lock = allocate_lock()
        self._desk: Desk | None = None
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Makes the lock new; the worker keeps processes apart by itself."""
        self._lock = allocate_lock()

    def text_of(self, source: Source, format_name: str, watch: Watch) -> PagedText | HeldText:
        """Returns a document as lines; raises a ReadError where it cannot be converted."""
        if source.size > MOST_BYTES:
            raise TooLarge(MOST_BYTES)
        reader = self.reader
        if reader is None:
            return self._paged(source, format_name, watch)
        watch.announce("document", source.size)
        return read_by(reader, source, format_name)

    def picture_of(self, source: Source, format_name: str, watch: Watch) -> Picture | None:
        """Returns an image as it can be shown; None where nothing is installed that decodes it."""
        with only_from(self.places):
            from .converters import find_image_decoder
            from .pictures import read_picture

        if find_image_decoder(self.places) is None:
            return None
        if source.size > MOST_BYTES:
            raise TooLarge(MOST_BYTES)
        watch.announce("document", source.size)
        picture = read_picture(self._decoded(source, format_name, watch))
        if picture is None:
            raise ConversionFailed(format_name, "the decoder sent what is no image")
        return picture

    def _decoded(self, source: Source, format_name: str, watch: Watch, tries: int = 3) -> str:
        """Returns what the decoder of an image sent; one that is killed from outside is started again."""
        try:
            with self._opened_desk().worker.convert(source.descriptor, format_name, watch, size=source.size) as units:
                return "".join(units)
        except ConversionFailed as error:
            if not error.from_outside or tries == 1:
                raise
        return self._decoded(source, format_name, watch, tries - 1)

    def close(self) -> None:
        """Ends the worker and whatever it is converting."""
        with self._lock:
            desk, self._desk = self._desk, None
        if desk:
            desk.worker.close()

    def _paged(self, source: Source, format_name: str, watch: Watch) -> PagedText:
        with only_from(self.places):
            from .book import Book
            from .converters import find_converter, version_of
            from .paged import PagedText

        version = version_of(find_converter(format_name, {}, self.places), self.places)
        desk = self._opened_desk()
        digest = desk.digests.found(source, partial(content_hash, check=watch.check))
        secret = (self._password or "").encode(errors="surrogatepass")
        key = Sha256().update(digest).update(version.encode()).update(secret).digest()

        def start(first: int, prepared: bytes) -> Conversion:
            failed = desk.shelf.failure(key, watch.clock())
            if failed:
                raise failed
            watch.announce("document", source.size)
            try:
                wanted = range(first, MOST_UNITS)
                return desk.worker.convert(
                    source.descriptor, format_name, watch, wanted, source.size, digest.hex(), self._password, prepared
                )
            except (ConversionFailed, TooLarge) as error:
                if not (isinstance(error, ConversionFailed) and error.from_outside):
                    desk.shelf.keep_failure(key, watch.clock(), error)
                raise

        return PagedText(Book(key, desk.shelf, start, watch), format_name, watch)

    def _opened_desk(self) -> Desk:
        with only_from(self.places):
            from .converters import IMAGE_DECODER
            from .shelf import Shelf
            from .worker import Worker

        with self._lock:
            if self._desk is None:
                store = Store(self._folder, UNITS_VERSION, MOST_STORED) if self._folder else None
                decoders = dict.fromkeys(IMAGES, f"{IMAGE_DECODER.module}:{IMAGE_DECODER.name}")
                self._desk = Desk(Worker(decoders, places=self.places), Shelf(store), Settled())
            return self._desk


def read_by(reader: DocumentReader, source: Source, format_name: str) -> HeldText:
    """Converts the whole document with the caller's own reader."""
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
    return HeldText(split_lines(markdown), Traits(encoding="utf-8", newline="lf"))
