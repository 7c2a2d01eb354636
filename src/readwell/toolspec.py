"""A tool as agents are given one: what servers and agent frameworks need of it, in one value."""

from collections.abc import Awaitable, Callable
from copy import deepcopy
from typing import NamedTuple, Protocol

from .awaiting import in_thread
from .errors import ReadError
from .model import Reply
from .tool import Tool


class ToolSpec(NamedTuple):
    """A tool by its name, what a model is told of it, its parameters, and the ways to call it."""

    name: str
    description: str
    schema: dict[str, object]
    call: Callable[..., Reply]
    """`Tool.reply`: params, and optionally `cancelled`, `on_progress`, `on_opened`."""
    acall: Callable[[object], Awaitable[Reply]]
    """The same in a thread that stops when the caller is cancelled."""
    close: Callable[[], None]
    """Gives back what the tool holds; it cannot be called afterwards."""
    brief: Callable[[dict[str, object]], dict[str, object]] | None = None
    """A reply's data in few words, for callers that may show it to a model; None: as it is."""

    @property
    def definition(self) -> dict[str, object]:
        """Name, description and parameters."""
        return {"name": self.name, "description": self.description, "parameters": self.schema}


class Face(Protocol):
    """Something with a tool behind it, as `Reader` and the faces of the other dialects have."""

    @property
    def tool(self) -> Tool:
        """The tool."""
        ...


Offered = Tool | Face
"""What can be given to agents: a tool, or a face of one."""


def tool_specs(offered: Offered) -> list[ToolSpec]:
    """Returns what there is to know of each tool in order to offer it."""
    return [tool_spec(tool) for tool in _tool(offered).all()]


def text_specs(offered: Offered) -> list[ToolSpec]:
    """Returns the same for those who can carry nothing but text: an image is answered with its type and size."""
    return [tool_spec(tool.without_images()) for tool in _tool(offered).all()]


def tool_spec(offered: Offered) -> ToolSpec:
    """Returns what there is to know of one tool."""
    tool = _tool(offered)

    async def acall(params: object) -> Reply:
        return await in_thread(tool.reply, params)

    told = tool.dialect_tool
    return ToolSpec(
        name=told.name,
        description=told.description,
        schema=deepcopy(told.schema),  # whoever is given it may change it
        call=tool.reply,
        acall=acall,
        close=tool.close,
        brief=told.brief,
    )


def _tool(offered: Offered) -> Tool:
    return offered if isinstance(offered, Tool) else offered.tool


def is_retryable(reply: Reply) -> bool:
    """Whether a model should try again after this failure, with what the reply tells it."""
    return isinstance(reply.error, ReadError) and reply.error.retryable
