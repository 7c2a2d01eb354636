"""Params in, reply out: the one place where a ReadError becomes an answer."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from time import monotonic, time

from .dialects.dialect import Batch, Batching, Dialect, DialectTool
from .documents import Activity, DocumentReader, Documents, Ocr, PdfLines
from .engine import HANDLERS, Handler, Resources
from .errors import NotFound, ReadError
from .installed import ImportPath, import_path_outside, importing_only_from, preload_modules
from .light_typing import TYPE_CHECKING, Any
from .model import Call, FsspecRoot, ReadResult, Reply
from .named_tuple import NamedTuple
from .names import is_remote_root
from .packed import UnpackingOpener
from .policy import Denials
from .source import DiskOpener, Opener
from .text import IndexCache
from .watch import Cancelled, Deferred, OnOpened, Progress, Watch, new_watch

if TYPE_CHECKING:
    from typing import BinaryIO

    from .audit import Audit, Record
    from .documents.ocr.choice import OcrSettings
    from .source import Beneath
    from .source.routes import Route

__all__ = [
    "CACHE_DIR",
    "DEADLINE_S",
    "Deferred",
    "DocumentReader",
    "Ocr",
    "PdfLines",
    "Progress",
    "Tool",
    "standard_input",
]

DEADLINE_S = 30.0
MAX_CUTS = 4
"""How often a window is cut again to keep a budget."""
CACHE_DIR = "~/Library/Caches/readwell" if sys.platform == "darwin" else "~/.cache/readwell"

LATE_MODULES = (
    ".packed.inside", ".patterns", ".source.links", ".source.missing_names", ".store",
    ".text.listing", ".text.plain",
)  # fmt: skip
"""Modules that reading a small text does not need; those of rarer requests are not listed."""


def standard_input(stream: BinaryIO) -> Route:
    """Returns the route by which `-` is what a stream holds, which is read to its end; raises a ReadError."""
    from .source.routes import Route
    from .source.standard_input import StandardInput, is_standard_input

    return Route(is_standard_input, StandardInput(stream))


Write = Callable[[Any, Call], Reply]
"""Writes the reply to a result."""
NO_WORDS = Reply("", {})


class Written(NamedTuple):
    """What was found, and the reply that says it."""

    reply: Reply
    result: Any


class Tool:
    """A tool of a dialect over the engine, confined to its roots. Thread-safe; `close` gives back the roots.

    It is the dialect's first tool; `all` gives each of them.

    Roots are directories, or addresses such as `s3://bucket/prefix`.
    Without roots nothing is confined. Relative paths start at `cwd`: the first root, or the
    process's own directory. `beneath` chooses how a root is kept; the best there is if not given.
    `denials` says what may not be read inside the roots; `audit` is told of each call.
    Indexes of large files and converted documents are kept in `cache_dir`; None: in memory only.
    `document_reader` replaces the built-in converters; `pdf_lines` says what a line of a PDF is, `ocr` and
    `ocr_languages` how scans are read. `routes` lead to what is not on this disk, by name; `handlers` take requests of
    further types to their results. `single_call`: modules are loaded as they are needed; a tool for many calls loads
    them at once, so that no call fails for want of a module.
    """

    def __init__(
        self,
        dialect: Dialect,
        roots: Sequence[str | FsspecRoot] = (),
        cwd: str | None = None,
        *,
        deadline_s: float = DEADLINE_S,
        on_progress: Progress | None = None,
        document_reader: DocumentReader | None = None,
        password: str | None = None,
        pdf_lines: PdfLines = "paragraphs",
        ocr: Ocr = "auto",
        ocr_languages: Sequence[str] = (),
        clock: Callable[[], float] = monotonic,
        beneath: Beneath | None = None,
        cache_dir: str | None = CACHE_DIR,
        denials: Denials | None = None,
        audit: Audit | None = None,
        routes: Sequence[Route] = (),
        handlers: Mapping[type, Handler] = HANDLERS,
        single_call: bool = False,
    ) -> None:
        self.dialect, self.dialect_tool = dialect, dialect.tools[0]
        self.denials = denials or Denials()
        folder = os.path.expanduser(cache_dir) if cache_dir else None
        local = tuple(root for root in roots if isinstance(root, str) and not is_remote_root(root))
        disk = DiskOpener(local, cwd, beneath, denials)
        places = import_path_outside([root.real for root in disk.policy.roots] or [disk.cwd])
        preload_modules(places)
        if not single_call:
            for name in (*LATE_MODULES, *dialect.late_modules):
                import_module(name, __package__)
        kept = folder and os.path.join(folder, "documents")
        self._documents = Documents(
            kept, password, document_reader, places, pdf_lines, _ocr_settings(ocr, ocr_languages)
        )
        opener: Opener = disk if len(local) == len(roots) else _with_remote(dialect, roots, disk, denials, places)
        self._opener = _routed(routes, opener) if routes else opener
        self._roots = self._opener.roots
        self._deadline_s, self._on_progress, self._clock = deadline_s, on_progress, clock
        self._audit, self._handlers = audit, handlers
        self._resources = Resources(self._opener, IndexCache(folder), self._documents, audited=audit is not None)
        if any(tool.rules.unpack for tool in dialect.tools):
            packed = folder and os.path.join(folder, "unpacked")
            self._opener = opener = UnpackingOpener(self._opener, disk, self._documents, packed)
            self._resources = self._resources._replace(opener=opener, content_of=opener.content_of)

    def read(self, params: object, cancelled: Cancelled | None = None) -> ReadResult:
        """Reads and returns what was found; raises a ReadError that can be printed."""
        began = self._clock()
        try:
            tool, watch = self.dialect_tool, self._watch(began, cancelled)
            return self._answer(tool, params, watch, began, tool.measure or _write_nothing, self._audit).result
        except ReadError as error:
            error.told = self.dialect_tool.render_error(error, self._call(params, began)).text
            raise

    def reply(
        self,
        params: object,
        cancelled: Cancelled | None = None,
        on_progress: Progress | None = None,
        on_opened: OnOpened | None = None,
        caller: str | None = None,
    ) -> Reply:
        """Reads and returns the dialect's answer, also to a failure; stops soon after `cancelled` says so.

        `on_progress` is this call's own. `on_opened` is told what was opened, before it is read, and may put it off.
        `caller` is who asks, for the audit log.
        """
        began = self._clock()
        tool, watch = self.dialect_tool, self._watch(began, cancelled, on_progress, on_opened, caller)
        try:
            batching = tool.batching
            if batching and (batch := batching.parse(params)):
                return self._reply_to_batch(batch, batching, watch, began)
            return self._answer(tool, params, watch, began, tool.render, self._audit).reply
        except ReadError as error:
            return tool.render_error(error, self._call(params, began))._replace(error=error)
        except Deferred:
            raise
        except Exception as defect:
            # Only a dialect that promises an answer even to a defect of ours may hide one.
            if tool.render_defect is None:
                raise
            _log(defect)
            return tool.render_defect(self._call(params, began))

    def identity_of(self, path: str) -> tuple[int | str, int | str, int]:
        """Returns which file a path leads to, and its size; raises a ReadError."""
        watch = self._watch(self._clock(), None)
        with self._opener.open(self._opener.locate(path), watch) as source:
            return source.identity.where, source.identity.which, source.identity.size

    def all(self) -> list[Tool]:
        """Returns each tool of the dialect; what they hold is the same, and closed with any of them."""
        return [self._with(tool) for tool in self.dialect.tools]

    def without_images(self) -> Tool:
        """Returns this tool for those who can carry nothing but text; what it holds is the same, and closed with it."""
        rules = self.dialect_tool.rules._replace(images=False, image_view=False)
        return self._with(self.dialect_tool._replace(rules=rules))

    def read_documents_with(self, reader: DocumentReader | None) -> None:
        """Has documents converted by a function of the caller's from now on; None: by the built-in converters."""
        self._documents.reader = reader

    def activity(self) -> Activity:
        """Returns how many documents were converted, for metrics."""
        return self._documents.activity()

    def try_conversion(self) -> None:
        """Converts a tiny document; raises a ReadError where no document can be converted."""
        self._documents.try_conversion(self._watch(self._clock(), None, None, None, None))

    def close(self) -> None:
        """Closes the descriptors of the roots and ends the processes that convert documents."""
        self._opener.close()
        self._documents.close()

    def _with(self, tool: DialectTool) -> Tool:
        other = object.__new__(Tool)
        vars(other).update(vars(self), dialect_tool=tool)
        return other

    def _watch(
        self,
        began: float,
        cancelled: Cancelled | None,
        on_progress: Progress | None = None,
        on_opened: OnOpened | None = None,
        caller: str | None = None,
    ) -> Watch:
        expires, tell = began + self._deadline_s, on_progress or self._on_progress
        return new_watch(
            clock=self._clock,
            expires=expires,
            seconds=self._deadline_s,
            on_progress=tell,
            cancelled=cancelled,
            on_opened=on_opened,
            computed={},
            caller=caller,
        )

    def _answer(
        self, tool: DialectTool, params: object, watch: Watch, began: float, write: Write, audit: Audit | None
    ) -> Written:
        if audit is not None:
            return self._answer_on_record(audit, tool, params, watch, began, write)
        return self._within_budget(tool, tool.parse(params), params, watch, began, write)

    def _within_budget(
        self, tool: DialectTool, request: Any, params: object, watch: Watch, began: float, write: Write
    ) -> Written:
        """Reads and writes the reply; reads less where the words around the lines take more than usual."""
        handle = self._handlers[type(request)]
        result = handle(request, tool.rules, self._resources, watch)
        reply = write(result, self._call(params, began))
        cuts = 0
        while reply.excess > 0 and cuts < MAX_CUTS:
            request = request._replace(limits=request.limits._replace(tokens=request.limits.tokens - reply.excess))
            result = handle(request, tool.rules, self._resources, watch)
            reply = write(result, self._call(params, began))
            cuts += 1
        return Written(reply, result)

    def _answer_on_record(
        self, audit: Audit, tool: DialectTool, params: object, watch: Watch, began: float, write: Write
    ) -> Written:
        asked = None
        try:
            request = tool.parse(params)
            asked = request.path
            answer = self._within_budget(tool, request, params, watch, began, write)
        except ReadError as error:
            audit(self._record(tool, asked, watch, began, error))
            raise
        audit(self._record(tool, asked, watch, began, answer.result, answer.reply))
        return answer

    def _record(
        self,
        tool: DialectTool,
        asked: str | None,
        watch: Watch,
        began: float,
        outcome: object,
        reply: Reply | None = None,
    ) -> Record:
        from .audit import new_audited_call, record_of

        seconds = self._clock() - began
        call = new_audited_call(
            at=time() - seconds,
            dialect=self.dialect.name,
            tool=tool.name,
            caller=watch.caller,
            path=asked,
            cwd=self._opener.cwd,
        )
        return record_of(call, outcome, reply, seconds)

    def _reply_to_batch(self, batch: Batch, batching: Batching, watch: Watch, began: float) -> Reply:
        """Reads several files; records each once, as far as the reply shows it."""
        from .batch import Answer, read_batch, selection_of

        watch.announce("batch", len(batch.entries))
        selection = selection_of(batch, self._opener, watch)
        records: list[Record] = []
        keep_record = records.append if self._audit else None

        def answer(params: dict[str, object], tool: DialectTool) -> Answer:
            records.clear()
            try:
                reply, result = self._answer(tool, params, watch, began, tool.render, keep_record)
                return Answer(reply, result.window, *records)
            except ReadError as error:
                if isinstance(error, NotFound) and params["path"] in selection.unmatched:
                    error = NotFound(unmatched=True)
                failure = tool.render_error(error, self._call(params, began))._replace(error=error)
                return Answer(failure, None, *records)

        answered = read_batch(batch, selection, batching, answer)
        if self._audit:
            from .audit import records_of_batch

            for record in records_of_batch(answered.reply, answered.listed, [each.record for each in answered.pieces]):
                self._audit(record)
        return answered.reply

    def _call(self, params: object, began: float) -> Call:
        elapsed_ms = int((self._clock() - began) * 1000)
        return Call(params, elapsed_ms, self._opener.cwd, self._roots, _mark)


def _routed(routes: Sequence[Route], disk: Opener) -> Opener:
    from .source.routes import RoutedOpener

    return RoutedOpener(routes, disk)


def _with_remote(
    dialect: Dialect, roots: Sequence[str | FsspecRoot], disk: DiskOpener, denials: Denials | None, places: ImportPath
) -> Opener:
    """Returns the opener of remote roots, beside the disk where a root is a directory; raises ValueError."""
    with importing_only_from(places):
        from .remote import remote_opener
        from .source.routes import Route

    if not dialect.remote_roots:
        raise ValueError(f"the dialect {dialect.name} reads directories of this machine only, no remote root")
    is_remote = [not isinstance(root, str) or is_remote_root(root) for root in roots]
    remote = remote_opener(
        [root for root, far in zip(roots, is_remote, strict=True) if far],
        denials or Denials(),
        takes_relative=is_remote[0],
    )
    return remote if all(is_remote) else _routed([Route(remote.matches, remote)], disk)


def _ocr_settings(mode: Ocr, languages: Sequence[str]) -> OcrSettings | None:
    """Returns how scans are read, None for the usual way; raises ValueError for invalid settings."""
    if mode == "auto" and not languages:
        return None
    from .documents.ocr.choice import OcrSettings

    return OcrSettings(mode, tuple(languages)).checked()


def _write_nothing(_result: object, _call: Call) -> Reply:
    return NO_WORDS


def _mark() -> str:
    return os.urandom(4).hex()


def _log(defect: Exception) -> None:
    import logging

    logging.getLogger("readwell").error("a defect of readwell", exc_info=defect)
