"""The Python face of the dialect `envelope`."""

from __future__ import annotations

import os
from typing import Unpack

from .dialects.envelope import MAX_BYTES, ErrorCode, dialect
from .face import StrPath, ToolFace, ToolSettings, at_least_1, tool_of

__all__ = ["ErrorCode", "ReadTool"]


class ReadTool(ToolFace):
    """The tool `Read` of the Standard Envelope v1.0.

    Paths are relative to `project_root`. `working_dir` lies inside it and only appears in `context`.
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
        cwd = _below(os.fspath(project_root), os.fspath(working_dir))
        super().__init__(tool_of(dialect(documents, at_least_1("max_bytes", max_bytes), cwd), project_root, **settings))

    @property
    def schema(self) -> dict[str, object]:
        """The tool definition: name, description, parameters."""
        return self._tool.dialect_tool.definition("json")

    def run(self, parameters: dict[str, object]) -> dict[str, object]:
        """Returns the envelope, also for a failure."""
        return self._tool.reply(parameters).data


def _below(root: str, working_dir: str) -> str:
    """Returns the working directory relative to the root, links resolved; raises ValueError where it is not inside."""
    real = os.path.realpath(os.path.join(root, working_dir))
    inside = os.path.relpath(real, os.path.realpath(root))
    if os.path.isdir(root) and not os.path.isdir(real):
        raise ValueError(f"the working directory is not a directory: {working_dir!r}")
    if inside.split("/")[0] == "..":
        raise ValueError(f"the working directory is not inside the project root: {working_dir!r}")
    return inside
