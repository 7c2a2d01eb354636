"""Anthropic: tools for its tool runner, whose `to_dict()` is the schema for loops of one's own."""
# pyright: basic, reportMissingImports=false

from typing import Any

from ..model import Reply
from ..toolspec import Offered, tool_spec


def tools(reader: Offered) -> list[Any]:
    """Returns `tools` for `client.beta.messages.tool_runner`."""
    from anthropic import beta_tool

    spec = tool_spec(reader)

    def read(**params: object) -> Any:
        return _content(spec.call(params))

    return [beta_tool(read, name=spec.name, description=spec.description, input_schema=spec.schema)]


def async_tools(reader: Offered) -> list[Any]:
    """Returns the same for an `AsyncAnthropic`."""
    from anthropic import beta_async_tool

    spec = tool_spec(reader)

    async def read(**params: object) -> Any:
        return _content(await spec.acall(params))

    return [beta_async_tool(read, name=spec.name, description=spec.description, input_schema=spec.schema)]


def _content(reply: Reply) -> Any:
    from anthropic.lib.tools import ToolError

    if reply.is_error:
        raise ToolError(reply.text)
    if not (picture := reply.picture):
        return reply.text
    source = {"type": "base64", "media_type": picture.media_type, "data": picture.base64}
    return [{"type": "text", "text": reply.text}, {"type": "image", "source": source}]
