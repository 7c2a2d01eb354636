"""`Reader`: the Python face of readwell's own dialect."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from .awaiting import in_thread
from .dialects.native import Settings, dialect
from .dialects.native.settings import Total
from .face import StrPath, ToolFace, at_least_1, tool_of
from .model import ReadResult, Reply, View
from .tokens import count_tokens as count_or_estimate
from .tool import CACHE_DIR, DEADLINE_S

if TYPE_CHECKING:
    from .audit import Audit
    from .watch import Progress


class Reader(ToolFace):
    """Reads files and directories a window at a time, inside a root that it cannot leave.

    `root=None` confines nothing.
    """

    def __init__(
        self,
        root: StrPath | Sequence[StrPath] | None = ".",
        *,
        limit: int = Settings().limit,
        max_tokens: int = Settings().max_tokens,
        max_bytes: int = Settings().max_bytes,
        line_length: int = Settings().line_length,
        numbers: bool = True,
        total: Total = "auto",
        documents: bool = True,
        images: bool = False,
        count_tokens: Callable[[str], int] = count_or_estimate,
        deadline_s: float = DEADLINE_S,
        cache_dir: StrPath | None = CACHE_DIR,
        on_progress: Progress | None = None,
        password: str | None = None,
        deny: Sequence[str] = (),
        allow: Sequence[str] = (),
        ignore_files: bool = False,
        same_filesystem: bool = False,
        deny_hardlinks: bool = False,
        audit: Audit | None = None,
    ) -> None:
        settings = Settings(
            limit=limit,
            max_tokens=max_tokens,
            max_bytes=max_bytes,
            line_length=line_length,
            numbers=numbers,
            total=total,
            documents=documents,
            count_tokens=count_tokens,
            images=images,
            home=os.path.expanduser("~"),
        )
        super().__init__(
            tool_of(
                dialect(_checked(settings)),
                root,
                deadline_s=deadline_s,
                cache_dir=cache_dir,
                on_progress=on_progress,
                password=password,
                deny=deny,
                allow=allow,
                ignore_files=ignore_files,
                same_filesystem=same_filesystem,
                deny_hardlinks=deny_hardlinks,
                audit=audit,
            )
        )

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
        encoding: str | None = None,
        total: Total | None = None,
        if_revision: str | None = None,
    ) -> ReadResult:
        """Reads one window; raises a ReadError whose text says what happened and the next step."""
        params = _params(path, offset, limit, column, max_tokens, pages, view, encoding, total, if_revision)
        return self._tool.read(params)

    def reply(self, params: Mapping[str, object]) -> Reply:
        """Answers a tool call; never raises for a ReadError."""
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
        encoding: str | None = None,
        total: Total | None = None,
        if_revision: str | None = None,
    ) -> ReadResult:
        """Like `read`, in a thread that stops when the caller is cancelled."""
        params = _params(path, offset, limit, column, max_tokens, pages, view, encoding, total, if_revision)
        return await in_thread(self._tool.read, params)

    async def areply(self, params: Mapping[str, object]) -> Reply:
        """Like `reply`, in a thread that stops when the caller is cancelled."""
        return await in_thread(self._tool.reply, params)


def _checked(settings: Settings) -> Settings:
    """Returns the settings; raises ValueError for those that nothing could be read with."""
    for name in ("limit", "max_bytes", "line_length"):
        at_least_1(name, getattr(settings, name))
    if settings.total not in ("auto", "exact", "lazy"):
        raise ValueError(f"total must be auto, exact or lazy, not {settings.total!r}")
    return settings


def _params(
    path: StrPath,
    offset: int,
    limit: int | None,
    column: int,
    max_tokens: int | None,
    pages: str | None,
    view: View | None,
    encoding: str | None,
    total: Total | None,
    if_revision: str | None,
) -> dict[str, object]:
    return {
        "path": os.fspath(path) if isinstance(path, os.PathLike) else path,
        "offset": offset,
        "limit": limit,
        "column": column,
        "max_tokens": max_tokens,
        "pages": pages,
        "view": view,
        "encoding": encoding,
        "total": total,
        "if_revision": if_revision,
    }
