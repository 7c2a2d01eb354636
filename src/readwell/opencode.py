"""The Python face of the dialect `opencode`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, StrictStr

from .awaiting import in_thread
from .dialects.opencode import DEFAULT_READ_LIMIT, MAX_BYTES, MAX_LINE_LENGTH, dialect
from .dialects.params import whole_number
from .errors import InvalidRequest
from .model import Reply
from .tool import Tool

__all__ = ["DEFAULT_READ_LIMIT", "MAX_BYTES", "MAX_LINE_LENGTH", "ReadParams", "ReadTool"]


def _whole(value: object) -> int | None:
    try:
        return None if value is None or value == "" else whole_number("value", value)
    except InvalidRequest as error:
        raise ValueError(f"must be {error.wants}") from error


class ReadParams(BaseModel):
    """The parameters of a read; ranges are judged when it is executed."""

    filePath: StrictStr
    offset: Annotated[int | None, BeforeValidator(_whole)] = None
    limit: Annotated[int | None, BeforeValidator(_whole)] = None


class ReadTool:
    """The tool `read`: success returns a dict, failure raises."""

    name = "read"

    def __init__(
        self,
        cwd: str | os.PathLike[str] | None = None,
        root: str | os.PathLike[str] | None = None,
        *,
        documents: bool = False,
    ) -> None:
        roots = () if root is None else (os.fspath(root),)
        start = None if cwd is None else os.fspath(cwd)
        self._tool = Tool(dialect(documents), roots, start)

    @property
    def tool(self) -> Tool:
        """The tool behind this face, with its dialect, schema and description."""
        return self._tool

    @property
    def description(self) -> str:
        """What a model is told of the tool."""
        return self._tool.dialect_tool.description

    def execute_sync(self, params: ReadParams | Mapping[str, object]) -> dict[str, object]:
        """Returns title, output and metadata; raises a built-in exception on failure."""
        return _data(self._tool.reply(_plain(params)))

    async def execute(self, params: ReadParams | Mapping[str, object]) -> dict[str, object]:
        """Like `execute_sync`, in a thread that stops when the caller is cancelled."""
        return _data(await in_thread(self._tool.reply, _plain(params)))


def _plain(params: ReadParams | Mapping[str, object]) -> Mapping[str, object]:
    return params.model_dump() if isinstance(params, ReadParams) else params


def _data(reply: Reply) -> dict[str, object]:
    if reply.exception:
        raise reply.exception
    return reply.data
