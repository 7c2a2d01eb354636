"""The Python classes of the dialect `opencode`: `ReadTool` and `ReadParams`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Unpack

from pydantic import BaseModel, BeforeValidator, Field, StrictStr

from .dialect_class import StrPath, ToolFace, ToolSettings, build_tool
from .dialects.opencode import DEFAULT_READ_LIMIT, MAX_BYTES, MAX_LINE_LENGTH, PROPERTIES, dialect
from .dialects.params import whole_number
from .errors import InvalidRequest
from .model import Reply
from .run_in_thread import run_in_thread

__all__ = ["DEFAULT_READ_LIMIT", "MAX_BYTES", "MAX_LINE_LENGTH", "ReadParams", "ReadTool"]


def _whole_number_or_none(value: object) -> int | None:
    try:
        return None if value is None or value == "" else whole_number("value", value)
    except InvalidRequest as error:
        raise ValueError(f"must be {error.wants}") from error


def _described_field(name: str) -> Any:
    return Field(description=str(PROPERTIES[name]["description"]))


class ReadParams(BaseModel):
    """The parameters of a read; their ranges are checked when the tool is executed."""

    filePath: Annotated[StrictStr, _described_field("filePath")]
    offset: Annotated[int | None, BeforeValidator(_whole_number_or_none), _described_field("offset")] = None
    limit: Annotated[int | None, BeforeValidator(_whole_number_or_none), _described_field("limit")] = None


class ReadTool(ToolFace):
    """The tool `read`: returns a dict, and raises a built-in exception on failure.

    Args:
        cwd: Directory where relative paths start; by default the first root, or the current directory.
        root: Directory, or several, outside of which nothing is read; None: no confinement.
        documents: Convert documents to Markdown; otherwise they are refused as binary files.
        settings: Settings that all dialects share, as in `Reader`.
    """

    name = "read"
    parameters = ReadParams

    def __init__(
        self,
        cwd: StrPath | None = None,
        root: StrPath | Sequence[StrPath] | None = None,
        *,
        documents: bool = False,
        **settings: Unpack[ToolSettings],
    ) -> None:
        super().__init__(build_tool(dialect(documents), root, cwd, **settings))

    @property
    def description(self) -> str:
        """The tool description for the model."""
        return self._tool.dialect_tool.description

    def execute_sync(self, params: ReadParams | Mapping[str, object]) -> dict[str, object]:
        """Reads; returns `title`, `output` and `metadata`, or raises a built-in exception such as FileNotFoundError."""
        return _data_or_raise(self._tool.reply(_as_mapping(params)))

    async def execute(self, params: ReadParams | Mapping[str, object]) -> dict[str, object]:
        """Like `execute_sync`, in a thread; the read stops when the awaiting task is cancelled."""
        return _data_or_raise(await run_in_thread(self._tool.reply, _as_mapping(params)))


def _as_mapping(params: ReadParams | Mapping[str, object]) -> Mapping[str, object]:
    return params.model_dump() if isinstance(params, ReadParams) else params


def _data_or_raise(reply: Reply) -> dict[str, object]:
    if reply.exception:
        raise reply.exception
    return reply.data
