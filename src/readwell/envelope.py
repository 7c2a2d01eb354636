"""The Python class of the dialect `envelope`: `ReadTool`."""

from __future__ import annotations

import os
from typing import Unpack

from .dialect_class import StrPath, ToolFace, ToolSettings, build_tool, check_at_least_1
from .dialects.envelope import MAX_BYTES, ErrorCode, dialect

__all__ = ["ErrorCode", "ReadTool"]


class ReadTool(ToolFace):
    """The tool `Read` of the Standard Envelope v1.0: every reply is a dict with a status, also for a failure.

    Args:
        project_root: Directory outside of which nothing is read; paths are relative to it.
        working_dir: Directory inside the root, shown as `cwd` in the reply's `context`; it does not change paths.
        documents: Convert documents to Markdown; otherwise they are refused as binary files.
        max_bytes: Maximum bytes of file text in one reply.
        settings: Settings that all dialects share, as in `Reader`.
    """

    name = "Read"

    def __init__(
        self,
        project_root: StrPath,
        working_dir: StrPath = ".",
        *,
        documents: bool = False,
        max_bytes: int = MAX_BYTES,
        **settings: Unpack[ToolSettings],
    ) -> None:
        cwd = _relative_to_root(os.fspath(project_root), os.fspath(working_dir))
        super().__init__(
            build_tool(dialect(documents, check_at_least_1("max_bytes", max_bytes), cwd), project_root, **settings)
        )

    @property
    def schema(self) -> dict[str, object]:
        """The tool definition: name, description, parameters."""
        return self._tool.dialect_tool.definition("json")

    def run(self, parameters: dict[str, object]) -> dict[str, object]:
        """Reads with the parameters `path`, `start_line` and `limit`; returns the envelope, also for a failure."""
        return self._tool.reply(parameters).data


def _relative_to_root(root: str, working_dir: str) -> str:
    """Returns the working directory relative to the root, links resolved; raises ValueError if it is outside."""
    real = os.path.realpath(os.path.join(root, working_dir))
    inside = os.path.relpath(real, os.path.realpath(root))
    if os.path.isdir(root) and not os.path.isdir(real):
        raise ValueError(f"the working directory is not a directory: {working_dir!r}")
    if inside.split("/")[0] == "..":
        raise ValueError(f"the working directory is not inside the project root: {working_dir!r}")
    return inside
