"""What the Python classes of all dialects share: common settings, and closing."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self, TypedDict

from .dialects.dialect import Dialect
from .model import FsspecRoot
from .policy import Denials
from .tool import CACHE_DIR, DEADLINE_S, Ocr, PdfLines, Tool

if TYPE_CHECKING:
    from .audit import Audit
    from .tool import DocumentReader
    from .watch import Progress

StrPath = str | os.PathLike[str]
AnyRoot = StrPath | FsspecRoot
"""A directory, an address such as `s3://bucket/prefix`, or a file system of fsspec."""


class ToolSettings(TypedDict, total=False):
    """Settings that the classes of all dialects accept; meanings and defaults are those of `Reader`."""

    deadline_s: float
    cache_dir: StrPath | None
    on_progress: Progress | None
    password: str | None
    pdf_lines: PdfLines
    ocr: Ocr
    ocr_languages: Sequence[str]
    deny: Sequence[str]
    allow: Sequence[str]
    ignore_files: bool
    same_filesystem: bool
    deny_hardlinks: bool
    audit: Audit | None


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


def tool_of(
    dialect: Dialect,
    root: AnyRoot | Sequence[AnyRoot] | None,
    cwd: StrPath | None = None,
    *,
    document_reader: DocumentReader | None = None,
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
) -> Tool:
    """Builds the tool of a Python class; raises ValueError for invalid settings."""
    denials = Denials(
        deny=_patterns(deny),
        allow=_patterns(allow),
        ignore_files=ignore_files,
        same_filesystem=same_filesystem,
        deny_hardlinks=deny_hardlinks,
    )
    return Tool(
        dialect,
        _roots(root),
        None if cwd is None else os.fspath(cwd),
        document_reader=document_reader,
        deadline_s=deadline_s,
        cache_dir=None if cache_dir is None else os.fspath(cache_dir),
        on_progress=on_progress,
        password=password,
        pdf_lines=pdf_lines,
        ocr=ocr,
        ocr_languages=ocr_languages,
        denials=denials,
        audit=audit,
    )


def at_least_1(name: str, value: int) -> int:
    """Returns the value of a setting; raises ValueError if it is less than 1."""
    if value < 1:
        raise ValueError(f"{name} must be at least 1, not {value}")
    return value


def _roots(root: AnyRoot | Sequence[AnyRoot] | None) -> tuple[str | FsspecRoot, ...]:
    if root is None:
        return ()
    if isinstance(root, (str, os.PathLike, FsspecRoot)):
        return _roots([root])
    roots = tuple(each if isinstance(each, FsspecRoot) else os.fspath(each) for each in root)
    if not roots:
        raise ValueError("give at least one root, or None to confine nothing")
    return roots


def _patterns(lines: Sequence[str]) -> tuple[str, ...]:
    if isinstance(lines, str):
        raise ValueError(f"give a list of patterns, not {lines!r} alone")  # noqa: TRY004
    return tuple(lines)
