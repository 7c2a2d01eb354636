"""What the Python classes of all dialects share: common settings, and closing."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self, TypedDict, Unpack

from .dialects.dialect import Dialect
from .model import FsspecRoot
from .policy import Denials
from .tool import CACHE_DIR, Ocr, PdfLines, Tool

if TYPE_CHECKING:
    from .audit import Audit
    from .deadline import Progress
    from .tool import DocumentReader

StrPath = str | os.PathLike[str]
AnyRoot = StrPath | FsspecRoot
"""A directory, an address such as `s3://bucket/prefix`, or a file system of fsspec."""


class CallSettings(TypedDict, total=False):
    """Settings that a `Tool` takes as they are."""

    deadline_s: float
    on_progress: Progress | None
    password: str | None
    pdf_lines: PdfLines
    ocr: Ocr
    ocr_languages: Sequence[str]
    audit: Audit | None


class ToolSettings(CallSettings, total=False):
    """Settings that the classes of all dialects accept; meanings and defaults are those of `Reader`."""

    cache_dir: StrPath | None
    deny: Sequence[str]
    allow: Sequence[str]
    ignore_files: bool
    same_filesystem: bool
    deny_hardlinks: bool


class ToolFace:
    """Base of the Python classes: a context manager around a tool, safe to share between threads."""

    def __init__(self, tool: Tool) -> None:
        self._tool = tool

    @property
    def tool(self) -> Tool:
        """The tool behind this object, with its dialect, schema and description."""
        return self._tool

    def close(self) -> None:
        """Closes the roots and ends worker processes; the object cannot be used afterwards."""
        self._tool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def build_tool(
    dialect: Dialect,
    root: AnyRoot | Sequence[AnyRoot] | None,
    cwd: StrPath | None = None,
    *,
    document_reader: DocumentReader | None = None,
    cache_dir: StrPath | None = CACHE_DIR,
    deny: Sequence[str] = (),
    allow: Sequence[str] = (),
    ignore_files: bool = False,
    same_filesystem: bool = False,
    deny_hardlinks: bool = False,
    **settings: Unpack[CallSettings],
) -> Tool:
    """Builds the tool of a Python class; raises ValueError for invalid settings.

    Args:
        dialect: How calls are parsed and replies are written.
        root: One root, several, or None to confine nothing.
        cwd: Where relative paths start; None: at the first root, or in the current directory.
        document_reader: Replaces the built-in converters.
        cache_dir: Directory for indexes and converted documents; None: keep them in memory.
        deny, allow, ignore_files, same_filesystem, deny_hardlinks: What may not be read, as in `Reader`.
        settings: Passed to `Tool`.
    """
    denials = Denials(
        deny=_checked_patterns(deny),
        allow=_checked_patterns(allow),
        ignore_files=ignore_files,
        same_filesystem=same_filesystem,
        deny_hardlinks=deny_hardlinks,
    )
    start = None if cwd is None else os.fspath(cwd)
    folder = None if cache_dir is None else os.fspath(cache_dir)
    return Tool(
        dialect, _as_roots(root), start, document_reader=document_reader, cache_dir=folder, denials=denials, **settings
    )


def check_at_least_1(name: str, value: int) -> int:
    """Returns the value of a setting; raises ValueError if it is less than 1."""
    if value < 1:
        raise ValueError(f"{name} must be at least 1, not {value}")
    return value


def _as_roots(root: AnyRoot | Sequence[AnyRoot] | None) -> tuple[str | FsspecRoot, ...]:
    if root is None:
        return ()
    if isinstance(root, (str, os.PathLike, FsspecRoot)):
        return _as_roots([root])
    roots = tuple(each if isinstance(each, FsspecRoot) else os.fspath(each) for each in root)
    if not roots:
        raise ValueError("give at least one root, or None to confine nothing")
    return roots


def _checked_patterns(lines: Sequence[str]) -> tuple[str, ...]:
    if isinstance(lines, str):
        raise ValueError(f"give a list of patterns, not {lines!r} alone")  # noqa: TRY004
    return tuple(lines)
