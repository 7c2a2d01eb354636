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
KEPT_ON_DISK_FROM = 1 << 18
"""Bytes of a file from which finding its outline takes longer than reading it from disk."""


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

    def text_of(self, source: Source, form: str, watch: Watch) -> PagedText | HeldText:
        """Returns a document as lines; raises a ReadError where it cannot be converted."""
        if source.size > MOST_BYTES:
            raise TooLarge(MOST_BYTES)
        reader = self.reader
        if reader is None:
            return self._paged(source, form, watch)
        watch.announce("document", source.size)
        return read_by(reader, source, form)

    def picture_of(self, source: Source, form: str, watch: Watch) -> Picture | None:
        """Returns an image as it can be shown; None where nothing is installed that decodes it."""
        with only_from(self.places):
            from .converters import place_of_pictures
            from .pictures import read_picture

        if place_of_pictures(self.places) is None:
            return None
        if source.size > MOST_BYTES:
            raise TooLarge(MOST_BYTES)
        watch.announce("document", source.size)
        picture = read_picture(self._decoded(source, form, watch))
        if picture is None:
            raise ConversionFailed(form, "the decoder sent what is no image")
        return picture

    def outline_of(self, source: Source, form: str, asked: bytes, watch: Watch, lasting: bool = True) -> str:
        """Returns what a finder of outlines told of a file; `form` is one of `OUTLINES`, `asked` what it wants to know.

        What was told is kept, so that the same question about the same content is answered at once; if `lasting`, on
        disk too, where that pays.
        """
        with only_from(self.places):
            from .converters import place_of_outlines, version_of

        version = version_of(place_of_outlines(form, self.places), self.places)
        if source.size > MOST_BYTES:
            raise TooLarge(MOST_BYTES)
        desk = self._opened_desk()
        key = self._key(desk, source, version, watch, asked)
        told = desk.shelf.outline(key)
        if told is None:
            watch.announce("document", source.size)
            told = self._decoded(source, form, watch, asked)
            desk.shelf.keep_outline(key, told, lasting and source.size >= KEPT_ON_DISK_FROM)
        return told

    def _decoded(self, source: Source, form: str, watch: Watch, asked: bytes = b"", tries: int = 3) -> str:
        """Returns what a decoder sent; one that is killed from outside is started again."""
        worker = self._opened_desk().worker
        try:
            with worker.convert(
                source.descriptor, form, watch, size=source.size, password=self._password, prepared=asked
            ) as units:
                return "".join(units)
        except ConversionFailed as error:
            if not error.from_outside or tries == 1:
                raise
        return self._decoded(source, form, watch, asked, tries - 1)

    def close(self) -> None:
        """Ends the worker and whatever it is converting."""
        with self._lock:
            desk, self._desk = self._desk, None
        if desk:
            desk.worker.close()

    def _paged(self, source: Source, form: str, watch: Watch) -> PagedText:
        with only_from(self.places):
            from .book import Book
            from .converters import place_of, version_of
            from .paged import PagedText

        version = version_of(place_of(form, {}, self.places), self.places)
        desk = self._opened_desk()
        digest = desk.digests.found(source, partial(content_hash, check=watch.check))
        key = self._key(desk, source, version, watch)

        def start(first: int, prepared: bytes) -> Conversion:
            failed = desk.shelf.failure(key, watch.clock())
            if failed:
                raise failed
            watch.announce("document", source.size)
            try:
                wanted = range(first, MOST_UNITS)
                return desk.worker.convert(
                    source.descriptor, form, watch, wanted, source.size, digest.hex(), self._password, prepared
                )
            except (ConversionFailed, TooLarge) as error:
                if not (isinstance(error, ConversionFailed) and error.from_outside):
                    desk.shelf.keep_failure(key, watch.clock(), error)
                raise

        return PagedText(Book(key, desk.shelf, start, watch), form, watch)

    def _key(self, desk: Desk, source: Source, version: str, watch: Watch, asked: bytes = b"") -> bytes:
        """Returns what a content is kept by: another version, password or question gives another text."""
        digest = desk.digests.found(source, partial(content_hash, check=watch.check))
        secret = (self._password or "").encode(errors="surrogatepass")
        return Sha256().update(digest).update(version.encode()).update(secret).update(asked).digest()

    def _opened_desk(self) -> Desk:
        with only_from(self.places):
            from .converters import OUTLINES, PICTURES
            from .shelf import Shelf
            from .worker import Worker

        with self._lock:
            if self._desk is None:
                store = Store(self._folder, UNITS_VERSION, MOST_STORED) if self._folder else None
                places = dict.fromkeys(IMAGES, PICTURES) | OUTLINES
                own = {form: f"{place.module}:{place.name}" for form, place in places.items()}
                self._desk = Desk(Worker(own, places=self.places), Shelf(store), Settled())
            return self._desk


def read_by(reader: DocumentReader, source: Source, form: str) -> HeldText:
    """Converts the whole document with the caller's own reader."""
    content = source.read_at(0, source.size)
    try:
        markdown = reader(content, source.name)
    except ReadError:
        raise
    except Exception as error:  # a foreign parser may raise anything
        raise ConversionFailed(form, str(error).strip().rstrip(".") or type(error).__name__) from error
    if not isinstance(markdown, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ConversionFailed(form, f"the converter returned {type(markdown).__name__}, not str")
    markdown = markdown.encode(errors="replace").decode()
    return HeldText(split_lines(markdown), Traits(encoding="utf-8", newline="lf"))
