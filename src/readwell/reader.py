"""The Python class of readwell's own dialect: `Reader`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

from .dialect_class import AnyRoot, StrPath, ToolFace, ToolSettings, build_tool, check_at_least_1
from .dialects.native import Settings, dialect
from .dialects.native.settings import Total
from .model import ReadResult, Reply, View
from .model.search import SearchResult
from .run_in_thread import run_in_thread
from .tokens import count_tokens as count_or_estimate
from .tool import CACHE_DIR, DEADLINE_S, Ocr, PdfLines

if TYPE_CHECKING:
    from .audit import Audit
    from .deadline import Progress
    from .following import Following


class Reader(ToolFace):
    """Reads files and directories a window at a time, inside a root that it cannot leave.

    A context manager, safe to share between threads. Raises ValueError for invalid settings.

    Args:
        root: Directory, address such as `s3://bucket/prefix`, or several, outside of which nothing is read; None: no
            confinement. Relative paths start at the first one.
        limit: Maximum lines of a reply.
        max_tokens: Maximum tokens of a reply.
        max_bytes: Maximum bytes of file text in a reply.
        line_length: Characters of a line that are shown before it is cut.
        numbers: Show line numbers; False: a fence around the text instead.
        total: Whether to count all lines of a file: `"exact"`, `"lazy"`, or `"auto"`: up to 1 GiB, of remote 1 MiB.
        documents: Convert documents (PDF, DOCX and others) to Markdown.
        images: Return images as `Reply.picture`; needs the extra `images`.
        image_side: Maximum pixels of an image's longer side; larger ones are scaled down.
        count_tokens: Counts the tokens of a text; must not decrease when the text grows.
        deadline_s: Seconds after which a call ends in DeadlineExceeded.
        cache_dir: Directory for converted documents and line indexes of huge files; None: keep them in memory.
        on_progress: Called as `on_progress(done, total, what)` during long reads.
        password: Password of encrypted documents.
        ocr: Which pages of a PDF are recognised: `"auto"`: those without text, if the extra `ocr` is installed;
            `"never"`, or `"always"`: all of them.
        ocr_languages: Languages of scans, such as `["eng", "deu"]`; by default what is installed.
        pdf_lines: What a line of a PDF's Markdown is: `"paragraphs"`, or `"printed"`: a printed line.
        deny: Patterns, as in `.gitignore`, of paths that may not be read.
        allow: Patterns of exceptions from `deny`.
        ignore_files: Obey ignore files such as `.aiignore`.
        same_filesystem: Refuse what is mounted below a root.
        deny_hardlinks: Refuse files with more than one hard link.
        audit: Called with a `readwell.audit.Record` for each read.
    """

    def __init__(
        self,
        root: AnyRoot | Sequence[AnyRoot] | None = ".",
        *,
        limit: int = Settings().limit,
        max_tokens: int = Settings().max_tokens,
        max_bytes: int = Settings().max_bytes,
        line_length: int = Settings().line_length,
        numbers: bool = True,
        total: Total = "auto",
        documents: bool = True,
        images: bool = False,
        image_side: int = 1568,
        count_tokens: Callable[[str], int] = count_or_estimate,
        deadline_s: float = DEADLINE_S,
        cache_dir: StrPath | None = CACHE_DIR,
        on_progress: Progress | None = None,
        password: str | None = None,
        pdf_lines: PdfLines = "paragraphs",
        ocr: Ocr = "auto",
        ocr_languages: Sequence[str] = (),
        deny: Sequence[str] = (),
        allow: Sequence[str] = (),
        ignore_files: bool = False,
        same_filesystem: bool = False,
        deny_hardlinks: bool = False,
        audit: Audit | None = None,
    ) -> None:
        given: dict[str, Any] = dict(locals())
        own = {name: given[name] for name in Settings._fields if name in given}
        common = {name: given[name] for name in ToolSettings.__annotations__}
        settings = _checked_settings(Settings(**own, home=os.path.expanduser("~")))
        super().__init__(build_tool(dialect(settings), root, **common))
        self._search = self._tool.all()[1]

    def read(
        self,
        path: StrPath,
        *,
        offset: int = 1,
        limit: int | None = None,
        column: int = 1,
        max_tokens: int | None = None,
        pages: str | None = None,
        view: View | None = None,
        region: str | None = None,
        encoding: str | None = None,
        total: Total | None = None,
        if_revision: str | None = None,
        after: str | None = None,
    ) -> ReadResult:
        """Reads one window; raises a ReadError whose text says what happened and the next step.

        Args:
            path: File or directory, absolute or relative to the first root.
            offset: First line, from 1; negative: so many lines from the end.
            limit: Maximum lines, up to the reader's own.
            column: First character of the first line, to continue a line that was cut.
            max_tokens: Maximum tokens, up to the reader's own.
            pages: Pages of a document: `"3"`, `"3-7"`, or `"-2"` for the last two; not with `offset`.
            view: `"source"` to read a document's own text, `"markdown"` to insist on the conversion,
                `"outline"` for what is in it, `"block"` for the definition or section around `offset`,
                `"image"` for pages as they look.
            region: With `view="image"` the part to show, `"x0,y0,x1,y1"` in thousandths of the page.
            encoding: Encoding of the file, instead of detecting it.
            total: Whether to count all lines, instead of the reader's own setting.
            if_revision: Revision from an earlier read of this window; if it is still current, no lines are read.
            after: Entry of a directory behind which to list, as `after` of an earlier result names it.
        """
        return self._tool.read(_read_params(dict(locals())))

    def follow(self, path: StrPath, *, offset: int = -10, deadline_s: float | None = None) -> Following:
        """Returns windows of the lines that are added to a file, one after the other; ends by `close` or deadline.

        Args:
            path: File that grows. One that was truncated or replaced is read from its start.
            offset: First line, from 1; negative: so many lines from the end.
            deadline_s: Seconds after which it ends; None: never.
        """
        from .following import Following

        return Following(self._tool, os.fspath(path), offset, deadline_s)

    def reply(self, params: Mapping[str, object]) -> Reply:
        """Answers a tool call with params as a model sends them; a ReadError becomes a reply with `is_error`."""
        return self._tool.reply(params)

    async def aread(
        self,
        path: StrPath,
        *,
        offset: int = 1,
        limit: int | None = None,
        column: int = 1,
        max_tokens: int | None = None,
        pages: str | None = None,
        view: View | None = None,
        region: str | None = None,
        encoding: str | None = None,
        total: Total | None = None,
        if_revision: str | None = None,
        after: str | None = None,
    ) -> ReadResult:
        """Like `read`, in a thread; the read stops when the awaiting task is cancelled."""
        return await run_in_thread(self._tool.read, _read_params(dict(locals())))

    async def areply(self, params: Mapping[str, object]) -> Reply:
        """Like `reply`, in a thread; the read stops when the awaiting task is cancelled."""
        return await run_in_thread(self._tool.reply, params)

    def search(
        self,
        pattern: str,
        path: StrPath = ".",
        *,
        paths: Sequence[StrPath] | None = None,
        literal: bool = False,
        ignore_case: bool = False,
        glob: str | None = None,
        around: int = 0,
        only: Literal["files"] | None = None,
        everything: bool = False,
        limit: int | None = None,
        after: str | None = None,
        max_tokens: int | None = None,
    ) -> SearchResult:
        """Finds matching lines in a file, a document or below a directory; raises a ReadError.

        Args:
            pattern: Regular expression (RE2), matched with each line.
            path: File or directory.
            paths: Several files, directories or globs instead of `path`.
            literal: Take the pattern as plain text.
            ignore_case: Match upper and lower case alike.
            glob: Search only files whose path matches, such as `"*.py"`.
            around: Lines to show before and after each match.
            only: `"files"` to list the files that match, without lines.
            everything: Search hidden and ignored files, too.
            limit: Maximum matches.
            after: Position where an earlier search ended: its `next`.
            max_tokens: Maximum tokens, up to the reader's own.
        """
        return cast("SearchResult", self._search.read(_search_params(dict(locals()))))

    def search_reply(self, params: Mapping[str, object]) -> Reply:
        """Answers a call of the tool `search`; never raises for a ReadError."""
        return self._search.reply(params)

    async def asearch(
        self,
        pattern: str,
        path: StrPath = ".",
        *,
        paths: Sequence[StrPath] | None = None,
        literal: bool = False,
        ignore_case: bool = False,
        glob: str | None = None,
        around: int = 0,
        only: Literal["files"] | None = None,
        everything: bool = False,
        limit: int | None = None,
        after: str | None = None,
        max_tokens: int | None = None,
    ) -> SearchResult:
        """Like `search`, in a thread that stops when the caller is cancelled."""
        return cast("SearchResult", await run_in_thread(self._search.read, _search_params(dict(locals()))))

    async def asearch_reply(self, params: Mapping[str, object]) -> Reply:
        """Like `search_reply`, in a thread that stops when the caller is cancelled."""
        return await run_in_thread(self._search.reply, params)


def _read_params(given: dict[str, object]) -> dict[str, object]:
    """Returns the arguments of a read as params, its path as text."""
    del given["self"]
    if isinstance(path := given["path"], os.PathLike):
        given["path"] = os.fspath(cast("os.PathLike[str]", path))
    return given


def _search_params(given: dict[str, object]) -> dict[str, object]:
    """Returns the arguments of a search as params, its paths as text."""
    path, paths = cast("StrPath", given["path"]), given["paths"]
    del given["self"]
    given["path"] = os.fspath(path)
    given["after"] = None if given["after"] is None else str(given["after"])
    if isinstance(paths, (list, tuple)):
        listed = cast("Sequence[StrPath]", paths)
        del given["path"]
        given["paths"] = [os.fspath(each) for each in listed]
    return given


def _checked_settings(settings: Settings) -> Settings:
    """Returns the settings; raises ValueError or TypeError if they are invalid."""
    for name in ("limit", "max_bytes", "line_length", "image_side"):
        check_at_least_1(name, getattr(settings, name))
    if settings.total not in ("auto", "exact", "lazy"):
        raise ValueError(f"total must be auto, exact or lazy, not {settings.total!r}")
    if not callable(settings.count_tokens):
        raise TypeError(f"count_tokens must be a function from a text to a number, not {settings.count_tokens!r}")
    return settings
