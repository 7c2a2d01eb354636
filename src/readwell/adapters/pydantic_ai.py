"""Pydantic AI: a `Tool` whose metadata is the reply's data."""
# pyright: basic, reportMissingImports=false

from typing import Any

from ..toolspec import Offered, ToolSpec, is_retryable, tool_specs
from .missing_framework import requires_framework

RETRIES = 5
"""Failed calls in a row before a run ends; the framework's default ends it at the second."""


@requires_framework("pydantic-ai-slim")
def tools(reader: Offered) -> list[Any]:
    """Returns the `tools` of an `Agent`.

    Args:
        reader: A `Reader`, an object of another dialect's class, or a `Tool`. Close it when the agent is done.
    """
    from pydantic_ai import BinaryContent, ModelRetry, Tool, ToolFailed, ToolReturn

    def tool(spec: ToolSpec) -> Any:
        """Returns a tool as the framework wants it."""

        async def call(**params: object) -> Any:
            reply = await spec.acall(params)
            if reply.is_error:
                raise (ModelRetry if is_retryable(reply) else ToolFailed)(reply.text)
            images = [BinaryContent(each.content, media_type=each.media_type) for each in reply.pictures]
            return ToolReturn([reply.text, *images] if images else reply.text, metadata=reply.data)

        made = Tool.from_schema(call, spec.name, spec.description, spec.schema)
        made.max_retries = RETRIES
        return made

    return [tool(spec) for spec in tool_specs(reader)]
