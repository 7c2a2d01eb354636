"""The Python class of the dialect `qq`: `FileManager`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Protocol, Unpack, cast

from .dialect_class import StrPath, ToolFace, ToolSettings, build_tool, check_at_least_1
from .dialects.qq import MAX_BYTES, MAX_LINES_PER_READ, dialect

__all__ = ["MAX_LINES_PER_READ", "FileManager"]

ReadContent = Callable[[bytes, str], str]
"""A function of a document's content and file name that returns Markdown."""


class PathConverter(Protocol):
    """A document converter that takes a path, such as markitdown's `MarkItDown`."""

    def convert(self, path: str, /) -> object:
        """Converts a file; returns Markdown as a string, or an object with a string `text_content`."""
        ...


class FileManager(ToolFace):
    """Reads files in windows of up to 200 lines; every reply is one string.

    Args:
        root: Directory, or several, outside of which nothing is read; None: no confinement.
        cwd: Directory where relative paths start; by default the first root, or the current directory.
        document_reader: Converts documents instead of the built-in converters: a function of content and file name, or
            an object with `convert(path)`. It can also be set later.
        max_bytes: Maximum bytes of file text in one reply.
        settings: Settings that all dialects share, as in `Reader`.
    """

    def __init__(
        self,
        root: StrPath | Sequence[StrPath] | None = None,
        cwd: StrPath | None = None,
        *,
        document_reader: ReadContent | PathConverter | None = None,
        max_bytes: int = MAX_BYTES,
        **settings: Unpack[ToolSettings],
    ) -> None:
        super().__init__(build_tool(dialect(check_at_least_1("max_bytes", max_bytes)), root, cwd, **settings))
        self.document_reader = document_reader

    @property
    def document_reader(self) -> ReadContent | PathConverter | None:
        """The converter that replaces the built-in ones; None: the built-in ones."""
        return self._document_reader

    @document_reader.setter
    def document_reader(self, reader: ReadContent | PathConverter | None) -> None:
        """Sets the converter, from the next read on."""
        self._tool.read_documents_with(_as_content_reader(reader))
        self._document_reader = reader

    def read_file(self, path: str, start_line: int = 1, num_lines: int = MAX_LINES_PER_READ) -> str:
        """Returns up to `num_lines` lines from `start_line` on, below a header, or a sentence that says what failed."""
        return self._tool.reply({"path": path, "start_line": start_line, "num_lines": num_lines}).text


def _as_content_reader(reader: ReadContent | PathConverter | None) -> ReadContent | None:
    if hasattr(reader, "convert"):
        return _reader_of_copies(cast("PathConverter", reader))
    if reader is None or callable(reader):
        return reader
    raise ValueError(f"the document reader is neither a function nor has it `convert`: {reader!r}")


def _reader_of_copies(converter: PathConverter) -> ReadContent:
    """Returns a function that gives the converter a temporary copy: the original path may by now lead elsewhere."""

    def read_content(content: bytes, name: str) -> str:
        from tempfile import TemporaryDirectory

        with TemporaryDirectory(prefix="readwell-") as folder:
            copy = os.path.join(folder, name)
            with open(copy, "xb") as file:
                file.write(content)
            converted = converter.convert(copy)
        return getattr(converted, "text_content", converted)  # pyright: ignore[reportReturnType]

    return read_content
