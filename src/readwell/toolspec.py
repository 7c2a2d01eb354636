"""Tool specifications: the name, description, schema and calls of a tool, for servers and agent frameworks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from copy import deepcopy
from typing import Protocol

from .errors import ReadError
from .model import Reply
from .named_tuple import NamedTuple
from .run_in_thread import run_in_thread
from .tool import Tool


class ToolSpec(NamedTuple):
    """A tool as an agent framework needs it."""

    name: str
    """Name of the tool, as a model calls it."""
    description: str
    """Description for the model."""
    schema: dict[str, object]
    """JSON schema of the parameters; a copy that may be changed."""
    call: Callable[..., Reply]
    """`Tool.reply`: takes the params, and optionally `cancelled`, `on_progress`, `on_opened` and `caller`."""
    acall: Callable[[object], Awaitable[Reply]]
    """Like `call` with the params alone, in a thread; the read stops when the awaiting task is cancelled."""
    close: Callable[[], None]
    """Closes the tool; it cannot be called afterwards."""
    refuse: Callable[..., Reply]
    """`Tool.refuse`: takes the params and a ReadError, and optionally the caller's name."""
    brief: Callable[[dict[str, object]], dict[str, object]] | None = None
    """Shortens a reply's data, for clients that may show it to a model; None: the data is sent whole."""

    @property
    def definition(self) -> dict[str, object]:
        """The definition as a dict: `name`, `description` and `parameters`."""
        return {"name": self.name, "description": self.description, "parameters": self.schema}


class Face(Protocol):
    """An object with a `tool`: `Reader`, and the classes of the other dialects."""

    @property
    def tool(self) -> Tool:
        """The tool."""
        ...


Offered = Tool | Face
"""What adapters accept: a tool, or an object with one, such as `Reader`."""


def tool_specs(offered: Offered) -> list[ToolSpec]:
    """Returns the specifications of all tools of the dialect.

    Args:
        offered: A tool, or an object with one, such as `Reader`. Calls go to that tool; closing it ends them.
    """
    return [tool_spec(tool) for tool in _tool_of(offered).all()]


def text_specs(offered: Offered) -> list[ToolSpec]:
    """Returns the specifications for frameworks that carry only text: an image is answered with its type and size."""
    return [tool_spec(tool.without_images()) for tool in _tool_of(offered).all()]


def tool_spec(offered: Offered) -> ToolSpec:
    """Returns the specification of the one tool that `offered` is, or has."""
    tool = _tool_of(offered)

    async def acall(params: object) -> Reply:
        return await run_in_thread(tool.reply, params)

    dialect_tool = tool.dialect_tool
    return ToolSpec(
        name=dialect_tool.name,
        description=dialect_tool.description,
        schema=deepcopy(dialect_tool.schema),
        call=tool.reply,
        acall=acall,
        close=tool.close,
        refuse=tool.refuse,
        brief=dialect_tool.brief,
    )


def _tool_of(offered: Offered) -> Tool:
    return offered if isinstance(offered, Tool) else offered.tool


def is_retryable(reply: Reply) -> bool:
    """Returns whether a model can correct the failed call with the help of the reply, and should try again."""
    return isinstance(reply.error, ReadError) and reply.error.retryable
