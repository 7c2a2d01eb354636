"""The Python face of the dialect `qq`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Protocol, Unpack, cast

from .dialects.qq import MAX_BYTES, MAX_LINES_PER_READ, dialect
from .face import StrPath, ToolFace, ToolSettings, at_least_1, tool_of

__all__ = ["MAX_LINES_PER_READ", "FileManager"]

ReadContent = Callable[[bytes, str], str]
"""(content, base name) -> Markdown."""


class PathConverter(Protocol):
    """A converter of documents that is given a path."""

    def convert(self, path: str, /) -> object:
        """Returns the document as Markdown: a string, or something with one as `text_content`."""
        ...


class FileManager(ToolFace):
    """Pages through files 200 lines at a time; every answer is one string.

    `document_reader` takes the place of the built-in converters, also when it is set later.
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
        super().__init__(tool_of(dialect(at_least_1("max_bytes", max_bytes)), root, cwd, **settings))
        self.document_reader = document_reader

    @property
    def document_reader(self) -> ReadContent | PathConverter | None:
        """What converts documents instead of readwell: a function, or an object with `convert(path)`."""
        return self._document_reader

    @document_reader.setter
    def document_reader(self, reader: ReadContent | PathConverter | None) -> None:
        """Has documents converted so from the next read on."""
        self._tool.read_documents_with(_of_content(reader))
        self._document_reader = reader

    def read_file(self, path: str, start_line: int = 1, num_lines: int = MAX_LINES_PER_READ) -> str:
        """Returns a window of a file under a header, or one sentence that says why not."""
        return self._tool.reply({"path": path, "start_line": start_line, "num_lines": num_lines}).text


def _of_content(reader: ReadContent | PathConverter | None) -> ReadContent | None:
    if hasattr(reader, "convert"):
        return _converting_copies(cast("PathConverter", reader))
    if reader is None or callable(reader):
        return reader
    raise ValueError(f"the document reader is neither a function nor has it `convert`: {reader!r}")


def _converting_copies(converter: PathConverter) -> ReadContent:
    """Returns a function that gives the converter a copy: the path may lead elsewhere by now, or out of the root."""

    def read_content(content: bytes, name: str) -> str:
        from tempfile import TemporaryDirectory

        with TemporaryDirectory(prefix="readwell-") as folder:
            copy = os.path.join(folder, name)
            with open(copy, "xb") as file:
                file.write(content)
            found = converter.convert(copy)
        return getattr(found, "text_content", found)  # pyright: ignore[reportReturnType]

    return read_content
