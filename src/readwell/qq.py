"""The Python face of the dialect `qq`."""

from __future__ import annotations

import os
from collections.abc import Callable

from .dialects.qq import MAX_BYTES, MAX_LINES_PER_READ, dialect
from .tool import Tool

__all__ = ["MAX_LINES_PER_READ", "FileManager"]


class FileManager:
    """Pages through files 200 lines at a time; every answer is one string."""

    def __init__(
        self,
        root: str | os.PathLike[str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        *,
        document_reader: Callable[[bytes, str], str] | None = None,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        if max_bytes < 1:
            raise ValueError(f"max_bytes must be at least 1, not {max_bytes}")
        roots = () if root is None else (os.fspath(root),)
        start = None if cwd is None else os.fspath(cwd)
        self._tool = Tool(dialect(max_bytes), roots, start, document_reader=document_reader)

    @property
    def tool(self) -> Tool:
        """The tool behind this face, with its dialect, schema and description."""
        return self._tool

    def read_file(self, path: str, start_line: int = 1, num_lines: int = MAX_LINES_PER_READ) -> str:
        """Returns a window of a file under a header, or one sentence that says why not."""
        return self._tool.reply({"path": path, "start_line": start_line, "num_lines": num_lines}).text
