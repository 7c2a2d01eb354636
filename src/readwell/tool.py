"""Params in, reply out: the one place where a ReadError becomes an answer."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from time import monotonic, time
from typing import TYPE_CHECKING

from .dialects.dialect import Batch, Batching, Dialect
from .documents import DocumentReader, Documents
from .engine import Means, read
from .errors import ReadError
from .model import Call, ReadResult, Reply
from .policy import Denials
from .source import Beneath, DiskOpener, Opener, Route, RoutedOpener
from .store import Store
from .text import Memory
from .watch import Cancelled, Progress, PutOff, Watch, Weigh

if TYPE_CHECKING:
    from .audit import Audit

__all__ = ["CACHE_DIR", "DEADLINE_S", "DocumentReader", "Progress", "PutOff", "Tool"]

DEADLINE_S = 30.0
INDEX_VERSION = b"index002"
MOST_STORED = 256 << 20
CACHE_DIR = "~/Library/Caches/readwell" if sys.platform == "darwin" else "~/.cache/readwell"


class Tool:
    """A dialect over the engine, confined to its roots. Thread-safe; `close` gives back the roots.

    Without roots nothing is confined. Relative paths start at `cwd`: the first root, or the
    process's own directory. `beneath` chooses how a root is kept; the best there is if not given.
    `denials` says what may not be read inside the roots; `audit` is told of each call.
    Indexes of large files and converted documents are kept in `cache_dir`; None: in memory only.
    `document_reader` replaces the built-in converters. `routes` lead to what is not on this disk, by name.
    """

    def __init__(
        self,
        dialect: Dialect,
        roots: Sequence[str] = (),
        cwd: str | None = None,
        *,
        deadline_s: float = DEADLINE_S,
        on_progress: Progress | None = None,
        document_reader: DocumentReader | None = None,
        password: str | None = None,
        clock: Callable[[], float] = monotonic,
        beneath: Beneath | None = None,
        cache_dir: str | None = CACHE_DIR,
        denials: Denials | None = None,
        audit: Audit | None = None,
        routes: Sequence[Route] = (),
    ) -> None:
        self.dialect = dialect
        folder = os.path.expanduser(cache_dir) if cache_dir else None
        memory = Memory(Store(folder, INDEX_VERSION, MOST_STORED) if folder else None)
        self._documents = Documents(folder and os.path.join(folder, "documents"), password, document_reader)
        disk = DiskOpener(tuple(roots), cwd, beneath, denials)
        self._opener: Opener = RoutedOpener(routes, disk) if routes else disk
        self._deadline_s, self._on_progress, self._clock = deadline_s, on_progress, clock
        self._audit = audit
        self._means = Means(self._opener, memory, self._documents, audited=audit is not None)

    def read(self, params: object, cancelled: Cancelled | None = None) -> ReadResult:
        """Reads and returns what was found; raises a ReadError that can be printed."""
        began = self._clock()
        try:
            return self._read(self.dialect, params, self._watch(began, cancelled))
        except ReadError as error:
            error.told = self.dialect.render_error(error, self._call(params, began)).text
            raise

    def reply(
        self,
        params: object,
        cancelled: Cancelled | None = None,
        on_progress: Progress | None = None,
        on_opened: Weigh | None = None,
    ) -> Reply:
        """Reads and returns the dialect's answer, also to a failure; stops soon after `cancelled` says so.

        `on_progress` is this call's own. `on_opened` is told what was opened, before it is read, and may put it off.
        """
        began = self._clock()
        watch = self._watch(began, cancelled, on_progress, on_opened)
        try:
            batching = self.dialect.batching
            if batching and (batch := batching.parse(params)):
                return self._reply_to_batch(batch, batching, watch, began)
            result = self._read(self.dialect, params, watch)
            return self.dialect.render(result, self._call(params, began))
        except ReadError as error:
            return self.dialect.render_error(error, self._call(params, began))._replace(error=error)
        except PutOff:
            raise
        except Exception as defect:
            # Only a dialect that promises an answer even to a defect of ours may hide one.
            if self.dialect.render_defect is None:
                raise
            _log(defect)
            return self.dialect.render_defect(self._call(params, began))

    def without_images(self) -> Tool:
        """Returns this tool for those who can carry nothing but text; what it holds is the same, and closed with it."""
        from copy import copy

        plain = copy(self)
        plain.dialect = self.dialect._replace(rules=self.dialect.rules._replace(images=False))
        return plain

    def read_documents_with(self, reader: DocumentReader | None) -> None:
        """Has documents converted by a function of the caller's from now on; None: by the built-in converters."""
        self._documents.reader = reader

    def close(self) -> None:
        """Closes the descriptors of the roots and ends the processes that convert documents."""
        self._opener.close()
        self._documents.close()

    def _watch(
        self,
        began: float,
        cancelled: Cancelled | None,
        on_progress: Progress | None = None,
        on_opened: Weigh | None = None,
    ) -> Watch:
        expires, tell = began + self._deadline_s, on_progress or self._on_progress
        return Watch(self._clock, expires, self._deadline_s, tell, cancelled, on_opened, {})

    def _read(self, dialect: Dialect, params: object, watch: Watch) -> ReadResult:
        if self._audit is not None:
            return self._read_on_record(self._audit, dialect, params, watch)
        return read(dialect.parse(params), dialect.rules, self._means, watch)

    def _read_on_record(self, audit: Audit, dialect: Dialect, params: object, watch: Watch) -> ReadResult:
        from .audit import record_of

        began, asked = self._clock(), None
        try:
            request = dialect.parse(params)
            asked = request.path
            result = read(request, dialect.rules, self._means, watch)
        except ReadError as error:
            audit(record_of(time(), dialect.name, asked, error, self._clock() - began))
            raise
        audit(record_of(time(), dialect.name, asked, result, self._clock() - began))
        return result

    def _reply_to_batch(self, batch: Batch, batching: Batching, watch: Watch, began: float) -> Reply:
        from .batch import Answer, read_batch, selection_of

        def answer(params: object, dialect: Dialect) -> Answer:
            try:
                result = self._read(dialect, params, watch)
                return Answer(dialect.render(result, self._call(params, began)), result.window)
            except ReadError as error:
                return Answer(dialect.render_error(error, self._call(params, began))._replace(error=error))

        watch.weigh("batch", len(batch.entries))
        return read_batch(batch, selection_of(batch, self._opener, watch), batching, answer)

    def _call(self, params: object, began: float) -> Call:
        elapsed_ms = int((self._clock() - began) * 1000)
        return Call(params, elapsed_ms, self._opener.cwd, self._opener.roots, _mark)


def _mark() -> str:
    return os.urandom(4).hex()


def _log(defect: Exception) -> None:
    import logging

    logging.getLogger("readwell").error("a defect of readwell", exc_info=defect)
