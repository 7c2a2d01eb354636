"""Anthropic: tools for the SDK's tool runner; their `to_dict()` is the tool definition for loops of your own."""
# pyright: basic, reportMissingImports=false

from typing import Any

from ..model import Reply
from ..toolspec import Offered, ToolSpec, tool_specs
from .missing_framework import requires_framework


@requires_framework("anthropic")
def tools(reader: Offered) -> list[Any]:
    """Returns the `tools` of `client.beta.messages.tool_runner`.

    Args:
        reader: A `Reader`, an object of another dialect's class, or a `Tool`. Close it when the agent is done.
    """
    from anthropic import beta_tool

    def tool(spec: ToolSpec) -> Any:
        def call(**params: object) -> Any:
            return _content_or_raise(spec.call(params))

        return beta_tool(call, name=spec.name, description=spec.description, input_schema=spec.schema)

    return [tool(spec) for spec in tool_specs(reader)]


@requires_framework("anthropic")
def async_tools(reader: Offered) -> list[Any]:
    """Returns the `tools` of the tool runner of an `AsyncAnthropic` client."""
    from anthropic import beta_async_tool

    def tool(spec: ToolSpec) -> Any:
        async def call(**params: object) -> Any:
            return _content_or_raise(await spec.acall(params))

        return beta_async_tool(call, name=spec.name, description=spec.description, input_schema=spec.schema)

    return [tool(spec) for spec in tool_specs(reader)]


def _content_or_raise(reply: Reply) -> Any:
    """Returns a reply as content blocks; a failure is raised."""
    from anthropic.lib.tools import ToolError

    if reply.is_error:
        raise ToolError(reply.text)
    if not reply.pictures:
        return reply.text
    files = [{"type": "base64", "media_type": each.media_type, "data": each.base64} for each in reply.pictures]
    return [{"type": "text", "text": reply.text}, *({"type": "image", "source": each} for each in files)]
