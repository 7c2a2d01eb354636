"""The Python face of the dialect `envelope`."""

from __future__ import annotations

import os

from .dialects.envelope import MAX_BYTES, ErrorCode, dialect
from .tool import DEADLINE_S, Tool

__all__ = ["ErrorCode", "ReadTool"]


class ReadTool:
    """The tool `Read` of the Standard Envelope v1.0."""

    name = "Read"

    def __init__(
        self,
        project_root: str | os.PathLike[str],
        working_dir: str | os.PathLike[str] = ".",
        *,
        documents: bool = False,
        max_bytes: int = MAX_BYTES,
        deadline_s: float = DEADLINE_S,
    ) -> None:
        if max_bytes < 1:
            raise ValueError(f"max_bytes must be at least 1, not {max_bytes}")
        root = os.fspath(project_root)
        if os.path.isdir(root) and not os.path.isdir(os.path.join(root, working_dir)):
            raise ValueError(f"the working directory is not a directory: {os.fspath(working_dir)!r}")
        self._tool = Tool(dialect(documents, max_bytes), (root,), os.fspath(working_dir), deadline_s=deadline_s)

    @property
    def tool(self) -> Tool:
        """The tool behind this face, with its dialect, schema and description."""
        return self._tool

    @property
    def schema(self) -> dict[str, object]:
        """The tool definition: name, description, parameters."""
        return self._tool.dialect_tool.definition("json")

    def run(self, parameters: dict[str, object]) -> dict[str, object]:
        """Returns the envelope, also for a failure."""
        return self._tool.reply(parameters).data
