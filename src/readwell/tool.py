"""`Tool`: params in, reply out; deadlines, and the one place where a ReadError becomes an answer."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from time import monotonic

from .call_runner import CallRunner, ReplyAndResult, render_nothing
from .deadline import Cancelled, Deadline, Deferred, OnOpened, Progress, new_deadline
from .dialects.dialect import Batch, Batching, Dialect, DialectTool
from .documents import Activity, DocumentReader, Documents, Ocr, PdfLines
from .engine import HANDLERS, Handler
from .errors import ReadError
from .import_guard import import_path_outside
from .light_typing import TYPE_CHECKING
from .model import FsspecRoot, ReadResult, Reply
from .policy import Denials
from .source import DiskOpener
from .tool_setup import load_modules, local_roots, ocr_settings, recorder_of, root_opener

if TYPE_CHECKING:
    from .audit import Audit
    from .source import Beneath
    from .source.routes import Route

__all__ = ["CACHE_DIR", "DEADLINE_S", "Deferred", "DocumentReader", "Ocr", "PdfLines", "Progress", "Tool"]

DEADLINE_S = 30.0
CACHE_DIR = "~/Library/Caches/readwell" if sys.platform == "darwin" else "~/.cache/readwell"


class Tool:
    """Runs a tool of a dialect, confined to its roots. Thread-safe; `close` releases roots and processes.
    It is the first tool of the dialect; `all` returns each of them. Raises ValueError for invalid settings.

    Args:
        dialect: How calls are parsed and replies are written.
        roots: Directories, or addresses such as `s3://bucket/prefix`; without them nothing is confined.
        cwd: Where relative paths start; None: at the first root, or in the current directory of the process.
        document_reader: Replaces the built-in converters.
        clock: Returns seconds; deadlines are measured with it.
        beneath: Opens a path inside a root; None: the best function that the system supports.
        cache_dir: Directory for indexes of large files and converted documents; None: keep them in memory.
        denials: What may not be read inside the roots.
        audit: Called with the record of each call.
        routes: Openers of paths that are not on this disk.
        handlers: The functions that answer requests, by type.
        single_call: Load modules only when needed; for many calls all are loaded, so that none is missing later.
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
        self._deadline_s, self._on_progress, self._clock = deadline_s, on_progress, clock
        self._audit = audit
        self._recorder = recorder_of(audit, dialect.name, clock) if audit else None
        disk = DiskOpener(local_roots(roots), cwd, beneath, denials)
        import_path = import_path_outside([root.real for root in disk.roots] or [disk.cwd])
        load_modules(dialect, import_path, single_call)
        folder = os.path.expanduser(cache_dir) if cache_dir else ""
        scans = ocr_settings(ocr, ocr_languages)
        kept = folder and os.path.join(folder, "documents")
        self._documents = Documents(kept or None, password, document_reader, import_path, pdf_lines, scans)
        self._disk_opener = partial(DiskOpener, beneath=beneath, denials=denials)
        self._opening = root_opener(dialect, routes, import_path, folder, self._documents, audited=audit is not None)
        resources, shown = self._opening(roots, disk)
        self._runner, self.opener = CallRunner(handlers, resources, shown, clock), resources.opener

    def read(self, params: object, cancelled: Cancelled | None = None) -> ReadResult:
        """Reads and returns the result; raises a ReadError whose text is the dialect's message."""
        began = self._clock()
        try:
            tool, deadline = self.dialect_tool, self._deadline(began, cancelled)
            return self._runner.answer(
                tool, params, deadline, began, tool.measure or render_nothing, self._recorder
            ).result
        except ReadError as error:
            error.told = self.dialect_tool.render_error(error, self._runner.describe_call(params, began)).text
            raise

    def reply(
        self,
        params: object,
        cancelled: Cancelled | None = None,
        on_progress: Progress | None = None,
        on_opened: OnOpened | None = None,
        caller: str | None = None,
    ) -> Reply:
        """Reads and returns the dialect's reply, also to a failure; stops soon after `cancelled` returns True.

        `on_progress` replaces the tool's own for this call. `on_opened` is called with what was opened, before it is
        read, and may raise Deferred. `caller` is the name of the agent or client, for the audit log.
        """
        began = self._clock()
        tool, deadline = self.dialect_tool, self._deadline(began, cancelled, on_progress, on_opened, caller)
        try:
            if tool.batching and (reply := self._reply_to_batch(tool.batching, params, deadline, began)):
                return reply
            return self._runner.answer(tool, params, deadline, began, tool.render, self._recorder).reply
        except ReadError as error:
            return self._reply_to_failure(began, tool, error, params)
        except Deferred:
            raise
        except Exception as defect:
            # Only a dialect that promises an answer even to a defect of ours may hide one.
            if tool.render_defect is None:
                raise
            _log_defect(defect)
            return tool.render_defect(self._runner.describe_call(params, began))

    def identity_of(self, path: str) -> tuple[int | str, int | str, int]:
        """Returns which file a path leads to, and its size; raises a ReadError."""
        deadline = self._deadline(self._clock())
        with self.opener.open(self.opener.locate(path), deadline) as source:
            return source.identity.where, source.identity.which, source.identity.size

    def all(self) -> list[Tool]:
        """Returns each tool of the dialect; they share their resources, so closing one closes all."""
        return [self._copy_with(dialect_tool=tool) for tool in self.dialect.tools]

    def without_images(self) -> Tool:
        """Returns this tool for callers that accept text only; it shares its resources with this one."""
        rules = self.dialect_tool.rules._replace(images=False, image_view=False)
        return self._copy_with(dialect_tool=self.dialect_tool._replace(rules=rules))

    def confined_to(self, roots: Sequence[str]) -> Tool:
        """Returns this tool for callers that may read only some of its roots; caches and documents are shared."""
        resources, shown = self._opening(roots, self._disk_opener(local_roots(roots), None))
        runner = self._runner._replace(resources=resources, roots=shown)
        return self._copy_with(_runner=runner, opener=resources.opener)

    def refuse(self, params: object, error: ReadError, caller: str | None = None) -> Reply:
        """Returns the reply to a call that is refused before anything is read; it is recorded like others."""
        began = self._clock()
        self._record_failure(began, caller, error, params)
        return self._reply_to_failure(began, self.dialect_tool, error, params)

    def read_documents_with(self, reader: DocumentReader | None) -> None:
        """Converts documents with a function of the caller's from now on; None: with the built-in converters."""
        self._documents.reader = reader

    def activity(self) -> Activity:
        """Returns how many documents were converted, for metrics."""
        return self._documents.activity()

    def try_conversion(self) -> None:
        """Converts a tiny document; raises a ReadError where no document can be converted."""
        self._documents.try_conversion(self._deadline(self._clock()))

    def close(self) -> None:
        """Closes the descriptors of the roots and ends the processes that convert documents."""
        self.opener.close()
        self._documents.close()

    def _copy_with(self, **changed: object) -> Tool:
        other = object.__new__(Tool)
        vars(other).update(vars(self), **changed)
        return other

    def _deadline(
        self,
        began: float,
        cancelled: Cancelled | None = None,
        on_progress: Progress | None = None,
        on_opened: OnOpened | None = None,
        caller: str | None = None,
    ) -> Deadline:
        return new_deadline(
            clock=self._clock,
            expires=began + self._deadline_s,
            seconds=self._deadline_s,
            on_progress=on_progress or self._on_progress,
            cancelled=cancelled,
            on_opened=on_opened,
            computed={},
            caller=caller,
        )

    def _reply_to_batch(self, batching: Batching, params: object, deadline: Deadline, began: float) -> Reply | None:
        """Reads several files, and records each once, as far as the reply shows it; None for a call that names one."""
        try:
            batch = batching.parse(params)
            return self._read_batch(batch, batching, deadline, began) if batch else None
        except ReadError as error:
            self._record_failure(began, deadline.caller, error, params)
            raise

    def _read_batch(self, batch: Batch, batching: Batching, deadline: Deadline, began: float) -> Reply:
        """Returns the reply to a call for several files."""
        from .batch_read import reply_to_batch

        def answer(tool: DialectTool, params: object, audit: Audit | None) -> ReplyAndResult:
            recorder = recorder_of(audit, self.dialect.name, self._clock) if audit else None
            return self._runner.answer(tool, params, deadline, began, tool.render, recorder)

        return reply_to_batch(
            batch, batching, self.opener, deadline, answer, partial(self._reply_to_failure, began), self._audit
        )

    def _record_failure(self, began: float, caller: str | None, error: ReadError, params: object) -> None:
        """Records a call that failed before any file was asked for."""
        if self._recorder:
            tool = self.dialect_tool
            self._recorder.record_failure((tool.name, caller, began, tool.path_in(params)), error)

    def _reply_to_failure(self, began: float, tool: DialectTool, error: ReadError, params: object) -> Reply:
        return tool.render_error(error, self._runner.describe_call(params, began))._replace(error=error)


def _log_defect(defect: Exception) -> None:
    import logging

    logging.getLogger("readwell").error("a defect of readwell", exc_info=defect)
